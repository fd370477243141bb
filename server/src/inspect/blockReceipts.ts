import { isArray, isObject, type JsonObject } from "../base/json.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";

/** The receipts of a block, or the outcome that says why there are none. */
export type Receipts = readonly JsonObject[] | Outcome;

/** Receipts in one batch. */
const maxInBatch = 100;

/**
 * Reads the receipts of a block, one by one if the endpoint refuses `eth_getBlockReceipts`.
 *
 * @param block - A tag, or a number as a quantity.
 */
export async function blockReceipts(client: BackgroundClient, block: string, signal: AbortSignal): Promise<Receipts> {
  if (!client.memory.refusesReceipts) {
    const [outcome] = await client.ask([{ method: "eth_getBlockReceipts", params: [block] }], signal);
    const receipts = resultOf(outcome);
    if (outcome === undefined || isArray(receipts)) return isArray(receipts) ? receipts.filter(isObject) : [];
    const isRefused = outcome.kind === "refused" && /^(?:unknown-method|not-allowed)$/.test(outcome.reason);
    if (!isRefused) return outcome;
    client.memory.refusesReceipts = true;
  }
  const [outcome] = await client.ask([{ method: "eth_getBlockByNumber", params: [block, false] }], signal);
  const header = resultOf(outcome);
  if (!isObject(header) || !isArray(header.transactions)) return outcome ?? [];
  const questions = header.transactions.map(
    (hash): Question => ({ method: "eth_getTransactionReceipt", params: [hash] }),
  );
  const receipts: JsonObject[] = [];
  for (let at = 0; at < questions.length; at += maxInBatch) {
    const outcomes = await client.ask(questions.slice(at, at + maxInBatch), signal);
    const refused = outcomes.find(({ kind }) => kind !== "answered");
    if (refused) return refused;
    receipts.push(...outcomes.map(resultOf).filter(isObject));
  }
  return receipts;
}

export function isReceipts(result: Receipts): result is readonly JsonObject[] {
  return !("kind" in result);
}
