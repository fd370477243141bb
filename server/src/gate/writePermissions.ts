import { brief } from "../base/text.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Intent } from "../report/intent.ts";
import type { EndpointQueue, SendProgress, SendRoutes } from "./endpointQueue.ts";
import type { PlannedWrite } from "./questions.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** Describes a request before it is sent. */
export type IntentOf = (cell: Cell, request: EvaluatedRequest) => Promise<Intent>;

/** A cell that waits for permission: its requests are ready, and may change something. */
interface PendingCell {
  readonly queue: EndpointQueue;
  readonly cell: Cell;
  readonly requests: readonly EvaluatedRequest[];
  settle(refusal: UnsentReason | undefined): void;
  fail(bug: unknown): void;
}

/**
 * Asks a person about the requests of one run that may change something, when their values are known. Cells that are ready
 * at the same time, or while a question is open, share a question. Other cells of the run do not wait.
 */
export class WritePermissions {
  readonly #routes: SendRoutes;
  readonly #progress: SendProgress;
  readonly #intentOf: IntentOf;
  readonly #signal: AbortSignal;
  #pending: PendingCell[] = [];
  #isAsking = false;

  constructor(routes: SendRoutes, progress: SendProgress, intentOf: IntentOf, signal: AbortSignal) {
    this.#routes = routes;
    this.#progress = progress;
    this.#intentOf = intentOf;
    this.#signal = signal;
  }

  /** @returns Why the cell may not be sent; `undefined` if it may. */
  of(queue: EndpointQueue, cell: Cell, requests: readonly EvaluatedRequest[]): Promise<UnsentReason | undefined> {
    return new Promise((settle, fail) => {
      this.#pending.push({ queue, cell, requests, settle, fail });
      if (!this.#isAsking) void this.#askAll();
    });
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#pending.length > 0) {
      await this.#routes.clock.sleep(0, this.#signal); // cells that wait for the same answer become ready together
      const cells = this.#pending;
      this.#pending = [];
      try {
        await this.#ask(cells);
      } catch (bug) {
        for (const { fail } of cells) fail(bug);
      }
    }
    this.#isAsking = false;
  }
  async #ask(cells: readonly PendingCell[]): Promise<void> {
    const refusals = new Map<Cell, UnsentReason>();
    await this.#askForWrites(cells, refusals);
    for (const queue of new Set(cells.map((one) => one.queue))) {
      const ofQueue = cells.filter((one) => one.queue === queue && !refusals.has(one.cell));
      await this.#askForMethods(queue, ofQueue, refusals);
    }
    for (const { cell, settle } of cells) settle(this.#signal.aborted ? { kind: "cancelled" } : refusals.get(cell));
  }
  /** Refuses known writes that the user does not confirm. */
  async #askForWrites(pending: readonly PendingCell[], refusals: Map<Cell, UnsentReason>): Promise<void> {
    const { approvals } = this.#routes;
    const writing = pending.flatMap((one) => this.#writesOf(one).map((request) => ({ ...one, request })));
    if (writing.length === 0) return;
    const planned = await Promise.all(
      writing.map(async ({ queue: { resolved }, cell, request }): Promise<PlannedWrite> => {
        return { resolved, method: request.method, intent: await this.#intentOf(cell, request) };
      }),
    );
    const [first] = planned;
    const what =
      planned.length === 1 && first ? `approve “${first.intent.what}”` : `approve ${planned.length} requests`;
    const cells = [...new Set(writing.map(({ cell }) => cell))];
    const asks = (): void => this.#progress.onQuestion(what, cells);
    if (await approvals.allowWrites(planned, this.#signal, asks)) return;
    const { byOptions } = approvals;
    // the first write of a cell is the reason
    for (const { cell, request } of writing.toReversed()) {
      const { method } = request;
      refusals.set(cell, { kind: "writes", method, effect: approvals.effectOf(method), byOptions });
    }
  }
  /** Refuses methods with an unknown effect that the user has not allowed for the site. */
  async #askForMethods(
    { resolved }: EndpointQueue,
    pending: readonly PendingCell[],
    refusals: Map<Cell, UnsentReason>,
  ): Promise<void> {
    const { approvals } = this.#routes;
    const unknown = pending.flatMap(({ cell, requests }) =>
      requests.flatMap(({ method }) => (approvals.effectOf(method) === "unknown" ? [{ cell, method }] : [])),
    );
    if (unknown.length === 0) return;
    const methods = [...new Set(unknown.map(({ method }) => method))];
    const shown =
      methods.length === 1 ? `approve \`${brief(methods[0] ?? "", 60)}\`` : `approve ${methods.length} methods`;
    const cells = unknown.map(({ cell }) => cell);
    const asks = (): void => this.#progress.onQuestion(shown, cells);
    const allowed = await approvals.allowMethods(resolved, methods, this.#signal, asks);
    const { byOptions } = approvals;
    const { url } = resolved.endpoint;
    for (const { cell, method } of unknown)
      if (!allowed.has(method)) refusals.set(cell, { kind: "unknown-effect", method, url, byOptions });
  }

  /** Returns the requests of a cell that write, as the catalogue or their names say. */
  #writesOf({ requests }: PendingCell): readonly EvaluatedRequest[] {
    return requests.filter(({ method }) => {
      const effect = this.#routes.approvals.effectOf(method);
      return effect !== "unknown" && !isHarmless(effect);
    });
  }
}
