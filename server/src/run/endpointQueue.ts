import type { Clock, Consent, Transport } from "../base/ports.ts";
import type { Effect } from "../catalog/spec.ts";
import type { Endpoint, EndpointFault, Resolved } from "../endpoints/resolve.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { openLimiter as openQueue, type Limiter as Queue } from "../rpc/limiter.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Retry } from "../rpc/retry.ts";
import { type EndpointMemory, type SendOptions, send } from "../rpc/send.ts";
import type { RawRequest as Sendable } from "../rpc/wire.ts";
import type { LogProgress } from "./logRange.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** Who waits for outcomes. No promise: of a thousand cells each would make several. */
export interface OutcomeHandler {
  /** One outcome a request, in order. */
  settle(outcomes: readonly Outcome[]): void;
  fail(bug: unknown): void;
}

/** What may be sent, beside where it may be sent to. */
export interface Permissions extends Pick<Consent, "byOptions"> {
  /** What a method does to the chain or the node, as the catalogue or the person says. */
  effectOf(method: string): Effect;
  /** Which of these methods, of which nothing says that they only read, may be sent there; asks a person once. */
  allowMethods(resolved: Resolved, methods: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Whether methods that write may be sent there in this run; asks a person. */
  allowWrites(resolved: Resolved, methods: readonly string[], signal: AbortSignal): Promise<boolean>;
}

/** What whoever sends for a run goes by, and whom it tells. */
export interface DispatchHost {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly approvals: Permissions;
  /** Milliseconds for one exchange, and bytes of one answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** The endpoint of a cell. */
  endpointOf(cell: Cell): Resolved | EndpointFault;
  /** Which of these cells may not send their requests there, and why; asks a person where that is needed. */
  admits(resolved: Resolved, cells: readonly Cell[], signal: AbortSignal): Promise<ReadonlyMap<Cell, UnsentReason>>;
  memoryOf(endpoint: Endpoint): EndpointMemory;
  /** The number of the newest block has been read. */
  sawHead(endpoint: Endpoint, head: bigint): void;
  /** Whether contracts may be asked for the symbol and decimals of their amounts. */
  readonly tokenLookup: boolean;
  /** The chain that cells without an endpoint of their own are for. */
  readonly chainId: bigint | undefined;
  /** Before a wait that the endpoint asked for, or that it needs. */
  retrying(retry: Retry, cells: readonly Cell[]): void;
  /** These cells wait for their turn at the endpoint: why, in a sentence, and how long where that is known. */
  heldUp(what: string, waitMs: number | undefined, cells: readonly Cell[]): void;
  /** Logs of a cell come in parts; told after each of them. */
  reading(cell: Cell, request: EvaluatedRequest, progress: LogProgress): void;
}

/** The requests of one run to one endpoint. */
export interface EndpointQueue {
  readonly resolved: Resolved;
  readonly host: DispatchHost;
  readonly signal: AbortSignal;
  cells: readonly Cell[];
  /** Numbers of blocks by tag, asked for when the first cell needs them. */
  readonly heads: Map<string, Promise<bigint | UnsentReason>>;
  /** What was handed over since control was last given back: it leaves as one batch. */
  open: QueuedRequests[];
  /** Bounds how many messages are under way; other runs at the endpoint have the same. */
  readonly reads: Queue;
  /** Lets requests that change something out one by one. */
  readonly writes: Queue;
}

interface QueuedRequests {
  readonly cell: Cell;
  readonly request: Sendable;
  readonly receiver: OutcomeHandler;
}

/** How many messages are under way to one endpoint at once, of all runs together. */
const mostMessages = 8;

export function openEndpointQueue(resolved: Resolved, host: DispatchHost, signal: AbortSignal): EndpointQueue {
  const memory = host.memoryOf(resolved.endpoint);
  memory.limiter ??= openQueue(mostMessages);
  const [reads, writes] = [memory.limiter, openQueue(1)];
  return { resolved, host, signal, heads: new Map(), open: [], cells: [], reads, writes };
}

export async function sendOne(lane: EndpointQueue, cell: Cell, request: Sendable): Promise<Outcome> {
  const { host, resolved, signal } = lane;
  const options = optionsFor(lane, true, () => [cell]);
  return onlyOutcome(await send(host.transport, resolved.endpoint, [request], options, signal));
}

export function enqueueOne(lane: EndpointQueue, cell: Cell, request: Sendable): Promise<Outcome> {
  return new Promise((resolve, fail) => {
    const settle: OutcomeHandler["settle"] = ([outcome]) => outcome && resolve(outcome);
    enqueue(lane, { cell, request, receiver: { settle, fail } });
  });
}

/** Adds a request to the batch that leaves when everything that is ready now has been handed over. */
export function enqueue(lane: EndpointQueue, parcel: QueuedRequests): void {
  if (lane.open.length === 0) void Promise.resolve().then(() => flush(lane));
  lane.open.push(parcel);
}

async function flush(lane: EndpointQueue): Promise<void> {
  const parcels = lane.open;
  lane.open = [];
  const { host, resolved, signal } = lane;
  const cellsOf = (indices: readonly number[]) => indices.flatMap((index) => parcels[index]?.cell ?? []);
  const options = optionsFor(lane, true, cellsOf, false, (index, outcome) =>
    parcels[index]?.receiver.settle([outcome]),
  );
  const requests: Sendable[] = [];
  for (const { request } of parcels) requests.push(request);
  try {
    await send(host.transport, resolved.endpoint, requests, options, signal);
  } catch (error) {
    for (const { receiver } of parcels) receiver.fail(error); // a bug: whoever waits must hear of it
  }
}

/**
 * @param cellsOf - Whose requests those are, by their indices.
 * @param asBatch - What the endpoint is said or known to take of batches is left aside.
 */
export function optionsFor(
  { host, resolved: { endpoint }, reads }: EndpointQueue,
  idempotent: boolean,
  cellsOf: (indices: readonly number[]) => readonly Cell[],
  asBatch = false,
  onOutcome?: SendOptions["onOutcome"],
): SendOptions {
  const memory = host.memoryOf(endpoint);
  memory.rateLimiter ??= { heldUntil: 0, usedUntil: 0 };
  return {
    timeoutMs: host.timeoutMs,
    maxBytes: host.maxBytes,
    idempotent,
    batch: asBatch ? undefined : endpoint.batch,
    clock: host.clock,
    memory: asBatch ? { rateLimiter: memory.rateLimiter } : memory,
    limiter: reads,
    rate: endpoint.rate,
    onRetry: (retry) => host.retrying(retry, cellsOf(retry.indices)),
    onDelay: (what, waitMs, indices) => host.heldUp(what, waitMs, cellsOf(indices)),
    onOutcome,
  };
}

export function onlyOutcome([outcome]: readonly Outcome[]): Outcome {
  if (!outcome) throw new RangeError("A request got no outcome."); // send answers one a request
  return outcome;
}
