import { endpointDirective } from "../analysis/cellEndpoint.ts";
import { quantity } from "../base/hex.ts";
import { memoByObject } from "../base/memo.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { Effect } from "../catalog/spec.ts";
import { itemsOf } from "../catalog/typeOf.ts";
import type { Endpoint } from "../endpoints/resolveEndpoint.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { cadenceOf } from "../rpc/cadence.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import { ownRequest } from "../rpc/requestIds.ts";
import { send } from "../rpc/send.ts";
import type { RawRequest } from "../rpc/wire.ts";
import { headAt, headsAt } from "./blockTags.ts";
import {
  type DispatchHost,
  type EndpointQueue,
  enqueue,
  enqueueOne,
  type OutcomeHandler,
  openEndpointQueue,
  optionsFor,
  sendOne,
} from "./endpointQueue.ts";
import { applyFallbacks, methodFallbacks } from "./methodFallbacks.ts";
import type { UnsentReason } from "./unsentReason.ts";

/**
 * Prepares a run: finds every cell's endpoint, asks for confirmations (once for each host, once for writes), and
 * checks the chain ids against the header and the endpoint's entry.
 *
 * @param cells - All that the run may send.
 */
export async function openDispatcher(
  cells: readonly Cell[],
  host: DispatchHost,
  signal: AbortSignal,
): Promise<Dispatcher> {
  const refusals = new Map<Cell, UnsentReason>();
  // Questions to the user come one at a time, and only for requests that would be sent; endpoints are asked at once.
  const open: EndpointQueue[] = [];
  const queues = queuesOf(cells, host, signal, refusals);
  for (const queue of new Set(queues.values())) {
    const closed = await host.refusalsOf(queue.resolved, queue.cells, signal);
    for (const [cell, refusal] of closed) refusals.set(cell, refusal);
    if (queue.cells.some((cell) => !closed.has(cell))) open.push(queue);
  }
  for (const wrong of await Promise.all(open.map(wrongChain))) {
    for (const [cell, refusal] of wrong) refusals.set(cell, refusal);
  }
  for (const queue of open) {
    for (const [cell, refusal] of await unconfirmedWrites(queue, refusals)) refusals.set(cell, refusal);
    for (const [cell, refusal] of await unknownMethods(queue, refusals)) refusals.set(cell, refusal);
  }
  return new Dispatcher(refusals, (cell) => {
    const resolved = host.endpointOf(cell);
    return "endpoint" in resolved ? queues.get(resolved.endpoint) : undefined;
  });
}

function queuesOf(
  cells: readonly Cell[],
  host: DispatchHost,
  signal: AbortSignal,
  refusals: Map<Cell, UnsentReason>,
): ReadonlyMap<Endpoint, EndpointQueue> {
  const queues = new Map<string, EndpointQueue>();
  const byEndpoint = new Map<Endpoint, EndpointQueue>();
  for (const group of groupsOf(cells)) {
    const resolved = host.endpointOf(group[0]);
    if (!("endpoint" in resolved)) {
      for (const cell of group) refusals.set(cell, { kind: "endpoint", fault: resolved });
      continue;
    }
    const key = `${resolved.endpoint.name} ${resolved.endpoint.url}`;
    const queue = queues.get(key) ?? openEndpointQueue(resolved, host, signal);
    queue.cells = queue.cells.length === 0 ? group : [...queue.cells, ...group];
    queues.set(key, queue);
    byEndpoint.set(resolved.endpoint, queue);
  }
  return byEndpoint;
}

type Group = readonly [Cell, ...Cell[]];

/** Groups cells with requests by the endpoint that they name. Remembered by the list of cells. */
const groupsOf = memoByObject((cells: readonly Cell[]): readonly Group[] => {
  const byDirective = new Map<string | undefined, [Cell, ...Cell[]]>();
  for (const cell of cells) {
    if (cell.requests.length === 0 || cell.faults.length > 0) continue;
    const directive = endpointDirective(cell);
    const group = byDirective.get(directive);
    if (group) group.push(cell);
    else byDirective.set(directive, [cell]);
  }
  return [...byDirective.values()];
});

/** Sends the requests of a run to their endpoints. */
export class Dispatcher {
  readonly #refusals: ReadonlyMap<Cell, UnsentReason>;
  readonly #routeOf: (cell: Cell) => EndpointQueue | undefined;

  constructor(refusals: ReadonlyMap<Cell, UnsentReason>, routeOf: (cell: Cell) => EndpointQueue | undefined) {
    this.#refusals = refusals;
    this.#routeOf = routeOf;
  }

  /** Returns why the requests of this cell may not be sent; `undefined` if they may. */
  refusalOf(cell: Cell): UnsentReason | undefined {
    return this.#refusals.size === 0 ? undefined : this.#refusals.get(cell);
  }
  /**
   * Returns the numbers of the blocks that tags name at the endpoint of a cell, or why one is unknown. They are read once in
   * a run, so that all cells count from the same block.
   */
  heads(cell: Cell, tags: readonly string[]): Promise<ReadonlyMap<string, bigint> | UnsentReason> {
    return headsAt(this.#queueOf(cell), cell, tags);
  }
  /** Returns the number of the newest block now; `undefined` if the endpoint does not send it. */
  async head(cell: Cell): Promise<bigint | undefined> {
    const head = await headAt(this.#queueOf(cell), cell, "latest");
    return typeof head === "bigint" ? head : undefined;
  }
  /**
   * Returns the milliseconds after which a repetition may have a new answer; `undefined` for a cell that must not
   * be sent twice.
   */
  pollIntervalMs(cell: Cell): number | undefined {
    const queue = this.#queueOf(cell);
    return writingMethod(cell, queue) === undefined ? pollPauseOf(queue) : undefined;
  }
  /** Sends the requests of a cell, in one batch with others that are ready now. */
  send(cell: Cell, requests: readonly EvaluatedRequest[], handler: OutcomeHandler): void {
    const queue = this.#queueOf(cell);
    const [only] = requests;
    if (cell.kind === "request" && only && mayShareMessage(only, queue))
      enqueue(queue, { cell, request: only, handler });
    else
      sendAlone(queue, cell, requests)
        .then((outcomes) => handler.settle(outcomes))
        .catch((bug: unknown) => handler.fail(bug));
  }
  /**
   * Sends one of the server's own requests to the endpoint of a cell.
   *
   * @param apart - In a message by itself.
   */
  ask(cell: Cell, question: RawRequest, apart = false): Promise<Outcome> {
    const queue = this.#queueOf(cell);
    return apart ? sendOne(queue, cell, question) : enqueueOne(queue, cell, question);
  }
  #queueOf(cell: Cell): EndpointQueue {
    const queue = this.#routeOf(cell);
    if (!queue) throw new RangeError("A cell without an endpoint was sent."); // refusalOf() prevents it
    return queue;
  }
}

type CellRefusals = readonly (readonly [Cell, UnsentReason])[];

/** Refuses known writes that the user does not confirm in this run. */
async function unconfirmedWrites(
  queue: EndpointQueue,
  refused: ReadonlyMap<Cell, UnsentReason>,
): Promise<CellRefusals> {
  const { resolved, host, signal } = queue;
  const writing = writingRequests(queue).filter(({ cell, effect }) => effect !== "unknown" && !refused.has(cell));
  if (writing.length === 0) return [];
  const methods = [...new Set(writing.map(({ method }) => method))];
  if (await host.approvals.allowWrites(resolved, methods, signal)) return [];
  const { byOptions } = host.approvals;
  return writing.map(({ cell, method, effect }) => [cell, { kind: "writes", method, effect, byOptions }]);
}

/** Refuses methods with an unknown effect that the user has not allowed for the site. */
async function unknownMethods(queue: EndpointQueue, refused: ReadonlyMap<Cell, UnsentReason>): Promise<CellRefusals> {
  const { resolved, host, signal } = queue;
  const unknown = writingRequests(queue).filter(({ cell, effect }) => effect === "unknown" && !refused.has(cell));
  if (unknown.length === 0) return [];
  const methods = [...new Set(unknown.map(({ method }) => method))];
  const allowed = await host.approvals.allowMethods(resolved, methods, signal);
  const { byOptions } = host.approvals;
  const { url } = resolved.endpoint;
  return unknown.flatMap(
    ({ cell, method }): CellRefusals =>
      allowed.has(method) ? [] : [[cell, { kind: "unknown-effect", method, url, byOptions }]],
  );
}

interface WritingRequest {
  readonly cell: Cell;
  readonly method: string;
  readonly effect: Effect;
}

/** Returns every method of every cell that may change something. The catalogue's part is calculated once. */
function writingRequests({ cells, host }: EndpointQueue): readonly WritingRequest[] {
  return uncataloguedCells(cells).flatMap((cell) =>
    cell.requests.flatMap(({ method }): readonly WritingRequest[] => {
      const effect = method === undefined ? "reads" : host.approvals.effectOf(method);
      return method === undefined || isHarmless(effect) ? [] : [{ cell, method, effect }];
    }),
  );
}

/** Cells with a method that the catalogue does not list as a read, by their list of cells. */
const uncataloguedCells = memoByObject((cells: readonly Cell[]) => cells.filter((cell) => !isCatalogued(cell)));

function isCatalogued({ requests }: Cell): boolean {
  return requests.every(({ method }) => {
    const effect = method === undefined ? undefined : methodNamed(method)?.effect;
    return effect !== undefined && isHarmless(effect);
  });
}

function writingMethod({ requests }: Cell, { host }: EndpointQueue): string | undefined {
  return requests.find(({ method }) => method !== undefined && !isHarmless(host.approvals.effectOf(method)))?.method;
}

/** Refuses cells for another chain than the endpoint's, which is asked once, and only if a chain is stated. */
async function wrongChain(queue: EndpointQueue): Promise<CellRefusals> {
  const { resolved, host, signal, cells } = queue;
  const { endpoint } = resolved;
  if (endpoint.chainId === undefined && host.chainId === undefined) return [];
  const guarded = cells.flatMap((cell) => {
    const stated = [
      { chain: endpoint.chainId, by: "the entry of the endpoint" },
      { chain: endpointDirective(cell) !== undefined ? undefined : host.chainId, by: "the header" },
    ].flatMap(({ chain, by }) => (chain === undefined ? [] : [{ chain, by }]));
    return stated.length === 0 ? [] : [{ cell, stated }];
  });
  if (guarded.length === 0) return [];
  const options = optionsFor(queue, true, () => cells);
  const [outcome] = await send(host.transport, endpoint, [ownRequest("eth_chainId", [])], options, signal);
  const answer = resultOf(outcome);
  const actual = typeof answer === "string" && answer.length > 66 ? undefined : quantity(answer);
  return guarded.flatMap(({ cell, stated }): CellRefusals => {
    const [wrong] = stated.filter(({ chain }) => chain !== actual);
    if (!wrong) return [];
    const facts = { endpoint: endpoint.name, expected: wrong.chain.toString(), by: wrong.by };
    if (actual !== undefined) return [[cell, { kind: "other-chain", ...facts, actual: actual.toString() }]];
    // Cells that only read will report themselves that the endpoint does not answer.
    return writingMethod(cell, queue) === undefined ? [] : [[cell, { kind: "unknown-chain", ...facts }]];
  });
}

/** Returns the milliseconds between two repetitions: as often as the state can change, but not too often. */
function pollPauseOf({ resolved: { endpoint }, host }: EndpointQueue): number {
  const memory = host.memoryOf(endpoint);
  const chainId = endpoint.chainId ?? memory.probed?.chainId ?? host.chainId;
  return Math.max(500, cadenceOf({ ...endpoint, chainId }, memory, host.clock.date()).periodMs);
}

/** Returns `false` for requests that are sent alone: large or slow ones, so that small ones need not wait, and writes. */
function mayShareMessage({ method, spec }: EvaluatedRequest, { host }: EndpointQueue): boolean {
  return isHarmless(host.approvals.effectOf(method)) && (spec === undefined || itemsOf(spec.result) === undefined);
}

function sendAlone(
  queue: EndpointQueue,
  cell: Cell,
  requests: readonly EvaluatedRequest[],
): Promise<readonly Outcome[]> {
  const [only] = requests;
  const fallback = cell.kind === "request" ? methodFallbacks.get(only?.method) : undefined;
  if (only && fallback) return fallback(queue, cell, only).then((outcome) => [outcome]);
  const { host, resolved, signal } = queue;
  const idempotent = requests.every(({ method }) => isHarmless(host.approvals.effectOf(method)));
  // A batch cell is sent as a batch, whatever the endpoint's settings are.
  const options = optionsFor(queue, idempotent, () => [cell], cell.kind === "batch");
  const go = () => send(host.transport, resolved.endpoint, requests, options, signal);
  // Transactions are sent in the order of the notebook.
  const sent = idempotent ? go() : queue.writes.run(go);
  return cell.kind === "batch" ? sent.then((outcomes) => applyFallbacks(queue, cell, requests, outcomes)) : sent;
}
