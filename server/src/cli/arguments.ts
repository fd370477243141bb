import { parseArgs } from "node:util";
import { RpcNotebookError } from "../base/error.ts";
import { listed, nearest } from "../base/text.ts";
import type { ExportForm } from "../convert/exported.ts";
import type { ImportForm } from "../convert/importText.ts";
import type { StreamBounds } from "../protocol.ts";

/** The command line was not understood. Exit code 2. */
export class UsageError extends RpcNotebookError {
  readonly code = "cli.usage";
}

export const commands = {
  run: "Run the cells of notebooks and print decoded results",
  check: "Check notebooks without sending anything",
  fmt: "Lay notebooks out afresh, changing nothing but white space",
  decode: "Say what call data, a log, a revert or other bytes are",
  probe: "Find out what an endpoint does: its limits, its methods, its pending state",
  import: "Make a notebook of curl, Postman, .http or cast requests",
  export: "Write requests as curl, cast or viem code",
  completions: "Print the script by which a shell completes these commands",
  lsp: "Serve an editor over standard input and output",
} as const;
export type CommandName = keyof typeof commands;

export type Command =
  | { readonly name: "help"; readonly topic: CommandName | undefined }
  | { readonly name: "version" }
  | { readonly name: "lsp" }
  | ({ readonly name: "check" } & CheckOptions)
  | ({ readonly name: "fmt" } & FormatOptions)
  | ({ readonly name: "decode" } & DecodeOptions)
  | ({ readonly name: "probe" } & ProbeOptions)
  | ({ readonly name: "import" } & ImportOptions)
  | ({ readonly name: "export" } & ExportOptions)
  | { readonly name: "completions"; readonly shell: Shell }
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
  readonly report: "text" | "json" | "junit";
  /** Hold the answers against the snapshot beside each notebook, or write it. */
  readonly snapshot: "check" | "update" | undefined;
  /** Run each notebook again when it is saved. */
  readonly watch: boolean;
  /** Notebooks that run at once. */
  readonly jobs: number;
  readonly allowWrites: boolean;
  readonly allowHosts: readonly string[];
  /** Seconds for one exchange. */
  readonly timeout: number | undefined;
  /** When subscription cells end by themselves. */
  readonly stream: StreamBounds;
  /** Run each request at several blocks, or at another endpoint as well, and show the answers side by side. */
  readonly compare: { readonly tags: readonly string[] } | { readonly with: string } | undefined;
}

export interface DecodeOptions {
  /** What is to be decoded; `undefined` where it comes over standard input. */
  readonly text: string | undefined;
  /** Paths of files, and signatures. */
  readonly abis: readonly string[];
  /** The function whose returned data it is. */
  readonly called: string | undefined;
  /** Topics and data of a log, as they were typed. */
  readonly log: { readonly topics: readonly string[]; readonly data: string } | undefined;
  /** Where the receipt of a transaction is fetched. */
  readonly endpoint: string | undefined;
  readonly json: boolean;
  readonly allowHosts: readonly string[];
  readonly timeout: number | undefined;
}

export interface ProbeOptions {
  /** A notebook, or an endpoint by name or address. */
  readonly target: string;
  /** In place of the one that the notebook has chosen. */
  readonly endpoint: string | undefined;
  readonly json: boolean;
  readonly allowHosts: readonly string[];
}

export interface ImportOptions {
  /** None where the text comes over standard input. */
  readonly files: readonly string[];
  /** The notebook to be written; `undefined` for standard output. */
  readonly out: string | undefined;
  /** `undefined` where the text shows what it is. */
  readonly from: ImportForm | undefined;
}

export interface ExportOptions {
  readonly files: readonly [string];
  readonly to: ExportForm;
  /** One cell, by its name or its number from 1. */
  readonly cell: string | undefined;
}

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Notebooks that run at once where nothing else is said. */
const usualJobs = 4;

export const flags = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
  endpoint: { type: "string", short: "e" },
  var: { type: "string", multiple: true },
  cell: { type: "string", short: "c", multiple: true },
  report: { type: "string" },
  "allow-writes": { type: "boolean" },
  "allow-host": { type: "string", multiple: true },
  timeout: { type: "string" },
  for: { type: "string" },
  rows: { type: "string" },
  snapshot: { type: "string" },
  watch: { type: "boolean", short: "w" },
  jobs: { type: "string", short: "j" },
  compare: { type: "string" },
  "compare-endpoint": { type: "string" },
  check: { type: "boolean" },
  abi: { type: "string", multiple: true },
  function: { type: "string" },
  topics: { type: "string", multiple: true },
  data: { type: "string" },
  json: { type: "boolean" },
  from: { type: "string" },
  out: { type: "string", short: "o" },
  to: { type: "string" },
  stdio: { type: "boolean" },
  clientProcessId: { type: "string" },
} as const;
export type Flag = keyof typeof flags;

/** Which flags each command takes, beside `--help`. */
export const taken: Readonly<Record<CommandName, readonly Flag[]>> = {
  run: [
    "endpoint",
    "var",
    "cell",
    "report",
    "snapshot",
    "watch",
    "jobs",
    "compare",
    "compare-endpoint",
    "allow-writes",
    "allow-host",
    "timeout",
    "for",
    "rows",
  ],
  check: ["report"],
  fmt: ["check"],
  decode: ["abi", "function", "topics", "data", "endpoint", "json", "allow-host", "timeout"],
  probe: ["endpoint", "json", "allow-host"],
  import: ["from", "out"],
  export: ["to", "cell"],
  completions: [],
  lsp: ["stdio", "clientProcessId"],
};

const reports = {
  run: ["text", "json", "junit"],
  check: ["text", "json"],
} as const;
const snapshots = ["check", "update"] as const;

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
  if (name === "completions") return { name, shell: shellNamed(files) };
  if (name === "decode") return { name, ...decodeOptions(values, files) };
  if (name === "probe") return { name, ...probeOptions(values, files) };
  if (name === "import") return { name, ...importOptions(values, files) };
  if (files.length === 0)
    throw new UsageError("No file.", { hint: `Name one: \`rpc-notebook ${name} FILE.rpc.json\`.` });
  if (name === "export") return { name, ...exportOptions(values, files) };
  if (name === "fmt") return { name, files, check: values.check ?? false };
  if (name === "check") return { name, files, report: oneOf(values.report ?? "text", reports.check) };
  return { name, ...runOptions(values, files) };
}

function runOptions(values: FlagValues, files: readonly string[]): RunOptions {
  const watch = values.watch ?? false;
  const report = oneOf(values.report ?? "text", reports.run);
  if (watch && report !== "text")
    throw new UsageError("--watch goes with --report text alone.", { hint: "A report for machines has an end." });
  return {
    files,
    report,
    snapshot: values.snapshot === undefined ? undefined : oneOf(values.snapshot, snapshots, "snapshot"),
    watch,
    jobs: values.jobs === undefined ? usualJobs : count(values.jobs),
    endpoint: values.endpoint,
    variables: (values.var ?? []).map(variable),
    cells: values.cell ?? [],
    allowWrites: values["allow-writes"] ?? false,
    allowHosts: values["allow-host"] ?? [],
    timeout: values.timeout === undefined ? undefined : seconds(values.timeout),
    stream: {
      ...(values.for !== undefined && { forMs: duration(values.for) }),
      ...(values.rows !== undefined && { rows: rowCount(values.rows) }),
    },
    compare: comparedBy(values, watch || values.snapshot !== undefined || report === "junit"),
  };
}

function comparedBy(values: FlagValues, isOther: boolean): RunOptions["compare"] {
  const { compare, "compare-endpoint": other } = values;
  if (compare === undefined && other === undefined) return undefined;
  if (compare !== undefined && other !== undefined)
    throw new UsageError("--compare and --compare-endpoint do not go together.", { hint: "Run it once with each." });
  if (isOther)
    throw new UsageError("A comparison goes without --watch, --snapshot and --report junit.", {
      hint: "Leave them out: it has a report of its own.",
    });
  if (other !== undefined) return { with: other };
  const tags = (compare ?? "").split(",").map((tag) => tag.trim());
  const wrong = tags.find(
    (tag) => !/^(?:pending|latest|safe|finalized|earliest|0x[0-9a-f]{1,16}|latest *- *\d+)$/i.test(tag),
  );
  if (wrong !== undefined || tags.length < 2)
    throw new UsageError(
      wrong === undefined ? "--compare takes two blocks or more." : `--compare ${wrong} is no block.`,
      {
        hint: "Give them with commas: --compare pending,latest,safe,finalized.",
      },
    );
  return { tags };
}

/** What a flag takes, where that is a choice. */
export function choicesOf(command: CommandName, flag: Flag): readonly string[] {
  switch (flag) {
    case "report":
      return command === "run" || command === "check" ? reports[command] : [];
    case "snapshot":
      return snapshots;
    case "from":
      return importForms;
    case "to":
      return exportForms;
    default:
      return [];
  }
}

const importForms: readonly ImportForm[] = ["curl", "postman", "http", "cast", "json"];
const exportForms: readonly ExportForm[] = ["curl", "cast", "viem"];

type FlagValues = ReturnType<typeof parse>["values"];

function importOptions({ from, out }: FlagValues, files: readonly string[]): ImportOptions {
  return { files, out, from: from === undefined ? undefined : oneOf(from, importForms, "from") };
}

function exportOptions({ to, cell = [] }: FlagValues, [file = "", ...others]: readonly string[]): ExportOptions {
  if (others.length > 0) throw new UsageError("`export` takes one file.", { hint: "Export the others by themselves." });
  if (to === undefined) throw new UsageError("No form.", { hint: `Add --to ${listed(exportForms, "or")}.` });
  if (cell.length > 1)
    throw new UsageError("`export` takes one --cell.", { hint: "Without it, all cells are written." });
  return { files: [file], to: oneOf(to, exportForms, "to"), cell: cell[0] };
}

function decodeOptions(values: ReturnType<typeof parse>["values"], words: readonly string[]): DecodeOptions {
  const { topics, data } = values;
  if (data !== undefined && !topics)
    throw new UsageError("--data is that of a log, and needs --topics.", {
      hint: "Call data needs no option: `rpc-notebook decode 0x…`.",
    });
  // the shell separates topics as well as commas do
  const typed = topics && [...topics, ...words].flatMap((text) => text.match(/[^\s,"'[\]]+/g) ?? []);
  const [text, ...more] = typed ? [] : words;
  if (more.length > 0)
    throw new UsageError("One thing is decoded at a time.", {
      hint: "Put JSON in single quotes: '{ \"topics\": … }'.",
    });
  return {
    text: text === "-" ? undefined : text,
    abis: values.abi ?? [],
    called: values.function,
    log: typed && { topics: typed, data: data ?? "0x" },
    endpoint: values.endpoint,
    json: values.json ?? false,
    allowHosts: values["allow-host"] ?? [],
    timeout: values.timeout === undefined ? undefined : seconds(values.timeout),
  };
}

function probeOptions(values: FlagValues, [target, ...others]: readonly string[]): ProbeOptions {
  if (target === undefined)
    throw new UsageError("Nothing to probe.", { hint: "Name an endpoint or a notebook: `rpc-notebook probe local`." });
  if (others.length > 0)
    throw new UsageError("`probe` takes one endpoint.", { hint: "Probe the others by themselves." });
  const { endpoint, json = false, "allow-host": allowHosts = [] } = values;
  return { target, endpoint, json, allowHosts };
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

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** @returns Milliseconds. */
function duration(text: string): number {
  const [, number = "", unit = "s"] = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Number(number) * (unitMs[unit] ?? 0);
  if (ms > 0 && ms < 2 ** 31) return ms;
  throw new UsageError(`--for ${text} is not a time.`, { hint: "Give one such as --for 10s, 500ms or 2m." });
}

function rowCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--rows ${text} is no count.`, { hint: "Give one from 1: --rows 100." });
}

function count(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--jobs ${text} is no count.`, { hint: "Give one from 1 to 999: --jobs 4." });
}

function shellNamed([word, ...others]: readonly string[]): Shell {
  const found = shells.find((shell) => shell === word);
  if (found && others.length === 0) return found;
  const hint = `Name one: \`rpc-notebook completions ${listed(shells, "or")}\`.`;
  throw new UsageError(word === undefined ? "No shell." : `There are no completions for ${word}.`, { hint });
}

function oneOf<T extends string>(text: string, allowed: readonly T[], flag: Flag = "report"): T {
  const found = allowed.find((one) => one === text);
  if (found) return found;
  throw new UsageError(`--${flag} ${text} is not known.`, { hint: `It takes ${listed(allowed, "or")}.` });
}
