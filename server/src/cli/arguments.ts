import { parseArgs } from "node:util";
import { RpcNotebookError } from "../base/error.ts";
import { listed, nearest } from "../base/text.ts";
import { sitesNamed } from "../endpoints/site.ts";
import type {
  AuditOptions,
  Command,
  DecodeOptions,
  ExportOptions,
  ImportOptions,
  ProbeOptions,
  RunOptions,
} from "./command.ts";
import {
  type CommandName,
  commands,
  exportForms,
  type Flag,
  flags,
  importForms,
  reports,
  type Shell,
  shells,
  snapshots,
  taken,
} from "./flags.ts";

/** The command line was not understood. Exit code 2. */
export class UsageError extends RpcNotebookError {
  readonly code = "cli.usage";
}

/** Notebooks that run at once where nothing else is said. */
const usualJobs = 4;

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
  if (name === "audit") return { name, ...auditOptions(values, files) };
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
    allowHosts: hosts(values),
    allowMethods: values["allow-method"] ?? [],
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
    allowHosts: hosts(values),
    timeout: values.timeout === undefined ? undefined : seconds(values.timeout),
  };
}

/** Milliseconds for which is audited where nothing else is said. */
const auditMs = 60_000;

function auditOptions(values: FlagValues, files: readonly string[]): AuditOptions {
  const forMs = values.for === undefined ? auditMs : duration(values.for);
  return { ...probeOptions(values, files, "audit"), forMs };
}

function probeOptions(
  values: FlagValues,
  [target, ...others]: readonly string[],
  name: "probe" | "audit" = "probe",
): ProbeOptions {
  if (target === undefined)
    throw new UsageError(`Nothing to ${name}.`, {
      hint: `Name an endpoint or a notebook: \`rpc-notebook ${name} local\`.`,
    });
  if (others.length > 0)
    throw new UsageError(`\`${name}\` takes one endpoint.`, { hint: `Name the others in commands of their own.` });
  const { endpoint, json = false } = values;
  return { target, endpoint, json, allowHosts: hosts(values) };
}

const ask = { hint: "See `rpc-notebook --help`." };

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const unknown = /Unknown option '(-+[^']+)'/.exec(message)?.[1];
    if (!unknown) throw misusedFlag(message);
    const name = argv.find((word) => Object.hasOwn(commands, word)) as CommandName | undefined; // hasOwn has just said so
    const near = nearest(unknown.replace(/^-+/, ""), name ? taken[name] : Object.keys(flags))[0];
    const see = `See \`rpc-notebook ${name === undefined ? "" : `${name} `}--help\`.`;
    throw new UsageError(`No option is called ${unknown}.`, { hint: near ? `Did you mean --${near}?` : see });
  }
}

/** @param message - Of `parseArgs`, on an option that it knows. */
function misusedFlag(message: string): UsageError {
  const [, flag] = /Option '(?:-\w, )?(-[\w-]+)[^']*'/.exec(message) ?? [];
  if (flag === undefined) return new UsageError(message, ask);
  if (/does not take an argument/.test(message))
    return new UsageError(`${flag} takes no value.`, { hint: `Write ${flag} alone.` });
  return new UsageError(`${flag} has no value.`, {
    hint: `Write ${flag} VALUE, or ${flag}=VALUE where the value begins with a dash.`,
  });
}

function commandNamed(word: string): CommandName {
  if (Object.hasOwn(commands, word)) return word as CommandName; // hasOwn has just said so
  const near = nearest(word, Object.keys(commands))[0];
  const hint = word.endsWith(".json")
    ? `To run a notebook: \`rpc-notebook run ${word}\`.`
    : near
      ? `Did you mean \`${near}\`?`
      : `The commands are ${listed(Object.keys(commands))}; see \`rpc-notebook --help\`.`;
  throw new UsageError(`No command is called \`${word}\`.`, { hint });
}

function variable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--var ${text} has no value.`, { hint: "Write --var name=value." });
  return [text.slice(0, at), text.slice(at + 1)];
}

function hosts({ "allow-host": given = [] }: FlagValues): readonly string[] {
  const wrong = given.find((text) => sitesNamed(text).length === 0);
  if (wrong === undefined) return given;
  throw new UsageError(`--allow-host ${wrong} is not a host.`, {
    hint: "Write a host with its port, such as rpc.example or http://node.internal:8545, without path or credentials.",
  });
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
  const hint = `Name ${listed(shells, "or")}: \`rpc-notebook completions bash\`.`;
  throw new UsageError(word === undefined ? "No shell." : `There are no completions for ${word}.`, { hint });
}

function oneOf<T extends string>(text: string, allowed: readonly T[], flag: Flag = "report"): T {
  const found = allowed.find((one) => one === text);
  if (found) return found;
  throw new UsageError(`--${flag} ${text} is not known.`, { hint: `It takes ${listed(allowed, "or")}.` });
}
