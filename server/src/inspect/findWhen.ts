import type { Explanation } from "../base/error.ts";
import { quantity, toQuantity } from "../base/hex.ts";
import { isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { cellNumbers } from "../notebook/key.ts";
import { readCell } from "../notebook/readCell.ts";
import type { FindWhenParams } from "../protocol/endpoints.ts";
import { failedReport } from "../report/failure.ts";
import type { CellOutput, Report, Section } from "../report/report.ts";
import { reportOf } from "../report/reportOf.ts";
import { table } from "../report/table.ts";
import { type CellRun, type Ready, titleOf } from "../run/cellRun.ts";
import type { RunSupport } from "../run/documentRun.ts";
import { isHopeless } from "../run/judge/within.ts";
import { maskedRun } from "../run/result/maskRun.ts";
import type { Document } from "../workspace/documents.ts";
import { Bisection, type Sample } from "./bisection.ts";
import { paramsAt, textAtBlock } from "./compare.ts";
import { runVariants, wouldWrite, writingMethod } from "./compareCell.ts";
import { startOutput } from "./timedOutput.ts";

/** What a search works with. */
interface Given {
  readonly document: Document;
  readonly endpoint: string | undefined;
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly signal: AbortSignal;
  readonly support: RunSupport;
}

/**
 * Finds the first block of a range at which what a cell expects holds, by bisection. The cells that it refers to run before it,
 * once. None of them may write.
 *
 * @param index - Of the cell.
 * @param progress - Called with what is known, before each request.
 * @returns `undefined` if there is no such cell.
 */
export async function findWhen(
  document: Document,
  index: number,
  { range, endpoint }: FindWhenParams,
  signal: AbortSignal,
  support: RunSupport,
  progress?: (text: string) => void,
): Promise<CellOutput | undefined> {
  const cell = document.cells[index];
  if (!cell) return undefined;
  const title = oneLine(support.mask.text(titleOf(cellNumbers(document.cells)[index] ?? 0, cell)), 120);
  const { complete } = startOutput(support.clock);
  const given: Given = { document, endpoint, variables: new Map(), signal, support };
  const found = await search(index, range, given, progress);
  if ("what" in found)
    return complete(failedReport(title, found), printJson({ title, ok: false, notFound: { ...found } }, 2));
  return complete(foundReport(title, found), printJson({ title, ...foundJson(found) }, 2));
}

/** What was seen at a block. */
interface Seen extends Sample {
  readonly summary: string;
}

interface Found {
  readonly bisection: Bisection;
  readonly seen: ReadonlyMap<bigint, Seen>;
}

async function search(
  index: number,
  [first, last]: FindWhenParams["range"],
  given: Given,
  progress?: (text: string) => void,
): Promise<Found | Explanation> {
  const { document, support } = given;
  const cell = document.cells[index];
  if (!cell) return notSearchable;
  const writing = writingMethod(cell, document.cells, (method) => support.routes.effectOf(method));
  if (writing !== undefined) return wouldWrite(writing);
  const isBound = ["assume", "explain"].some((name) => cell.directives.has(name));
  if (isBound || !cell.directives.has("expect") || textAtBlock(cell, "latest") === undefined) return notSearchable;
  const [from, to] = await blocksOf([first, last], given);
  if (typeof from !== "bigint" || typeof to !== "bigint")
    return [from, to].find((one) => typeof one === "object") ?? notSearchable;
  if (from > to)
    return {
      what: `The range ${grouped(from)} to ${grouped(to)} ends before it begins.`,
      todo: "Exchange the blocks.",
    };
  const bisection = new Bisection(from, to);
  const seen = new Map<bigint, Seen>();
  let failure: string | undefined;
  let asked = bisection.next() ?? from;
  const replacementFor = (judged: CellRun, ready: Ready): Ready | undefined => {
    if (judged.step.cell !== variant) return undefined;
    const holds = holdsIn(judged);
    const summary = support.mask.text(summaryOf(maskedRun(judged, support.mask))); // texts in an answer are decoded
    if (holds === undefined) {
      failure = `Block ${grouped(asked)}: ${summary}`;
      return undefined;
    }
    bisection.add({ block: asked, holds });
    seen.set(asked, { block: asked, holds, summary });
    const block = bisection.next();
    if (block === undefined || given.signal.aborted) return undefined;
    progress?.(`${plural(seen.size, "block")} asked, now ${grouped(block)}`);
    asked = block;
    return atBlock(ready, block);
  };
  const tokenNames: RunSupport["tokenNames"] = { of: async (_, { stated }) => stated }; // nothing is asked beside it
  const searching = { ...support, tokenNames, replacementFor };
  const variant = readCell(textAtBlock(cell, toQuantity(asked), true) ?? "");
  const [result] = await runVariants([variant], given.endpoint, { ...given, support: searching });
  if (result?.notSent) return result.notSent;
  if (given.signal.aborted) return { what: "The search was cancelled.", todo: "Start it again." };
  if (failure !== undefined)
    return { what: failure, todo: "Choose a range or an endpoint that has the state of these blocks." };
  return { bisection, seen };
}

/** Returns the numbers of blocks, or why one has none. Beyond the newest block, which only tags reach, it is that one. */
async function blocksOf(blocks: readonly string[], given: Given): Promise<readonly (bigint | Explanation)[]> {
  const named = blocks.filter((block) => quantity(block) === undefined);
  const tags = [...new Set([...named, ...(named.some((block) => block.includes("pending")) ? ["latest"] : [])])];
  const cells = tags.map((tag) => readCell(printJson({ method: "eth_getBlockByNumber", params: [tag, false] })));
  const results = cells.length === 0 ? [] : await runVariants(cells, given.endpoint, given);
  const numberAt = (tag: string): bigint | undefined => {
    const [answer] = results[tags.indexOf(tag)]?.answers() ?? [];
    return isObject(answer) && isObject(answer.result) ? quantity(answer.result.number) : undefined;
  };
  const head = numberAt("latest");
  return blocks.map((block) => {
    const result = results[tags.indexOf(block)];
    const found = numberAt(block);
    const isAhead = found !== undefined && head !== undefined && found > head;
    const unknown = { what: `The number of the block ${oneLine(block)} is not known.`, todo: "Write its number." };
    return quantity(block) ?? (isAhead ? head : found) ?? result?.notSent ?? unknown;
  });
}

/** Whether what the cell expects holds; `undefined` if the answer does not say. */
function holdsIn(judged: CellRun): boolean | undefined {
  if (judged.ok) return true;
  const [outcome] = judged.answers.map((answer) => answer.outcome);
  if (isHopeless(judged) || !outcome || outcome.kind === "unreachable") return undefined;
  return outcome.kind === "answered" || outcome.reason === "revert" || outcome.reason === "vm-error"
    ? false
    : undefined;
}

function summaryOf({ answers }: CellRun): string {
  const [answer] = answers;
  if (!answer) return "no answer";
  const { request, outcome, scope } = answer;
  const { method, spec, params, returns } = request;
  return reportOf({ title: method, method, spec, params: params ?? [], outcome, returns, scope }).summary;
}

/** The same request about another block. */
function atBlock(ready: Ready, block: bigint): Ready {
  const requests = ready.requests.map((request) => {
    const value = parseJson(request.text);
    const params =
      isObject(value) && Array.isArray(value.params)
        ? paramsAt(request.method, value.params, toQuantity(block))
        : undefined;
    return params && isObject(value) ? { ...request, text: printJson({ ...value, params }), params } : request;
  });
  return { ...ready, requests };
}

const notSearchable: Explanation = {
  what: "There is nothing to search for: the cell is not a single request that reads the state of a block and expects something.",
  todo: "Add `expect` to a request that takes a block, without `each`, `assume` and `explain`.",
};

function foundReport(title: string, { bisection, seen }: Found): Report {
  const rows = bisection.samples.flatMap(({ block }) => seen.get(block) ?? []);
  const section = table(rows, [
    { name: "block", align: "right", of: ({ block }) => ({ text: grouped(block), raw: block.toString() }) },
    { name: "holds", of: ({ holds }) => ({ text: holds ? "yes" : "no" }) },
    { name: "answer", of: ({ summary }) => ({ text: oneLine(summary, 300) }) },
  ]);
  return {
    title,
    summary: sentence(bisection),
    status: bisection.first === undefined ? "failed" : "ok",
    sections: [...notes(bisection), section],
    facts: [{ name: "requests", value: String(rows.length) }],
  };
}

function sentence({ first, reversal, samples }: Bisection): string {
  const [start, end] = [samples[0]?.block ?? 0n, samples.at(-1)?.block ?? 0n];
  if (first === undefined)
    return `it holds at none of ${plural(samples.length, "block")} from ${grouped(start)} to ${grouped(end)}`;
  if (reversal) return `it holds at block ${grouped(reversal[0])}, and not at the later block ${grouped(reversal[1])}`;
  if (first === start) return `it holds at block ${grouped(first)}, the first of the range`;
  return `it holds from block ${grouped(first)} on`;
}

function notes({ reversal }: Bisection): readonly Section[] {
  if (!reversal) return [];
  const text = "It does not stay so, and it may hold at an earlier block too. Search smaller ranges.";
  return [{ kind: "note", text }];
}

function foundJson({ bisection, seen }: Found) {
  const { first, reversal, samples } = bisection;
  return {
    ok: first !== undefined,
    first: first ?? null,
    isMonotonic: reversal === undefined,
    requests: samples.length,
    samples: samples.map(({ block, holds }) => ({ block, holds, answer: seen.get(block)?.summary ?? "" })),
  };
}
