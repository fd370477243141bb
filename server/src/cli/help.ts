import { wrap } from "../report/text.ts";
import { type CommandName, type CommandOption, commands, optionsOf } from "./commands.ts";

/** Columns of a line of help. */
const maxColumns = 100;
/** Columns of the options themselves; the text of a longer one begins on the next line. */
const maxOptionColumns = 29;
/** On a narrower terminal the text of each option begins on the next line, after so many columns. */
const [narrow, narrowIndent] = [70, 8];

/**
 * @param topic - A command; without one, help lists them all.
 * @param width - Columns of the terminal.
 */
export function help(topic: CommandName | undefined, width = maxColumns): string {
  const columns = Math.min(width, maxColumns);
  return topic ? commandHelp(topic, columns) : overview(columns);
}

function overview(columns: number): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}   ${wrapped(summary, width + 5, columns)}`,
  );
  return `Usage: rpc-notebook COMMAND …

${wrapped("Notebooks of Ethereum JSON-RPC requests, run from the terminal.", 0, columns)}

Commands:
${lines.join("\n")}

Try:  ${wrapped("rpc-notebook run FILE.rpc.json --endpoint http://127.0.0.1:8545", 6, columns)}
More: ${wrapped("rpc-notebook COMMAND --help, rpc-notebook --version", 6, columns)}`;
}

function commandHelp(name: CommandName, columns: number): string {
  const { usage, about, exitCodes } = commands[name];
  const options = optionsOf(name);
  const widest = Math.max(...options.map((option) => optionText(option).length));
  const column = columns < narrow ? narrowIndent : 3 + Math.min(maxOptionColumns, widest);
  const lines = options.map((option) => {
    const [left, text] = [optionText(option), wrapped(option.what, column, columns)];
    return left.length + 3 > column ? `${left}\n${" ".repeat(column)}${text}` : left.padEnd(column) + text;
  });
  const paragraphs = about.split("\n").map((line) => {
    const [start = ""] = /^ +\S+ +/.exec(line) ?? [];
    return start + wrapped(line.slice(start.length), start.length, columns);
  });
  return [
    wrapped(`Usage: rpc-notebook ${name} ${usage}`, 0, columns),
    paragraphs.join("\n"),
    ...(lines.length > 0 ? [`Options:\n${lines.join("\n")}`] : []),
    ...(exitCodes === undefined ? [] : [wrapped(`Exit codes: ${exitCodes}.`, 0, columns)]),
  ].join("\n\n");
}

/** @example optionText({ short: "e", name: "endpoint", value: "URL" }); //=> "  -e, --endpoint URL" */
function optionText({ short, name, value }: CommandOption): string {
  return `  ${short === undefined ? "   " : `-${short},`} --${name}${value === undefined ? "" : ` ${value}`}`;
}

/** @param indent - Columns before the text, in its first line and all others. */
function wrapped(text: string, indent: number, columns: number): string {
  return wrap(text, columns - indent).join(`\n${" ".repeat(indent)}`);
}
