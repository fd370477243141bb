import { type CommandName, commands } from "./arguments.ts";

const usage: Readonly<Record<CommandName, string>> = {
  run: `Usage: rpc-notebook run FILE… [options]

Runs the cells of each notebook in the order of their references and prints what came, decoded.

Options:
  -e, --endpoint NAME|URL   send everything there; its host needs no further leave
  -c, --cell KEY            run this cell and what it refers to: a name, or a number from 1; may be repeated
      --var NAME=VALUE      set a variable; a value that is JSON is taken as JSON; may be repeated
      --report text|json    text for people (default), json for machines
      --timeout SECONDS     for one exchange (default 30)
      --allow-host HOST     let requests go to a host that a notebook or a file of the project names; may be repeated
      --allow-writes        send what signs, broadcasts or changes the node

Exit codes: 0 all went well, 1 a request or an expectation failed, 2 wrong use.`,
  check: `Usage: rpc-notebook check FILE… [--report text|json]

Checks notebooks as the editor does, and sends nothing.

Exit codes: 0 no errors, 1 errors, 2 wrong use.`,
  fmt: `Usage: rpc-notebook fmt FILE… [--check]

Lays notebooks out afresh: short lists on one line, the rest a member a line. Nothing but white space changes.

Options:
      --check   write nothing; name the files that would change

Exit codes: 0 all are laid out, 1 some would change (with --check), 2 wrong use.`,
  lsp: `Usage: rpc-notebook lsp [--stdio] [--clientProcessId PID]

Serves any editor that speaks the Language Server Protocol, over standard input and output.

Options:
      --stdio                 as without it: there is no other way
      --clientProcessId PID   end when the process with this number is gone`,
};

export function help(topic: CommandName | undefined): string {
  if (topic) return usage[topic];
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, what]) => `  ${name.padEnd(width)}   ${what}`);
  return `Usage: rpc-notebook COMMAND …

Notebooks of Ethereum JSON-RPC requests, run from the terminal.

Commands:
${lines.join("\n")}

Try:  rpc-notebook run FILE.rpc.json --endpoint http://127.0.0.1:8545
More: rpc-notebook COMMAND --help, rpc-notebook --version`;
}
