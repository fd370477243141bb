import { isHarmless } from "../../catalog/effects.ts";
import { type AssumeContext, nothingKnown } from "../../evaluate/assume/assumption.ts";
import { assumeContext } from "../../evaluate/assume/context.ts";
import { isStale, type ReadBack, readBacks, staleText } from "../../evaluate/assume/readBack.ts";
import type { StateQuestion } from "../../evaluate/assume/stateQuestion.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Asker, OutcomeHandler } from "../../gate/endpointQueue.ts";
import type { UnsentReason } from "../../gate/unsentReason.ts";
import type { Cell } from "../../notebook/cell.ts";
import { explain } from "../../rpc/explain.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/requestIds.ts";
import type { DocumentRun } from "../documentRun.ts";
import type { StatePlace } from "./statePlaces.ts";

/** Finds out what the assumptions of cells need to know about the chain. */
export class Assumptions {
  readonly #run: DocumentRun;
  readonly #dispatcher: Asker;

  constructor(run: DocumentRun, dispatcher: Asker) {
    this.#run = run;
    this.#dispatcher = dispatcher;
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
      Promise.all(all.map(({ method, params }) => this.#dispatcher.ask(cell, ownRequest(method, params)))),
    );
    if (!failure || failure.kind === "answered") return undefined;
    return { kind: "unknown-state", because: explain(failure, "eth_call") };
  }

  /**
   * Returns a handler that gets an outcome only if the chain reads back what its request assumed. Sends the calls now,
   * with the request.
   */
  checking(cell: Cell, requests: readonly EvaluatedRequest[], handler: OutcomeHandler): OutcomeHandler {
    const checks = requests.map((request) => this.#check(cell, request));
    return {
      settle: (outcomes) => {
        Promise.all(checks)
          .then((stale) => handler.settle(outcomes.map((outcome, at) => refusedIf(stale[at], outcome))))
          .catch((bug: unknown) => handler.fail(bug));
      },
      fail: (bug) => handler.fail(bug),
    };
  }

  /** Returns a handler that forgets what requests may have changed before anything else is prepared. */
  outdating(cell: Cell, requests: readonly EvaluatedRequest[], handler: OutcomeHandler): OutcomeHandler {
    const { assumedState, routes } = this.#run.support;
    const place = this.#placeOf(cell);
    if (!place || requests.every(({ method }) => isHarmless(routes.effectOf(method)))) return handler;
    return {
      settle: (outcomes) => {
        assumedState.outdate(place);
        handler.settle(outcomes);
      },
      fail: (bug) => handler.fail(bug),
    };
  }

  /** Returns the first assumption that does not read back; `undefined` if there is none, or if the calls fail. */
  async #check(cell: Cell, request: EvaluatedRequest): Promise<ReadBack | undefined> {
    const checks = readBacks(request).map(async (back) => {
      const outcome = await this.#dispatcher.ask(cell, ownRequest(back.method, back.params));
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
