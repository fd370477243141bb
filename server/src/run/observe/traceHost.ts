import { hash64 } from "../../base/hash.ts";
import type { Mask } from "../../base/mask.ts";
import type { Cache } from "../../base/ports.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { TracedCallFacts } from "../../report/tracedCall.ts";
import type { AskAll, BlockQuestion } from "../../rpc/head.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";
import type { TraceHost, TraceReading } from "../../trace/readTrace.ts";
import type { OpenTracer } from "../../trace/task.ts";
import { decodedFirst } from "./maskFound.ts";
import type { ObservationContext } from "./observation.ts";
import { contradictionWith } from "./servedTrace.ts";

/** What computes the calls inside calls, in a run that asks for them. */
export interface Tracing {
  readonly openTracer: OpenTracer;
  /** Keeps which state calls needed. */
  readonly keys: Cache | undefined;
  /** Called with why a cell is not ready yet. */
  waiting(cell: Cell, why: string): void;
}

/** Returns what a trace of a cell is read with. */
export function traceHost(
  { asker, run, signal }: ObservationContext,
  { openTracer, keys, waiting }: Tracing,
  cell: Cell,
  endpoint: Endpoint,
): TraceHost {
  return {
    refuses: endpoint.refuses,
    // with a rate, each request counts
    batch: endpoint.rate === undefined ? endpoint.batch : false,
    memory: run.routes.memoryOf(endpoint),
    kept: keys && keptBy(keys, `trace-keys-${hash64(endpoint.host)}`, run.support.mask),
    openTracer,
    ask: (questions) =>
      askUntilKnown(questions, (some) =>
        asker.askTogether(
          cell,
          some.map(({ method, params }) => ownRequest(method, params)),
        ),
      ),
    progress: (text) => waiting(cell, text),
    signal,
  };
}

/** An address can be a secret: then nothing is kept. */
function keptBy(keys: Cache, name: string, mask: Mask): TraceHost["kept"] {
  return {
    read: () => keys.read(name),
    write: async (text) => (mask.text(text) === text ? keys.write(name, text) : undefined),
  };
}

/** Times that is asked again for a block which the endpoint has shown: the nodes behind it may not be equally far. */
const maxAgain = 2;

/** Asks again for what is only missing at the node that answered. */
async function askUntilKnown(questions: readonly BlockQuestion[], ask: AskAll): Promise<readonly Outcome[]> {
  const outcomes = [...(await ask(questions))];
  for (let again = 0; again < maxAgain; again++) {
    const open = questions.flatMap(({ method }, at) => (isUnknownBlock(method, outcomes[at]) ? [at] : []));
    if (open.length === 0) break;
    const found = await ask(open.flatMap((at) => questions[at] ?? []));
    for (const [place, at] of open.entries()) outcomes.splice(at, 1, ...found.slice(place, place + 1));
  }
  return outcomes;
}

function isUnknownBlock(method: string, outcome: Outcome | undefined): boolean {
  if (outcome?.kind === "refused") return outcome.reason === "unknown-block";
  return /^eth_getBlock(?:ByNumber|Receipts)$/.test(method) && resultOf(outcome) === null;
}

/** Returns what is shown of a trace. */
export function tracedFacts(reading: TraceReading, host: string): TracedCallFacts {
  if (reading.kind === "served") {
    const { receipt, ...served } = reading;
    const [call] = served.calls;
    return { ...served, host, lacksReceipt: receipt === null, contradiction: call && contradictionWith(receipt, call) };
  }
  if (reading.kind !== "computed" && reading.kind !== "replayed") return { ...reading, host };
  const { trace, block, fork, rounds, requests, unusable } = reading;
  const { changes, hashed, codes } = trace;
  const computed = { host, block, fork, changes, hashed, codes, rounds, requests, unusable };
  if (reading.kind === "computed") {
    const { kind, isPending, judged } = reading;
    const reads = trace.calls.flatMap((one) => one.reads);
    return { ...computed, kind, calls: trace.calls.map(({ call }) => call), reads, isPending, equal: judged.equal };
  }
  const { kind, target, values, isReadTwice } = reading;
  const { call = {}, reads = [] } = trace.calls[target] ?? {};
  return { ...computed, kind, calls: [call], reads, transactions: trace.calls.length, values, isReadTwice };
}

/** Hides values of the host in it. */
export function maskedTrace(traced: TracedCallFacts, mask: Mask): TracedCallFacts {
  if (mask.isEmpty) return traced;
  const masked = { ...traced, host: mask.text(traced.host) };
  if (!("calls" in masked)) return mask.own(masked);
  const calls = masked.calls.map((call) => mask.value(call, decodedFirst(mask)));
  if (masked.kind === "served") return { ...masked, calls };
  const [changes, hashed, reads] = [masked.changes, masked.hashed, masked.reads];
  return {
    ...masked,
    calls,
    changes: mask.own([...changes]),
    hashed: mask.own([...hashed]),
    reads: mask.own([...reads]),
  };
}
