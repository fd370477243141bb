import { type LogFileForm, logFileForm } from "../catalog/logFiles.ts";
import { recordingSuffix, shownName } from "../endpoints/site.ts";
import { runReports, snapshotModes } from "./commands.ts";
import {
  blockOf,
  blockRange,
  choice,
  count,
  duration,
  filesOf,
  hosts,
  lookupUrl,
  reportOptions,
  seconds,
  type Words,
} from "./optionValues.ts";
import type { Values } from "./parseOptions.ts";
import { UsageError } from "./terminal.ts";

export type RunOptions = Readonly<ReturnType<typeof runOptions>>;

/**
 * Reads what `run` needs.
 *
 * @throws {@link UsageError}
 */
export function runOptions(values: Values, words: Words) {
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
    /** The calls inside calls are shown. */
    trace: values.trace ?? false,
    /** Cells without them are failures. */
    needsCalls: false,
    /** The host at which contracts are looked up, without a slash at the end. */
    lookup: values.lookup === undefined ? undefined : lookupUrl(values.lookup),
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
  if (values.trace && isCompared)
    throw new UsageError("--trace does not work with a comparison.", { hint: "Leave out one of them." });
  if (values.lookup !== undefined && (replay !== undefined || isCompared))
    throw new UsageError("--lookup does not work with --replay or a comparison.", { hint: "Leave out one of them." });
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
  const [unknown] = /\{[^{}]*\}+/.exec(path) ?? [];
  if (unknown !== undefined)
    throw new UsageError(`--save ${text} has {${unknown.replaceAll(/[{}]/g, "")}}, which means nothing there.`, {
      hint: "A name takes {from} and {to}, the blocks of --range.",
    });
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

/** The blocks at which each request is sent, or the other endpoint. */
export type Comparison = { readonly tags: Words } | { readonly with: string };

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
  const typed = (compare ?? "").split(",").map((tag) => tag.trim());
  const tags = typed.flatMap((tag) => blockOf(tag) ?? []);
  const wrong = typed.find((tag) => blockOf(tag) === undefined);
  if (wrong === undefined && tags.length > 1) return { tags };
  const what = wrong === undefined ? "--compare needs at least two blocks." : `--compare ${wrong} is not a block.`;
  throw new UsageError(what, { hint: "Separate blocks by commas: --compare pending,latest,safe,finalized." });
}

function variable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--var ${text} has no value.`, { hint: "Write --var name=value." });
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Only such names: endpoints read no others, and editors know them. */
function recordingNamed(option: string, text: string): string {
  if (text.endsWith(recordingSuffix)) return text;
  throw new UsageError(`--${option} ${text.includes("://") ? shownName(text) : text} is not the name of a recording.`, {
    hint: `End it in ${recordingSuffix}.`,
  });
}
