import { endpointDirective } from "../analysis/cellEndpoint.ts";
import { quantity } from "../base/hex.ts";
import { memoByObject } from "../base/memo.ts";
import { grouped } from "../base/units.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { Endpoint, Resolved } from "../endpoints/resolveEndpoint.ts";
import { shownSite } from "../endpoints/site.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { cadenceOf } from "../rpc/cadence.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import type { RawRequest } from "../rpc/wire.ts";
import { ownRequest } from "../rpc/wire.ts";
import { type Asker, EndpointQueue, type SendProgress, type SendRoutes } from "./endpointQueue.ts";
import { headNow, headOnce } from "./heads.ts";
import type { UnsentReason } from "./unsentReason.ts";
import { type IntentOf, WritePermissions } from "./writePermissions.ts";

/**
 * Prepares a run: finds every cell's endpoint, and checks for each endpoint whether requests may go there, and the chain ids
 * against the header and the endpoint's entry.
 *
 * @param cells - All that the run may send.
 * @param intentOf - Describes a request before it is sent.
 * @returns Resolves when every endpoint is checked, or when a person is asked: cells of other endpoints need not wait.
 */
export async function openEndpointQueues(
  cells: readonly Cell[],
  routes: SendRoutes,
  progress: SendProgress,
  intentOf: IntentOf,
  signal: AbortSignal,
): Promise<EndpointQueues> {
  const refusals = new Map<Cell, UnsentReason>();
  const opened = (resolved: Resolved): EndpointQueue => new EndpointQueue(resolved, routes, progress, signal);
  const queues = queuesOf(cells, routes, opened, refusals);
  const admissions = new Map<EndpointQueue, Promise<void>>();
  await new Promise<void>((ready, fail) => {
    for (const queue of new Set(queues.values())) {
      const admission = admit(queue, refusals, ready).then(() => void admissions.delete(queue));
      admissions.set(queue, admission);
    }
    Promise.all(admissions.values()).then(() => ready(), fail);
  });
  const writing = new Set([...queues.values()].flatMap((queue) => writingCells(queue)));
  return new EndpointQueues(
    { refusals, admissions, writing, permissions: new WritePermissions(routes, progress, intentOf, signal) },
    (cell) => {
      const resolved = routes.endpointOf(cell);
      return "endpoint" in resolved ? queues.get(resolved.endpoint) : undefined;
    },
  );
}

/** Refuses cells that may not be sent to their endpoint. Questions to the user come one at a time. */
async function admit(queue: EndpointQueue, refusals: Map<Cell, UnsentReason>, asked: () => void): Promise<void> {
  const { routes, progress, resolved, permit, cells, signal } = queue;
  const asks = (): void => {
    progress.onQuestion(`allow requests to ${shownSite(resolved.endpoint.url)}`, cells);
    asked();
  };
  const closed = await routes.refusalsOf(permit, cells, signal, asks);
  for (const [cell, refusal] of closed) refusals.set(cell, refusal);
  if (cells.every((cell) => closed.has(cell))) return;
  for (const [cell, refusal] of await wrongChain(queue)) refusals.set(cell, refusal);
}

function queuesOf(
  cells: readonly Cell[],
  routes: SendRoutes,
  open: (resolved: Resolved) => EndpointQueue,
  refusals: Map<Cell, UnsentReason>,
): ReadonlyMap<Endpoint, EndpointQueue> {
  const queues = new Map<string, EndpointQueue>();
  const byEndpoint = new Map<Endpoint, EndpointQueue>();
  for (const group of groupsOf(cells)) {
    const resolved = routes.endpointOf(group[0]);
    if (!("endpoint" in resolved)) {
      for (const cell of group) refusals.set(cell, { kind: "endpoint", fault: resolved });
      continue;
    }
    const key = `${resolved.endpoint.name} ${resolved.endpoint.url}`;
    const queue = queues.get(key) ?? open(resolved);
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

/** A cell may send so many requests without a question. */
const manyRequests = 500;

/** Limits of what a run may send. */
interface RunPermissions {
  readonly refusals: ReadonlyMap<Cell, UnsentReason>;
  /** Endpoints that are still being checked. */
  readonly admissions: ReadonlyMap<EndpointQueue, Promise<void>>;
  /** Cells that may change something. */
  readonly writing: ReadonlySet<Cell>;
  readonly permissions: WritePermissions;
}

/** The queues of a run, one for each endpoint, and what may be sent there. */
export class EndpointQueues implements Asker {
  readonly #given: RunPermissions;
  readonly #routeOf: (cell: Cell) => EndpointQueue | undefined;
  /** Rejects with a bug that one of the server's own requests met: after a bug no cell waits for what was asked beside it. */
  readonly bug: Promise<never>;
  #fail: (bug: unknown) => void = () => {};

  constructor(given: RunPermissions, routeOf: (cell: Cell) => EndpointQueue | undefined) {
    this.#given = given;
    this.#routeOf = routeOf;
    this.bug = new Promise((_, reject) => {
      this.#fail = reject;
    });
  }

  /**
   * Returns why the requests of this cell may not be sent; `undefined` if they may. A promise while its endpoint is
   * checked.
   */
  refusalOf(cell: Cell): UnsentReason | undefined | Promise<UnsentReason | undefined> {
    const { admissions, refusals } = this.#given;
    const queue = admissions.size === 0 ? undefined : this.#routeOf(cell);
    const admission = queue && admissions.get(queue);
    if (admission) return admission.then(() => refusals.get(cell));
    return refusals.size === 0 ? undefined : refusals.get(cell);
  }
  /**
   * Asks the user about requests that may change something, and about many of one cell. `undefined` for all others. Resolves as
   * {@link refusalOf} does.
   */
  permissionFor(cell: Cell, requests: readonly EvaluatedRequest[]): Promise<UnsentReason | undefined> | undefined {
    const { writing, permissions } = this.#given;
    const permission =
      writing.size > 0 && writing.has(cell) ? permissions.of(this.of(cell), cell, requests) : undefined;
    if (requests.length <= manyRequests || !requests[0]?.row) return permission;
    return Promise.resolve(permission).then((refusal) => refusal ?? this.#costOf(cell, requests.length));
  }
  async #costOf(cell: Cell, requests: number): Promise<UnsentReason | undefined> {
    const { resolved, routes, progress, signal } = this.of(cell);
    const asks = (): void => progress.onQuestion(`approve ${grouped(requests)} requests`, [cell]);
    if (await routes.approvals.allowCost(resolved, { requests }, signal, asks)) return undefined;
    return signal.aborted ? { kind: "cancelled" } : { kind: "cost", requests, byOptions: routes.approvals.byOptions };
  }
  /**
   * Returns the numbers of the blocks that tags name at the endpoint of a cell, or why one is unknown. They are read once in
   * a run, so that all cells count from the same block.
   */
  async heads(cell: Cell, tags: readonly string[]): Promise<ReadonlyMap<string, bigint> | UnsentReason> {
    const heads = new Map<string, bigint>();
    const queue = this.of(cell);
    const all = tags.map(async (tag) => [tag, await headOnce(queue, cell, tag)] as const);
    for (const [tag, head] of await Promise.all(all)) {
      if (typeof head === "object") return head;
      heads.set(tag, head);
    }
    return heads;
  }
  /** Returns the number of the newest block now; `undefined` if the endpoint does not send it. */
  async head(cell: Cell): Promise<bigint | undefined> {
    const head = await headNow(this.of(cell), cell, "latest");
    return typeof head === "bigint" ? head : undefined;
  }
  /**
   * Returns the milliseconds after which a repetition may have a new answer; `undefined` for a cell that must not
   * be sent twice.
   */
  pollIntervalMs(cell: Cell): number | undefined {
    const queue = this.of(cell);
    return writingMethod(cell, queue) === undefined ? pollPauseOf(queue) : undefined;
  }
  /**
   * Sends one of the server's own requests to the endpoint of a cell.
   *
   * @param apart - In a message by itself.
   */
  ask(cell: Cell, question: RawRequest, apart = false): Promise<Outcome> {
    const queue = this.of(cell);
    return this.#orBug(apart ? queue.sendOne(cell, question) : queue.addOne(cell, question));
  }
  /** Sends several of the server's own requests to the endpoint of a cell, in one message by themselves. */
  askTogether(cell: Cell, questions: readonly RawRequest[]): Promise<readonly Outcome[]> {
    return this.#orBug(this.of(cell).sendTogether(cell, questions));
  }
  /** Returns the queue to the endpoint of a cell. */
  of(cell: Cell): EndpointQueue {
    const queue = this.#routeOf(cell);
    if (!queue) throw new RangeError("A cell without an endpoint was sent."); // refusalOf() prevents it
    return queue;
  }

  #orBug<Answer>(asked: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve) => asked.then(resolve, this.#fail));
  }
}

type CellRefusals = readonly (readonly [Cell, UnsentReason])[];

/** Returns the cells that may change something. The catalogue's part is calculated once. */
function writingCells(queue: EndpointQueue): readonly Cell[] {
  return uncataloguedCells(queue.cells).filter((cell) => writingMethod(cell, queue) !== undefined);
}

/** Cells with a method that the catalogue does not list as a read, by their list of cells. */
const uncataloguedCells = memoByObject((cells: readonly Cell[]) => cells.filter((cell) => !isCatalogued(cell)));

function isCatalogued({ requests }: Cell): boolean {
  return requests.every(({ method }) => {
    const effect = method === undefined ? undefined : methodNamed(method)?.effect;
    return effect !== undefined && isHarmless(effect);
  });
}

function writingMethod({ requests }: Cell, { routes }: EndpointQueue): string | undefined {
  return requests.find(({ method }) => method !== undefined && !isHarmless(routes.approvals.effectOf(method)))?.method;
}

/** Refuses cells for another chain than the endpoint's, which is asked once, and only if a chain is stated. */
async function wrongChain(queue: EndpointQueue): Promise<CellRefusals> {
  const { cells } = queue;
  const { endpoint } = queue.resolved;
  const { chainId, statedChain } = queue.routes.header;
  if (endpoint.chainId === undefined && statedChain === undefined) return [];
  const guarded = cells.flatMap((cell) => {
    const stated = [
      { chain: endpoint.chainId, written: endpoint.chainId?.toString(), by: "the entry of the endpoint" },
      ...(endpointDirective(cell) === undefined ? [{ chain: chainId, written: statedChain, by: "the header" }] : []),
    ].flatMap(({ chain, written, by }) => (written === undefined ? [] : [{ chain, written, by }]));
    return stated.length === 0 ? [] : [{ cell, stated }];
  });
  if (guarded.length === 0) return [];
  const [outcome] = await queue.post([ownRequest("eth_chainId", [])], () => cells);
  const answer = resultOf(outcome);
  const actual = typeof answer === "string" && answer.length > 66 ? undefined : quantity(answer);
  return guarded.flatMap(({ cell, stated }): CellRefusals => {
    const [wrong] = stated.filter(({ chain }) => chain === undefined || chain !== actual);
    if (!wrong) return [];
    const facts = { endpoint: endpoint.name, expected: wrong.written, by: wrong.by };
    if (actual !== undefined) return [[cell, { kind: "other-chain", ...facts, actual: actual.toString() }]];
    // Cells that only read will report themselves that the endpoint does not answer.
    return writingMethod(cell, queue) === undefined ? [] : [[cell, { kind: "unknown-chain", ...facts }]];
  });
}

/** Returns the milliseconds between two repetitions: as often as the state can change, but not too often. */
function pollPauseOf({ resolved: { endpoint }, routes, memory }: EndpointQueue): number {
  const chainId = endpoint.chainId ?? memory.probed?.chainId ?? routes.header.chainId;
  return Math.max(500, cadenceOf({ ...endpoint, chainId }, memory, routes.clock.date()).periodMs);
}
