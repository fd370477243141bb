import type { Clock } from "../../base/ports.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Asker } from "../../gate/endpointQueue.ts";
import type { Cell } from "../../notebook/cell.ts";
import { isExplained } from "../../notebook/explained.ts";
import type { CasePlace } from "../../report/caseFacts.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { EndpointMemory } from "../../rpc/send.ts";
import { askedHash } from "../send/receipts.ts";
import { type CaseHost, CaseReader } from "./caseReader.ts";

interface CasesHost {
  readonly clock: Clock;
  readonly dispatcher: Asker;
  endpointOf(cell: Cell): Endpoint | undefined;
  memoryOf(endpoint: Endpoint): EndpointMemory;
  /** Returns what is known about an endpoint of a cell. */
  placeOf(cell: Cell, endpoint: Endpoint): CasePlace;
}

interface CompleteCase {
  readonly reader: CaseReader;
  readonly outcome: Outcome;
  readonly done: Promise<void>;
}

/** Reads the cases of the transactions that cells ask about with `explain`. */
export class Cases {
  readonly #host: CasesHost;
  readonly #signal: AbortSignal;
  readonly #readers = new Map<EvaluatedRequest, CaseReader>();
  /** Those whose own request was answered. */
  readonly #complete = new Map<EvaluatedRequest, CompleteCase>();

  constructor(host: CasesHost, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
  }

  /** Called when the requests of a cell are sent. */
  begin(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    if (!cell.directives.has("explain")) return;
    const endpoint = this.#host.endpointOf(cell);
    for (const [at, request] of requests.entries()) {
      const node = cell.requests[at];
      const hash = askedHash(request.params);
      if (!endpoint || !node || !isExplained(node) || hash === undefined) continue;
      const reader = new CaseReader(hash, this.#caseHost(cell, endpoint));
      this.#readers.set(request, reader);
      this.#complete.delete(request);
      reader.begin(request.method);
    }
  }
  /** Returns the wait for the cases of a cell whose requests are answered; `undefined` if it has none. */
  due(requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<unknown> | undefined {
    if (this.#readers.size === 0) return undefined;
    const reading = requests.flatMap((request, at) => {
      const [reader, outcome] = [this.#readers.get(request), outcomes[at]];
      if (!reader || outcome?.kind !== "answered") return [];
      const known = this.#complete.get(request);
      if (known?.outcome === outcome) return [known.done];
      const done = reader.complete(request, outcome);
      this.#complete.set(request, { reader, outcome, done });
      return [done];
    });
    return reading.length === 0 ? undefined : Promise.all(reading);
  }
  /** Returns `undefined` for other requests. */
  of(request: EvaluatedRequest): CaseReader | undefined {
    return this.#complete.get(request)?.reader;
  }

  #caseHost(cell: Cell, endpoint: Endpoint): CaseHost {
    const { clock, dispatcher, memoryOf, placeOf } = this.#host;
    return {
      clock,
      memory: memoryOf(endpoint),
      place: () => placeOf(cell, endpoint),
      isSparing: endpoint.rate !== undefined,
      refuses: (method) => endpoint.refuses.includes(method),
      ask: (requests) => dispatcher.askTogether(cell, requests),
      signal: this.#signal,
    };
  }
}
