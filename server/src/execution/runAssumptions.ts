import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { type AssumeContext, type Assumption, nothingKnown } from "../evaluate/assume/assumption.ts";
import { assumeContext } from "../evaluate/assume/context.ts";
import { isEndpointFailure } from "../evaluate/assume/findSlot.ts";
import type { StateQuestion } from "../evaluate/assume/stateQuestion.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { explain } from "../rpc/explain.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import { ownRequest } from "../rpc/requestIds.ts";
import type { StatePlace } from "../run/assumedState.ts";
import type { Dispatcher } from "../run/dispatcher.ts";
import type { OutcomeHandler } from "../run/endpointQueue.ts";
import type { UnsentReason } from "../run/unsentReason.ts";
import type { DocumentRun } from "./documentRun.ts";

/** Finds out what the assumptions of cells need to know about the chain. */
export class RunAssumptions {
  readonly #run: DocumentRun;
  readonly #dispatcher: Pick<Dispatcher, "ask">;

  constructor(run: DocumentRun, dispatcher: Pick<Dispatcher, "ask">) {
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
   * Returns a handler that gets an outcome only if the chain reads back what its request assumed: in another contract
   * than the one that was looked at, it would silently change nothing. Sends the calls now, with the request.
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

  /** Returns the first assumption that does not read back; `undefined` if there is none, or if the calls fail. */
  async #check(cell: Cell, { method, params, assumed = [] }: EvaluatedRequest): Promise<Assumption | undefined> {
    const [block, overrides] = stateOf(method, params);
    const checks = assumed.map(async (assumption) => {
      const { reading } = assumption;
      if (!reading) return undefined;
      const { to, data, value } = reading;
      const outcome = await this.#dispatcher.ask(cell, ownRequest("eth_call", [{ to, data }, block, overrides]));
      return isEndpointFailure(outcome) || quantity(resultOf(outcome)) === value ? undefined : assumption;
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

/** Returns the block of a request and its state overrides: of a simulation, those of its first block. */
function stateOf(method: string, params: JsonValue | undefined): readonly [block: JsonValue, overrides: JsonValue] {
  const [first, block = "latest", overrides = {}] = isArray(params) ? params : [];
  if (method !== "eth_simulateV1") return [block, overrides];
  const [simulated] = isObject(first) && isArray(first.blockStateCalls) ? first.blockStateCalls : [];
  return [block, isObject(simulated) ? (simulated.stateOverrides ?? {}) : {}];
}

function refusedIf(stale: Assumption | undefined, outcome: Outcome): Outcome {
  if (!stale) return outcome;
  const message = `The simulation ignored an assumption (${stale.text}), because the contract has changed. Run it again.`;
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
