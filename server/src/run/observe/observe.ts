import type { Mask } from "../../base/mask.ts";
import type { MethodSpec } from "../../catalog/spec.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { Answer } from "../cellRun.ts";
import type { Addition, Observation, ShownAnswer } from "./observation.ts";

/** The observations that cells of one kind can have, by what they do. */
interface Concerned {
  readonly sent: readonly Observation[];
  readonly answered: readonly Observation[];
  readonly showing: readonly Observation[];
  readonly adding: readonly Observation[];
}

/** Finds out what results show beside their answers. */
export class Observations {
  readonly #all: readonly Observation[];
  /** By method, for cells that are one request without directives. */
  readonly #byMethod = new Map<string, Concerned>();
  readonly #byCell = new WeakMap<Cell, Concerned>();
  /** The last method of the catalogue: most cells of a large run have the same. */
  #last: { readonly spec: MethodSpec; readonly concerned: Concerned } | undefined;

  constructor(all: readonly Observation[]) {
    this.#all = all;
  }

  /** Called when the requests of a cell leave. */
  sent(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    for (const one of this.#of(cell, requests).sent) one.sent?.(cell, requests);
  }
  /** Returns the wait for all that a cell is judged and shown with; `undefined` if everything is there. */
  answered(
    cell: Cell,
    requests: readonly EvaluatedRequest[],
    outcomes: readonly Outcome[],
  ): Promise<unknown> | undefined {
    let all: Promise<unknown> | undefined;
    for (const one of this.#of(cell, requests).answered) all = both(all, one.answered?.(cell, requests, outcomes));
    return all;
  }
  /** Returns the wait for what is only shown. */
  showing(cell: Cell, answers: readonly Answer[]): Promise<unknown> | undefined {
    let all: Promise<unknown> | undefined;
    const [only] = answers;
    const known = only && answers.length === 1 ? this.#plain(cell, only.request) : undefined;
    const concerned =
      known ??
      this.#of(
        cell,
        answers.map(({ request }) => request),
      );
    for (const one of concerned.showing) all = both(all, one.showing?.(cell, answers));
    return all;
  }
  /** Returns what an answer is shown with. */
  additions(shown: ShownAnswer, mask: Mask): readonly Addition[] {
    const { cell, requests, request } = shown;
    return this.#of(cell, requests).adding.flatMap((one) => {
      const found = one.of(cell, request);
      return found === undefined ? [] : [one.adds(one.hidden(found, mask), shown)];
    });
  }

  /** Returns what is known of a cell that is one request without directives. */
  #plain({ directives }: Cell, { spec }: EvaluatedRequest): Concerned | undefined {
    return spec && spec === this.#last?.spec && directives.size === 0 ? this.#last.concerned : undefined;
  }
  #of(cell: Cell, requests: readonly EvaluatedRequest[]): Concerned {
    const [only] = requests;
    const plain = only && requests.length === 1 && cell.directives.size === 0 ? only : undefined;
    const last = plain && this.#plain(cell, plain);
    if (last) return last;
    const spec = plain?.spec;
    const known = plain ? this.#byMethod.get(plain.method) : this.#byCell.get(cell);
    const concerned = known ?? concernedIn(this.#all.filter((one) => one.concerns(cell, requests)));
    if (plain) this.#byMethod.set(plain.method, concerned);
    else this.#byCell.set(cell, concerned);
    if (spec) this.#last = { spec, concerned };
    return concerned;
  }
}

function concernedIn(all: readonly Observation[]): Concerned {
  return {
    sent: all.filter(({ sent }) => sent),
    answered: all.filter(({ answered }) => answered),
    showing: all.filter(({ showing }) => showing),
    adding: all,
  };
}

/** Most waits are one promise that many cells share: it is not wrapped. */
function both(one: Promise<unknown> | undefined, other: Promise<unknown> | undefined): Promise<unknown> | undefined {
  return one && other ? Promise.all([one, other]) : (one ?? other);
}
