import { referredTo } from "../analysis/order.ts";
import type { Explanation } from "../base/error.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import { brief, oneLine } from "../base/text.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { Cell } from "../notebook/cell.ts";
import { cellNumbers } from "../notebook/key.ts";
import { readCell } from "../notebook/readCell.ts";
import type { ComparedOutput, CompareParams } from "../protocol/endpoints.ts";
import { failedReport } from "../report/failure.ts";
import { titleOf } from "../run/cellRun.ts";
import type { RunSupport } from "../run/documentRun.ts";
import type { CellResult } from "../run/result/cellResult.ts";
import { Results } from "../run/result/results.ts";
import { runCells } from "../run/runs.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";
import {
  type ComparedAnswer,
  comparedTags,
  comparison,
  comparisonJson,
  differingPairs,
  textAtBlock,
} from "./compare.ts";
import { startOutput } from "./timedOutput.ts";

/** One comparison, of {@link comparedTags} by default. */
interface VariantRun {
  readonly document: Document;
  /** Win over those of the header. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly signal: AbortSignal;
  readonly support: RunSupport;
}

interface Comparison extends CompareParams, VariantRun {}

/**
 * Runs a cell's request at several blocks, or at two endpoints, and shows the answers side by side. The cells that it
 * refers to run before it, once. None of them may write, because each comparison would send it again.
 *
 * @param index - Of the cell.
 * @returns `undefined` if there is no such cell.
 */
export async function compareCell(
  document: Document,
  index: number,
  compared: CompareParams,
  variables: ReadonlyMap<string, JsonValue>,
  signal: AbortSignal,
  support: RunSupport,
): Promise<ComparedOutput | undefined> {
  const cell = document.cells[index];
  if (!cell) return undefined;
  const title = titleOf(cellNumbers(document.cells)[index] ?? 0, cell);
  const { complete } = startOutput(support.clock);
  const answers = await answersOf(cell, { ...compared, document, variables, signal, support });
  if ("what" in answers) {
    const output = complete(
      failedReport(oneLine(title, 120), answers),
      printJson({ title, ok: false, notSent: { ...answers } }),
    );
    return Object.assign(output, { pairs: [] });
  }
  const output = complete(comparison(title, answers), printJson(comparisonJson(title, answers), 2));
  return Object.assign(output, { pairs: differingPairs(answers) });
}

/** Returns the indices of the cells that can be compared, and how many other requests there are. */
export function comparableCells({ cells }: Document, { tags, with: other }: CompareParams) {
  const [tag] = other === undefined ? (tags ?? comparedTags) : [];
  const indices = cells.flatMap((cell, index) => (textAtBlock(cell, tag) === undefined ? [] : [index]));
  return { indices, others: cellNumbers(cells).filter((number) => number > 0).length - indices.length };
}

async function answersOf(cell: Cell, compared: Comparison): Promise<readonly ComparedAnswer[] | Explanation> {
  const { document, support, tags = comparedTags, endpoint, with: other } = compared;
  const variants = (other === undefined ? tags : [undefined]).map((tag) => textAtBlock(cell, tag));
  const texts = variants.filter((text) => text !== undefined);
  if (texts.length < variants.length) return incomparable;
  const writing = writingMethod(cell, document.cells, (method) => support.routes.effectOf(method));
  if (writing !== undefined) return wouldWrite(writing);
  const endpoints = other === undefined ? [endpoint] : [endpoint, other];
  const results = await Promise.all(
    endpoints.map((one) =>
      runVariants(
        texts.map((text) => readCell(text)),
        one,
        compared,
      ),
    ),
  );
  return results.flat().map((result, at): ComparedAnswer => {
    const { ok, output, notSent } = result;
    const [answer] = result.answers();
    const name = other === undefined ? tags[at] : endpointOf(result);
    return { name: name ?? "", ok, answer, summary: output.reports[0]?.summary ?? "", notSent };
  });
}

function endpointOf({ output }: CellResult): string {
  return output.reports[0]?.facts.find(({ name }) => name === "endpoint")?.value ?? "not sent";
}

/** Runs cells as if they were at the end of the notebook. Their results are not kept. */
export async function runVariants(
  variants: readonly Cell[],
  endpoint: string | undefined,
  { document, variables, signal, support }: VariantRun,
): Promise<readonly CellResult[]> {
  const added = variants.map((_, at) => ({ index: document.cells.length + at }));
  const cells = [...document.cells, ...variants];
  const results = new Map<number, CellResult>();
  await runCells(
    { ...document, cells, refs: [...document.refs, ...added] },
    { uri: document.uri, cells: added, ...(endpoint !== undefined && { endpoint }) },
    variables,
    { started() {}, finished: (result) => void results.set(result.index, result) },
    signal,
    { ...support, results: new Results() },
  );
  return added.flatMap(({ index }) => results.get(index) ?? []);
}

/** Returns the first method of the cells before it that writes, or may write. */
export function writingMethod(cell: Cell, all: readonly Cell[], effectOf: Routes["effectOf"]): string | undefined {
  const sources = new Set(referredTo(cell, all));
  for (const source of sources) for (const target of referredTo(source, all)) sources.add(target); // visits those too
  const methods = [...sources].flatMap(({ requests }) => requests.flatMap(({ method }) => method ?? []));
  return methods.find((method) => !isHarmless(effectOf(method)));
}

const incomparable: Explanation = {
  what: "There is nothing to compare: the cell is not a single request that reads the state of a block.",
  todo: "Compare a cell with a single request that takes a block, such as eth_getBalance or eth_call.",
};

export function wouldWrite(method: string): Explanation {
  return {
    what: `This cell needs the result of \`${brief(method, 60)}\`, which may change something. It would be sent again.`,
    todo: "Run that cell by itself, then write its result into this one.",
  };
}
