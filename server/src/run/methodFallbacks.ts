import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { isRefusedForGood } from "../rpc/head.ts";
import { isTooManyBlocks } from "../rpc/logSizer.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { send } from "../rpc/send.ts";
import type { RawRequest as Sendable } from "../rpc/wire.ts";
import { hashAt, headAt, headsAt } from "./blockTags.ts";
import { type EndpointQueue, onlyOutcome, optionsFor, sendOne } from "./endpointQueue.ts";
import { type LogHost, type LogProgress, requestLogs } from "./logRange.ts";
import { blockReceipts, receiptsOneByOne } from "./receipts.ts";

/** @param come - What came of it as it is written, in a batch. */
async function logsOf(lane: EndpointQueue, cell: Cell, request: EvaluatedRequest, come?: Outcome): Promise<Outcome> {
  const { host, resolved, signal } = lane;
  const { endpoint } = resolved;
  const logHost: LogHost = {
    clock: host.clock,
    signal,
    endpoint: endpoint.name,
    host: endpoint.host,
    logRange: endpoint.logRange,
    maxBytes: host.maxBytes,
    memory: host.memoryOf(endpoint),
    send: (one) => sendOne(lane, cell, one),
    async headOf(tag, isFresh) {
      const head = isFresh ? await headAt(lane, cell, tag) : await headsAt(lane, cell, [tag]);
      if (typeof head === "bigint") return head;
      return "kind" in head ? undefined : head.get(tag);
    },
    hashOf: (block) => hashAt(lane, cell, block),
    onProgress: (progress: LogProgress) => host.reading(cell, request, progress),
  };
  return requestLogs(request, logHost, come);
}

/** @param come - What came of it as it is written, in a batch. */
async function receiptsOf(
  lane: EndpointQueue,
  cell: Cell,
  request: EvaluatedRequest,
  come?: Outcome,
): Promise<Outcome> {
  const { host, resolved, signal } = lane;
  const { endpoint } = resolved;
  const memory = host.memoryOf(endpoint);
  const options = optionsFor(lane, true, () => [cell]);
  const go = (requests: readonly Sendable[]) => send(host.transport, endpoint, requests, options, signal);
  const isKnown = endpoint.refuses.includes(blockReceipts) || memory.refusesReceipts === true;
  const outcome = come ?? (isKnown ? undefined : onlyOutcome(await go([request])));
  if (outcome && !isRefusedForGood(outcome)) return outcome;
  if (outcome) memory.refusesReceipts = true;
  return receiptsOneByOne(request, go, outcome);
}

/** Methods that may be refused as they are written, and can be asked for in other ways then. */
export const methodFallbacks: ReadonlyMap<string | undefined, typeof logsOf> = new Map([
  ["eth_getLogs", logsOf],
  [blockReceipts, receiptsOf],
]);

/** A batch goes out as it is written; members of it that were refused may have a way round. */
export function applyFallbacks(
  lane: EndpointQueue,
  cell: Cell,
  requests: readonly EvaluatedRequest[],
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const ways = outcomes.map((outcome, at) => {
    const request = requests[at];
    const way = hasFallback(outcome) ? methodFallbacks.get(request?.method) : undefined;
    return request && way ? way(lane, cell, request, outcome) : outcome;
  });
  return Promise.all(ways);
}

function hasFallback(outcome: Outcome): boolean {
  return outcome.kind === "refused" || isTooManyBlocks(outcome);
}
