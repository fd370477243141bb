import type { Explanation } from "../base/error.ts";
import type { Clock } from "../base/ports.ts";
import type { Endpoint, EndpointFault, Resolved } from "../endpoints/resolveEndpoint.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Intent } from "../report/intent.ts";
import { Limiter } from "../rpc/limiter.ts";
import type { LogPiece } from "../rpc/logMemory.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { BlockRange } from "../rpc/range.ts";
import type { Retry } from "../rpc/retry.ts";
import type { EndpointMemory, SendOptions } from "../rpc/send.ts";
import type { RawRequest } from "../rpc/wire.ts";
import type { Approvals, Permit } from "./approvals.ts";
import type { Gate } from "./gate.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** Receives the outcomes of requests. Not a promise: a thousand requests would make several each. */
export interface OutcomeReceiver {
  /** @param at - The number that the request was queued with. */
  add(at: number, outcome: Outcome): void;
  fail(bug: unknown): void;
}

/** Logs that are still being read. */
export interface LogProgress {
  /** "37 of 500 ranges, 12,345 logs" */
  readonly text: string;
  /** Makes an outcome of the logs so far, from the first block up to the first gap. */
  soFar(): Outcome;
}

/** Takes the logs of a range in pieces that follow each other, so that no run has to hold them. */
export interface LogSink {
  /** @returns The first block to read, after the last one if nothing is missing; `undefined` if nothing is to be read. */
  begin(reading: LogReading): Promise<bigint | undefined>;
  /**
   * @returns The next block to read: an earlier one if the chain has changed, one after the last block at the end;
   *   `undefined` if no more is to be read.
   */
  take(piece: LogPiece): Promise<bigint | undefined>;
  /** Called if the request has no range that can be read in pieces. */
  refuse(why: Explanation): void;
}

export interface LogReading {
  /** The blocks to read. */
  readonly range: BlockRange;
  /** The parameters of the request without the range. */
  readonly key: string;
  /** Host and port of the endpoint. */
  readonly host: string;
  /** Returns `undefined` if the hash is unknown. */
  hashOf(block: bigint): Promise<string | undefined>;
  ask(request: RawRequest): Promise<Outcome>;
}

/** The dependencies for sending the requests of a run, and the events that sending reports. */
export interface DispatchHost {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly approvals: Approvals;
  /** Milliseconds for one exchange, and bytes of one answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Returns the endpoint of a cell. */
  endpointOf(cell: Cell): Resolved | EndpointFault;
  /** Returns which of these cells may not send their requests there, and why; asks the user if needed. */
  refusalsOf(
    permit: Permit,
    cells: readonly Cell[],
    signal: AbortSignal,
    asks?: () => void,
  ): Promise<ReadonlyMap<Cell, UnsentReason>>;
  /** Describes a request before it is sent. */
  intentOf(cell: Cell, request: EvaluatedRequest): Promise<Intent>;
  memoryOf(endpoint: Endpoint): EndpointMemory;
  /** Called when the number of the newest block was read. */
  onHead(endpoint: Endpoint, head: bigint): void;
  /** Whether contracts may be called for the symbol and decimals of their amounts. */
  readonly tokenLookup: boolean;
  /** The chain that cells without an endpoint of their own are for. */
  readonly chainId: bigint | undefined;
  /** The same in digits, or as JSON if it is not a number: then nothing is sent there. */
  readonly statedChain: string | undefined;
  /** Called before a wait that the endpoint asked for, or that it needs. */
  onRetry(retry: Retry, cells: readonly Cell[]): void;
  /** Called when these cells wait for a person: what the person is asked, as an order ("allow requests to …"). */
  onQuestion(what: string, cells: readonly Cell[]): void;
  /** Called when these cells have to wait: why, in a sentence, and how long if that is known. */
  onDelay(what: string, waitMs: number | undefined, cells: readonly Cell[]): void;
  /** Called after each part of logs that are read in parts. */
  onLogProgress(cell: Cell, request: EvaluatedRequest, progress: LogProgress): void;
  /** Takes the logs of the cells of the run that ask for a range. Absent if they are the answers of their cells. */
  readonly logSink?: ((cell: Cell) => LogSink | undefined) | undefined;
}

/** Sends requests of the server's own to the endpoint of a cell. */
export interface Asker {
  /** @param apart - In a message by itself. */
  ask(cell: Cell, question: RawRequest, apart?: boolean): Promise<Outcome>;
  /** Sends several in one message by themselves. */
  askTogether(cell: Cell, questions: readonly RawRequest[]): Promise<readonly Outcome[]>;
}

/** The requests of one run to one endpoint. */
export interface EndpointQueue {
  readonly resolved: Resolved;
  readonly permit: Permit;
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
  readonly receiver: OutcomeReceiver;
  readonly at: number;
}

/** The largest number of messages in flight to one endpoint, of all runs together. */
const maxMessages = 8;

export function openEndpointQueue(resolved: Resolved, host: DispatchHost, signal: AbortSignal): EndpointQueue {
  const memory = host.memoryOf(resolved.endpoint);
  memory.limiter ??= new Limiter(maxMessages);
  const [reads, writes] = [memory.limiter, new Limiter(1)];
  const permit = host.approvals.permit(resolved, "run");
  return { resolved, permit, host, signal, heads: new Map(), open: [], cells: [], reads, writes };
}

export async function sendOne(queue: EndpointQueue, cell: Cell, request: RawRequest): Promise<Outcome> {
  return onlyOutcome(await sendTogether(queue, cell, [request]));
}

/** Sends requests in a message of their own, or in several if the endpoint does not accept such a batch. */
export function sendTogether(
  queue: EndpointQueue,
  cell: Cell,
  requests: readonly RawRequest[],
): Promise<readonly Outcome[]> {
  return post(
    queue,
    requests,
    optionsFor(queue, true, () => [cell]),
  );
}

export function enqueueOne(queue: EndpointQueue, cell: Cell, request: RawRequest): Promise<Outcome> {
  return new Promise((resolve, fail) => {
    enqueue(queue, { cell, request, receiver: { add: (_, outcome) => resolve(outcome), fail }, at: 0 });
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
  const cellsOf = (indices: readonly number[]) => indices.flatMap((index) => queued[index]?.cell ?? []);
  const options = optionsFor(queue, true, cellsOf, false, (index, outcome) => {
    const one = queued[index];
    one?.receiver.add(one.at, outcome);
  });
  const requests: RawRequest[] = [];
  for (const { request } of queued) requests.push(request);
  try {
    await post(queue, requests, options);
  } catch (error) {
    for (const { receiver } of queued) receiver.fail(error); // a bug: every waiting caller must get it
  }
}

/** Sends requests to the endpoint of a queue. */
export function post(
  { host, permit, signal }: EndpointQueue,
  requests: readonly RawRequest[],
  options: SendOptions,
): Promise<readonly Outcome[]> {
  return host.gate.send(permit, requests, options, signal);
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
