import type { Clock, Consent, Transport } from "../base/ports.ts";
import type { Effect } from "../catalog/spec.ts";
import type { Endpoint, EndpointFault, Resolved } from "../endpoints/resolveEndpoint.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { Limiter } from "../rpc/limiter.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Retry } from "../rpc/retry.ts";
import { type EndpointMemory, type SendOptions, send } from "../rpc/send.ts";
import type { RawRequest } from "../rpc/wire.ts";
import type { LogProgress } from "./logHost.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** Receives the outcomes of a cell. Not a promise: a thousand cells would make several each. */
export interface OutcomeHandler {
  /** @param outcomes - One for each request, in order. */
  settle(outcomes: readonly Outcome[]): void;
  fail(bug: unknown): void;
}

/** Which methods may be sent to an endpoint. */
export interface Permissions extends Pick<Consent, "byOptions"> {
  /** Returns the effect of a method, as the catalogue or the user's settings say. */
  effectOf(method: string): Effect;
  /** Returns which of these methods with an unknown effect may be sent there; asks the user once. */
  allowMethods(resolved: Resolved, methods: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Returns whether these writes may be sent there in this run; asks the user. */
  allowWrites(resolved: Resolved, methods: readonly string[], signal: AbortSignal): Promise<boolean>;
}

/** The dependencies for sending the requests of a run, and the events that sending reports. */
export interface DispatchHost {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly approvals: Permissions;
  /** Milliseconds for one exchange, and bytes of one answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Returns the endpoint of a cell. */
  endpointOf(cell: Cell): Resolved | EndpointFault;
  /** Returns which of these cells may not send their requests there, and why; asks the user if needed. */
  refusalsOf(resolved: Resolved, cells: readonly Cell[], signal: AbortSignal): Promise<ReadonlyMap<Cell, UnsentReason>>;
  memoryOf(endpoint: Endpoint): EndpointMemory;
  /** Called when the number of the newest block was read. */
  onHead(endpoint: Endpoint, head: bigint): void;
  /** Whether contracts may be called for the symbol and decimals of their amounts. */
  readonly tokenLookup: boolean;
  /** The chain that cells without an endpoint of their own are for. */
  readonly chainId: bigint | undefined;
  /** Called before a wait that the endpoint asked for, or that it needs. */
  onRetry(retry: Retry, cells: readonly Cell[]): void;
  /** Called when these cells have to wait: why, in a sentence, and how long if that is known. */
  onDelay(what: string, waitMs: number | undefined, cells: readonly Cell[]): void;
  /** Called after each part of logs that are read in parts. */
  onLogProgress(cell: Cell, request: EvaluatedRequest, progress: LogProgress): void;
}

/** The requests of one run to one endpoint. */
export interface EndpointQueue {
  readonly resolved: Resolved;
  readonly host: DispatchHost;
  readonly signal: AbortSignal;
  cells: readonly Cell[];
  /** Numbers of blocks by tag, read when the first cell needs them. */
  readonly heads: Map<string, Promise<bigint | UnsentReason>>;
  /** The requests added since the last turn of the event loop: they are sent as one batch. */
  open: QueuedRequest[];
  /** Limits the messages in flight, together with other runs at the endpoint. */
  readonly reads: Limiter;
  /** Sends writes one by one. */
  readonly writes: Limiter;
}

interface QueuedRequest {
  readonly cell: Cell;
  readonly request: RawRequest;
  readonly handler: OutcomeHandler;
}

/** The largest number of messages in flight to one endpoint, of all runs together. */
const maxMessages = 8;

export function openEndpointQueue(resolved: Resolved, host: DispatchHost, signal: AbortSignal): EndpointQueue {
  const memory = host.memoryOf(resolved.endpoint);
  memory.limiter ??= new Limiter(maxMessages);
  const [reads, writes] = [memory.limiter, new Limiter(1)];
  return { resolved, host, signal, heads: new Map(), open: [], cells: [], reads, writes };
}

export async function sendOne(queue: EndpointQueue, cell: Cell, request: RawRequest): Promise<Outcome> {
  const { host, resolved, signal } = queue;
  const options = optionsFor(queue, true, () => [cell]);
  return onlyOutcome(await send(host.transport, resolved.endpoint, [request], options, signal));
}

export function enqueueOne(queue: EndpointQueue, cell: Cell, request: RawRequest): Promise<Outcome> {
  return new Promise((resolve, fail) => {
    const settle: OutcomeHandler["settle"] = ([outcome]) => outcome && resolve(outcome);
    enqueue(queue, { cell, request, handler: { settle, fail } });
  });
}

/** Adds a request to the batch that is sent when everything that is ready now has been added. */
export function enqueue(queue: EndpointQueue, queued: QueuedRequest): void {
  if (queue.open.length === 0) void Promise.resolve().then(() => flush(queue));
  queue.open.push(queued);
}

async function flush(queue: EndpointQueue): Promise<void> {
  const queued = queue.open;
  queue.open = [];
  const { host, resolved, signal } = queue;
  const cellsOf = (indices: readonly number[]) => indices.flatMap((index) => queued[index]?.cell ?? []);
  const options = optionsFor(queue, true, cellsOf, false, (index, outcome) => queued[index]?.handler.settle([outcome]));
  const requests: RawRequest[] = [];
  for (const { request } of queued) requests.push(request);
  try {
    await send(host.transport, resolved.endpoint, requests, options, signal);
  } catch (error) {
    for (const { handler } of queued) handler.fail(error); // a bug: whoever waits must hear of it
  }
}

/**
 * @param cellsOf - Returns the cells of requests by their indices.
 * @param asBatch - Ignores the endpoint's limits of batches.
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
    onRetry: (retry) => host.onRetry(retry, cellsOf(retry.indices)),
    onDelay: (what, waitMs, indices) => host.onDelay(what, waitMs, cellsOf(indices)),
    onOutcome,
  };
}

export function onlyOutcome([outcome]: readonly Outcome[]): Outcome {
  if (!outcome) throw new RangeError("A request got no outcome."); // send returns one for each request
  return outcome;
}
