import { parseArgs } from "node:util";
import { RpcNotebookError } from "../base/error.ts";
import { nearest } from "../base/text.ts";

/** The command line was not understood. Exit code 2. */
export class UsageError extends RpcNotebookError {
  readonly code = "cli.usage";
}

export const commands = {
  run: "Run the cells of notebooks and print decoded results",
  check: "Check notebooks without sending anything",
  fmt: "Lay notebooks out afresh, changing nothing but white space",
  lsp: "Serve an editor over standard input and output",
} as const;
export type CommandName = keyof typeof commands;

export type Command =
  | { readonly name: "help"; readonly topic: CommandName | undefined }
  | { readonly name: "version" }
  | { readonly name: "lsp" }
  | ({ readonly name: "check" } & CheckOptions)
  | ({ readonly name: "fmt" } & FormatOptions)
  | ({ readonly name: "run" } & RunOptions);

export interface CheckOptions {
  readonly files: readonly string[];
  readonly report: "text" | "json";
}

export interface FormatOptions {
  readonly files: readonly string[];
  /** Write nothing, and say which files would change. */
  readonly check: boolean;
}

export interface RunOptions {
  readonly files: readonly string[];
  readonly endpoint: string | undefined;
  /** Name and text of each `--var`; text that is JSON is taken as JSON. */
  readonly variables: readonly (readonly [string, string])[];
  readonly cells: readonly string[];
  readonly report: "text" | "json";
  readonly allowWrites: boolean;
  readonly allowHosts: readonly string[];
  /** Seconds for one exchange. */
  readonly timeout: number | undefined;
}

const flags = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
  endpoint: { type: "string", short: "e" },
  var: { type: "string", multiple: true },
  cell: { type: "string", short: "c", multiple: true },
  report: { type: "string" },
  "allow-writes": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  timeout: { type: "string" },
  check: { type: "boolean" },
  stdio: { type: "boolean" },
  clientProcessId: { type: "string" },
} as const;
type Flag = keyof typeof flags;

/** Which flags each command takes, beside `--help`. */
const taken: Readonly<Record<CommandName, readonly Flag[]>> = {
  run: ["endpoint", "var", "cell", "report", "allow-writes", "allow-host", "timeout"],
  check: ["report"],
  fmt: ["check"],
  lsp: ["stdio", "clientProcessId"],
};

/**
 * Reads the command line.
 *
 * @throws {@link UsageError} with what was wrong and what to type instead.
 */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  const [first, ...files] = positionals;
  if (values.version && first === undefined) return { name: "version" };
  if (first === undefined || first === "help") {
    if (!values.help && first === undefined && Object.keys(values).length > 0) throw new UsageError("No command.", ask);
    return { name: "help", topic: files[0] === undefined ? undefined : commandNamed(files[0]) };
  }
  const name = commandNamed(first);
  if (values.help) return { name: "help", topic: name };
  const foreign = (Object.keys(values) as Flag[]).find((flag) => !taken[name].includes(flag)); // parseArgs takes no others
  if (foreign)
    throw new UsageError(`\`${name}\` takes no --${foreign}.`, { hint: `See \`rpc-notebook ${name} --help\`.` });
  if (name === "lsp" && files.length > 0)
    throw new UsageError("`lsp` takes no file.", { hint: "The editor opens them." });
  if (name === "lsp") return { name };
  if (files.length === 0)
    throw new UsageError("No file.", { hint: `Name one: \`rpc-notebook ${name} FILE.rpc.json\`.` });
  if (name === "fmt") return { name, files, check: values.check ?? false };
  const report = oneOf(values.report ?? "text", ["text", "json"]);
  if (name === "check") return { name, files, report };
  return {
    name,
    files,
    report,
    endpoint: values.endpoint,
    variables: (values.var ?? []).map(variable),
    cells: values.cell ?? [],
    allowWrites: values["allow-writes"] ?? false,
    allowHosts: values["allow-host"] ?? [],
    timeout: values.timeout === undefined ? undefined : seconds(values.timeout),
  };
}

const ask = { hint: "See `rpc-notebook --help`." };

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const unknown = /Unknown option '(-+[^']+)'/.exec(message)?.[1];
    if (!unknown) throw new UsageError(`${message.split(/\.?(?:\s*\n|\. |$)/)[0]}.`, ask);
    const near = nearest(unknown.replace(/^-+/, ""), Object.keys(flags))[0];
    throw new UsageError(`No option is called ${unknown}.`, near ? { hint: `Did you mean --${near}?` } : ask);
  }
}

function commandNamed(word: string): CommandName {
  if (Object.hasOwn(commands, word)) return word as CommandName; // hasOwn has just said so
  const near = nearest(word, Object.keys(commands))[0];
  const hint = word.endsWith(".json")
    ? `To run a notebook: \`rpc-notebook run ${word}\`.`
    : near
      ? `Did you mean \`${near}\`?`
      : ask.hint;
  throw new UsageError(`No command is called \`${word}\`.`, { hint });
}

function variable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--var ${text} has no value.`, { hint: "Write --var name=value." });
  return [text.slice(0, at), text.slice(at + 1)];
}

function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--timeout ${text} is not a time.`, { hint: "Give seconds: --timeout 30." });
}

function oneOf<T extends string>(text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found) return found;
  throw new UsageError(`--report ${text} is not known.`, { hint: `It takes ${allowed.join(" or ")}.` });
}
