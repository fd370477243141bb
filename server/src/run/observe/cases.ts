import type { JsonObject } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { EndpointClient } from "../../gate/backgroundClient.ts";
import { type Cell, isExplained } from "../../notebook/cell.ts";
import { tracedCallJson } from "../../report/callTrace.ts";
import type { CaseFacts, CasePlace } from "../../report/caseFacts.ts";
import { caseJson } from "../../report/caseJson.ts";
import type { ViewContext } from "../../report/view.ts";
import { cadenceOf } from "../../rpc/cadence.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";
import type { Answer } from "../cellRun.ts";
import { askedHash } from "../send/receiptsOneByOne.ts";
import { type CaseHost, CaseReader } from "./caseReader.ts";
import { maskedFacts } from "./maskFound.ts";
import type { Addition, Observation, ObservationContext, ShownAnswer } from "./observation.ts";
import { maskedTrace, type Tracing, tracedFacts, traceHost } from "./traceHost.ts";

interface CompleteCase {
  readonly reader: CaseReader;
  readonly outcome: Outcome;
  readonly done: Promise<void>;
}

/** Reads the cases of the transactions that cells ask about with `explain`. */
export class Cases implements Observation<CaseFacts> {
  readonly #context: ObservationContext;
  readonly #tracing: Tracing | undefined;
  readonly #readers = new Map<EvaluatedRequest, CaseReader>();
  /** Those whose own request was answered. */
  readonly #complete = new Map<EvaluatedRequest, CompleteCase>();

  /** @param tracing - If the calls inside are asked for, also where they have to be computed. */
  constructor(context: ObservationContext, tracing: Tracing | undefined) {
    this.#context = context;
    this.#tracing = tracing;
  }

  concerns(cell: Cell): boolean {
    return cell.directives.has("explain");
  }
  sent(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    const endpoint = this.#context.endpointOf(cell);
    const { openTracer } = this.#context.run.support;
    for (const [at, request] of requests.entries()) {
      const node = cell.requests[at];
      const hash = askedHash(request.params);
      if (!endpoint || !node || !isExplained(node) || hash === undefined) continue;
      const reader = new CaseReader(
        hash,
        this.#caseHost(cell, endpoint),
        this.#context.clock,
        openTracer !== undefined,
      );
      this.#readers.set(request, reader);
      this.#complete.delete(request);
      reader.begin(request.method);
    }
  }
  answered(
    _cell: Cell,
    requests: readonly EvaluatedRequest[],
    outcomes: readonly Outcome[],
  ): Promise<unknown> | undefined {
    if (this.#readers.size === 0) return undefined;
    for (const [at, request] of requests.entries()) {
      const [reader, outcome] = [this.#readers.get(request), outcomes[at]];
      if (!reader || outcome?.kind !== "answered" || this.#complete.get(request)?.outcome === outcome) continue;
      this.#complete.set(request, { reader, outcome, done: reader.complete(request, outcome) });
    }
    return this.done(requests);
  }
  /** Returns the wait for the cases of requests that were answered; `undefined` if there are none. */
  done(requests: readonly EvaluatedRequest[]): Promise<unknown> | undefined {
    if (this.#complete.size === 0) return undefined;
    const reading = requests.flatMap((request) => this.#complete.get(request)?.done ?? []);
    return reading.length === 0 ? undefined : Promise.all(reading);
  }
  /** Returns what reads the case of a request. */
  readerOf(request: EvaluatedRequest): CaseReader | undefined {
    return this.#complete.get(request)?.reader;
  }
  /** Adds the answers that the cases of transactions are made of. */
  withAnswers(answers: readonly Answer[]): readonly Answer[] {
    if (this.#complete.size === 0) return answers;
    return answers.flatMap((answer) => [
      answer,
      ...(this.readerOf(answer.request)?.answers ?? []).map((one) => ({ ...one, scope: answer.scope })),
    ]);
  }
  of(_cell: Cell, request: EvaluatedRequest): CaseFacts | undefined {
    return this.readerOf(request)?.facts;
  }
  hidden(facts: CaseFacts, mask: Mask): CaseFacts {
    const { traced } = facts;
    return { ...maskedFacts(facts, mask), traced: traced && maskedTrace(traced, mask) };
  }
  adds(facts: CaseFacts, { outcome, context }: ShownAnswer): Addition {
    return {
      given: { case: facts },
      json: () => (outcome.kind === "answered" ? jsonOf(facts, context()) : {}),
    };
  }
  /** Returns what is known about an endpoint of a cell. */
  placeOf(cell: Cell, endpoint: Endpoint): CasePlace {
    const { routes, support } = this.#context.run;
    const chainId = this.#context.chainAt(cell, endpoint);
    const { kind, blockMs } = cadenceOf({ ...endpoint, chainId }, routes.memoryOf(endpoint), support.clock.date());
    const others = routes.names.filter((name) => name !== endpoint.name);
    return { endpoint: endpoint.name, host: endpoint.host, chainId, others, kind, blockMs };
  }

  #caseHost(cell: Cell, endpoint: Endpoint): CaseHost {
    const { asker, run, signal } = this.#context;
    const ask: EndpointClient["ask"] = (questions) =>
      asker.askTogether(
        cell,
        questions.map(({ method, params }) => ownRequest(method, params)),
      );
    return {
      client: { endpoint, memory: run.routes.memoryOf(endpoint), ask },
      place: () => this.placeOf(cell, endpoint),
      replay: this.#replayOf(cell, endpoint),
      givenMs: run.routes.givenMs,
      signal,
    };
  }
  #replayOf(cell: Cell, endpoint: Endpoint): CaseHost["replay"] {
    const { locator } = this.#context.run;
    const tracing = this.#tracing;
    if (!tracing || !locator.steps.some((step) => step.cell === cell && locator.isRequested(step))) return undefined;
    return async (hash, known) => {
      const { readMined } = await import("../../trace/readMined.ts"); // a run without traces reads nothing of it
      const host = traceHost(this.#context, tracing, cell, endpoint);
      return tracedFacts(await readMined({ hash, known }, host), endpoint.host);
    };
  }
}

function jsonOf(facts: CaseFacts, context: ViewContext): JsonObject {
  const { traced } = facts;
  return { case: caseJson(facts, { ...context, params: null }), ...(traced && tracedCallJson(traced)) };
}
