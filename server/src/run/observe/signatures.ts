import { needsSignatures, revertNeedsSignatures } from "../../abi/needsSignatures.ts";
import { isArray } from "../../base/json.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { Cases } from "./cases.ts";
import type { Addition, Observation, ObservationContext } from "./observation.ts";

/** Loads the table of signatures when an answer has topics or selectors that only it may have. Adds nothing of its own. */
export class Signatures implements Observation<never> {
  readonly #context: ObservationContext;
  readonly #cases: Cases;

  constructor(context: ObservationContext, cases: Cases) {
    this.#context = context;
    this.#cases = cases;
  }

  concerns(): boolean {
    return true;
  }
  answered(
    _cell: Cell,
    requests: readonly EvaluatedRequest[],
    outcomes: readonly Outcome[],
  ): Promise<unknown> | undefined {
    const loading = this.#load(requests, outcomes);
    const cases = this.#cases.done(requests);
    if (!cases) return loading;
    const answers = () => requests.flatMap((request) => this.#cases.readerOf(request)?.answers ?? []);
    const ofCases = cases.then(() =>
      this.#load(
        [],
        answers().map(({ outcome }) => outcome),
      ),
    );
    return Promise.all([loading, ofCases]);
  }
  of(): undefined {}
  hidden(found: never): never {
    return found;
  }
  adds(): Addition {
    return {};
  }
  #load(requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<unknown> | undefined {
    return this.#context.run.support.signatures.loadIf(() => answersNeedSignatures(requests, outcomes));
  }
}

/** Whether requests or outcomes contain topics or selectors that only the table of signatures may have. */
function answersNeedSignatures(requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): boolean {
  for (const { params, flat } of requests) if (!flat && isArray(params) && needsSignatures(params)) return true;
  return outcomes.some((outcome) => {
    if (outcome.kind === "answered") {
      return typeof outcome.result.value === "object" && needsSignatures(outcome.result.value);
    }
    return outcome.kind === "refused" && outcome.revertData !== undefined && revertNeedsSignatures(outcome.revertData);
  });
}
