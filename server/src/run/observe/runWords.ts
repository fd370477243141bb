import { requestedCalls } from "../../abi/decodedResult.ts";
import { describedCalls } from "../../abi/describedCalls.ts";
import { typedDataOf } from "../../abi/typedData.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Tokens } from "../../report/tokens.ts";
import { knownNames, type SaidCall, wordsJson } from "../../report/words.ts";
import type { Answer } from "../cellRun.ts";
import { chainOf } from "../documentRun.ts";
import type { Cases } from "./cases.ts";
import type { Addition, Observation, ObservationContext } from "./observation.ts";
import type { RunTokens } from "./runTokens.ts";

/** Says the calls of requests and answers, and what they sign, in words before they are shown. */
export class RunWords implements Observation<readonly SaidCall[]> {
  readonly #context: ObservationContext;
  readonly #cases: Cases;
  readonly #tokens: RunTokens;
  readonly #said = new WeakMap<EvaluatedRequest, readonly SaidCall[]>();

  constructor(context: ObservationContext, cases: Cases, tokens: RunTokens) {
    this.#context = context;
    this.#cases = cases;
    this.#tokens = tokens;
  }

  concerns(): boolean {
    return true; // any answer can hold calls
  }
  showing(cell: Cell, answers: readonly Answer[]): Promise<unknown> | undefined {
    if (answers.every(holdsNoCall)) return undefined;
    const found = this.#tokens.showing(cell, answers) ?? this.#tokens.stated;
    const say = (tokens: Tokens): Promise<unknown> | undefined => {
      const waits = answers.flatMap(
        (answer) => this.prepare(cell, answer.request, this.#cases.withAnswers([answer]), tokens) ?? [],
      );
      return waits.length === 0 ? undefined : Promise.all(waits);
    };
    return found instanceof Promise ? found.then(say) : say(found);
  }
  /**
   * Prepares one request.
   *
   * @param answers - Everything that it is shown with.
   * @returns `undefined` if there is nothing to wait for. Never rejects.
   */
  prepare(
    cell: Cell,
    request: EvaluatedRequest,
    answers: readonly Answer[],
    tokens: Tokens,
  ): Promise<unknown> | undefined {
    const { document, header, support } = this.#context.run;
    const signed = typedDataOf(request.method, request.params);
    const values = signed ? [] : answers.flatMap(valuesOf);
    if (!signed && values.length === 0) return undefined;
    const chainId = chainOf(this.#context.run, cell);
    const names = knownNames(header.labels, tokens, chainId);
    const said = signed
      ? support.descriptors.signature(document, signed, names)
      : support.descriptors.calls(document, describedCalls(values, chainId), names);
    if (!(said instanceof Promise)) return undefined;
    return said.then((words) => this.#said.set(request, words));
  }
  of(_cell: Cell, request: EvaluatedRequest): readonly SaidCall[] | undefined {
    return this.#said.get(request);
  }
  hidden(said: readonly SaidCall[], mask: Mask): readonly SaidCall[] {
    return mask.value(said);
  }
  adds(said: readonly SaidCall[]): Addition {
    return { given: { words: said }, json: () => (said.length > 0 ? { inWords: wordsJson(said) } : {}) };
  }
}

/** Whether a request and its answer are plain values. */
function holdsNoCall({ request: { method, params, flat }, outcome }: Answer): boolean {
  if (flat !== true || typedDataOf(method, params)) return false;
  return outcome.kind !== "answered" || typeof outcome.result.value !== "object";
}

/** Returns what of a request and its answer can hold calls. A request without an answer has done nothing. */
function valuesOf({ request: { method, params }, outcome }: Answer): readonly JsonValue[] {
  if (outcome.kind !== "answered") return [];
  const result = outcome.result.value;
  if (method === "eth_simulateV1" && isArray(result)) return succeededCalls(params ?? null, result.filter(isObject));
  return [...(isArray(params) ? params : [params]), result].filter((value) => isObject(value) || isArray(value));
}

function succeededCalls(params: JsonValue, blocks: readonly JsonObject[]): readonly JsonValue[] {
  return requestedCalls(params, blocks).flatMap((asked, at) => {
    const done = blocks[at]?.calls;
    return asked.filter((_, index) => {
      const one = isArray(done) ? done[index] : undefined;
      return isObject(one) && one.status !== "0x0";
    });
  });
}
