import type { Explanation } from "../base/error.ts";
import { type Flow, FlowSource } from "../base/flow.ts";
import type { Clock } from "../base/ports.ts";
import type { Endpoint, EndpointFault, Resolved } from "../endpoints/resolveEndpoint.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import type { HeaderChain } from "../notebook/header.ts";
import { Limiter } from "../rpc/limiter.ts";
import type { LogPiece } from "../rpc/logMemory.ts";
import type { Outcome, SavedLogs } from "../rpc/outcome.ts";
import type { BlockRange } from "../rpc/range.ts";
import type { Retry } from "../rpc/retry.ts";
import type { EndpointMemory, SendOptions } from "../rpc/send.ts";
import type { RawRequest } from "../rpc/wire.ts";
import type { Approvals, Permit } from "./approvals.ts";
import type { Gate } from "./gate.ts";
import type { Cost } from "./questions.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** The outcome of one request, and what it was sent for. */
export interface Arrived<Sender> {
  readonly ready: Sender;
  readonly outcomes: readonly Outcome[];
}

/** Requests whose outcomes come as one flow: a promise for each of a thousand would cost more than its answer. */
export interface Group<Sender> {
  /** Adds a request to the batch that is sent when everything that is ready now has been added. */
  add(cell: Cell, request: RawRequest, sender: Sender): void;
  /** Returns the outcomes, when all requests have been added. */
  arrived(): Flow<Arrived<Sender>>;
}

/** A cell whose answer comes in parts. */
export interface PartProgress {
  /** "37 of 500 ranges, 12,345 logs" */
  readonly text: string;
  /** Returns what has come: the logs from the first block up to the first gap, or the rows that are answered. */
  soFar(): readonly { readonly request: EvaluatedRequest; readonly outcome: Outcome }[];
}

/** Takes the logs of a range piece by piece, so that no run has to hold them. */
export interface LogSink {
  /** Reads what it wants of the range. */
  take(reading: LogReading): Promise<TakenLogs>;
}

/** What became of logs that were taken. */
export interface TakenLogs {
  /** A sentence on all of them; absent if not all are there. */
  readonly done?: string;
  /** Absent if there is no file. */
  readonly saved?: SavedLogs;
  readonly notes: readonly string[];
  /** Says why not all of them were taken, if it was not for the endpoint. */
  readonly fault?: Explanation | undefined;
}

export interface LogReading {
  /** The blocks to read. */
  readonly range: BlockRange;
  /** The parameters of the request without the range. */
  readonly key: string;
  /** Host and port of the endpoint. */
  readonly host: string;
  /**
   * Reads the logs from a block on, of as many blocks as the endpoint answers at once.
   *
   * @returns `undefined` if the endpoint failed, which the cell reports.
   */
  read(from: bigint): Promise<LogPiece | undefined>;
  /** Asks a person about the cost. @returns Why it may not be read; `undefined` if it may. */
  allow(cost: Cost): Promise<Explanation | undefined>;
  /** Returns `undefined` if the hash is unknown. */
  hashOf(block: bigint): Promise<string | undefined>;
  ask(request: RawRequest): Promise<Outcome>;
}

/** The endpoints of one run, and the permission to send there. */
export interface SendRoutes {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly approvals: Approvals;
  /** Milliseconds for one exchange, and bytes of one answer. */
  readonly timeoutMs: number;
  /** The milliseconds for one exchange, if a person chose them. */
  readonly givenMs?: number | undefined;
  readonly maxBytes: number;
  /** Says which chain cells without an endpoint of their own are for. */
  readonly header: HeaderChain;
  /** Returns the endpoint of a cell. */
  endpointOf(cell: Cell): Resolved | EndpointFault;
  /** Returns which of these cells may not send their requests there, and why; asks the user if needed. */
  refusalsOf(
    permit: Permit,
    cells: readonly Cell[],
    signal: AbortSignal,
    asks?: () => void,
  ): Promise<ReadonlyMap<Cell, UnsentReason>>;
  memoryOf(endpoint: Endpoint): EndpointMemory;
  /** Called when the number of the newest block was read. */
  onHead(endpoint: Endpoint, head: bigint): void;
}

/** Is told why cells wait. */
export interface SendProgress {
  /** Called before a wait that the endpoint asked for, or that it needs. */
  onRetry(retry: Retry, cells: readonly Cell[]): void;
  /** Called when these cells wait for a person: what the person is asked, as an order ("allow requests to …"). */
  onQuestion(what: string, cells: readonly Cell[]): void;
  /** Called when these cells have to wait: why, in a sentence, and how long if that is known. */
  onDelay(what: string, waitMs: number | undefined, cells: readonly Cell[]): void;
  /** Called after each part of an answer that comes in parts. */
  onPart(cell: Cell, progress: PartProgress): void;
  /** Returns what takes the logs of a range that a cell asks for; `undefined` if they are the answer of the cell. */
  logSinkOf(cell: Cell, request: EvaluatedRequest): LogSink | undefined;
}

/** Sends requests of the server's own to the endpoint of a cell. */
export interface Asker {
  /** @param apart - In a message by itself. */
  ask(cell: Cell, question: RawRequest, apart?: boolean): Promise<Outcome>;
  /** Sends several in one message by themselves. */
  askTogether(cell: Cell, questions: readonly RawRequest[]): Promise<readonly Outcome[]>;
}

/** The way in which requests are sent together. */
interface MessageOptions {
  /** Bytes of the answer, if fewer than usual are wanted. */
  readonly maxBytes?: number;
  /** They only read or simulate. */
  readonly idempotent?: boolean;
  /** Ignores the endpoint's limits of batches. */
  readonly asBatch?: boolean;
  readonly onOutcome?: SendOptions["onOutcome"];
}

/** A request that waits for others to be added. */
interface WaitingRequest {
  readonly cell: Cell;
  readonly request: RawRequest;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (bug: unknown) => void;
}

/** The largest number of messages in flight to one endpoint, of all runs together. */
const maxMessages = 8;

/** The requests of one run to one endpoint. */
export class EndpointQueue {
  readonly resolved: Resolved;
  readonly permit: Permit;
  readonly routes: SendRoutes;
  readonly progress: SendProgress;
  readonly signal: AbortSignal;
  cells: readonly Cell[] = [];
  /** Numbers of blocks by tag, read when the first cell needs them. */
  readonly heads = new Map<string, Promise<bigint | UnsentReason>>();
  /** Sends writes one by one. */
  readonly writes = new Limiter(1);
  /** Limits the messages in flight, together with other runs at the endpoint. */
  readonly #reads: Limiter;
  /** The requests added since the last turn of the event loop: they are sent as one batch. */
  #open: WaitingRequest[] = [];

  constructor(resolved: Resolved, routes: SendRoutes, progress: SendProgress, signal: AbortSignal) {
    this.resolved = resolved;
    this.permit = routes.approvals.permit(resolved, "run");
    this.routes = routes;
    this.progress = progress;
    this.signal = signal;
    this.memory.limiter ??= new Limiter(maxMessages);
    this.#reads = this.memory.limiter;
  }

  get memory(): EndpointMemory {
    return this.routes.memoryOf(this.resolved.endpoint);
  }
  /** Sends a request in a message of its own. */
  async sendOne(cell: Cell, request: RawRequest, maxBytes = this.routes.maxBytes): Promise<Outcome> {
    return onlyOutcome(await this.post([request], () => [cell], { maxBytes }));
  }
  /** Sends requests in a message of their own, or in several if the endpoint does not accept such a batch. */
  sendTogether(cell: Cell, requests: readonly RawRequest[]): Promise<readonly Outcome[]> {
    return this.post(requests, () => [cell]);
  }
  /** Begins a group of requests. */
  group<Sender>(): Group<Sender> {
    const arrived = new FlowSource<Arrived<Sender>>();
    let count = 0;
    const fail = (bug: unknown): void => arrived.fail(bug);
    return {
      add: (cell, request, ready) => {
        count++;
        this.#add({ cell, request, settle: (outcome) => arrived.add({ ready, outcomes: [outcome] }), fail });
      },
      arrived: () => arrived.expect(count),
    };
  }
  /** Adds a request to the batch that is sent when everything that is ready now has been added. */
  addOne(cell: Cell, request: RawRequest): Promise<Outcome> {
    return new Promise((settle, fail) => this.#add({ cell, request, settle, fail }));
  }
  /**
   * Sends requests at once.
   *
   * @param cellsOf - Returns the cells of requests by their indices.
   */
  post(
    requests: readonly RawRequest[],
    cellsOf: (indices: readonly number[]) => readonly Cell[],
    { idempotent = true, asBatch = false, maxBytes = this.routes.maxBytes, onOutcome }: MessageOptions = {},
  ): Promise<readonly Outcome[]> {
    const { memory, progress, resolved, signal } = this;
    const { gate, timeoutMs, clock } = this.routes;
    const { batch, rate } = resolved.endpoint;
    memory.rateLimiter ??= { heldUntil: 0, usedUntil: 0 };
    const options: SendOptions = {
      timeoutMs,
      maxBytes,
      idempotent,
      batch: asBatch ? undefined : batch,
      clock,
      memory: asBatch ? { rateLimiter: memory.rateLimiter } : memory,
      limiter: this.#reads,
      rate,
      onRetry: (retry) => progress.onRetry(retry, cellsOf(retry.indices)),
      onDelay: (what, waitMs, indices) => progress.onDelay(what, waitMs, cellsOf(indices)),
      onOutcome,
    };
    return gate.send(this.permit, requests, options, signal);
  }

  #add(waiting: WaitingRequest): void {
    if (this.#open.length === 0) void Promise.resolve().then(() => this.#flush());
    this.#open.push(waiting);
  }
  async #flush(): Promise<void> {
    const sent = this.#open;
    this.#open = [];
    const requests = sent.map(({ request }) => request);
    const cellsOf = (indices: readonly number[]) => indices.flatMap((index) => sent[index]?.cell ?? []);
    const onOutcome = (index: number, outcome: Outcome): void => sent[index]?.settle(outcome);
    try {
      await this.post(requests, cellsOf, { onOutcome });
    } catch (error) {
      for (const { fail } of sent) fail(error); // a bug: every waiting caller must get it
    }
  }
}

export function onlyOutcome([outcome]: readonly Outcome[]): Outcome {
  if (!outcome) throw new RangeError("A request got no outcome."); // send returns one for each request
  return outcome;
}
