import { withinTime } from "../../base/deadline.ts";
import { toQuantity } from "../../base/hex.ts";
import type { JsonValue } from "../../base/json.ts";
import { dataFeeFrom, dataFeeQuestions } from "../../evaluate/dataFee.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import { withDataFee } from "../../report/additions.ts";
import { resultOf } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";
import {
  type Addition,
  maxFactsMs,
  type Observation,
  type ObservationContext,
  type ShownAnswer,
} from "./observation.ts";

/** Reads the layer 1 cost of the data of estimates and simulations on OP Stack chains. */
export class DataFees implements Observation<bigint> {
  readonly #context: ObservationContext;
  readonly #fees = new Map<EvaluatedRequest, FeeRequest>();
  #wait: Promise<void> | undefined;

  constructor(context: ObservationContext) {
    this.#context = context;
  }

  concerns(_cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
    return requests.some(({ method }) => methods.has(method));
  }
  sent(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    const endpoint = this.#context.endpointForQuestions(cell, "eth_call", { repeated: true });
    if (!endpoint) return;
    const chainId = this.#context.chainAt(cell, endpoint);
    for (const request of requests) {
      if (!methods.has(request.method)) continue;
      const questions = dataFeeQuestions(request.method, request.params, chainId);
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
  /** Returns a short wait for missing fees, one for all cells. */
  answered(_cell: Cell, requests: readonly EvaluatedRequest[]): Promise<void> | undefined {
    if (!requests.some((request) => this.#fees.get(request)?.ended === false)) return undefined;
    const open = [...this.#fees.values()].filter(({ ended }) => !ended).map(({ read }) => read);
    this.#wait ??= withinTime(Promise.all(open), maxFactsMs, this.#context.clock, this.#context.signal).then(() => {
      this.#wait = undefined;
    });
    return this.#wait;
  }
  /** Returns wei; `undefined` if unknown. */
  of(_cell: Cell, request: EvaluatedRequest): bigint | undefined {
    return this.#fees.get(request)?.fee;
  }
  hidden(wei: bigint): bigint {
    return wei;
  }
  adds(wei: bigint, { outcome }: ShownAnswer): Addition {
    return {
      report: (report) => withDataFee(report, wei),
      json: () => (outcome.kind === "answered" ? { l1DataFeeEstimate: toQuantity(wei) } : {}),
    };
  }
  async #ask(
    cell: Cell,
    { method, params }: { method: string; params: readonly JsonValue[] },
  ): Promise<JsonValue | undefined> {
    return resultOf(await this.#context.asker.ask(cell, ownRequest(method, params)));
  }
}

interface FeeRequest {
  readonly read: Promise<void>;
  ended: boolean;
  fee: bigint | undefined;
}

const methods: ReadonlySet<string> = new Set(["eth_estimateGas", "eth_simulateV1"]);
