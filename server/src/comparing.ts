import { type JsonValue, printJson } from "./base/json.ts";
import { oneLine } from "./base/text.ts";
import type { Document } from "./documents.ts";
import type { Cell } from "./notebook/cell.ts";
import { readCell } from "./notebook/readCell.ts";
import type { CellOutput, CompareParams } from "./protocol.ts";
import type { Report } from "./report/report.ts";
import { reportText } from "./report/text.ts";
import { openResults } from "./results.ts";
import { askedAt, comparedTags, comparison, comparisonJson, type Side } from "./run/compare.ts";
import type { FinishedCell } from "./run/finished.ts";
import { nameOf } from "./run/plan.ts";
import { type RunSupport, runCells } from "./running.ts";

/** What is compared: {@link comparedTags} where nothing else is said. */
type Compared = Pick<CompareParams, "tags" | "endpoint" | "with">;

/**
 * Runs a cell's request at several blocks, or at two endpoints, and shows the answers side by side. What the cell
 * refers to runs before, once.
 *
 * @param index - Of the cell.
 * @param variables - Win over those of the header.
 */
export async function compareCell(
  document: Document,
  index: number,
  { tags = comparedTags, endpoint, with: other }: Compared,
  variables: ReadonlyMap<string, JsonValue>,
  signal: AbortSignal,
  support: RunSupport,
): Promise<CellOutput | undefined> {
  const cell = document.cells[index];
  if (!cell) return undefined;
  const { clock } = support;
  const [startedAt, begunAt] = [clock.date(), clock.now()];
  const title = `${nameOf(cell) ?? `cell ${index + 1}`}: ${cell.requests[0]?.method ?? "no method"}`;
  const texts = (other === undefined ? tags : [undefined]).map((tag) => askedAt(cell, tag));
  const known = texts.filter((text) => text !== undefined);
  const ended = (report: Report, json: string): CellOutput => ({
    ok: report.status === "ok",
    reports: [report],
    text: reportText(report),
    json,
    startedAt,
    durationMs: clock.now() - begunAt,
  });
  if (known.length < texts.length) return ended(incomparable(title), printJson({ title, ok: false }));
  const run = (at: string | undefined): Promise<readonly FinishedCell[]> =>
    runVariants(
      document,
      known.map((text) => readCell(text)),
      at,
      variables,
      signal,
      support,
    );
  const ran = await Promise.all(other === undefined ? [run(endpoint)] : [run(endpoint), run(other)]);
  const sides = ran.flat().map((finished, i): Side => {
    const { ok, output } = finished;
    const [answer] = finished.answers();
    const name = other === undefined ? tags[i] : endpointOf(finished);
    return { name: name ?? "", ok, answer, summary: output.reports[0]?.summary ?? "" };
  });
  return ended(comparison(title, sides), printJson(comparisonJson(title, sides), 2));
}

function endpointOf({ output }: FinishedCell): string {
  return output.reports[0]?.facts.find(({ name }) => name === "endpoint")?.value ?? "not sent";
}

/** Runs cells as if they stood at the end of the notebook. Nothing of it stays. */
async function runVariants(
  document: Document,
  variants: readonly Cell[],
  endpoint: string | undefined,
  variables: ReadonlyMap<string, JsonValue>,
  signal: AbortSignal,
  support: RunSupport,
): Promise<readonly FinishedCell[]> {
  const first = document.cells.length;
  const indices = variants.map((_, i) => first + i);
  const cells = [...document.cells, ...variants];
  const refs = [...document.refs, ...indices.map((index) => ({ index }))];
  const finished = new Map<number, FinishedCell>();
  await runCells(
    { ...document, cells, refs },
    { uri: document.uri, cells: indices.map((index) => ({ index })), ...(endpoint !== undefined && { endpoint }) },
    variables,
    { started() {}, finished: (one) => void finished.set(one.index, one) },
    signal,
    { ...support, results: openResults() },
  );
  return indices.flatMap((index) => finished.get(index) ?? []);
}

function incomparable(title: string): Report {
  const what = "This cell is no single request that reads the state of a block, so there is nothing to compare.";
  const todo = "Compare a cell with a single request that takes a block, such as eth_getBalance or eth_call.";
  return {
    title: oneLine(title, 120),
    summary: what,
    status: "failed",
    sections: [{ kind: "failure", what, todo, fields: [] }],
    facts: [],
  };
}
