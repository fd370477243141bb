import { describedCalls } from "../../abi/describedCalls.ts";
import { requestedCalls } from "../../abi/simulatedCalls.ts";
import { typedDataOf } from "../../abi/typedData.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Tokens } from "../../report/tokens.ts";
import { knownNames, type SaidCall } from "../../report/words.ts";
import type { Answer } from "../cellRun.ts";
import { chainOf } from "../chainAt.ts";
import type { DocumentRun } from "../documentRun.ts";

/** Says the calls of requests and answers, and what they sign, in words before they are shown. */
export class RunWords {
  readonly #run: DocumentRun;
  readonly #said = new WeakMap<EvaluatedRequest, readonly SaidCall[]>();

  constructor(run: DocumentRun) {
    this.#run = run;
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
    const { header, support } = this.#run;
    const signed = typedDataOf(request.method, request.params);
    const values = signed ? [] : answers.flatMap(valuesOf);
    if (!signed && values.length === 0) return undefined;
    const chainId = chainOf(this.#run, cell);
    const names = knownNames(header.labels, tokens, chainId);
    const said = signed
      ? support.descriptors.signature(this.#run.document, signed, names)
      : support.descriptors.calls(this.#run.document, describedCalls(values, chainId), names);
    if (!(said instanceof Promise)) return undefined;
    return said.then((words) => this.#said.set(request, words));
  }

  of(request: EvaluatedRequest): readonly SaidCall[] {
    return this.#run.support.mask.value(this.#said.get(request) ?? []);
  }
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
