import { type JsonValue, parseJson } from "../base/json.ts";
import { visible } from "../base/text.ts";
import type { CellOutput } from "../protocol.ts";
import { answerJson } from "../report/answerJson.ts";
import { decodedValue } from "../report/decoded.ts";
import type { Report, Section } from "../report/report.ts";
import { reportOf } from "../report/reportOf.ts";
import { reportText } from "../report/text.ts";
import type { Tokens } from "../report/tokens.ts";
import type { Miss } from "./expect.ts";
import { notSentReport } from "./notSent.ts";
import { type Answer, type CellRun, titleOf } from "./run.ts";

/** How many UTF-16 code units of JSON an output carries. */
const jsonLimit = 1_000_000;

/** What things are called. */
export interface Naming {
  /** Of addresses, by address as written. */
  readonly labels: ReadonlyMap<string, string>;
  readonly tokens: Tokens;
}

/**
 * What a finished cell shows, in three forms of the same result. Each is made when it is first asked for: a run that
 * nobody looks at costs no rendering.
 */
export function outputOf(run: CellRun, { labels, tokens }: Naming): CellOutput {
  let reports: readonly Report[] | undefined;
  const made = (): readonly Report[] => {
    reports ??= reportsOf(run, { labels, tokens });
    return reports;
  };
  return {
    ok: run.ok,
    startedAt: run.startedAt,
    durationMs: run.durationMs,
    get reports() {
      return made();
    },
    get text() {
      return made()
        .map((report) => reportText(report))
        .join("\n\n");
    },
    get json() {
      return jsonOf(run);
    },
  };
}

function reportsOf(run: CellRun, { labels, tokens }: Naming): readonly Report[] {
  const title = titleOf(run.step);
  if (run.notSent) return [notSentReport(title, run.notSent)];
  const reports = run.answers.map(({ request, outcome, scope }, at) => {
    const own = run.step.cell.requests[at]?.name;
    const report = reportOf({
      title: run.answers.length === 1 ? title : own === undefined ? request.method : `${own}: ${request.method}`,
      method: request.method,
      params: request.params ?? [],
      outcome,
      labels,
      returns: request.returns,
      scope,
      tokens,
    });
    return expected(report, run, at);
  });
  const [first, ...rest] = reports;
  const misses = run.batch?.misses ?? [];
  return first && misses.length > 0 ? [missed(first, misses, " of the batch"), ...rest] : reports;
}

/** A report with what `expect` says of it: a failure that was asked for is fine, a miss is not. */
function expected(report: Report, run: CellRun, at: number): Report {
  const verdict = run.verdicts[at];
  if (!verdict?.expected) return report;
  if (verdict.misses.length > 0) return missed(report, verdict.misses);
  if (!verdict.ok) return report;
  const note: Section = { kind: "note", text: report.status === "ok" ? "As expected." : "This failure is expected." };
  return { ...report, status: "ok", sections: [...report.sections, note] };
}

/** A report that failed by what was expected. */
function missed(report: Report, misses: readonly Miss[], of = ""): Report {
  const sections = misses.map(({ path, expected, found }) => ({
    kind: "failure" as const,
    what: `Expected ${visible(path)}${of} ${expected}.`,
    todo: visible(found),
    fields: [],
  }));
  // Where nothing came, that is why nothing is as expected.
  const all = report.status === "failed" ? [...report.sections, ...sections] : [...sections, ...report.sections];
  return { ...report, status: "failed", sections: all };
}

function jsonOf({ answers, notSent }: CellRun): string {
  if (notSent) return "null";
  const all = answers.map(({ outcome }) => answerJson(outcome, jsonLimit));
  return all.length === 1 ? (all[0] ?? "null") : `[\n${all.join(",\n")}\n]`;
}

/** The answers of a run for machines: the request as sent, and `result` or `error`. */
export function answersOf({ answers }: CellRun): readonly JsonValue[] {
  return answers.map(({ request, outcome, ...rest }) => ({
    method: request.method,
    request: parseJson(request.text) ?? request.text,
    endpoint: outcome.exchange.endpoint,
    host: outcome.exchange.host,
    ...(outcome.exchange.status !== undefined && { status: outcome.exchange.status }),
    ...(outcome.kind === "answered" && { result: outcome.result.value, ...decoded({ request, outcome, ...rest }) }),
    ...(outcome.kind === "refused" && {
      error: {
        reason: outcome.reason,
        ...(outcome.code !== undefined && { code: outcome.code }),
        message: outcome.message,
        ...(outcome.data !== undefined && { data: outcome.data }),
        ...decoded({ request, outcome, ...rest }),
      },
    }),
    ...(outcome.kind === "unreachable" && { error: { reason: outcome.reason, message: outcome.message } }),
  }));
}

function decoded({ request, outcome, scope }: Answer): { readonly decoded?: JsonValue } {
  const value = decodedValue(request, outcome, scope);
  return value === undefined ? {} : { decoded: value };
}
