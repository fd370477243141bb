import type { JsonObject } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import type { Clock } from "../../base/ports.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Asker } from "../../gate/endpointQueue.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { EarlierAmount } from "../../report/additions.ts";
import type { Report } from "../../report/report.ts";
import type { Reported } from "../../report/reportOf.ts";
import type { ViewContext } from "../../report/view.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { Answer } from "../cellRun.ts";
import { chainAt, type DocumentRun } from "../documentRun.ts";
import { pollWindowOf } from "../prepare/expectations.ts";

/** Milliseconds that an answer waits for facts that were asked for with it: less than a person notices. */
export const maxFactsMs = 250;

/** Something that a result shows beside its answer. Each has one file, and one line in `list.ts`. Opened for each run. */
export interface Observation<Found = unknown> {
  /** Returns whether a cell can have it. Cells that are one request without directives are asked about once per method. */
  concerns(cell: Cell, requests: readonly EvaluatedRequest[]): boolean;
  /** Called when the requests of a cell leave: what is asked now leaves with them. */
  sent?(cell: Cell, requests: readonly EvaluatedRequest[]): void;
  /**
   * Called with the answers, before they are judged; again after each repetition.
   *
   * @returns What the cell waits for, with a limit of its own; `undefined` if nothing. Never rejects.
   */
  answered?(
    cell: Cell,
    requests: readonly EvaluatedRequest[],
    outcomes: readonly Outcome[],
  ): Promise<unknown> | undefined;
  /** Like `answered`, for facts that are only shown: cells that need this one do not wait. */
  showing?(cell: Cell, answers: readonly Answer[]): Promise<unknown> | undefined;
  /** Returns what was found out about a request; `undefined` if nothing. */
  of(cell: Cell, request: EvaluatedRequest): Found | undefined;
  /** Hides values of the host in it. */
  hidden(found: Found, mask: Mask): Found;
  /** Returns what it adds to the result. What was found and the outcome are masked; the request is not. */
  adds(found: Found, shown: ShownAnswer): Addition;
}

/** An answer that is shown. */
export interface ShownAnswer extends Answer {
  readonly cell: Cell;
  /** All requests of the cell. */
  readonly requests: readonly EvaluatedRequest[];
  /** Its place among them. */
  readonly at: number;
  /** The cell was sent more than once. */
  readonly isRepeated: boolean;
  readonly context: () => ViewContext;
  /** The number of the last answer to the same request. */
  readonly before: () => EarlierAmount | undefined;
}

/** What an observation adds. */
export interface Addition {
  /** Input of `reportOf`. */
  readonly given?: Partial<Pick<Reported, "case" | "words" | "sealed" | "isGuess">>;
  /** Changes the report. */
  readonly report?: (report: Report) => Report;
  /** Members of the JSON report. */
  readonly json?: () => JsonObject;
}

/** What observations work with: their run, and questions to the endpoints of its cells. */
export class ObservationContext {
  readonly run: DocumentRun;
  readonly asker: Asker;
  readonly clock: Clock;

  constructor(run: DocumentRun, asker: Asker, clock: Clock) {
    this.run = run;
    this.asker = asker;
    this.clock = clock;
  }

  get signal(): AbortSignal {
    return this.run.signal;
  }
  endpointOf(cell: Cell): Endpoint | undefined {
    const resolved = this.run.routes.endpointOf(cell);
    return "endpoint" in resolved ? resolved.endpoint : undefined;
  }
  /**
   * Returns the endpoint of a cell if it may be asked more than the cell itself, by this method.
   *
   * @param limited - What is asked is kept: it is asked at endpoints with a rate limit too.
   * @param repeated - It is asked for each repetition of a cell with `within`, or is kept.
   */
  endpointForQuestions(
    cell: Cell,
    method: string,
    { limited = false, repeated = false }: { readonly limited?: boolean; readonly repeated?: boolean } = {},
  ): Endpoint | undefined {
    const endpoint = this.endpointOf(cell);
    if (!endpoint || endpoint.refuses.includes(method)) return undefined;
    if (endpoint.rate !== undefined && !limited) return undefined;
    return pollWindowOf(cell) && !repeated ? undefined : endpoint;
  }
  /** Returns the chain of an endpoint, as far as it is known without a question. */
  chainAt(cell: Cell, endpoint: Endpoint): bigint | undefined {
    return chainAt(this.run, cell, endpoint);
  }
}
