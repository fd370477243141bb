import { type Hex, isAddress } from "../../base/hex.ts";
import type { Clock } from "../../base/ports.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { CaseFacts, CasePlace } from "../../report/caseFacts.ts";
import type { ExplainedPayment } from "../../report/explainedPayment.ts";
import { cadenceOf } from "../../rpc/cadence.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import { defaultBatch } from "../../rpc/wire.ts";
import { chainAt } from "../chainAt.ts";
import type { DocumentRun } from "../documentRun.ts";
import type { Dispatcher } from "../send/dispatcher.ts";
import type { CaseReader } from "./caseReader.ts";
import { Cases } from "./cases.ts";
import { DataFees } from "./dataFees.ts";
import { type AnswerState, HeadTracker } from "./headTracker.ts";
import { MissingCode } from "./missingCode.ts";
import { Payments } from "./payments.ts";

/**
 * Requests that a run sends beside those of its cells: for the head that answered, for the fee of data on layer 1, for the
 * cases of transactions, for payments by signature that failed, and for the code of accounts whose slots are zero.
 */
export class SideRequests {
  readonly #run: DocumentRun;
  readonly #heads: HeadTracker;
  readonly #dataFees: DataFees;
  readonly #cases: Cases;
  readonly #payments: Payments;
  readonly #missingCode: MissingCode;

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
    const placeOf = (cell: Cell, endpoint: Endpoint): CasePlace => this.placeOf(cell, endpoint);
    this.#cases = new Cases({ clock, dispatcher, endpointOf, memoryOf, placeOf }, signal);
    this.#missingCode = new MissingCode({ clock, dispatcher, endpointOf }, signal);
    const accounts = [...run.names.keys()].filter(isAddress).map((one) => one.toLowerCase() as Hex);
    const caseOf = (request: EvaluatedRequest): CaseFacts | undefined => this.#cases.of(request)?.facts;
    const chainOn = (cell: Cell, endpoint: Endpoint): bigint | undefined => chainAt(run, cell, endpoint);
    this.#payments = new Payments({ clock, dispatcher, accounts, endpointOf, chainAt: chainOn, caseOf }, signal);
  }

  /** Sends what a cell needs. Its own requests are sent now. */
  begin(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    this.#heads.begin(cell, requests);
    this.#dataFees.begin(cell, requests);
    this.#cases.begin(cell, requests);
  }
  /** Waits a short time for the answers that a cell's outcomes are shown with; `undefined` if they are there. */
  wait(cell: Cell, requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<unknown> | undefined {
    const head = this.#heads.due(cell, requests, outcomes);
    const fee = this.#dataFees.due(requests);
    const cases = this.#cases.due(requests, outcomes);
    const payments = (): Promise<unknown> | undefined => this.#payments.due(cell, requests, outcomes);
    const code = this.#missingCode.due(cell, requests, outcomes);
    const waits = [head, fee, code, cases ? cases.then(payments) : payments()].filter((wait) => wait !== undefined);
    return waits.length > 1 ? Promise.all(waits) : waits[0];
  }
  /** Returns the state that answered a request. */
  stateOf(cell: Cell, request: EvaluatedRequest): AnswerState | undefined {
    return this.#heads.of(cell, request);
  }
  /** Returns the fee for the data of a request, in wei. */
  dataFeeOf(request: EvaluatedRequest): bigint | undefined {
    return this.#dataFees.of(request);
  }
  /** Returns whether there is no code at the address whose slot a request has read. */
  isCodeMissing(request: EvaluatedRequest): boolean {
    return this.#missingCode.of(request);
  }
  /** Returns the case of the transaction that a request asks about; `undefined` unless the cell says `explain`. */
  caseOf(request: EvaluatedRequest): CaseReader | undefined {
    return this.#cases.of(request);
  }
  /** Returns the failed payments by signature of a request. */
  paymentsOf(request: EvaluatedRequest): readonly ExplainedPayment[] {
    return this.#payments.of(request);
  }

  #endpointOf(cell: Cell): Endpoint | undefined {
    const resolved = this.#run.routes.endpointOf(cell);
    return "endpoint" in resolved ? resolved.endpoint : undefined;
  }
  /** @returns `undefined` if the chain is not known, or if the endpoint may not be asked for more. */
  #chainOf(cell: Cell): bigint | undefined {
    const endpoint = this.#endpointOf(cell);
    if (!endpoint || endpoint.rate !== undefined || endpoint.refuses.includes("eth_call")) return undefined;
    return chainAt(this.#run, cell, endpoint);
  }
  /** Returns what is known about an endpoint of a cell. */
  placeOf(cell: Cell, endpoint: Endpoint): CasePlace {
    const { routes, support } = this.#run;
    const chainId = chainAt(this.#run, cell, endpoint);
    const { kind, blockMs } = cadenceOf({ ...endpoint, chainId }, routes.memoryOf(endpoint), support.clock.date());
    const others = routes.names.filter((name) => name !== endpoint.name);
    return { endpoint: endpoint.name, host: endpoint.host, chainId, others, kind, blockMs };
  }
}

/** Whether the head is asked for in a message of its own: a lone request, or a full batch, leaves as it is written. */
function isSentApart(cells: readonly Cell[]): boolean {
  const count = cells.reduce((sum, { requests }) => sum + requests.length, 0);
  return count === 1 || count >= defaultBatch.items;
}
