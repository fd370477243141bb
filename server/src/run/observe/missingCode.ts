import { withinTime } from "../../base/deadline.ts";
import { isAddress, isHex } from "../../base/hex.ts";
import { isArray, type JsonValue } from "../../base/json.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import { withMissingCode } from "../../report/additions.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";
import { type Addition, maxFactsMs, type Observation, type ObservationContext } from "./observation.ts";

const slotMethod = "eth_getStorageAt";
/** Questions for the code of one cell. */
const maxQuestions = 10;

/** Checks whether a slot is zero because there is no contract. Sends nothing for other slots. */
export class MissingCode implements Observation<true> {
  readonly #context: ObservationContext;
  readonly #missing = new Set<EvaluatedRequest>();

  constructor(context: ObservationContext) {
    this.#context = context;
  }

  concerns(_cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
    return requests.some(({ method }) => method === slotMethod);
  }
  /** Returns a short wait for the code of the accounts whose slots are zero. */
  answered(
    cell: Cell,
    requests: readonly EvaluatedRequest[],
    outcomes: readonly Outcome[],
  ): Promise<unknown> | undefined {
    if (!this.#context.endpointForQuestions(cell, "eth_getCode")) return undefined;
    const reads = requests.flatMap((request, at) => {
      const outcome = outcomes[at];
      const params = outcome && accountOf(request, outcome);
      return outcome && params && !this.#missing.has(request) ? [{ request, params }] : [];
    });
    if (reads.length === 0) return undefined;
    const all = reads.slice(0, maxQuestions).map((one) => this.#ask(cell, one));
    return withinTime(Promise.all(all), maxFactsMs, this.#context.clock, this.#context.signal);
  }
  /** Whether a request has read a slot of an address without code. */
  of(_cell: Cell, request: EvaluatedRequest): true | undefined {
    return this.#missing.has(request) || undefined;
  }
  hidden(found: true): true {
    return found;
  }
  adds(): Addition {
    return { report: withMissingCode };
  }

  async #ask(cell: Cell, { request, params }: ZeroRead): Promise<void> {
    const code = resultOf(await this.#context.asker.ask(cell, ownRequest("eth_getCode", params)));
    if (code === "0x") this.#missing.add(request);
  }
}

interface ZeroRead {
  readonly request: EvaluatedRequest;
  readonly params: readonly JsonValue[];
}

/** Returns the account and the block of a slot that is zero. */
function accountOf({ method, params }: EvaluatedRequest, outcome: Outcome): readonly JsonValue[] | undefined {
  const word = resultOf(outcome);
  if (method !== slotMethod || !isArray(params) || !isHex(word) || !/^0x0+$/.test(word)) return undefined;
  const [address, , block = "latest"] = params;
  return isAddress(address) ? [address, block] : undefined;
}
