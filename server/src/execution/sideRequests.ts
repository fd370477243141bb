import { endpointDirective } from "../analysis/cellEndpoint.ts";
import type { Clock } from "../base/ports.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { defaultBatch } from "../rpc/wire.ts";
import { DataFees } from "../run/dataFees.ts";
import type { Dispatcher } from "../run/dispatcher.ts";
import { type AnswerState, HeadTracker } from "../run/headTracker.ts";
import type { DocumentRun } from "./documentRun.ts";

/** Requests that a run sends beside those of its cells: for the head that answered, and for the fee of data on layer 1. */
export class SideRequests {
  readonly #run: DocumentRun;
  readonly #heads: HeadTracker;
  readonly #dataFees: DataFees;

  constructor(run: DocumentRun, dispatcher: Dispatcher, clock: Clock) {
    const { routes, locator, signal } = run;
    const { memoryOf, onHead } = routes;
    const endpointOf = (cell: Cell): Endpoint | undefined => this.#endpointOf(cell);
    this.#run = run;
    this.#heads = new HeadTracker(
      { clock, dispatcher, apart: isSentApart(locator.cells), endpointOf, memoryOf, onHead },
      signal,
    );
    this.#dataFees = new DataFees({ clock, dispatcher, chainOf: (cell) => this.#chainOf(cell) }, signal);
  }

  /** Sends what a cell needs. Its own requests are sent now. */
  begin(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    this.#heads.begin(cell, requests);
    this.#dataFees.begin(cell, requests);
  }
  /** Waits a short time for the answers that a cell's outcomes are shown with; `undefined` if they are there. */
  wait(cell: Cell, requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<unknown> | undefined {
    const head = this.#heads.due(cell, requests, outcomes);
    const fee = this.#dataFees.due(requests);
    return head && fee ? Promise.all([head, fee]) : (head ?? fee);
  }
  /** Returns the state that answered a request. */
  stateOf(cell: Cell, request: EvaluatedRequest): AnswerState | undefined {
    return this.#heads.of(cell, request);
  }
  /** Returns the fee for the data of a request, in wei. */
  dataFeeOf(request: EvaluatedRequest): bigint | undefined {
    return this.#dataFees.of(request);
  }

  #endpointOf(cell: Cell): Endpoint | undefined {
    const resolved = this.#run.routes.endpointOf(cell);
    return "endpoint" in resolved ? resolved.endpoint : undefined;
  }
  /** @returns `undefined` if the chain is not known, or if the endpoint may not be asked for more. */
  #chainOf(cell: Cell): bigint | undefined {
    const endpoint = this.#endpointOf(cell);
    if (!endpoint || endpoint.rate !== undefined || endpoint.refuses.includes("eth_call")) return undefined;
    const { header, routes } = this.#run;
    const fromHeader = endpointDirective(cell) === undefined ? header.chainId : undefined;
    return endpoint.chainId ?? fromHeader ?? routes.memoryOf(endpoint).probed?.chainId;
  }
}

/** Whether the head is asked for in a message of its own: a lone request, or a full batch, leaves as it is written. */
function isSentApart(cells: readonly Cell[]): boolean {
  const count = cells.reduce((sum, { requests }) => sum + requests.length, 0);
  return count === 1 || count >= defaultBatch.items;
}
