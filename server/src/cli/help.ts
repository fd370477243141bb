import { type CommandName, commands } from "./flags.ts";

const usage: Readonly<Record<CommandName, string>> = {
  run: `Usage: rpc-notebook run FILE… [options]

Runs the cells of each notebook in the order of their references and prints what came, decoded.

Options:
  -e, --endpoint NAME|URL   send everything there; its host needs no further leave
  -c, --cell KEY            run this cell and what it refers to: a name, or a number from 1; may be repeated
      --var NAME=VALUE      set a variable; a value that is JSON is taken as JSON; may be repeated
      --report FORM         text for people (default); json or junit for machines
      --snapshot check      hold the answers against the snapshot beside each notebook; a difference is a failure
      --snapshot update     write that snapshot, NAME.rpc.snapshot.json
  -w, --watch               run a notebook again when it is saved, until Ctrl-C
      --compare BLOCKS      ask each request at these blocks and show the answers side by side: pending,latest,safe,finalized
      --compare-endpoint NAME|URL
                            ask each request there as well, and show both answers side by side
  -j, --jobs COUNT          notebooks that run at once (default 4; with --allow-writes 1)
      --timeout SECONDS     for one exchange (default 30)
      --for TIME            end subscriptions after 10s, 500ms or 2m; else they stream until Ctrl-C
      --rows COUNT          print so many rows of a table, at most 200 (default 20 on a terminal), and end each
                            subscription after so many
      --allow-host HOST     allow requests to a host that a notebook or a project file names, with the secrets and
                            environment variables that they name. HTTPS only, unless HOST begins with http:// or is
                            this machine; may be repeated
      --allow-method NAME   allow a method that is not known to only read (zks_* for a namespace); may be repeated
      --allow-writes        allow methods that sign, broadcast or change the node, and all methods not known to only read

Exit codes: 0 all went well, 1 a request, an expectation or a snapshot failed, 2 wrong use.`,
  check: `Usage: rpc-notebook check FILE… [--report text|json]

Checks notebooks as the editor does, with the files of endpoints that they read, and sends nothing. An rpc-endpoints.json
may be named as well.

Exit codes: 0 no errors, 1 errors, 2 wrong use.`,
  fmt: `Usage: rpc-notebook fmt FILE… [--check]

Lays notebooks out afresh: short lists on one line, the rest a member a line. Nothing but white space changes.

Options:
      --check   write nothing; name the files that would change

Exit codes: 0 all are laid out, 1 some would change (with --check) or could not be written, 2 wrong use.`,
  decode: `Usage: rpc-notebook decode [DATA] [options]

Says what DATA is and decodes it: call data with the calls inside, a log as JSON, revert data, code that creates a
contract, a topic or a selector. Answers, errors, transactions, call objects, receipts, simulations and blocks as JSON are
taken as well. Without DATA it is read from standard input. Nothing is sent, but for the hash of a transaction with
--endpoint.

Options:
      --abi FILE|SIGNATURE   an artifact, an ABI, or "function f(uint256 id)"; wins over what is known; may be repeated
      --function SIGNATURE   DATA is what this function returned: "balanceOf(address) returns (uint256)", or its name
      --topics TOPIC,…       the topics of a log, in place of DATA
      --data HEX             the data of that log
  -e, --endpoint NAME|URL    DATA is the hash of a transaction: fetch it and its receipt there
      --allow-host HOST      let those requests go to a host that a file of the project names
      --timeout SECONDS      for each of them (default 30)
      --json                 for machines

Contracts of the project around the working folder are known, as they are to its notebooks.

Exit codes: 0 decoded, 1 not or not cleanly decoded, or the request failed, 2 wrong use.`,
  probe: `Usage: rpc-notebook probe ENDPOINT|FILE [options]

Finds out what an endpoint does, by some two hundred small requests: chain, client, batches, eth_simulateV1, overrides,
eth_getBlockReceipts, how many blocks eth_getLogs takes, and for each method that serves pre-confirmed state whether
\`pending\` is ahead of \`latest\`. Nothing is broadcast. Of a notebook, the endpoint that its header has chosen is probed.

Options:
  -e, --endpoint NAME|URL   in place of the one that the notebook has chosen
      --allow-host HOST     let requests go to a host that the notebook or a file of the project names
      --json                for machines

Exit codes: 0 it was probed, 1 it did not answer, 2 wrong use.`,
  audit: `Usage: rpc-notebook audit ENDPOINT|FILE [options]

Keeps what an endpoint shows as pre-confirmed, holds it against each sealed block and reports every divergence:
  missing     was shown, and is in no block
  extra       is in a block, and was not shown before
  different   is in its block with another status, gas, contract or log
  late        is in a later block than the one that it was shown in
Without a WebSocket, what is extra cannot be told. Ctrl-C ends the audit and reports what was found. Nothing is broadcast.

Options:
      --for TIME            how long: 30s, 10m, 1h (default 1m)
  -e, --endpoint NAME|URL   in place of the one that the notebook has chosen
      --allow-host HOST     let requests go to a host that the notebook or a file of the project names
      --json                for machines

Exit codes: 0 nothing diverged, 1 something did or the endpoint did not answer, 2 wrong use.`,
  import: `Usage: rpc-notebook import [FILE…] [-o OUT] [--from curl|postman|http|cast|json]

Makes a notebook of requests that are written for another tool: curl and cast commands in any text, a Postman
collection, a .http file, or requests as JSON. Without FILE they are read from standard input. Nothing is sent. What looks
like a key or a password, in addresses, headers, bodies and comments, is left out and goes by {{$secret.NAME}}.

Options:
      --from FORM   what the text is, where it does not show
  -o, --out OUT     the notebook; of several files, a folder for them. Without it the notebook is printed. Endpoints
                    with headers or keys are added to the rpc-endpoints.json beside it. No notebook is replaced

Exit codes: 0 all was read, 1 something could not be read or written, 2 wrong use.`,
  export: `Usage: rpc-notebook export FILE --to curl|cast|viem [--cell KEY]

Writes the requests of a notebook for another tool: commands for a shell, or a TypeScript module. Nothing is sent. An
address that holds a key, and every secret, is a variable of the environment there.

Options:
      --to FORM    curl, cast or viem
  -c, --cell KEY   this cell alone (with viem, what it refers to as well): a name, or a number from 1

Exit codes: 0 all was written, 1 something could not be written, 2 wrong use.`,
  completions: `Usage: rpc-notebook completions bash|zsh|fish

Prints the script by which a shell completes commands, options and files.

  bash   rpc-notebook completions bash > ~/.local/share/bash-completion/completions/rpc-notebook
  zsh    rpc-notebook completions zsh > a folder of $fpath/_rpc-notebook
  fish   rpc-notebook completions fish > ~/.config/fish/completions/rpc-notebook.fish`,
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
