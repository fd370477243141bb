import { isObject } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import { tracedCallJson, withTracedCall } from "../../report/callTrace.ts";
import { caseMethods } from "../../report/caseFacts.ts";
import type { TracedCallFacts } from "../../report/tracedCall.ts";
import { isRefusedForGood, resultOf } from "../../rpc/outcome.ts";
import { minedMethods, tracedMethods } from "../../trace/task.ts";
import type { Answer } from "../cellRun.ts";
import { askedHash } from "../send/receiptsOneByOne.ts";
import type { Addition, Observation, ObservationContext, ShownAnswer } from "./observation.ts";
import { maskedTrace, type Tracing, tracedFacts, traceHost } from "./traceHost.ts";

/** Calls and transactions of one cell that are traced. For a transaction, its block is read. */
const maxTraced = 20;
const maxMined = 3;

/** Reads the calls inside calls, in a run that asks for them. */
export class Traces implements Observation<TracedCallFacts> {
  readonly #context: ObservationContext;
  readonly #tracing: Tracing;
  readonly #traced = new Map<EvaluatedRequest, TracedCallFacts>();

  constructor(context: ObservationContext, tracing: Tracing) {
    this.#context = context;
    this.#tracing = tracing;
  }

  /** Cases read the calls inside their transactions themselves. */
  concerns(cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
    const isTraceable = ({ method }: EvaluatedRequest): boolean =>
      tracedMethods.has(method) || minedMethods.has(method);
    return !cell.directives.has("explain") && requests.some(isTraceable);
  }
  /** Reads those of cells that were asked for, one after the other: each may take many messages. */
  async showing(cell: Cell, answers: readonly Answer[]): Promise<void> {
    const { locator } = this.#context.run;
    if (!locator.steps.some((step) => step.cell === cell && locator.isRequested(step))) return;
    const traced = answers.filter(isTraced);
    const calls = traced.filter(({ request }) => tracedMethods.has(request.method));
    const mined = traced.filter(({ request }) => minedMethods.has(request.method));
    await this.#readFirst(cell, calls, maxTraced, "calls");
    await this.#readFirst(cell, mined, maxMined, "transactions");
  }
  of(_cell: Cell, request: EvaluatedRequest): TracedCallFacts | undefined {
    return this.#traced.get(request);
  }
  hidden(traced: TracedCallFacts, mask: Mask): TracedCallFacts {
    return maskedTrace(traced, mask);
  }
  adds(traced: TracedCallFacts, { context }: ShownAnswer): Addition {
    return {
      report: (report) => withTracedCall(report, traced, context()),
      json: () => tracedCallJson(traced),
    };
  }

  async #readFirst(cell: Cell, answers: readonly Answer[], most: number, what: string): Promise<void> {
    for (const answer of answers.slice(0, most)) await this.#read(cell, answer);
    const why = `Only the first ${most} ${what} of a cell are traced.`;
    for (const { request, outcome } of answers.slice(most))
      this.#traced.set(request, { kind: "failed", host: outcome.exchange.host, why });
  }
  async #read(cell: Cell, { request, outcome }: Answer): Promise<void> {
    const endpoint = this.#context.endpointOf(cell);
    if (!endpoint || this.#context.signal.aborted) return;
    const host = traceHost(this.#context, this.#tracing, cell, endpoint);
    const hash = minedMethods.has(request.method) ? askedHash(request.params) : undefined;
    // a run without traces reads nothing of them
    const { addedGas } = await import("../../trace/askedCalls.ts");
    const known = resultOf(outcome);
    const reading =
      hash === undefined
        ? await (await import("../../trace/readTrace.ts")).readTrace(request, host)
        : await (await import("../../trace/readMined.ts")).readMined(
            { hash, known: known === undefined ? [] : [known] },
            host,
          );
    const facts = tracedFacts(reading, endpoint.host);
    const hasCalls = facts.kind === "served" || facts.kind === "computed";
    this.#traced.set(request, hasCalls ? { ...facts, addedGas: addedGas(request.method, request.params) } : facts);
  }
}

/** Whether the calls inside are looked for: also those of a trace that is not served. */
function isTraced({ request: { method, params }, outcome }: Answer): boolean {
  if (outcome.kind === "unreachable") return false;
  if (tracedMethods.has(method)) return true;
  if (!minedMethods.has(method) || askedHash(params) === undefined) return false;
  return method === caseMethods.trace ? isRefusedForGood(outcome) : isObject(resultOf(outcome));
}
