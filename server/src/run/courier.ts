import { quantity, toQuantity } from "../base/hex.ts";
import { isObject } from "../base/json.ts";
import type { Clock, Consent, Transport } from "../base/ports.ts";
import { chain, methodNamed } from "../catalog/catalog.ts";
import { effectByName, isHarmless } from "../catalog/effects.ts";
import type { Effect } from "../catalog/spec.ts";
import type { Endpoint, EndpointFault, Resolved } from "../endpoints/resolve.ts";
import type { WireRequest } from "../evaluate/wire.ts";
import { type Cell, mayHave } from "../notebook/cell.ts";
import { member } from "../notebook/json.ts";
import { explain } from "../rpc/explain.ts";
import { openLane as openQueue, type Lane as Queue } from "../rpc/lane.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Retry } from "../rpc/retry.ts";
import { type EndpointMemory, type SendOptions, send } from "../rpc/send.ts";
import type { WireRequest as Sendable } from "../rpc/wire.ts";
import { type LogHost, type LogProgress, requestLogs } from "./logRange.ts";
import type { NotSent } from "./notSent.ts";
import { blockReceipts, isRefusedForGood, receiptsOneByOne } from "./receipts.ts";

/** Takes the requests of a run to their endpoints. */
export interface Courier {
  /** Why the requests of this cell may not go out; `undefined` when they may. */
  refuses(cell: Cell): NotSent | undefined;
  /**
   * Numbers of the blocks that tags name at the endpoint of a cell, or why one is not known. They are asked for once in
   * a run, so that all its cells count from the same block.
   */
  heads(cell: Cell, tags: readonly string[]): Promise<ReadonlyMap<string, bigint> | NotSent>;
  /** The number of the newest block now; `undefined` where the endpoint does not tell. */
  head(cell: Cell): Promise<bigint | undefined>;
  /**
   * Milliseconds after which asking a cell's endpoint again may tell something new; `undefined` for a cell that must not
   * be sent twice.
   */
  cadence(cell: Cell): number | undefined;
  /** Sends what a cell asks, with what else is ready now. */
  carry(cell: Cell, requests: readonly WireRequest[], receiver: Receiver): void;
  /**
   * Sends a question that is no cell's own to the endpoint of a cell.
   *
   * @param apart - In a message by itself.
   */
  ask(cell: Cell, question: Sendable, apart?: boolean): Promise<Outcome>;
}

/** Who waits for outcomes. No promise: of a thousand cells each would make several. */
export interface Receiver {
  /** One outcome a request, in order. */
  settle(outcomes: readonly Outcome[]): void;
  fail(bug: unknown): void;
}

export interface CourierHost {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly consent: Consent;
  /** Milliseconds for one exchange, and bytes of one answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** The endpoint of a cell. */
  endpointOf(cell: Cell): Resolved | EndpointFault;
  /** Which of these cells may not send their requests there, and why; asks a person where that is needed. */
  admits(resolved: Resolved, cells: readonly Cell[], signal: AbortSignal): Promise<ReadonlyMap<Cell, NotSent>>;
  memoryOf(endpoint: Endpoint): EndpointMemory;
  /** Whether contracts may be asked for the symbol and decimals of their amounts. */
  readonly tokenLookup: boolean;
  /** The chain that cells without an endpoint of their own are for. */
  readonly chainId: bigint | undefined;
  /** Before a wait that the endpoint asked for, or that it needs. */
  retrying(retry: Retry, cells: readonly Cell[]): void;
  /** Before these cells wait for their turn at the endpoint; why, in a sentence. */
  heldUp(what: string, waitMs: number, cells: readonly Cell[]): void;
  /** Logs of a cell come in parts; told after each of them. */
  reading(cell: Cell, request: WireRequest, progress: LogProgress): void;
}

/**
 * Prepares a run: finds every cell's endpoint, asks what must be asked (once a host, once for what writes), and
 * holds the chain ids against what the notebook is for.
 *
 * @param cells - All that the run may send.
 */
export async function openCourier(cells: readonly Cell[], host: CourierHost, signal: AbortSignal): Promise<Courier> {
  const refusals = new Map<Cell, NotSent>();
  const routes = new Map<Cell, Lane>();
  // A person is asked one thing at a time, and only of what would go out; endpoints are asked at once.
  const open: Lane[] = [];
  for (const lane of lanesOf(cells, host, signal, refusals, routes)) {
    const closed = await host.admits(lane.resolved, lane.cells, signal);
    for (const [cell, refusal] of closed) refusals.set(cell, refusal);
    if (lane.cells.some((cell) => !closed.has(cell))) open.push(lane);
  }
  for (const found of await Promise.all(open.map(wrongChain))) {
    for (const [cell, refusal] of found) refusals.set(cell, refusal);
  }
  for (const lane of open) {
    for (const [cell, refusal] of await writesWithoutLeave(lane, refusals)) refusals.set(cell, refusal);
  }
  return new LaneCourier(refusals, routes);
}

function lanesOf(
  cells: readonly Cell[],
  host: CourierHost,
  signal: AbortSignal,
  refusals: Map<Cell, NotSent>,
  routes: Map<Cell, Lane>,
): Iterable<Lane> {
  const lanes = new Map<string, Lane>();
  const byEndpoint = new Map<Endpoint, Lane>();
  for (const cell of cells) {
    if (cell.requests.length === 0 || cell.faults.length > 0) continue;
    const resolved = host.endpointOf(cell);
    if (!("endpoint" in resolved)) {
      refusals.set(cell, { kind: "endpoint", fault: resolved });
      continue;
    }
    let lane = byEndpoint.get(resolved.endpoint);
    if (!lane) {
      const key = `${resolved.endpoint.name} ${resolved.endpoint.url}`;
      lane = lanes.get(key) ?? openLane(resolved, host, signal);
      lanes.set(key, lane);
      byEndpoint.set(resolved.endpoint, lane);
    }
    lane.cells.push(cell);
    routes.set(cell, lane);
  }
  return lanes.values();
}

class LaneCourier implements Courier {
  readonly #refusals: ReadonlyMap<Cell, NotSent>;
  readonly #routes: ReadonlyMap<Cell, Lane>;

  constructor(refusals: ReadonlyMap<Cell, NotSent>, routes: ReadonlyMap<Cell, Lane>) {
    this.#refusals = refusals;
    this.#routes = routes;
  }

  refuses(cell: Cell): NotSent | undefined {
    return this.#refusals.get(cell);
  }
  heads(cell: Cell, tags: readonly string[]): Promise<ReadonlyMap<string, bigint> | NotSent> {
    return headsAt(this.#laneOf(cell), cell, tags);
  }
  async head(cell: Cell): Promise<bigint | undefined> {
    const head = await headAt(this.#laneOf(cell), cell, "latest");
    return typeof head === "bigint" ? head : undefined;
  }
  cadence(cell: Cell): number | undefined {
    return writingMethod(cell) === undefined ? cadenceOf(this.#laneOf(cell)) : undefined;
  }
  carry(cell: Cell, requests: readonly WireRequest[], receiver: Receiver): void {
    carry(this.#laneOf(cell), cell, requests, receiver);
  }
  ask(cell: Cell, question: Sendable, apart = false): Promise<Outcome> {
    const lane = this.#laneOf(cell);
    return apart ? sendOne(lane, cell, question) : join(lane, cell, question);
  }
  #laneOf(cell: Cell): Lane {
    const lane = this.#routes.get(cell);
    if (!lane) throw new RangeError("A cell without an endpoint was sent."); // refuses() has said so
    return lane;
  }
}

/** The requests of one run to one endpoint. */
interface Lane {
  readonly resolved: Resolved;
  readonly host: CourierHost;
  readonly signal: AbortSignal;
  readonly cells: Cell[];
  /** Numbers of blocks by tag, asked for when the first cell needs them. */
  readonly heads: Map<string, Promise<bigint | NotSent>>;
  /** What was handed over since control was last given back: it leaves as one batch. */
  open: Parcel[];
  /** Bounds how many messages are under way. */
  readonly reads: Queue;
  /** Lets requests that change something out one by one. */
  readonly writes: Queue;
}

interface Parcel {
  readonly cell: Cell;
  readonly request: Sendable;
  readonly receiver: Receiver;
}

/** How many messages are under way to one endpoint at once. */
const mostMessages = 8;

function openLane(resolved: Resolved, host: CourierHost, signal: AbortSignal): Lane {
  const [reads, writes] = [openQueue(mostMessages), openQueue(1)];
  return { resolved, host, signal, heads: new Map(), open: [], cells: [], reads, writes };
}

type Refusals = readonly (readonly [Cell, NotSent])[];

async function writesWithoutLeave(lane: Lane, refused: ReadonlyMap<Cell, NotSent>): Promise<Refusals> {
  const { resolved, host, signal, cells } = lane;
  const writing = writingAmong(cells).filter(({ cell }) => !refused.has(cell));
  if (writing.length === 0) return [];
  const methods = [...new Set(writing.map(({ method }) => method))];
  const { name, host: at } = resolved.endpoint;
  if (await host.consent.allowWrites({ host: at, endpoint: name, methods }, signal)) return [];
  return writing.map(({ cell, method }) => [cell, { kind: "writes", method, effect: effectOf(method) }]);
}

function writingAmong(cells: readonly Cell[]): readonly { readonly cell: Cell; readonly method: string }[] {
  const writing: { readonly cell: Cell; readonly method: string }[] = [];
  for (const cell of cells) {
    const method = writingMethod(cell);
    if (method !== undefined) writing.push({ cell, method });
  }
  return writing;
}

function writingMethod({ requests }: Cell): string | undefined {
  return requests.find(({ method }) => method !== undefined && !isHarmless(effectOf(method)))?.method;
}

function effectOf(method: string): Effect {
  return methodNamed(method)?.effect ?? effectByName(method);
}

/** Cells for another chain than the endpoint turns out to be. It is asked once, and only where a chain is stated. */
async function wrongChain(lane: Lane): Promise<Refusals> {
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
  const request = { text: `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`, id: 1, method: "eth_chainId" };
  const options = optionsFor(lane, true, () => cells);
  const [outcome] = await send(host.transport, endpoint, [request], options, signal);
  const answer = outcome?.kind === "answered" ? outcome.result.value : undefined;
  const actual = typeof answer === "string" && answer.length > 66 ? undefined : quantity(answer);
  return guarded.flatMap(({ cell, stated }): Refusals => {
    const [wrong] = stated.filter(({ chain }) => chain !== actual);
    if (!wrong) return [];
    const told = { endpoint: endpoint.name, expected: wrong.chain.toString(), by: wrong.by };
    if (actual !== undefined) return [[cell, { kind: "other-chain", ...told, actual: actual.toString() }]];
    // Those that only read will say for themselves that the endpoint does not answer.
    return writingMethod(cell) === undefined ? [] : [[cell, { kind: "unknown-chain", ...told }]];
  });
}

function hasOwnEndpoint(cell: Cell): boolean {
  return endpointDirective(cell) !== undefined;
}

/** The `endpoint` of a cell: a request's, or a batch's own. */
export function endpointDirective(cell: Cell): string | undefined {
  if (!mayHave(cell, "endpoint")) return undefined;
  const { kind, root, requests } = cell;
  const node = kind === "batch" ? member(root, "endpoint") : requests[0]?.members.get("endpoint")?.value;
  return node?.type === "string" ? String(node.value) : undefined;
}

/** Milliseconds: pre-confirmed state is refreshed every 200, blocks come every few seconds. */
function cadenceOf({ resolved: { endpoint }, host: { chainId } }: Lane): number {
  const id = endpoint.chainId ?? chainId;
  const isPreconfirmed = endpoint.preconfirmed ?? (id === undefined ? undefined : chain(id)?.preconfirmed);
  return isPreconfirmed ? 500 : 2000;
}

async function headsAt(
  lane: Lane,
  cell: Cell,
  tags: readonly string[],
): Promise<ReadonlyMap<string, bigint> | NotSent> {
  const heads = new Map<string, bigint>();
  for (const tag of tags) {
    const asked = lane.heads.get(tag) ?? headAt(lane, cell, tag);
    lane.heads.set(tag, asked);
  }
  for (const tag of tags) {
    const head = await lane.heads.get(tag);
    if (typeof head === "object") return head;
    if (head !== undefined) heads.set(tag, head);
  }
  return heads;
}

async function headAt(lane: Lane, cell: Cell, tag: string): Promise<bigint | NotSent> {
  const id = 1_000_000_000 + lane.heads.size; // beyond the ids of cells, so that it may share a batch with them
  const [method, params] =
    tag === "latest" ? ["eth_blockNumber", "[]"] : ["eth_getBlockByNumber", `[${JSON.stringify(tag)},false]`];
  const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
  const outcome = await join(lane, cell, { text, id, method });
  if (outcome.kind !== "answered") return { kind: "unknown-head", tag, because: explain(outcome, method) };
  const { value } = outcome.result;
  const number = isObject(value) ? value.number : value;
  const head = typeof number === "string" && number.length > 18 ? undefined : quantity(number);
  const because = { what: `${outcome.exchange.host} sent no number.`, todo: "Write the number of the block." };
  return head ?? { kind: "unknown-head", tag, because };
}

/** @param come - What came of it as it is written, in a batch. */
async function receiptsOf(lane: Lane, cell: Cell, request: WireRequest, come?: Outcome): Promise<Outcome> {
  const { host, resolved, signal } = lane;
  const { endpoint } = resolved;
  const memory = host.memoryOf(endpoint);
  const options = optionsFor(lane, true, () => [cell]);
  const go = (requests: readonly Sendable[]) => send(host.transport, endpoint, requests, options, signal);
  if (endpoint.refuses.includes(blockReceipts) || memory.refusesReceipts)
    return come && !isRefusedForGood(come) ? come : receiptsOneByOne(request, go);
  const outcome = come ?? sole(await go([request]));
  // What it says of the way out is to run the cell again.
  memory.refusesReceipts = isRefusedForGood(outcome);
  return outcome;
}

function sole([outcome]: readonly Outcome[]): Outcome {
  if (!outcome) throw new RangeError("A request got no outcome."); // send answers one a request
  return outcome;
}

/** @param come - What came of it as it is written, in a batch. */
async function logsOf(lane: Lane, cell: Cell, request: WireRequest, come?: Outcome): Promise<Outcome> {
  const { host, resolved, signal } = lane;
  const { endpoint } = resolved;
  const told = (progress: LogProgress): void => host.reading(cell, request, progress);
  const logHost: LogHost = {
    clock: host.clock,
    signal,
    endpoint: endpoint.name,
    host: endpoint.host,
    logRange: endpoint.logRange,
    timeoutMs: host.timeoutMs,
    maxBytes: host.maxBytes,
    memory: host.memoryOf(endpoint),
    send: (one) => sendOne(lane, cell, one),
    async headOf(tag, isFresh) {
      const head = isFresh ? await headAt(lane, cell, tag) : await headsAt(lane, cell, [tag]);
      if (typeof head === "bigint") return head;
      return "kind" in head ? undefined : head.get(tag);
    },
    hashOf: (block) => hashAt(lane, cell, block),
    told,
  };
  return requestLogs(request, logHost, come);
}

/** Methods that may be refused as they are written, and can be asked for in other ways then. */
const waysRound: ReadonlyMap<string | undefined, typeof logsOf> = new Map([
  ["eth_getLogs", logsOf],
  [blockReceipts, receiptsOf],
]);

/** A batch goes out as it is written; members of it that were refused may have a way round. */
function roundAbout(
  lane: Lane,
  cell: Cell,
  requests: readonly WireRequest[],
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const ways = outcomes.map((outcome, at) => {
    const request = requests[at];
    const way = outcome.kind === "refused" ? waysRound.get(request?.method) : undefined;
    return request && way ? way(lane, cell, request, outcome) : outcome;
  });
  return Promise.all(ways);
}

async function hashAt(lane: Lane, cell: Cell, block: bigint): Promise<string | undefined> {
  const [id, method] = [2_000_000_000, "eth_getBlockByNumber"]; // beyond the ids of cells, as those of heads
  const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":["${toQuantity(block)}",false]}`;
  const outcome = await join(lane, cell, { text, id, method });
  const found = outcome.kind === "answered" ? outcome.result.value : undefined;
  return isObject(found) && typeof found.hash === "string" ? found.hash : undefined;
}

function carry(lane: Lane, cell: Cell, requests: readonly WireRequest[], receiver: Receiver): void {
  const [only] = requests;
  if (cell.kind === "request" && only && mayShare(only.method)) hand(lane, { cell, request: only, receiver });
  else
    carryAlone(lane, cell, requests)
      .then((outcomes) => receiver.settle(outcomes))
      .catch((bug: unknown) => receiver.fail(bug));
}

/** Results that may be large or slow travel alone, so that nothing small waits for them; so does what changes something. */
function mayShare(method: string): boolean {
  const spec = methodNamed(method);
  return isHarmless(spec?.effect ?? effectByName(method)) && spec?.result.endsWith("[]") !== true;
}

function carryAlone(lane: Lane, cell: Cell, requests: readonly WireRequest[]): Promise<readonly Outcome[]> {
  const [only] = requests;
  const way = cell.kind === "request" ? waysRound.get(only?.method) : undefined;
  if (only && way) return way(lane, cell, only).then((outcome) => [outcome]);
  const { host, resolved, signal } = lane;
  const idempotent = requests.every(({ method }) => isHarmless(effectOf(method)));
  // A batch cell asks for a batch, whatever the endpoint is said to like.
  const options = optionsFor(lane, idempotent, () => [cell], cell.kind === "batch");
  const go = () => send(host.transport, resolved.endpoint, requests, options, signal);
  // Transactions arrive in the order of the notebook.
  const sent = idempotent ? go() : lane.writes.run(go);
  return cell.kind === "batch" ? sent.then((outcomes) => roundAbout(lane, cell, requests, outcomes)) : sent;
}

async function sendOne(lane: Lane, cell: Cell, request: Sendable): Promise<Outcome> {
  const { host, resolved, signal } = lane;
  const options = optionsFor(lane, true, () => [cell]);
  return sole(await send(host.transport, resolved.endpoint, [request], options, signal));
}

function join(lane: Lane, cell: Cell, request: Sendable): Promise<Outcome> {
  return new Promise((resolve, fail) => {
    const settle: Receiver["settle"] = ([outcome]) => outcome && resolve(outcome);
    hand(lane, { cell, request, receiver: { settle, fail } });
  });
}

/** Adds a request to the batch that leaves when everything that is ready now has been handed over. */
function hand(lane: Lane, parcel: Parcel): void {
  if (lane.open.length === 0) void Promise.resolve().then(() => depart(lane));
  lane.open.push(parcel);
}

async function depart(lane: Lane): Promise<void> {
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
function optionsFor(
  { host, resolved: { endpoint }, reads }: Lane,
  idempotent: boolean,
  cellsOf: (indices: readonly number[]) => readonly Cell[],
  asBatch = false,
  onOutcome?: SendOptions["onOutcome"],
): SendOptions {
  const memory = host.memoryOf(endpoint);
  memory.pace ??= { heldUntil: 0, usedUntil: 0 };
  return {
    timeoutMs: host.timeoutMs,
    maxBytes: host.maxBytes,
    idempotent,
    batch: asBatch ? undefined : endpoint.batch,
    clock: host.clock,
    memory: asBatch ? { pace: memory.pace } : memory,
    lane: reads,
    rate: endpoint.rate,
    onRetry: (retry) => host.retrying(retry, cellsOf(retry.indices)),
    onHoldup: (what, waitMs, indices) => host.heldUp(what, waitMs, cellsOf(indices)),
    onOutcome,
  };
}
