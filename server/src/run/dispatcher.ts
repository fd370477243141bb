import { quantity } from "../base/hex.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { Effect } from "../catalog/spec.ts";
import type { Endpoint } from "../endpoints/resolve.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { member } from "../notebook/json.ts";
import { cadenceOf } from "../rpc/cadence.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { ownRequest } from "../rpc/requestIds.ts";
import { send } from "../rpc/send.ts";
import type { RawRequest as Sendable } from "../rpc/wire.ts";
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

/** Takes the requests of a run to their endpoints. */
export interface Dispatcher {
  /** Why the requests of this cell may not go out; `undefined` when they may. */
  refuses(cell: Cell): UnsentReason | undefined;
  /**
   * Numbers of the blocks that tags name at the endpoint of a cell, or why one is not known. They are asked for once in
   * a run, so that all its cells count from the same block.
   */
  heads(cell: Cell, tags: readonly string[]): Promise<ReadonlyMap<string, bigint> | UnsentReason>;
  /** The number of the newest block now; `undefined` where the endpoint does not tell. */
  head(cell: Cell): Promise<bigint | undefined>;
  /**
   * Milliseconds after which asking a cell's endpoint again may tell something new; `undefined` for a cell that must not
   * be sent twice.
   */
  cadence(cell: Cell): number | undefined;
  /** Sends what a cell asks, with what else is ready now. */
  carry(cell: Cell, requests: readonly EvaluatedRequest[], receiver: OutcomeHandler): void;
  /**
   * Sends a question that is no cell's own to the endpoint of a cell.
   *
   * @param apart - In a message by itself.
   */
  ask(cell: Cell, question: Sendable, apart?: boolean): Promise<Outcome>;
}

/**
 * Prepares a run: finds every cell's endpoint, asks what must be asked (once a host, once for what writes), and
 * holds the chain ids against what the notebook is for.
 *
 * @param cells - All that the run may send.
 */
export async function openDispatcher(
  cells: readonly Cell[],
  host: DispatchHost,
  signal: AbortSignal,
): Promise<Dispatcher> {
  const refusals = new Map<Cell, UnsentReason>();
  // A person is asked one thing at a time, and only of what would go out; endpoints are asked at once.
  const open: EndpointQueue[] = [];
  const lanes = queuesOf(cells, host, signal, refusals);
  for (const lane of new Set(lanes.values())) {
    const closed = await host.admits(lane.resolved, lane.cells, signal);
    for (const [cell, refusal] of closed) refusals.set(cell, refusal);
    if (lane.cells.some((cell) => !closed.has(cell))) open.push(lane);
  }
  for (const found of await Promise.all(open.map(wrongChain))) {
    for (const [cell, refusal] of found) refusals.set(cell, refusal);
  }
  for (const lane of open) {
    for (const [cell, refusal] of await unconfirmedWrites(lane, refusals)) refusals.set(cell, refusal);
    for (const [cell, refusal] of await unknownMethods(lane, refusals)) refusals.set(cell, refusal);
  }
  return new QueueDispatcher(refusals, (cell) => {
    const resolved = host.endpointOf(cell);
    return "endpoint" in resolved ? lanes.get(resolved.endpoint) : undefined;
  });
}

function queuesOf(
  cells: readonly Cell[],
  host: DispatchHost,
  signal: AbortSignal,
  refusals: Map<Cell, UnsentReason>,
): ReadonlyMap<Endpoint, EndpointQueue> {
  const lanes = new Map<string, EndpointQueue>();
  const byEndpoint = new Map<Endpoint, EndpointQueue>();
  for (const group of groupsOf(cells)) {
    const resolved = host.endpointOf(group[0]);
    if (!("endpoint" in resolved)) {
      for (const cell of group) refusals.set(cell, { kind: "endpoint", fault: resolved });
      continue;
    }
    const key = `${resolved.endpoint.name} ${resolved.endpoint.url}`;
    const lane = lanes.get(key) ?? openEndpointQueue(resolved, host, signal);
    lane.cells = lane.cells.length === 0 ? group : [...lane.cells, ...group];
    lanes.set(key, lane);
    byEndpoint.set(resolved.endpoint, lane);
  }
  return byEndpoint;
}

type Group = readonly [Cell, ...Cell[]];

/** Cells with requests, by the endpoint that they name. Remembered for as long as the same list is handed over. */
function groupsOf(cells: readonly Cell[]): readonly Group[] {
  const known = groups.get(cells);
  if (known) return known;
  const found = new Map<string | undefined, [Cell, ...Cell[]]>();
  for (const cell of cells) {
    if (cell.requests.length === 0 || cell.faults.length > 0) continue;
    const directive = endpointDirective(cell);
    const group = found.get(directive);
    if (group) group.push(cell);
    else found.set(directive, [cell]);
  }
  const made = [...found.values()];
  groups.set(cells, made);
  return made;
}

const groups = new WeakMap<readonly Cell[], readonly Group[]>();

class QueueDispatcher implements Dispatcher {
  readonly #refusals: ReadonlyMap<Cell, UnsentReason>;
  readonly #routeOf: (cell: Cell) => EndpointQueue | undefined;

  constructor(refusals: ReadonlyMap<Cell, UnsentReason>, routeOf: (cell: Cell) => EndpointQueue | undefined) {
    this.#refusals = refusals;
    this.#routeOf = routeOf;
  }

  refuses(cell: Cell): UnsentReason | undefined {
    return this.#refusals.size === 0 ? undefined : this.#refusals.get(cell);
  }
  heads(cell: Cell, tags: readonly string[]): Promise<ReadonlyMap<string, bigint> | UnsentReason> {
    return headsAt(this.#laneOf(cell), cell, tags);
  }
  async head(cell: Cell): Promise<bigint | undefined> {
    const head = await headAt(this.#laneOf(cell), cell, "latest");
    return typeof head === "bigint" ? head : undefined;
  }
  cadence(cell: Cell): number | undefined {
    const lane = this.#laneOf(cell);
    return writingMethod(cell, lane) === undefined ? pollPauseOf(lane) : undefined;
  }
  carry(cell: Cell, requests: readonly EvaluatedRequest[], receiver: OutcomeHandler): void {
    sendCell(this.#laneOf(cell), cell, requests, receiver);
  }
  ask(cell: Cell, question: Sendable, apart = false): Promise<Outcome> {
    const lane = this.#laneOf(cell);
    return apart ? sendOne(lane, cell, question) : enqueueOne(lane, cell, question);
  }
  #laneOf(cell: Cell): EndpointQueue {
    const lane = this.#routeOf(cell);
    if (!lane) throw new RangeError("A cell without an endpoint was sent."); // refuses() has said so
    return lane;
  }
}

type CellRefusals = readonly (readonly [Cell, UnsentReason])[];

/** Methods that are known to write need a yes in every run. */
async function unconfirmedWrites(lane: EndpointQueue, refused: ReadonlyMap<Cell, UnsentReason>): Promise<CellRefusals> {
  const { resolved, host, signal } = lane;
  const writing = writingRequests(lane).filter(({ cell, effect }) => effect !== "unknown" && !refused.has(cell));
  if (writing.length === 0) return [];
  const methods = [...new Set(writing.map(({ method }) => method))];
  if (await host.approvals.allowWrites(resolved, methods, signal)) return [];
  const { byOptions } = host.approvals;
  return writing.map(({ cell, method, effect }) => [cell, { kind: "writes", method, effect, byOptions }]);
}

/** Of other methods that nothing says only read, each needs a yes once for each host. */
async function unknownMethods(lane: EndpointQueue, refused: ReadonlyMap<Cell, UnsentReason>): Promise<CellRefusals> {
  const { resolved, host, signal } = lane;
  const unknown = writingRequests(lane).filter(({ cell, effect }) => effect === "unknown" && !refused.has(cell));
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

/** Every method of every cell that may change something. The catalogue does not change, so its part is found once. */
function writingRequests({ cells, host }: EndpointQueue): readonly WritingRequest[] {
  const uncatalogued = writingCells.get(cells) ?? cells.filter((cell) => !isCatalogued(cell));
  writingCells.set(cells, uncatalogued);
  return uncatalogued.flatMap((cell) =>
    cell.requests.flatMap(({ method }): readonly WritingRequest[] => {
      const effect = method === undefined ? "reads" : host.approvals.effectOf(method);
      return method === undefined || isHarmless(effect) ? [] : [{ cell, method, effect }];
    }),
  );
}

/** Cells with a method that the catalogue does not list as a read, by the list of cells they are in. */
const writingCells = new WeakMap<readonly Cell[], readonly Cell[]>();

function isCatalogued({ requests }: Cell): boolean {
  return requests.every(({ method }) => {
    const effect = method === undefined ? undefined : methodNamed(method)?.effect;
    return effect !== undefined && isHarmless(effect);
  });
}

function writingMethod({ requests }: Cell, { host }: EndpointQueue): string | undefined {
  return requests.find(({ method }) => method !== undefined && !isHarmless(host.approvals.effectOf(method)))?.method;
}

/** Cells for another chain than the endpoint turns out to be. It is asked once, and only where a chain is stated. */
async function wrongChain(lane: EndpointQueue): Promise<CellRefusals> {
  const { resolved, host, signal, cells } = lane;
  const { endpoint } = resolved;
  if (endpoint.chainId === undefined && host.chainId === undefined) return [];
  const guarded = cells.flatMap((cell) => {
    const stated = [
      { chain: endpoint.chainId, by: "the entry of the endpoint" },
      { chain: hasOwnEndpoint(cell) ? undefined : host.chainId, by: "the header" },
    ].flatMap(({ chain, by }) => (chain === undefined ? [] : [{ chain, by }]));
    return stated.length === 0 ? [] : [{ cell, stated }];
  });
  if (guarded.length === 0) return [];
  const options = optionsFor(lane, true, () => cells);
  const [outcome] = await send(host.transport, endpoint, [ownRequest("eth_chainId", [])], options, signal);
  const answer = outcome?.kind === "answered" ? outcome.result.value : undefined;
  const actual = typeof answer === "string" && answer.length > 66 ? undefined : quantity(answer);
  return guarded.flatMap(({ cell, stated }): CellRefusals => {
    const [wrong] = stated.filter(({ chain }) => chain !== actual);
    if (!wrong) return [];
    const told = { endpoint: endpoint.name, expected: wrong.chain.toString(), by: wrong.by };
    if (actual !== undefined) return [[cell, { kind: "other-chain", ...told, actual: actual.toString() }]];
    // Those that only read will say for themselves that the endpoint does not answer.
    return writingMethod(cell, lane) === undefined ? [] : [[cell, { kind: "unknown-chain", ...told }]];
  });
}

function hasOwnEndpoint(cell: Cell): boolean {
  return endpointDirective(cell) !== undefined;
}

/** The `endpoint` of a cell: a request's, or a batch's own. */
export function endpointDirective(cell: Cell): string | undefined {
  if (!cell.directives.has("endpoint")) return undefined;
  const { kind, root, requests } = cell;
  const node = kind === "batch" ? member(root, "endpoint") : requests[0]?.members.get("endpoint")?.value;
  return node?.type === "string" ? String(node.value) : undefined;
}

/** Milliseconds between two looks at something that is to change: as often as it can, within what is polite. */
function pollPauseOf({ resolved: { endpoint }, host }: EndpointQueue): number {
  const memory = host.memoryOf(endpoint);
  const chainId = endpoint.chainId ?? memory.probed?.chainId ?? host.chainId;
  return Math.max(500, cadenceOf({ ...endpoint, chainId }, memory, host.clock.date()).periodMs);
}

function sendCell(
  lane: EndpointQueue,
  cell: Cell,
  requests: readonly EvaluatedRequest[],
  receiver: OutcomeHandler,
): void {
  const [only] = requests;
  if (cell.kind === "request" && only && mayShareMessage(only, lane)) enqueue(lane, { cell, request: only, receiver });
  else
    sendAlone(lane, cell, requests)
      .then((outcomes) => receiver.settle(outcomes))
      .catch((bug: unknown) => receiver.fail(bug));
}

/** Results that may be large or slow travel alone, so that nothing small waits for them; so does what changes something. */
function mayShareMessage({ method, spec }: EvaluatedRequest, { host }: EndpointQueue): boolean {
  return isHarmless(host.approvals.effectOf(method)) && spec?.result.endsWith("[]") !== true;
}

function sendAlone(
  lane: EndpointQueue,
  cell: Cell,
  requests: readonly EvaluatedRequest[],
): Promise<readonly Outcome[]> {
  const [only] = requests;
  const way = cell.kind === "request" ? methodFallbacks.get(only?.method) : undefined;
  if (only && way) return way(lane, cell, only).then((outcome) => [outcome]);
  const { host, resolved, signal } = lane;
  const idempotent = requests.every(({ method }) => isHarmless(host.approvals.effectOf(method)));
  // A batch cell asks for a batch, whatever the endpoint is said to like.
  const options = optionsFor(lane, idempotent, () => [cell], cell.kind === "batch");
  const go = () => send(host.transport, resolved.endpoint, requests, options, signal);
  // Transactions arrive in the order of the notebook.
  const sent = idempotent ? go() : lane.writes.run(go);
  return cell.kind === "batch" ? sent.then((outcomes) => applyFallbacks(lane, cell, requests, outcomes)) : sent;
}
