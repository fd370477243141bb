import { isHarmless } from "../../catalog/effects.ts";
import { type AssumeContext, assumeContext, nothingKnown } from "../../evaluate/assume/assumption.ts";
import { isStale, type ReadBack, readBacks, staleText } from "../../evaluate/assume/readBack.ts";
import type { StateQuestion } from "../../evaluate/assume/stateQuestion.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Asker } from "../../gate/endpointQueue.ts";
import type { UnsentReason } from "../../gate/unsentReason.ts";
import type { Cell } from "../../notebook/cell.ts";
import { explain } from "../../rpc/explain.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";
import type { DocumentRun } from "../documentRun.ts";
import type { StatePlace } from "./statePlaces.ts";

/** Finds out what the assumptions of cells need to know about the chain. */
export class Assumptions {
  readonly #run: DocumentRun;
  readonly #asker: Asker;

  constructor(run: DocumentRun, asker: Asker) {
    this.#run = run;
    this.#asker = asker;
  }

  /** Returns what `assume` of a cell is read with. */
  contextOf(cell: Cell): AssumeContext {
    const { header, variables, support } = this.#run;
    const { labels, tokens } = header;
    const place = this.#placeOf(cell);
    return assumeContext({ labels, variables, tokens }, place ? support.assumedState.at(place) : nothingKnown.known);
  }

  /** Asks the endpoint of a cell. Returns why an answer is missing. */
  async find(cell: Cell, questions: readonly StateQuestion[]): Promise<UnsentReason | undefined> {
    const place = this.#placeOf(cell);
    if (!place) return undefined;
    const failure = await this.#run.support.assumedState.find(questions, place, (all) =>
      Promise.all(all.map(({ method, params }) => this.#asker.ask(cell, ownRequest(method, params)))),
    );
    if (!failure || failure.kind === "answered") return undefined;
    return { kind: "unknown-state", because: explain(failure, "eth_call") };
  }

  /**
   * Asks the chain whether what requests assume reads back.
   *
   * @returns A function that refuses the outcomes of those whose assumption does not.
   */
  async readBack(
    cell: Cell,
    requests: readonly EvaluatedRequest[],
  ): Promise<(outcomes: readonly Outcome[]) => readonly Outcome[]> {
    const stale = await Promise.all(requests.map((request) => this.#check(cell, request)));
    return (outcomes) => outcomes.map((outcome, at) => refusedIf(stale[at], outcome));
  }
  /** Forgets what requests may have changed. */
  outdate(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    const { assumedState, routes } = this.#run.support;
    if (requests.every(({ method }) => isHarmless(routes.effectOf(method)))) return;
    const place = this.#placeOf(cell);
    if (place) assumedState.outdate(place);
  }

  /** Returns the first assumption that does not read back; `undefined` if there is none, or if the calls fail. */
  async #check(cell: Cell, request: EvaluatedRequest): Promise<ReadBack | undefined> {
    const checks = readBacks(request).map(async (back) => {
      const outcome = await this.#asker.ask(cell, ownRequest(back.method, back.params));
      return isStale(back, outcome) ? back : undefined;
    });
    const stale = (await Promise.all(checks)).find((one) => one !== undefined);
    const place = this.#placeOf(cell);
    if (stale && place) this.#run.support.assumedState.forget(place);
    return stale;
  }

  #placeOf(cell: Cell): StatePlace | undefined {
    const { routes } = this.#run;
    const resolved = routes.endpointOf(cell);
    if (!("endpoint" in resolved)) return undefined;
    return { endpoint: routes.memoryOf(resolved.endpoint), host: resolved.endpoint.host };
  }
}

function refusedIf(stale: ReadBack | undefined, outcome: Outcome): Outcome {
  if (!stale) return outcome;
  const message = `${staleText(stale)} Run it again.`;
  const { exchange } = outcome;
  return {
    kind: "refused",
    reason: "other",
    code: undefined,
    range: undefined,
    rangeLimit: undefined,
    message,
    data: undefined,
    revertData: undefined,
    exchange,
  };
}
