import type { AbiScope } from "../abi/abiScope.ts";
import { nameOf } from "../analysis/references.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Moment } from "../base/ports.ts";
import { listed } from "../base/text.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Arrived } from "../gate/endpointQueue.ts";
import type { UnsentReason } from "../gate/unsentReason.ts";
import type { Cell } from "../notebook/cell.ts";
import type { JsonNode } from "../notebook/json.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { AssertionFailure } from "./judge/checkExpectation.ts";
import type { Step } from "./plan.ts";

/** Expectations whose placeholders were filled in, by their node. */
export type Expected = ReadonlyMap<JsonNode, JsonValue>;

export interface Evaluated {
  readonly requests: readonly EvaluatedRequest[];
  /** Expectations whose placeholders were filled in; `undefined` if it has none. */
  readonly expected: Expected | undefined;
}

/** A cell whose requests may be sent. */
export interface Ready extends Evaluated {
  readonly step: Step;
  /** When everything that it needs had ended. */
  readonly begun: Moment;
}

/** A cell that cannot be sent. */
export interface Unsent {
  readonly step: Step;
  readonly notSent: UnsentReason;
  readonly begun: Moment;
}

/** A cell whose requests have outcomes, one for each in order. */
export type Answered = Arrived<Ready>;

/** The outcome of one cell. */
export interface CellRun {
  readonly step: Step;
  /** One for each request that was sent, in the order of the cell. */
  readonly answers: readonly Answer[];
  /** The reason why nothing was sent. */
  readonly notSent: UnsentReason | undefined;
  /** One for each answer. */
  readonly verdicts: readonly Verdict[];
  /** For the `expect` of a batch as a whole; `undefined` if nothing was sent. */
  readonly batch: Verdict | undefined;
  /** Every answer is a result or an expected failure, and every expectation holds. */
  readonly ok: boolean;
  /** Present if the cell was repeated until its expectations held: how often, and why it ended. */
  readonly polled?: { readonly times: number; readonly end: "held" | "time" | "hopeless" | "cancelled" };
  /** How the run slowed down because endpoints refused more; only in the last cell that ends. */
  readonly paced?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface Verdict {
  /** The cell has expectations. */
  readonly expected: boolean;
  readonly misses: readonly AssertionFailure[];
  readonly ok: boolean;
}

export interface Answer {
  readonly request: EvaluatedRequest;
  readonly outcome: Outcome;
  /** The project's ABIs when the answer arrived. */
  readonly scope: AbiScope;
  /** The values that the request was made with, if its cell has `each`. */
  readonly row?: JsonObject;
}

/**
 * Returns the title of a cell as the notebook has it: pass it through `oneLine` before showing it.
 *
 * @example titleOf(1, cell) //=> "balance: eth_getBalance"
 */
export function titleOf(number: number, cell: Cell): string {
  const methods = cell.requests.map(({ method }) => method ?? "no method");
  const name = nameOf(cell);
  const what =
    cell.kind === "batch" ? `batch of ${listed(methods.slice(0, 3))}${methods.length > 3 ? ", …" : ""}` : methods[0];
  return [name ?? `cell ${number}`, what ?? cell.kind].join(": ");
}
