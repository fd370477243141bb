import { parseArgs } from "node:util";
import { nearest } from "../base/text.ts";
import { defaultLookupHost } from "../catalog/lookupHost.ts";
import { type CommandName, commands, isCommand, options } from "./commands.ts";
import { UsageError } from "./terminal.ts";

export type Values = ReturnType<typeof parseOptions>["values"];

/**
 * Separates options from other words.
 *
 * @throws {@link UsageError} if an option is unknown, or has a value or lacks one by mistake.
 */
export function parseOptions(argv: readonly string[]) {
  const parsed = parsedArguments(argv);
  const values: Readonly<Record<string, unknown>> = parsed.values;
  const empty = Object.entries(options).find(([name, one]) => "isPath" in one && [values[name]].flat().includes(""));
  if (empty) throw noValue(`--${empty[0]}`);
  return parsed;
}

function parsedArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: withLookupHost(argv), options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const unknown = /Unknown option '(-+[^']+)'/.exec(message)?.[1];
    throw unknown === undefined ? misusedOption(message) : unknownOption(unknown, argv.find(isCommand));
  }
}

/** `--lookup` of `run` may have no value: what follows is taken for one only if it is a URL. */
function withLookupHost(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const isBare = (word: string, at: number): boolean =>
    word === "--lookup" && (end < 0 || at < end) && !/^https?:/i.test(argv[at + 1] ?? "");
  if (argv.find(isCommand) !== "run") return [...argv];
  return argv.map((word, at) => (isBare(word, at) ? `${word}=${defaultLookupHost}` : word));
}

function unknownOption(typed: string, command: CommandName | undefined): UsageError {
  const names = Object.keys(command === undefined ? options : commands[command].options);
  const [near] = nearest(typed.replace(/^-+/, ""), names);
  const hint = near === undefined ? seeHelp(command) : `Did you mean --${near}?`;
  const [name] = typed.split(/\s/); // what follows is a text, as that of a file with a key
  return new UsageError(`Unknown option ${name}.`, { hint });
}

/** @param message - The message of `parseArgs` for an option that it knows. */
function misusedOption(message: string): UsageError {
  const [, option] = /Option '(?:-\w, )?(-[\w-]+)[^']*'/.exec(message) ?? [];
  if (option === undefined) return new UsageError(message, { hint: seeHelp() });
  if (/does not take an argument/.test(message))
    return new UsageError(`${option} takes no value.`, { hint: `Write only ${option}.` });
  return noValue(option);
}

function noValue(option: string): UsageError {
  return new UsageError(`${option} has no value.`, {
    hint: `Write ${option} VALUE, or ${option}=VALUE if the value begins with a dash.`,
  });
}

export function seeHelp(command?: CommandName): string {
  return `See \`rpc-notebook ${command === undefined ? "" : `${command} `}--help\`.`;
}
