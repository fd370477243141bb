import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { isHarmless } from "../catalog/effects.ts";
import {
  type AssumeContext,
  type Assumption,
  maskOf,
  nothingKnown,
  type Override,
} from "../evaluate/assume/assumption.ts";
import { assumeContext } from "../evaluate/assume/context.ts";
import { type ChainQuestion, isEndpointFailure, wordQuestion } from "../evaluate/assume/findSlot.ts";
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
  async #check(cell: Cell, { method, params, assumed = [] }: EvaluatedRequest): Promise<Stale | undefined> {
    const state = stateOf(method, params);
    const asked = async ({ method: name, params: given }: ChainQuestion): Promise<bigint | "unknown" | undefined> => {
      const outcome = await this.#dispatcher.ask(cell, ownRequest(name, given));
      return isEndpointFailure(outcome) ? "unknown" : quantity(resultOf(outcome));
    };
    const checks = assumed.flatMap(({ text, reading, override }) => [
      ...(reading ? [readsBack(reading, state, asked, text)] : []),
      ...(override.kind === "slot" && override.mask !== undefined ? [keepsRest(override, state, asked, text)] : []),
    ]);
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

/** Something that a request assumed and that the chain does not have in that way. */
interface Stale {
  readonly text: string;
  /** A clause. */
  readonly why: string;
}

/** Returns a number; `"unknown"` if the endpoint fails, `undefined` if the contract does. */
type AskNumber = (question: ChainQuestion) => Promise<bigint | "unknown" | undefined>;

async function readsBack(
  { to, data, value }: NonNullable<Assumption["reading"]>,
  state: readonly JsonValue[],
  ask: AskNumber,
  text: string,
): Promise<Stale | undefined> {
  const read = await ask({ method: "eth_call", params: [{ to, data }, ...state] });
  const why = "the contract returns another number. It may have changed";
  return read === "unknown" || read === value ? undefined : { text, why };
}

/** Checks the bits of a word that are not assumed, which a transaction may have changed since they were read. */
async function keepsRest(
  override: Override & { readonly kind: "slot" },
  [block = "latest"]: readonly JsonValue[],
  ask: AskNumber,
  text: string,
): Promise<Stale | undefined> {
  const stored = await ask(wordQuestion(override.address, override.slot, block));
  if (typeof stored !== "bigint") return undefined;
  const isKept = ((stored ^ BigInt(override.value)) & ~maskOf(override)) === 0n;
  return isKept ? undefined : { text, why: "the rest of its word of storage has changed" };
}

/** Returns the parameters after the call that the calls of a request see: its block and overrides. */
function stateOf(method: string, params: JsonValue | undefined): readonly JsonValue[] {
  const [first, block = "latest", ...overrides] = isArray(params) ? params : [];
  if (method === "eth_call") return [block, ...overrides];
  if (method !== "eth_simulateV1") return [block, ...overrides.slice(0, 1)];
  const [simulated] = isObject(first) && isArray(first.blockStateCalls) ? first.blockStateCalls : [];
  return [block, isObject(simulated) ? (simulated.stateOverrides ?? {}) : {}];
}

function refusedIf(stale: Stale | undefined, outcome: Outcome): Outcome {
  if (!stale) return outcome;
  const message = `It was not simulated that ${stale.text}: ${stale.why}. Run it again.`;
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
