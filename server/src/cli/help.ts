import { type CommandName, type CommandOption, commands, optionsOf } from "./commands.ts";

/** Columns of a line of help. */
const maxColumns = 100;
/** Columns of the options themselves; the text of a longer one begins on the next line. */
const maxOptionColumns = 29;

/** @param topic - A command; without one, help lists them all. */
export function help(topic: CommandName | undefined): string {
  return topic ? commandHelp(topic) : overview();
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}   ${summary}`);
  return `Usage: rpc-notebook COMMAND …

Notebooks of Ethereum JSON-RPC requests, run from the terminal.

Commands:
${lines.join("\n")}

Try:  rpc-notebook run FILE.rpc.json --endpoint http://127.0.0.1:8545
More: rpc-notebook COMMAND --help, rpc-notebook --version`;
}

function commandHelp(name: CommandName): string {
  const { usage, about, exitCodes } = commands[name];
  const options = optionsOf(name);
  const column = 3 + Math.min(maxOptionColumns, Math.max(...options.map((option) => optionText(option).length)));
  const lines = options.map((option) => {
    const [left, text] = [optionText(option), wrapped(option.what, column)];
    return left.length + 3 > column ? `${left}\n${" ".repeat(column)}${text}` : left.padEnd(column) + text;
  });
  const paragraphs = about.split("\n").map((line) => wrapped(line, 0));
  return [
    `Usage: rpc-notebook ${name} ${usage}`,
    paragraphs.join("\n"),
    ...(lines.length > 0 ? [`Options:\n${lines.join("\n")}`] : []),
    ...(exitCodes === undefined ? [] : [`Exit codes: ${exitCodes}.`]),
  ].join("\n\n");
}

/** @example optionText({ short: "e", name: "endpoint", value: "URL" }); //=> "  -e, --endpoint URL" */
function optionText({ short, name, value }: Pick<CommandOption, "short" | "name" | "value">): string {
  return `  ${short === undefined ? "   " : `-${short},`} --${name}${value === undefined ? "" : ` ${value}`}`;
}

/** @param indent - Columns before the text, in its first line and all others. */
function wrapped(text: string, indent: number): string {
  const breaks = new RegExp(`(.{1,${maxColumns - indent}})(?: |$)`, "g");
  return text.startsWith(" ") ? text : text.replace(breaks, `$1\n${" ".repeat(indent)}`).trimEnd();
}
