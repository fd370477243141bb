import { isArray, isObject, type JsonObject } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf } from "./answered.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";

/** The receipts of a block, or the outcome that says why there are none. */
export type Receipts = readonly JsonObject[] | Outcome;

/** Receipts that are asked for at once. */
const mostAtOnce = 100;

/**
 * Reads the receipts of a block, one by one where the endpoint refuses those of a block.
 *
 * @param block - A tag, or a number as a quantity.
 */
export async function blockReceipts(asker: BackgroundClient, block: string, signal: AbortSignal): Promise<Receipts> {
  if (!asker.memory.refusesReceipts) {
    const [outcome] = await asker.ask([{ method: "eth_getBlockReceipts", params: [block] }], signal);
    const receipts = answerOf(outcome);
    if (outcome === undefined || isArray(receipts)) return isArray(receipts) ? receipts.filter(isObject) : [];
    const isRefused = outcome.kind === "refused" && /^(?:unknown-method|not-allowed)$/.test(outcome.reason);
    if (!isRefused) return outcome;
    asker.memory.refusesReceipts = true;
  }
  const [outcome] = await asker.ask([{ method: "eth_getBlockByNumber", params: [block, false] }], signal);
  const found = answerOf(outcome);
  if (!isObject(found) || !isArray(found.transactions)) return outcome ?? [];
  const questions = found.transactions.map(
    (hash): Question => ({ method: "eth_getTransactionReceipt", params: [hash] }),
  );
  const receipts: JsonObject[] = [];
  for (let at = 0; at < questions.length; at += mostAtOnce) {
    const outcomes = await asker.ask(questions.slice(at, at + mostAtOnce), signal);
    const refused = outcomes.find(({ kind }) => kind !== "answered");
    if (refused) return refused;
    receipts.push(...outcomes.map(answerOf).filter(isObject));
  }
  return receipts;
}

export function isReceipts(found: Receipts): found is readonly JsonObject[] {
  return !("kind" in found);
}
