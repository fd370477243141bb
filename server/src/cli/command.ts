import { listed } from "../base/text.ts";
import { readBlock } from "../base/units.ts";
import { type LogFileForm, logFileForm } from "../catalog/logFiles.ts";
import { recordingSuffix, shownName, sitesNamed } from "../endpoints/site.ts";
import {
  type CommandName,
  checkReports,
  exportForms,
  exportShells,
  importForms,
  runReports,
  shells,
  snapshotModes,
} from "./commands.ts";
import { choice, count, duration } from "./optionValues.ts";
import type { Values } from "./parseOptions.ts";
import { UsageError } from "./terminal.ts";

type Words = readonly string[];

/** A command with its options, other than help and version. */
export type ActingCommand = Readonly<ReturnType<typeof readCommand>>;
export type CheckOptions = Readonly<ReturnType<typeof checkOptions>>;
export type FormatOptions = Readonly<ReturnType<typeof formatOptions>>;
export type RunOptions = Readonly<ReturnType<typeof runOptions>>;
export type DecodeOptions = Readonly<ReturnType<typeof decodeOptions>>;
export type ExplainOptions = Readonly<ReturnType<typeof explainOptions>>;
export type ProbeOptions = Readonly<ReturnType<typeof probeOptions>>;
export type AuditOptions = Readonly<ReturnType<typeof auditOptions>>;
export type StorageOptions = Readonly<ReturnType<typeof storageOptions>>;
export type FindWhenOptions = Readonly<ReturnType<typeof findWhenOptions>>;
export type VerifyOptions = Readonly<ReturnType<typeof verifyOptions>>;
export type ImportOptions = Readonly<ReturnType<typeof importOptions>>;
export type ServeOptions = Readonly<ReturnType<typeof serveOptions>>;
export type ReportOptions = Readonly<ReturnType<typeof reportOptions>>;
type AnyExport = Readonly<ReturnType<typeof exportOptions>>;
export type ExportOptions = Exclude<AnyExport, { readonly to: "html" }>;
export type HtmlOptions = Extract<AnyExport, { readonly to: "html" }>;

/**
 * Reads what a command needs from its options and the other words.
 *
 * @throws {@link UsageError}
 */
export function readCommand(name: CommandName, values: Values, words: Words) {
  switch (name) {
    case "run":
      return { name, ...runOptions(values, words) };
    case "check":
      return { name, ...checkOptions(values, filesOf(name, words)) };
    case "fmt":
      return { name, ...formatOptions(values, filesOf(name, words)) };
    case "decode":
      return { name, ...decodeOptions(values, words) };
    case "explain":
      return { name, ...explainOptions(values, words) };
    case "probe":
      return { name, ...probeOptions(values, words, name) };
    case "audit":
      return { name, ...auditOptions(values, words) };
    case "storage":
      return { name, ...storageOptions(values, words) };
    case "find-when":
      return { name, ...findWhenOptions(values, words) };
    case "verify":
      return { name, ...verifyOptions(values, words) };
    case "import":
      return { name, ...importOptions(values, words) };
    case "export":
      return { name, ...exportOptions(values, filesOf(name, words)) };
    case "serve":
      return { name, ...serveOptions(values, words) };
    case "completions":
      return { name, shell: shellNamed(words) };
    case "lsp":
      if (words.length > 0) throw new UsageError("`lsp` takes no file.", { hint: "The editor opens them." });
      return { name };
  }
}

function checkRun(values: Values, words: Words): void {
  const { watch, follow, record, replay, report } = values;
  const isCompared = values.compare !== undefined || values["compare-endpoint"] !== undefined;
  const isOfRecordings = values.compare?.endsWith(recordingSuffix) === true;
  if (isOfRecordings && (replay === undefined || words.length > 0))
    throw new UsageError("--compare takes a recording only with --replay, and without a notebook.", {
      hint: "Write `rpc-notebook run --replay A.rpc.recording.json --compare B.rpc.recording.json`.",
    });
  if (replay !== undefined && isCompared && !isOfRecordings)
    throw new UsageError("A recording cannot be compared at several blocks or endpoints.", {
      hint: "It answers for any block tag with the one that was recorded. Leave out --replay, or compare with another recording.",
    });
  if (record !== undefined && (watch || replay !== undefined))
    throw new UsageError("--record does not work with --watch or --replay.", { hint: "Leave out one of them." });
  if (values.speedscope !== undefined && isCompared)
    throw new UsageError("--speedscope does not work with a comparison.", { hint: "Leave out one of them." });
  if (follow && (watch || record !== undefined || replay !== undefined))
    throw new UsageError("--follow does not work with --watch, --record or --replay.", {
      hint: "Leave out one of them.",
    });
  if (watch && report !== undefined && report !== "text")
    throw new UsageError("--watch works only with --report text.", { hint: "Leave out one of them." });
  if (watch && values.out !== undefined)
    throw new UsageError("--watch does not work with --out.", { hint: "Leave out one of them." });
  const beside = Object.keys(values).find((option) => !besideSave.has(option));
  if (values.save !== undefined && beside !== undefined)
    throw new UsageError(`--save does not work with --${beside}.`, { hint: "Leave out one of them." });
  if (values.range !== undefined && values.save === undefined)
    throw new UsageError("--range needs --save.", { hint: "Write --save transfers=transfers/{from}-{to}.parquet." });
}

const besideSave: ReadonlySet<string> = new Set([
  ...["save", "range", "endpoint", "var", "force", "yes", "timeout", "allow-host", "allow-method", "allow-writes"],
]);

/** A cell with logs, and the file to write them to. */
export interface SaveTarget {
  readonly cell: string;
  /** The path as typed. */
  readonly path: string;
  readonly form: LogFileForm;
}

function saveTarget(text: string, range: readonly [from: string, to: string] | undefined): SaveTarget {
  const at = text.indexOf("=");
  const [cell, named] = [text.slice(0, at), text.slice(at + 1)];
  const path = named.replace(/\{(from|to)\}/g, (_, end) => blockInName(range?.[end === "from" ? 0 : 1]));
  const form = logFileForm(path);
  if (at < 1) throw new UsageError(`--save ${text} has no file.`, { hint: "Write --save transfers=transfers.ndjson." });
  if (form) return { cell, path, form };
  throw new UsageError(`--save writes no file such as ${path}.`, {
    hint: "End its name in .parquet, .csv or .ndjson.",
  });
}

function blockInName(block: string | undefined): string {
  if (block?.startsWith("0x")) return `${BigInt(block)}`;
  const hint = "Write --range 0..999999 beside {from} and {to}: two processes then write two files.";
  throw new UsageError("A name with {from} or {to} needs a range of numbers.", { hint });
}

function runOptions(values: Values, words: Words) {
  const { watch = false, follow = false, snapshot, record, replay } = values;
  const report = choice("report", values.report ?? "text", runReports);
  checkRun(values, words);
  const range = values.range === undefined ? undefined : blockRange(values.range);
  const comparedRecording = values.compare?.endsWith(recordingSuffix) ? values.compare : undefined;
  return {
    files: comparedRecording === undefined ? filesOf("run", words) : [],
    /** The recording to write. */
    record: record === undefined ? undefined : recordingNamed("record", record),
    /** The recording that answers. */
    replay: replay === undefined ? undefined : recordingNamed("replay", replay),
    /** The recording that it is compared with, in place of a run. */
    comparedRecording,
    /** The file to write with the calls of traces. */
    speedscope: values.speedscope,
    /** Cells whose logs are written to files, in place of a report. */
    save: (values.save ?? []).map((text) => saveTarget(text, range)),
    /** The blocks whose logs are saved, in place of those of the cells. */
    range,
    ...reportOptions(values),
    endpoint: values.endpoint,
    /** Name and text of each; text that is JSON is read as JSON. */
    variables: (values.var ?? []).map(variable),
    cells: values.cell ?? [],
    report,
    snapshot: snapshot === undefined ? undefined : choice("snapshot", snapshot, snapshotModes),
    watch,
    /** A young transaction is followed until it is final. */
    follow,
    /** Notebooks that run at once. */
    jobs: values.jobs === undefined ? 4 : count("jobs", values.jobs, 999),
    allowWrites: values["allow-writes"] ?? false,
    /** Cells may send many requests. */
    yes: values.yes ?? false,
    allowHosts: hosts(values),
    /** Methods outside of the catalogue, by name or as `namespace_*`. */
    allowMethods: values["allow-method"] ?? [],
    /** Seconds for one exchange. */
    timeout: seconds(values),
    /** When subscription cells end. */
    stream: {
      ...(values.for !== undefined && { forMs: duration(values.for) }),
      ...(values.rows !== undefined && { rows: count("rows", values.rows, 999_999_999) }),
    },
    compare:
      comparedRecording !== undefined
        ? undefined
        : comparison(values, watch || snapshot !== undefined || report === "junit"),
  };
}

/** The blocks at which each request is sent, or the other endpoint. */
export type Comparison = { readonly tags: Words } | { readonly with: string };

const block = /^(?:pending|latest|safe|finalized|earliest|0x[0-9a-f]{1,16}|latest *- *\d+)$/i;

/** @param isTaken - Another option asks for an output that a comparison does not have. */
function comparison(values: Values, isTaken: boolean): Comparison | undefined {
  const { compare, "compare-endpoint": other } = values;
  if (compare === undefined && other === undefined) return undefined;
  if (compare !== undefined && other !== undefined)
    throw new UsageError("--compare and --compare-endpoint cannot be used together.", {
      hint: "Run the command once with each.",
    });
  if (isTaken)
    throw new UsageError("A comparison does not work with --watch, --snapshot or --report junit.", {
      hint: "Leave them out: it has its own report.",
    });
  if (other !== undefined) return { with: other };
  const tags = (compare ?? "").split(",").map((tag) => tag.trim());
  const wrong = tags.find((tag) => !block.test(tag));
  if (wrong === undefined && tags.length > 1) return { tags };
  const what = wrong === undefined ? "--compare needs at least two blocks." : `--compare ${wrong} is not a block.`;
  throw new UsageError(what, { hint: "Separate blocks by commas: --compare pending,latest,safe,finalized." });
}

function reportOptions({ out, force = false }: Values) {
  return {
    /** The file for the report, instead of standard output. */
    reportFile: out,
    /** Replaces files that something else has written. */
    force,
  };
}

function checkOptions(values: Values, files: Words) {
  return { files, report: choice("report", values.report ?? "text", checkReports), ...reportOptions(values) };
}

function formatOptions({ check = false }: Values, files: Words) {
  return { files, check };
}

function decodeOptions(values: Values, words: Words) {
  const { topics, data } = values;
  if (data !== undefined && !topics)
    throw new UsageError("--data is the data of a log, and needs --topics.", {
      hint: "Call data needs no option: `rpc-notebook decode 0x…`.",
    });
  const typed = topics && [...topics, ...words].flatMap((text) => text.match(/[^\s,"'[\]]+/g) ?? []); // spaces separate too
  const [text, ...more] = typed ? [] : words;
  if (more.length > 0)
    throw new UsageError("`decode` takes one value at a time.", {
      hint: "Put JSON in single quotes: '{ \"topics\": … }'.",
    });
  return {
    /** `undefined` for standard input. */
    text: text === "-" ? undefined : text,
    /** Paths of files, and signatures. */
    abis: values.abi ?? [],
    /** The function that returned the data. */
    called: values.function,
    /** Topics and data of a log, as typed. */
    log: typed && { topics: typed, data: data ?? "0x" },
    json: values.json ?? false,
    ...reportOptions(values),
  };
}

function explainOptions(values: Values, words: Words) {
  const { reading, list = false, "dry-run": dryRun = false, follow = false, endpoint, abi = [], json = false } = values;
  return {
    /** `undefined` for standard input. */
    text: words.length === 0 || (words.length === 1 && words[0] === "-") ? undefined : words.join(" "),
    /** The number of a reading, from 1. */
    reading: reading === undefined ? undefined : count("reading", reading, 99),
    list,
    dryRun,
    /** A young transaction is followed until it is final. */
    follow,
    stream: values.for === undefined ? {} : { forMs: duration(values.for) },
    endpoint,
    /** Paths of files, and signatures. */
    abis: abi,
    json,
    ...reportOptions(values),
    allowHosts: hosts(values),
    timeout: seconds(values),
  };
}

function probeOptions(values: Values, [target, ...others]: Words, command: "probe" | "audit") {
  if (target === undefined)
    throw new UsageError(`Nothing to ${command}.`, {
      hint: `Name an endpoint or a notebook: \`rpc-notebook ${command} local\`.`,
    });
  if (others.length > 0)
    throw new UsageError(`\`${command}\` takes one endpoint.`, { hint: `Run \`${command}\` once for each.` });
  const { endpoint, json = false } = values;
  return { target, endpoint, json, allowHosts: hosts(values), ...reportOptions(values) };
}

function auditOptions(values: Values, words: Words) {
  return { ...probeOptions(values, words, "audit"), forMs: duration(values.for ?? "1m") };
}

function storageOptions(values: Values, words: Words) {
  const hasFile = words[0]?.endsWith(".json") === true;
  const [contract, address, ...others] = hasFile ? words.slice(1) : words;
  if (contract === undefined || address === undefined)
    throw new UsageError("No contract and address.", { hint: "Write `rpc-notebook storage Vault 0x…`." });
  if (others.length > 0) throw new UsageError("`storage` takes one contract.", { hint: "Run it once for each." });
  const { compare, block: first = "latest", endpoint, json = false } = values;
  const blocks = [first, ...(compare === undefined ? [] : [compare])].map((block) => blockNamed(block));
  return {
    notebook: hasFile ? words[0] : undefined,
    contract,
    address,
    blocks,
    endpoint,
    json,
    allowHosts: hosts(values),
    ...reportOptions(values),
  };
}

function findWhenOptions(values: Values, [notebook, cell, ...others]: Words) {
  if (notebook === undefined || cell === undefined || others.length > 0)
    throw new UsageError("`find-when` takes a notebook and one of its cells.", {
      hint: "Write `rpc-notebook find-when FILE CELL --range earliest..latest`.",
    });
  const { range = "earliest..latest", endpoint, json = false } = values;
  return {
    notebook,
    cell,
    range: blockRange(range),
    endpoint,
    json,
    allowHosts: hosts(values),
    ...reportOptions(values),
  };
}

function blockRange(text: string): readonly [from: string, to: string] {
  const [first = "", last = "", ...more] = text.split("..");
  if (more.length > 0 || last === "")
    throw new UsageError(`--range ${text} is not a range.`, { hint: "Write two blocks: --range 1000..latest." });
  return [blockNamed(first, "--range 1000..latest"), blockNamed(last, "--range 1000..latest")];
}

function blockNamed(text: string, example = "--block latest"): string {
  const found = readBlock(text);
  if (found !== undefined) return found;
  throw new UsageError(`${text} is not a block.`, { hint: `Write a tag or a number: ${example}.` });
}

function verifyOptions({ endpoint, json = false }: Values, [file, ...others]: Words) {
  if (file === undefined) throw new UsageError("No file.", { hint: "Name one: `rpc-notebook verify NAME.ndjson`." });
  if (others.length > 0) throw new UsageError("`verify` takes one file.", { hint: "Run it once for each." });
  return { file, endpoint, json };
}

function importOptions({ from, out }: Values, files: Words) {
  return { files, out, from: from === undefined ? undefined : choice("from", from, importForms) };
}

function exportOptions(values: Values, words: Words) {
  const [file = "", ...others] = words;
  const { to, out, shell, cell = [] } = values;
  if (others.length > 0) throw new UsageError("`export` takes one file.", { hint: "Export one file at a time." });
  if (to === undefined) throw new UsageError("No format.", { hint: `Add --to ${listed(exportForms, "or")}.` });
  const form = choice("to", to, exportForms);
  if (shell !== undefined && form !== "curl" && form !== "cast")
    throw new UsageError("--shell works only with --to curl and --to cast.", { hint: "Leave out one of them." });
  if (form === "html") {
    const options = runOptions({ ...values, for: values.for ?? "10s" }, words);
    return { ...options, reportFile: undefined, to: form, out };
  }
  const foreign = Object.keys(values).find((option) => !/^(?:to|shell|cell|out|force)$/.test(option));
  if (foreign !== undefined)
    throw new UsageError(`--${foreign} works only with --to html.`, {
      hint: "The other formats send nothing.",
    });
  if (cell.length > 1)
    throw new UsageError("`export` takes one --cell.", { hint: "Without it, all cells are written." });
  return {
    files: [file],
    to: form,
    shell: shell === undefined ? undefined : choice("shell", shell, exportShells),
    cell: cell[0],
    ...reportOptions(values),
  };
}

function serveOptions({ port = "8545", strict = false, endpoint }: Values, [file, ...others]: Words) {
  if (file === undefined)
    throw new UsageError("No recording.", {
      hint: "Make one: `rpc-notebook run FILE.rpc.json --record NAME.rpc.recording.json`.",
    });
  if (others.length > 0) throw new UsageError("`serve` takes one recording.", { hint: "Start it once for each." });
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port ${port} is not a port.`, { hint: "Write a number from 0 to 65535." });
  return { files: [file], port: Number(port), strict, endpoint };
}

/** Only such names: endpoints read no others, and editors know them. */
function recordingNamed(option: string, text: string): string {
  if (text.endsWith(recordingSuffix)) return text;
  throw new UsageError(`--${option} ${text.includes("://") ? shownName(text) : text} is not the name of a recording.`, {
    hint: `End it in ${recordingSuffix}.`,
  });
}

function shellNamed([word, ...others]: Words) {
  const found = shells.find((shell) => shell === word);
  if (found && others.length === 0) return found;
  const hint = `Name ${listed(shells, "or")}: \`rpc-notebook completions bash\`.`;
  throw new UsageError(word === undefined ? "No shell." : `No completions for ${word}.`, { hint });
}

function filesOf(command: CommandName, words: Words): Words {
  if (words.length > 0) return words;
  throw new UsageError("No file.", { hint: `Name one: \`rpc-notebook ${command} FILE.rpc.json\`.` });
}

function variable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--var ${text} has no value.`, { hint: "Write --var name=value." });
  return [text.slice(0, at), text.slice(at + 1)];
}

function hosts({ "allow-host": typed = [] }: Values): Words {
  const wrong = typed.find((text) => sitesNamed(text).length === 0);
  if (wrong === undefined) return typed;
  throw new UsageError(`--allow-host ${shownName(wrong)} is not a host.`, {
    hint: "Write a host with its port, such as rpc.example or http://node.internal:8545, without path or credentials.",
  });
}

function seconds({ timeout }: Values): number | undefined {
  const value = Number(timeout);
  if (timeout === undefined) return undefined;
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--timeout ${timeout} is not a time.`, { hint: "Write seconds: --timeout 30." });
}
