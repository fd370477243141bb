import type { AbiScope } from "../abi/abiScope.ts";
import { listed } from "../base/text.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { AssertionFailure } from "./assertions.ts";
import { nameOf, type Step } from "./plan.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** What became of one cell. */
export interface CellRun {
  readonly step: Step;
  /** One for each request that went out, in the order of the cell. */
  readonly answers: readonly Answer[];
  /** Why nothing went out. */
  readonly notSent: UnsentReason | undefined;
  /** One for each answer. */
  readonly verdicts: readonly Verdict[];
  /** On the `expect` of a batch as a whole; `undefined` where nothing went out. */
  readonly batch: Verdict | undefined;
  /** Every answer is right: a result, or the failure that `expect` asks for; and nothing is missed. */
  readonly ok: boolean;
  /** Where it was asked more than once, until what is expected held: how often, and why it was not asked again. */
  readonly polled?: { readonly times: number; readonly end: "held" | "time" | "hopeless" | "cancelled" };
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface Verdict {
  /** The cell says what must hold. */
  readonly expected: boolean;
  readonly misses: readonly AssertionFailure[];
  readonly ok: boolean;
}

export interface Answer {
  readonly request: EvaluatedRequest;
  readonly outcome: Outcome;
  /** The project's ABIs, as they were when it came. */
  readonly scope: AbiScope;
}

/**
 * What people know a cell by, as the notebook has it: a screen shows it by way of `oneLine`.
 *
 * @example titleOf(step) //=> "balance: eth_getBalance"
 */
export function titleOf({ number, cell }: Pick<Step, "number" | "cell">): string {
  const methods = cell.requests.map(({ method }) => method ?? "no method");
  const name = nameOf(cell);
  const what =
    cell.kind === "batch" ? `batch of ${listed(methods.slice(0, 3))}${methods.length > 3 ? ", …" : ""}` : methods[0];
  return [name ?? `cell ${number}`, what ?? cell.kind].join(": ");
}
