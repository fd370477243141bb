import { referredTo } from "../analysis/order.ts";
import type { Explanation } from "../base/explanation.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import { brief, oneLine } from "../base/text.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { Cell } from "../notebook/cell.ts";
import { cellNumbers } from "../notebook/number.ts";
import { readCell } from "../notebook/readCell.ts";
import type { CompareParams } from "../protocol/endpoints.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import type { Report } from "../report/report.ts";
import { reportText } from "../report/text.ts";
import type { CellResult } from "../run/cellResult.ts";
import { titleOf } from "../run/cellRun.ts";
import { askedAt, type ComparedAnswer, comparedTags, comparison, comparisonJson } from "../run/compare.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";
import { openResults } from "./results.ts";
import { type RunSupport, runCells } from "./runCells.ts";

/** What is compared: {@link comparedTags} where nothing else is said. */
type Compared = Pick<CompareParams, "tags" | "endpoint" | "with">;

/**
 * Runs a cell's request at several blocks, or at two endpoints, and shows the answers side by side. What the cell
 * refers to runs before, once; nothing of that may write, for each comparison would send it again.
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
  const title = titleOf({ number: cellNumbers(document.cells)[index] ?? 0, cell });
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
  const failed = (why: Explanation): CellOutput =>
    ended(unsent(title, why), printJson({ title, ok: false, notSent: { ...why } }));
  if (known.length < texts.length) return failed(incomparable);
  const writing = writingBefore(cell, document.cells, support.routes.effectOf);
  if (writing) return failed(wouldWrite(writing));
  const run = (at: string | undefined): Promise<readonly CellResult[]> =>
    runVariants(
      document,
      known.map((text) => readCell(text)),
      at,
      variables,
      signal,
      support,
    );
  const ran = await Promise.all(other === undefined ? [run(endpoint)] : [run(endpoint), run(other)]);
  const sides = ran.flat().map((finished, i): ComparedAnswer => {
    const { ok, output, notSent } = finished;
    const [answer] = finished.answers();
    const name = other === undefined ? tags[i] : endpointOf(finished);
    return { name: name ?? "", ok, answer, summary: output.reports[0]?.summary ?? "", notSent };
  });
  return ended(comparison(title, sides), printJson(comparisonJson(title, sides), 2));
}

function endpointOf({ output }: CellResult): string {
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
): Promise<readonly CellResult[]> {
  const first = document.cells.length;
  const indices = variants.map((_, i) => first + i);
  const cells = [...document.cells, ...variants];
  const refs = [...document.refs, ...indices.map((index) => ({ index }))];
  const finished = new Map<number, CellResult>();
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

/** The first method that the cells before it would write with, or might. */
function writingBefore(cell: Cell, all: readonly Cell[], effectOf: Routes["effectOf"]): string | undefined {
  const before = new Set(referredTo(cell, all));
  for (const one of before) for (const target of referredTo(one, all)) before.add(target); // the loop visits those too
  const methods = [...before].flatMap(({ requests }) => requests.flatMap(({ method }) => method ?? []));
  return methods.find((method) => !isHarmless(effectOf(method)));
}

const incomparable: Explanation = {
  what: "This cell is no single request that reads the state of a block, so there is nothing to compare.",
  todo: "Compare a cell with a single request that takes a block, such as eth_getBalance or eth_call.",
};

function wouldWrite(method: string): Explanation {
  return {
    what: `This cell needs the result of \`${brief(method, 60)}\`, which may change something, and a comparison sends nothing of that kind.`,
    todo: "Run that cell by itself, then write its result into this one.",
  };
}

function unsent(title: string, { what, todo }: Explanation): Report {
  return {
    title: oneLine(title, 120),
    summary: what,
    status: "failed",
    sections: [{ kind: "failure", what, todo, fields: [] }],
    facts: [],
  };
}
