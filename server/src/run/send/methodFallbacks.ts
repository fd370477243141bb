import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import { type EndpointQueue, onlyOutcome } from "../../gate/endpointQueue.ts";
import type { Cell } from "../../notebook/cell.ts";
import { caseMethods } from "../../report/caseFacts.ts";
import type { BlockQuestion } from "../../rpc/head.ts";
import { isTooManyBlocks } from "../../rpc/logSizer.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import { isRefusedForGood } from "../../rpc/outcome.ts";
import type { RawRequest } from "../../rpc/wire.ts";
import { ownRequest } from "../../rpc/wire.ts";
import { fromBlockReceipts } from "./findReceipt.ts";
import { requestLogs } from "./logRange.ts";
import { askedHash, blockReceipts, receiptsOneByOne } from "./receiptsOneByOne.ts";

/** @param sent - The outcome of the request as it is written, in a batch. */
function logsOf(queue: EndpointQueue, cell: Cell, request: EvaluatedRequest, sent?: Outcome): Promise<Outcome> {
  return requestLogs({ queue, cell, request }, sent);
}

/** @param sent - The outcome of the request as it is written, in a batch. */
async function receiptsOf(
  queue: EndpointQueue,
  cell: Cell,
  request: EvaluatedRequest,
  sent?: Outcome,
): Promise<Outcome> {
  const { memory, resolved } = queue;
  const { endpoint } = resolved;
  const go = (requests: readonly RawRequest[]) => queue.sendTogether(cell, requests);
  const isKnown = endpoint.refuses.includes(blockReceipts) || memory.refusesReceipts === true;
  const outcome = sent ?? (isKnown ? undefined : onlyOutcome(await go([request])));
  if (outcome && !isRefusedForGood(outcome)) return outcome;
  if (outcome) memory.refusesReceipts = true;
  return receiptsOneByOne(request, go, outcome);
}

/** @param sent - The outcome of the request as it is written. */
async function transactionOf(
  queue: EndpointQueue,
  cell: Cell,
  request: EvaluatedRequest,
  sent?: Outcome,
): Promise<Outcome> {
  const outcome = sent ?? (await queue.sendOne(cell, request));
  const hash = askedHash(request.params);
  // without its data, a transaction is only of use in the explanation
  if (hash === undefined || (request.method === caseMethods.transaction && !cell.directives.has("explain")))
    return outcome;
  const ask = (questions: readonly BlockQuestion[]) =>
    queue.sendTogether(
      cell,
      questions.map(({ method, params }) => ownRequest(method, params)),
    );
  return fromBlockReceipts(request.method, hash, ask, outcome);
}

/** Methods that can be replaced by other requests if an endpoint refuses them. */
export const methodFallbacks: ReadonlyMap<string | undefined, typeof logsOf> = new Map([
  ["eth_getLogs", logsOf],
  [blockReceipts, receiptsOf],
  [caseMethods.transaction, transactionOf],
  [caseMethods.receipt, transactionOf],
]);

/** Replaces refused members of a batch, which is sent as it is written, by their fallbacks. */
export function applyFallbacks(
  queue: EndpointQueue,
  cell: Cell,
  requests: readonly EvaluatedRequest[],
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const retried = outcomes.map((outcome, at) => {
    const request = requests[at];
    const fallback = hasFallback(outcome) ? methodFallbacks.get(request?.method) : undefined;
    return request && fallback ? fallback(queue, cell, request, outcome) : outcome;
  });
  return Promise.all(retried);
}

/** Whether a fallback may do better. */
export function hasFallback(outcome: Outcome): boolean {
  return outcome.kind === "refused" || isTooManyBlocks(outcome);
}
