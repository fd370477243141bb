import { withinTime } from "../../base/deadline.ts";
import { isAddress, isHex } from "../../base/hex.ts";
import { isArray, type JsonValue } from "../../base/json.ts";
import type { Clock } from "../../base/ports.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Asker } from "../../gate/endpointQueue.ts";
import type { Cell } from "../../notebook/cell.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/requestIds.ts";
import { pollWindowOf } from "../prepare/expectations.ts";
import { maxFactsMs } from "./headTracker.ts";

interface MissingCodeHost {
  readonly clock: Clock;
  readonly dispatcher: Asker;
  endpointOf(cell: Cell): Endpoint | undefined;
}

/** Questions for the code of one cell. */
const maxQuestions = 10;

/** Finds out whether a slot is zero because there is no contract. Only a zero slot is asked about. */
export class MissingCode {
  readonly #host: MissingCodeHost;
  readonly #signal: AbortSignal;
  readonly #missing = new Set<EvaluatedRequest>();

  constructor(host: MissingCodeHost, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
  }

  /** Returns a short wait for the code of the accounts whose slots are zero; `undefined` if there are none. */
  due(cell: Cell, requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<unknown> | undefined {
    const endpoint = this.#host.endpointOf(cell);
    // a cell with `within` is sent again and again
    if (!endpoint || endpoint.rate !== undefined || endpoint.refuses.includes("eth_getCode") || pollWindowOf(cell))
      return undefined;
    const reads = requests.flatMap((request, at) => {
      const outcome = outcomes[at];
      const params = outcome && accountOf(request, outcome);
      return outcome && params && !this.#missing.has(request) ? [{ request, params }] : [];
    });
    if (reads.length === 0) return undefined;
    const all = reads.slice(0, maxQuestions).map((one) => this.#ask(cell, one));
    return withinTime(Promise.all(all), maxFactsMs, this.#host.clock, this.#signal);
  }
  /** Whether a request has read a slot of an address without code. */
  of(request: EvaluatedRequest): boolean {
    return this.#missing.has(request);
  }

  async #ask(cell: Cell, { request, params }: ZeroRead): Promise<void> {
    const code = resultOf(await this.#host.dispatcher.ask(cell, ownRequest("eth_getCode", params)));
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
  if (method !== "eth_getStorageAt" || !isArray(params) || !isHex(word) || !/^0x0+$/.test(word)) return undefined;
  const [address, , block = "latest"] = params;
  return isAddress(address) ? [address, block] : undefined;
}
