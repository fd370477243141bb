import type { ValuePath } from "../../abi/nested.ts";
import { toQuantity } from "../../base/hex.ts";
import { type JsonObject, type JsonValue, parseJson, printJson } from "../../base/json.ts";
import { listMadeLater, type NextText } from "../../base/lazyList.ts";
import { memoByObject } from "../../base/memo.ts";
import { capitalized, plural } from "../../base/text.ts";
import { decimalText, formatDuration } from "../../base/units.ts";
import { printPath } from "../../evaluate/path.ts";
import { unsentReport } from "../../gate/unsentReason.ts";
import type { AmountsBefore } from "../../report/additions.ts";
import { answerJson } from "../../report/answerJson.ts";
import { decodedValue, returnedFaults } from "../../report/decoded.ts";
import { eachReport } from "../../report/eachRows.ts";
import type { CellOutput, Report, Section } from "../../report/report.ts";
import { contextOf, reportOf } from "../../report/reportOf.ts";
import { reportText } from "../../report/text.ts";
import type { Token, Tokens } from "../../report/tokens.ts";
import { type Amount, amountsIn } from "../../report/tokensIn.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { BlockRange } from "../../rpc/range.ts";
import { type Answer, type CellRun, titleOf } from "../cellRun.ts";
import { assertionNotes, compared } from "../judge/failedChecks.ts";
import type { SnapshotVerdict } from "../judge/snapshot.ts";
import type { Addition, ShownAnswer } from "../observe/observation.ts";
import { uncertaintyJson, withAssumeHint, withMistake, withUncertainty } from "./advice.ts";

/** The largest JSON of an output, in UTF-16 code units. */
const jsonLimit = 1_000_000;

/** Names and facts that a report shows beside the answers. */
export interface Naming {
  /** Labels of addresses, by address as written. */
  readonly labels: ReadonlyMap<string, string>;
  readonly tokens: Tokens;
  /** Every name that a placeholder can use. */
  readonly names: () => Iterable<string>;
  /** The verdict of a snapshot on the cell; `undefined` if it was not compared. */
  readonly snapshot: SnapshotVerdict | undefined;
  /** Returns what is shown beside an answer. */
  readonly additionsOf?: ((shown: ShownAnswer) => readonly Addition[]) | undefined;
  /** The numbers of the last run of the same cell, by request. */
  readonly before?: AmountsBefore | undefined;
  /** Returns the offer to look up names that the reports lack. */
  readonly offer?: () => Section | undefined;
  /** Facts about the endpoint for every report. */
  readonly about?: Pick<Report, "blockMs" | "explorer"> | undefined;
}

/**
 * Returns the output of a finished cell in three forms. Each is made at the first access: a run that
 * is never looked at costs no rendering. Its getters are not own properties, so sending it elsewhere needs a copy.
 */
export function outputOf(run: CellRun, naming: Naming): CellOutput {
  return new LazyOutput(run, naming);
}

class LazyOutput implements CellOutput {
  readonly ok: boolean;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly #run: CellRun;
  readonly #naming: Naming;
  #reports: readonly Report[] | undefined;

  constructor(run: CellRun, naming: Naming) {
    this.ok = run.ok && naming.snapshot?.fails !== true;
    this.startedAt = run.startedAt;
    this.durationMs = run.durationMs;
    this.#run = run;
    this.#naming = naming;
  }

  get reports(): readonly Report[] {
    this.#reports ??= withOffer(reportsOf(this.#run, this.#naming), this.#naming);
    return this.#reports;
  }
  get text(): string {
    return this.reports.map((report) => reportText(report)).join("\n\n");
  }
  get json(): string {
    return jsonOf(this.#run);
  }
}

/** Adds the offer to look up names behind the last report. */
function withOffer(reports: readonly Report[], { offer }: Naming): readonly Report[] {
  const [last, section] = [reports.at(-1), offer?.()];
  return last && section ? [...reports.slice(0, -1), { ...last, sections: [...last.sections, section] }] : reports;
}

function reportsOf(run: CellRun, naming: Naming): readonly Report[] {
  const { labels, tokens, names, snapshot, about } = naming;
  const { cell } = run.step;
  const title = titleOf(run.step.number, run.step.cell);
  if (run.notSent) return [unsentReport(title, run.notSent, names)];
  if (run.answers[0]?.row) return [eachReportOf(run, naming)];
  const reports = run.answers.map((answer, at) => {
    const { request, outcome, scope } = answer;
    const own = cell.requests[at]?.name;
    const additions = additionsOf(run, at, answer, naming);
    const made = reportOf({
      title: run.answers.length === 1 ? title : own === undefined ? request.method : `${own}: ${request.method}`,
      method: request.method,
      spec: request.spec,
      params: request.params ?? [],
      outcome,
      labels,
      returns: request.returns,
      scope,
      tokens,
      ...Object.assign({}, ...additions.map(({ given }) => given)),
    });
    let report: Report = { ...withAssumeHint(made, request, outcome), ...about };
    for (const addition of additions) report = addition.report?.(report) ?? report;
    const explained = withMistake(report, cell, at, outcome);
    return expected(withUncertainty(explained, request, outcome), run, at);
  });
  const [one, ...rest] = reports;
  const polled = one && run.polled ? { ...one, sections: [...one.sections, polledNote(run, run.polled)] } : one;
  const first =
    polled && run.paced !== undefined
      ? { ...polled, facts: [...polled.facts, { name: "pace", value: run.paced }] }
      : polled;
  const misses = run.batch?.misses ?? [];
  if (first && snapshot) return [compared(first, snapshot), ...rest];
  return first && misses.length > 0
    ? [assertionNotes(first, misses, " of the batch"), ...rest]
    : first
      ? [first, ...rest]
      : reports;
}

/** Returns the report of a cell with `each`: one for all rows. */
function eachReportOf(run: CellRun, { labels, tokens, snapshot, about }: Naming): Report {
  const context = contextOf({ labels, tokens, params: [] });
  const made = eachReport(titleOf(run.step.number, run.step.cell), run.answers, context, run.durationMs);
  const report: Report = { ...made, ...about, status: run.ok ? "ok" : "failed" };
  if (snapshot) return compared(report, snapshot);
  const misses = run.verdicts.flatMap((verdict) => verdict.misses);
  const more = misses.length - maxMisses;
  const noted = misses.length > 0 ? assertionNotes(report, misses.slice(0, maxMisses)) : report;
  if (more <= 0) return noted;
  const text = `${plural(more, "more expectation")} failed.`;
  return { ...noted, sections: [...noted.sections, { kind: "note", text }] };
}

/** Failed expectations of rows that a report shows. */
const maxMisses = 5;

/** Explains how long the run waited for an expectation with `within`, and why it stopped. */
function polledNote({ durationMs }: CellRun, { times, end }: NonNullable<CellRun["polled"]>): Section {
  const repeated = `sent ${plural(times, "time")} in ${formatDuration(durationMs)}`;
  switch (end) {
    case "held":
      return { kind: "note", text: `The expectation holds now: ${repeated}.` };
    case "time":
      return { kind: "note", text: `The time of \`within\` is over: ${repeated}.` };
    case "hopeless":
      return { kind: "note", text: `Not repeated, since the answer would stay the same: ${repeated}.` };
    case "cancelled":
      return { kind: "note", text: `The wait was cancelled: ${repeated}. This is the last answer.` };
  }
}

/** Adds the expectations to a report: an expected failure is fine, a failed expectation is not. */
function expected(report: Report, run: CellRun, at: number): Report {
  const verdict = run.verdicts[at];
  if (!verdict?.expected) return report;
  if (verdict.misses.length > 0) return assertionNotes(report, verdict.misses);
  if (!verdict.ok) return report;
  const hasResult = run.answers[at]?.outcome.kind === "answered"; // one of another type fails a cell that does not expect it
  return hasResult ? asExpected(report) : failedAsExpected(report);
}

function asExpected(report: Report): Report {
  const summary = report.summary.replace(/^unexpected: /, "");
  const [answer = { text: summary }, ...rest] = report.headline ?? [];
  return {
    ...report,
    status: "ok",
    summary: `${summary}, as expected`,
    headline: [answer, ...rest, { text: "as expected", role: "quiet" }],
  };
}

/** Returns the report of a failure that the cell expects: one line, the rest folded. */
function failedAsExpected(report: Report): Report {
  const [, how = "failed", why = report.summary] = /^(reverted|refused): (.*)$/s.exec(report.summary) ?? [];
  const words = `${how} as expected`;
  const details = report.sections.flatMap((section): readonly Section[] => {
    if (section.kind !== "failure") return [section];
    return section.fields.length > 0
      ? [{ kind: "fields", title: "Details", fields: section.fields, folded: true }]
      : [];
  });
  return {
    ...report,
    status: "ok",
    summary: `${words}: ${why}`,
    headline: [
      { text: `${capitalized(words)}:`, role: "quiet" },
      { text: why, role: "plain" },
    ],
    sections: details,
  };
}

function jsonOf({ answers, notSent }: CellRun): string {
  if (notSent) return "null";
  const all = answers.map(({ outcome }) => answerJson(outcome, jsonLimit));
  return all.length === 1 ? (all[0] ?? "null") : `[\n${all.join(",\n")}\n]`;
}

function additionsOf(run: CellRun, at: number, answer: Answer, naming: Naming): readonly Addition[] {
  if (!naming.additionsOf) return [];
  const { labels, tokens, before } = naming;
  const { request, scope } = answer;
  return naming.additionsOf({
    ...answer,
    cell: run.step.cell,
    requests: run.answers.map((one) => one.request),
    at,
    isRepeated: run.polled !== undefined,
    context: () => contextOf({ labels, params: request.params ?? [], scope, tokens }),
    before: () => before?.amounts[at],
  });
}

/** Returns the answers of a run as JSON: the request as sent, and `result` or `error`. */
export function answersOf(run: CellRun, naming: Naming): readonly JsonValue[] {
  return run.answers.map((answer, at) => {
    const { request, outcome, row } = answer;
    const members: JsonObject = {
      method: request.method,
      ...(row && { each: row }),
      request: parseJson(request.text) ?? request.text,
      endpoint: outcome.exchange.endpoint,
      host: outcome.exchange.host,
      ...(outcome.exchange.status !== undefined && { status: outcome.exchange.status }),
      ...(outcome.kind === "answered" && {
        result: outcome.result.value,
        ...decodedWithAmounts(answer, naming.tokens),
      }),
      ...(outcome.kind === "refused" && {
        error: {
          reason: outcome.reason,
          ...(outcome.code !== undefined && { code: outcome.code }),
          message: outcome.message,
          ...(outcome.data !== undefined && { data: outcome.data }),
          ...decoded(answer),
          ...uncertaintyJson(request, outcome),
        },
      }),
      ...(outcome.kind === "unreachable" && {
        error: { reason: outcome.reason, message: outcome.message, ...uncertaintyJson(request, outcome) },
      }),
      ...saved(answer),
      ...partial(answer),
      ...(outcome.exchange.parts && { notes: outcome.exchange.parts.notes }),
    };
    const added = additionsOf(run, at, answer, naming).map(({ json }) => json?.());
    return inOrder(Object.assign({}, ...added, members));
  });
}

/** The order of members in the JSON report. */
const memberOrder = [
  "method",
  "each",
  "request",
  "assumed",
  "endpoint",
  "host",
  "status",
  "state",
  "result",
  "decoded",
  "faults",
  "amounts",
  "l1DataFeeEstimate",
  "trace",
  "case",
  "error",
  "inWords",
  "payments",
  "saved",
  "partial",
  "notes",
];

/** Members that are not in the list come last. */
function inOrder(members: JsonObject): JsonObject {
  const ordered: Record<string, JsonValue> = {};
  for (const name of [...memberOrder, ...Object.keys(members)]) {
    const value = members[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
}

/** What a file has of the logs. */
function saved({ outcome }: Answer): { readonly saved?: JsonValue } {
  const found = outcome.exchange.parts?.saved;
  return found ? { saved: { path: found.path, rows: found.rows, ...(found.blocks && rangeJson(found.blocks)) } } : {};
}

/** The part of an answer that arrived. */
function partial({ request, outcome, scope }: Answer): { readonly partial?: JsonValue } {
  const { exchange } = outcome;
  const soFar = exchange.parts?.soFar;
  if (!soFar) return {};
  const { result, blocks } = soFar;
  const range = blocks && { ...rangeJson(blocks.asked), missing: blocks.missing.map(rangeJson) };
  const answered: Outcome = { kind: "answered", result, exchange };
  return { partial: { ...range, result: result.value, ...decoded({ request, outcome: answered, scope }) } };
}

function rangeJson({ from, to }: BlockRange): JsonObject {
  return { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
}

function decoded({ request, outcome, scope }: Answer): { readonly decoded?: JsonValue; readonly faults?: JsonValue } {
  const value = decodedValue(request, outcome, scope);
  if (value === undefined) return {};
  const faults = returnedFaults(request, outcome, scope);
  return { decoded: value, ...(faults.length > 0 && { faults }) };
}

function decodedWithAmounts(answer: Answer, tokens: Tokens) {
  const found = decoded(answer);
  return found.decoded === undefined ? found : { ...found, ...amounts(answer, tokens) };
}

/** Returns the decoded amounts of known tokens. There can be one in each of many logs, so they are printed one at a time. */
function amounts({ request, outcome, scope }: Answer, tokens: Tokens): { readonly amounts?: readonly JsonValue[] } {
  if (tokens.size === 0 || outcome.kind !== "answered") return {};
  const { value } = outcome.result;
  const named = ({ token }: TokenAmount): Token => tokens.get(token) ?? unnamed;
  function* found(): Generator<TokenAmount, undefined> {
    for (const one of amountsIn(request, value, scope)) if (isOf(one, tokens)) yield one;
  }
  if (found().next().done) return {};
  const printed = (): NextText => {
    const all = found();
    return () => {
      const { value: one } = all.next();
      return one && amountText(one, named(one));
    };
  };
  return { amounts: listMadeLater(() => Array.from(found(), (one) => amountJson(one, named(one))), printed) };
}

const unnamed: Token = { symbol: "", decimals: 0, source: "" };

interface TokenAmount extends Amount {
  readonly path: ValuePath;
  /** Decimal digits. */
  readonly amount: string;
}

function isOf(one: Amount, tokens: Tokens): one is TokenAmount {
  return one.path !== undefined && typeof one.amount === "string" && tokens.has(one.token);
}

function amountJson({ token, amount, path, at, key }: TokenAmount, { symbol, decimals }: Token): JsonObject {
  return { path: pathText(path, at, key), token, symbol, decimals, amount, formatted: decimalText(amount, decimals) };
}

/** Prints {@link amountJson}. */
function amountText(one: TokenAmount, named: Token): string {
  const { token, amount, path, at, key } = one;
  const formatted = decimalText(amount, named.decimals);
  return `{"path":${printJson(pathText(path, at, key))},"token":"${token}",${namedText(named)},"amount":"${amount}","formatted":"${formatted}"}`;
}

function pathText(path: ValuePath, at: number | undefined, key: string | undefined): string {
  return at === undefined ? decodedPath(path) : `${decodedPath(path)}[${at}].args.${key}`;
}

const decodedPath = memoByObject((path: ValuePath) => printPath(["decoded", ...path]));

const namedText = memoByObject(({ symbol, decimals }: Token) => printJson({ symbol, decimals }).slice(1, -1));
