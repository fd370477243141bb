import { hash64 } from "../../base/hash.ts";
import { quantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonValue, printJson } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import { methodNamed } from "../../catalog/catalog.ts";
import type { ParamSpec } from "../../catalog/spec.ts";
import { typeNamed } from "../../catalog/types.ts";
import { type Difference, differences } from "../../evaluate/diff.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import { wholeNumber } from "../../evaluate/operators.ts";
import type { RequestNode } from "../../notebook/cell.ts";
import { exactValue, items, type JsonNode, member } from "../../notebook/json.ts";
import { partsOf } from "../../notebook/placeholder.ts";
import type { Answer, CellRun } from "../cellRun.ts";
import type { Recorded, RecordedAnswer, Snapshot } from "./snapshotFile.ts";

/** The comparison of a cell with its snapshot. */
export type SnapshotVerdict =
  | { readonly kind: "same"; readonly fails: false }
  | { readonly kind: "differs"; readonly fails: true; readonly at: string; readonly found: readonly Difference[] }
  /** Recorded for another request. It fails if the cell asks to be compared. */
  | { readonly kind: "stale"; readonly fails: boolean; readonly at: string }
  /** A cell asks to be compared, but has no record. */
  | { readonly kind: "missing"; readonly fails: boolean };

/** Differences of one cell that are kept. */
const maxDifferences = 50;

/**
 * Compares a cell with its record if it says `"snapshot": true`, or if it is recorded and pinned to a
 * block.
 *
 * @param strict - A cell that asks to be compared fails if it has no record.
 */
export function snapshotVerdict(
  run: CellRun,
  recorded: Recorded | undefined,
  mask: Mask,
  strict: boolean,
): SnapshotVerdict | undefined {
  const marked = isMarked(run);
  if (!run.ok || marked === false || (!marked && (!recorded || !isPinned(run)))) return undefined;
  if (!recorded) return { kind: "missing", fails: strict };
  const { at, answers } = recorded;
  const now = answersIn(run, mask);
  const isSame = ({ request }: RecordedAnswer, index: number): boolean => request === answers[index]?.request;
  if (now.length !== answers.length || !now.every(isSame)) return { kind: "stale", fails: marked === true, at };
  const found: Difference[] = [];
  for (const [index, { answer }] of now.entries()) {
    const start = now.length === 1 ? [] : ["answers", index];
    for (const one of differences(answers[index]?.answer ?? null, answer, start)) {
      if (found.push(one) === maxDifferences) break;
    }
  }
  return found.length === 0 ? { kind: "same", fails: false } : { kind: "differs", fails: true, at, found };
}

/** The largest answers of a cell, in bytes, that are recorded without being asked for. */
const maxAnswerBytes = 1_000_000;

/** Returns the record of a cell; `undefined` if it failed, says `"snapshot": false`, or has very large answers. */
export function recordOf(run: CellRun, mask: Mask): Recorded | undefined {
  const marked = isMarked(run);
  const bytes = run.answers.reduce((sum, { outcome: { exchange } }) => sum + exchange.bytes / exchange.batch, 0);
  if (!run.ok || marked === false || (!marked && bytes > maxAnswerBytes)) return undefined;
  const endpoint = mask.text(run.answers[0]?.outcome.exchange.endpoint ?? "");
  return { endpoint, at: new Date(run.startedAt).toISOString(), answers: answersIn(run, mask) };
}

/**
 * Returns the snapshot after a run. Unchanged records stay, with their time; cells that did not run or have
 * nothing to record keep theirs. Cells that the notebook no longer has are removed, unless another run has recorded
 * them meanwhile: its notebook has them.
 *
 * @param before - As it is now.
 * @param notebook - The keys of its cells, in order, and the snapshot as it was when the run began.
 */
export function updated(
  before: Snapshot,
  records: ReadonlyMap<string, Recorded>,
  { keys, known }: { readonly keys: readonly string[]; readonly known: Snapshot },
): { readonly snapshot: Snapshot; readonly changed: readonly string[]; readonly gone: readonly string[] } {
  const changed: string[] = [];
  const snapshot = new Map<string, Recorded>();
  for (const key of keys) {
    const [was, is] = [before.get(key), records.get(key)];
    const isNew = is !== undefined && (was === undefined || answersText(was) !== answersText(is));
    if (isNew) changed.push(key);
    const kept = isNew ? is : was;
    if (kept) snapshot.set(key, kept);
  }
  const own = new Set(keys);
  const others = [...before].filter(([key]) => !own.has(key));
  for (const [key, recorded] of others) if (!known.has(key)) snapshot.set(key, recorded);
  return { snapshot, changed, gone: others.flatMap(([key]) => (known.has(key) ? [key] : [])) };
}

function answersText({ answers }: Recorded): string {
  return printJson(answers.map(({ request, answer }) => [request, answer]));
}

function answersIn({ answers }: CellRun, mask: Mask): readonly RecordedAnswer[] {
  return answers.map((one) => {
    const { method, params } = one.request;
    const sent = mask.value<JsonValue>([method, params ?? null]);
    const block = blocksOf(one.request)[0];
    return {
      method,
      request: hash64(printJson(sent)),
      block: block === undefined ? undefined : mask.text(typeof block === "string" ? block : printJson(block)),
      answer: mask.value(answerOf(one)),
    };
  });
}

function answerOf({ outcome }: Answer): JsonValue {
  switch (outcome.kind) {
    case "answered":
      return { result: outcome.result.value };
    case "refused": {
      const { code, message, data } = outcome;
      return { error: { ...(code !== undefined && { code }), message, ...(data !== undefined && { data }) } };
    }
    case "unreachable":
      return { error: { message: outcome.message } };
  }
}

/** Returns the value of `snapshot` of a request, or of one in a batch. */
function isMarked({ step: { cell } }: CellRun): boolean | undefined {
  const nodes = [
    cell.kind === "batch" ? member(cell.root, "snapshot") : undefined,
    ...cell.requests.map(({ members }) => members.get("snapshot")?.value),
  ];
  const said = nodes.flatMap((node) => (node?.type === "boolean" ? [node.value === true] : []));
  return said.length === 0 ? undefined : said.includes(true);
}

/** Returns whether every request is about blocks that do not change. */
function isPinned({ step: { cell }, answers }: CellRun): boolean {
  return (
    answers.length > 0 &&
    answers.every(({ request }, at) => {
      const blocks = blocksOf(request);
      return blocks.length > 0 && blocks.every(isFixed) && !movesAsWritten(cell.text, cell.requests[at], request);
    })
  );
}

/** Returns the blocks that a request names; the default tag if it leaves one out. */
function blocksOf({ method, spec = methodNamed(method), params }: EvaluatedRequest): readonly JsonValue[] {
  const given = isArray(params) ? params : [];
  return (spec?.params ?? []).flatMap((param, at): readonly JsonValue[] => {
    const value = given[at] ?? null;
    if (param.type !== "filter") return isBlock(param) ? [value ?? "latest"] : [];
    const { blockHash, fromBlock, toBlock } = isObject(value) ? value : {};
    return blockHash === undefined || blockHash === null ? [fromBlock ?? "latest", toBlock ?? "latest"] : [blockHash];
  });
}

function isBlock({ name, type }: ParamSpec): boolean {
  const spec = typeNamed(type);
  return (spec?.kind === "union" && spec.role === "block") || (name === "blockHash" && type === "hash");
}

function isFixed(block: JsonValue): boolean {
  if (isObject(block)) return isFixed(block.blockHash ?? block.blockNumber ?? null);
  return block === "earliest" || quantity(block) !== undefined;
}

/** Returns whether a block depends on a tag or on another cell, so that every run has another one. */
function movesAsWritten(
  text: string,
  node: RequestNode | undefined,
  { method, spec = methodNamed(method) }: EvaluatedRequest,
): boolean {
  const written = items(node?.members.get("params")?.value);
  return (spec?.params ?? []).some((param, at) => {
    const node = written[at];
    if (!node) return false;
    if (param.type !== "filter") return isBlock(param) && moves(text, node);
    return ["blockHash", "fromBlock", "toBlock"].some((key) => moves(text, member(node, key)));
  });
}

function moves(text: string, node: JsonNode | undefined): boolean {
  if (node?.type === "object") return ["blockHash", "blockNumber"].some((key) => moves(text, member(node, key)));
  if (node?.type !== "string") return false;
  const value = exactValue(text, node) ?? "";
  if (value === "earliest" || quantity(value) !== undefined || wholeNumber(value) !== undefined) return false;
  const parts = partsOf(text.slice(node.offset, node.offset + node.length));
  return !parts.every((part) => part.kind === "reference" && part.path.length === 1); // a variable stands for itself
}
