import type { Mask } from "../../base/mask.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import { type TracedCallFacts, tracedCallJson, withTracedCall } from "../../report/callTrace.ts";
import { ownRequest } from "../../rpc/wire.ts";
import type { TraceReading } from "../../trace/readTrace.ts";
import { type OpenTracer, tracedMethods } from "../../trace/task.ts";
import type { Answer } from "../cellRun.ts";
import { decodedFirst } from "./maskFound.ts";
import type { Addition, Observation, ObservationContext, ShownAnswer } from "./observation.ts";

/** Calls of one cell that are traced. */
const maxTraced = 20;

/** Reads the calls inside calls, in a run that asks for them. */
export class Traces implements Observation<TracedCallFacts> {
  readonly #context: ObservationContext;
  readonly #openTracer: OpenTracer;
  readonly #traced = new Map<EvaluatedRequest, TracedCallFacts>();

  constructor(context: ObservationContext, openTracer: OpenTracer) {
    this.#context = context;
    this.#openTracer = openTracer;
  }

  concerns(_cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
    return requests.some(({ method }) => tracedMethods.has(method));
  }
  /** Reads those of cells that were asked for, one after the other: each may take many messages. */
  async showing(cell: Cell, answers: readonly Answer[]): Promise<void> {
    const { locator } = this.#context.run;
    if (!locator.steps.some((step) => step.cell === cell && locator.isRequested(step))) return;
    const calls = answers.filter(
      ({ request, outcome }) => tracedMethods.has(request.method) && outcome.kind !== "unreachable",
    );
    for (const { request } of calls.slice(0, maxTraced)) await this.#read(cell, request);
    const why = `Only the first ${maxTraced} calls of a cell are traced.`;
    for (const { request, outcome } of calls.slice(maxTraced))
      this.#traced.set(request, { kind: "failed", host: outcome.exchange.host, why });
  }
  of(_cell: Cell, request: EvaluatedRequest): TracedCallFacts | undefined {
    return this.#traced.get(request);
  }
  hidden(traced: TracedCallFacts, mask: Mask): TracedCallFacts {
    if (mask.isEmpty) return traced;
    const masked = { ...traced, host: mask.text(traced.host) };
    if (!("calls" in masked)) return mask.own(masked);
    const calls = masked.calls.map((call) => mask.value(call, decodedFirst(mask)));
    if (masked.kind === "served") return { ...masked, calls };
    return { ...masked, calls, changes: mask.own([...masked.changes]), hashed: mask.own([...masked.hashed]) };
  }
  adds(traced: TracedCallFacts, { context }: ShownAnswer): Addition {
    return {
      report: (report) => withTracedCall(report, traced, context()),
      json: () => tracedCallJson(traced),
    };
  }

  async #read(cell: Cell, request: EvaluatedRequest): Promise<void> {
    const { asker, run, signal } = this.#context;
    const endpoint = this.#context.endpointOf(cell);
    if (!endpoint || signal.aborted) return;
    const { readTrace } = await import("../../trace/readTrace.ts"); // a run without traces reads nothing of it
    const reading = await readTrace(request, {
      refuses: endpoint.refuses,
      // with a rate, each request counts
      batch: endpoint.rate === undefined ? endpoint.batch : false,
      memory: run.routes.memoryOf(endpoint),
      openTracer: this.#openTracer,
      ask: (questions) =>
        asker.askTogether(
          cell,
          questions.map(({ method, params }) => ownRequest(method, params)),
        ),
      signal,
    });
    this.#traced.set(request, factsOf(reading, endpoint.host));
  }
}

function factsOf(reading: TraceReading, host: string): TracedCallFacts {
  if (reading.kind === "replayed") return replayedFacts(reading, host);
  if (reading.kind !== "computed") return { ...reading, host };
  const { trace, judged, kind, block, isPending, fork, rounds, requests } = reading;
  const calls = trace.calls.map(({ call }) => call);
  return {
    kind,
    host,
    calls,
    changes: trace.changes,
    hashed: trace.hashed,
    block,
    isPending,
    fork,
    equal: judged.equal,
    rounds,
    requests,
  };
}

function replayedFacts(
  { trace, target, kind, block, fork, values, rounds, requests }: Extract<TraceReading, { readonly kind: "replayed" }>,
  host: string,
): TracedCallFacts {
  const { call = {} } = trace.calls[target] ?? {};
  const { changes, hashed } = trace;
  const counts = { transactions: trace.calls.length, values, rounds, requests };
  return { kind, host, calls: [call], changes, hashed, block, fork, ...counts };
}
