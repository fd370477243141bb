import { withinTime } from "../../base/deadline.ts";
import { toQuantity } from "../../base/hex.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Clock } from "../../base/ports.ts";
import { dataFeeFrom, dataFeeQuestions } from "../../evaluate/dataFee.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Asker } from "../../gate/endpointQueue.ts";
import type { Cell } from "../../notebook/cell.ts";
import { resultOf } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/requestIds.ts";
import { maxFactsMs } from "./headTracker.ts";

interface DataFeeHost {
  readonly clock: Clock;
  readonly dispatcher: Asker;
  /** Returns the chain of a cell's requests; `undefined` if it is unknown, or no more requests may be sent. */
  chainOf(cell: Cell): bigint | undefined;
}

/** Reads the layer 1 cost of the data of estimates and simulations on OP Stack chains. */
export class DataFees {
  readonly #host: DataFeeHost;
  readonly #signal: AbortSignal;
  readonly #fees = new Map<EvaluatedRequest, FeeRequest>();
  #wait: Promise<void> | undefined;

  constructor(host: DataFeeHost, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
  }

  /** Called when the requests of a cell are sent. */
  begin(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    for (const request of requests) {
      if (!methods.has(request.method)) continue;
      const questions = dataFeeQuestions(request.method, request.params, this.#host.chainOf(cell));
      if (questions.length === 0) continue;
      const fee: FeeRequest = {
        ended: false,
        fee: undefined,
        read: Promise.all(questions.map((one) => this.#ask(cell, one))).then((answers) => {
          fee.ended = true;
          fee.fee = dataFeeFrom(answers);
        }),
      };
      this.#fees.set(request, fee);
    }
  }
  /** Returns a short wait for missing fees, one for all cells; `undefined` if there is nothing to wait for. */
  due(requests: readonly EvaluatedRequest[]): Promise<void> | undefined {
    if (!requests.some((request) => this.#fees.get(request)?.ended === false)) return undefined;
    const open = [...this.#fees.values()].filter(({ ended }) => !ended).map(({ read }) => read);
    this.#wait ??= withinTime(Promise.all(open), maxFactsMs, this.#host.clock, this.#signal).then(() => {
      this.#wait = undefined;
    });
    return this.#wait;
  }
  /** Returns wei; `undefined` if unknown. */
  of(request: EvaluatedRequest): bigint | undefined {
    return this.#fees.get(request)?.fee;
  }
  async #ask(
    cell: Cell,
    { method, params }: { method: string; params: readonly JsonValue[] },
  ): Promise<JsonValue | undefined> {
    return resultOf(await this.#host.dispatcher.ask(cell, ownRequest(method, params)));
  }
}

interface FeeRequest {
  readonly read: Promise<void>;
  ended: boolean;
  fee: bigint | undefined;
}

const methods: ReadonlySet<string> = new Set(["eth_estimateGas", "eth_simulateV1"]);

/** Returns the fee as JSON. */
export function dataFeeJson(wei: bigint | undefined): { readonly l1DataFeeEstimate?: JsonValue } {
  return wei === undefined ? {} : { l1DataFeeEstimate: toQuantity(wei) };
}
