import { isWord, quantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../../base/json.ts";
import { plural } from "../../base/text.ts";
import type { Exchange, Incomplete, Outcome, RawJson, Refused, Unreachable } from "../../rpc/outcome.ts";
import { isRefusedForGood } from "../../rpc/outcome.ts";
import type { RawRequest } from "../../rpc/wire.ts";
import { ownRequest } from "../../rpc/wire.ts";

/** The method that public endpoints refuse, and that has a fallback. */
export const blockReceipts = "eth_getBlockReceipts";

/**
 * Fetches the receipts of a block one by one, for an endpoint that refuses `eth_getBlockReceipts`: the block first, then
 * the receipt of each of its transactions, in batches. If the endpoint refuses blocks too, their logs show
 * some of the transactions.
 *
 * @param request - For `eth_getBlockReceipts`.
 * @param refusal - Of the method itself, if it was sent.
 * @param send - Returns one outcome for each request, in order. Never rejects.
 * @returns The outcome as if the request had been answered; or the failure of one receipt, with those that arrived.
 */
export async function receiptsOneByOne(
  request: RawRequest & { readonly params: JsonValue | undefined },
  send: (requests: readonly RawRequest[]) => Promise<readonly Outcome[]>,
  refusal?: Refused,
): Promise<Outcome> {
  const blockParam = isArray(request.params) ? request.params[0] : undefined;
  const [block] = await send([blockRequest(blockParam)]);
  if (!block) throw new RangeError("No outcome came for a block."); // send answers one a request
  if (isRefusedForGood(block)) return byLogs(refusal ?? block, (await send([logsRequest(blockParam)]))[0]);
  if (block.kind !== "answered") return failure(block, block.exchange);
  const { value } = block.result;
  if (!isObject(value)) return { ...block, exchange: whole([block.exchange], []) };
  const hashes = (isArray(value.transactions) ? value.transactions : []).flatMap(hashOf);
  const outcomes = hashes.length === 0 ? [] : await send(hashes.map(receiptRequest));
  const exchanges = [block, ...outcomes].map(({ exchange }) => exchange);
  const failed = outcomes.find((outcome) => outcome.kind !== "answered");
  const receipts = outcomes.flatMap((outcome) =>
    outcome.kind === "answered" && isObject(outcome.result.value)
      ? [{ value: outcome.result.value, result: outcome.result }]
      : [],
  );
  const result: RawJson = {
    value: receipts.map((one) => one.value),
    get text() {
      return `[${receipts.map(({ result }) => result.text).join(",")}]`;
    },
  };
  if (!failed)
    return {
      kind: "answered",
      result,
      exchange: whole(exchanges, notesOn(value, blockParam === "pending", receipts, hashes.length)),
    };
  const soFar = receipts.length > 0 ? { result } : undefined;
  return failure(failed, whole(exchanges, [failedNote(outcomes)], soFar));
}

/** Returns a failure of the person's own request: it is explained with that one's method. */
function failure(outcome: Refused | Unreachable, exchange: Exchange): Outcome {
  return outcome.kind === "refused" ? { ...outcome, method: blockReceipts, exchange } : { ...outcome, exchange };
}

function blockRequest(block: JsonValue | undefined): RawRequest {
  const named = isObject(block) ? (block.blockHash ?? block.blockNumber) : block;
  const isHash = typeof named === "string" && named.length === 66;
  return ownRequest(isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber", [named ?? "latest", false]);
}

function logsRequest(block: JsonValue | undefined): RawRequest {
  const named = (isObject(block) ? (block.blockHash ?? block.blockNumber) : block) ?? "latest";
  const isHash = typeof named === "string" && named.length === 66;
  return ownRequest("eth_getLogs", [isHash ? { blockHash: named } : { fromBlock: named, toBlock: named }]);
}

/** Returns the refusal, with the transactions that logged something. Their logs prove success, but show no gas. */
function byLogs(refusal: Refused, answer: Outcome | undefined): Outcome {
  const logs = answer?.kind === "answered" && isArray(answer.result.value) ? answer.result.value.filter(isObject) : [];
  const all = new Map<JsonValue, { readonly receipt: JsonObject; readonly logs: JsonObject[] }>();
  for (const log of logs) {
    const { transactionHash = null, transactionIndex = null, blockHash = null, blockNumber = null } = log;
    const receipt = { transactionHash, transactionIndex, blockHash, blockNumber, status: "0x1" };
    const transaction = all.get(transactionHash);
    if (transaction) transaction.logs.push(log);
    else all.set(transactionHash, { receipt, logs: [log] });
  }
  const value = [...all.values()].map((one): JsonObject => ({ ...one.receipt, logs: one.logs }));
  const note = `The endpoint serves no blocks or receipts here, so this is what eth_getLogs shows: ${plural(value.length, "transaction")} with logs, without their gas. Transactions without logs are missing.`;
  const exchanges = [refusal.exchange, ...(answer ? [answer.exchange] : [])];
  const result = { value, text: printJson(value) };
  const some = value.length > 0;
  return failure(refusal, whole(exchanges, some ? [note] : [], some ? { result } : undefined));
}

function receiptRequest(hash: string): RawRequest {
  return ownRequest("eth_getTransactionReceipt", [hash]);
}

function hashOf(transaction: JsonValue): readonly string[] {
  const hash = isObject(transaction) ? transaction.hash : transaction;
  return typeof hash === "string" ? [hash] : [];
}

function failedNote(outcomes: readonly Outcome[]): string {
  const missing = outcomes.filter(({ kind }) => kind !== "answered").length;
  return `${missing} of ${plural(outcomes.length, "receipt")} did not arrive.`;
}

/** Compares blocks by hash; a pending one, which has a provisional hash or none, by number. */
function isOfAnother(receipt: JsonObject, block: JsonObject, isPending: boolean): boolean {
  const [own, its] = [receipt.blockHash, block.hash];
  const sealed = (hash: JsonValue | undefined): boolean => typeof hash === "string" && !/^0x0*$/.test(hash);
  if (!isPending && sealed(own) && sealed(its)) return own !== its;
  const [number, expected] = [quantity(receipt.blockNumber), quantity(block.number)];
  return number !== undefined && expected !== undefined && number !== expected;
}

function notesOn(
  block: JsonObject,
  isPending: boolean,
  receipts: readonly { readonly value: JsonObject }[],
  expected: number,
): readonly string[] {
  const missing = expected - receipts.length;
  const moved = receipts.some(({ value }) => isOfAnother(value, block, isPending));
  return [
    `The receipts were fetched one by one, since the endpoint refuses ${blockReceipts}.`,
    ...(missing > 0 ? [`${plural(missing, "transaction")} of the block had no receipt.`] : []),
    ...(moved ? ["The block was replaced while they were fetched: some are of another block."] : []),
  ];
}

/** Merges the exchanges into one. */
function whole(exchanges: readonly Exchange[], notes: readonly string[], soFar?: Incomplete): Exchange {
  const [first, ...others] = exchanges;
  if (!first) throw new RangeError("There was no exchange."); // the block was blockParam for
  const bytes = exchanges.reduce((sum, one) => sum + one.bytes / one.batch, 0);
  return {
    ...first,
    durationMs: first.durationMs + Math.max(0, ...others.map(({ durationMs }) => durationMs)),
    bytes: Math.ceil(bytes),
    batch: 1,
    parts: { requests: exchanges.length, notes, ...(soFar && { soFar }) },
  };
}

/** Returns the hash that a request asks about; `undefined` if it is not one. */
export function askedHash(params: JsonValue | undefined): string | undefined {
  const [hash] = Array.isArray(params) ? params : [];
  return isWord(hash) ? hash : undefined;
}
