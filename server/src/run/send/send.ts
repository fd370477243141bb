import type { Flow } from "../../base/flow.ts";
import { plural } from "../../base/text.ts";
import { grouped } from "../../base/units.ts";
import { isHarmless } from "../../catalog/effects.ts";
import type { MethodSpec } from "../../catalog/spec.ts";
import { itemsOf } from "../../catalog/types.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { EndpointQueue, Group } from "../../gate/endpointQueue.ts";
import type { EndpointQueues } from "../../gate/endpointQueues.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { Answered, Ready } from "../cellRun.ts";
import type { Assumptions } from "../prepare/assumptions.ts";
import { applyFallbacks, hasFallback, methodFallbacks } from "./methodFallbacks.ts";

/**
 * Sends the requests of cells that became ready together: small reads of one endpoint in one batch, all others in messages of
 * their own.
 *
 * @param askBeside - Asks what else has to be known about a cell: in the same batch, before its own requests.
 */
export function send(
  cells: readonly Ready[],
  queues: EndpointQueues,
  assumptions: Assumptions,
  askBeside: (cell: Ready) => void,
): Flow<Answered> {
  const groups = new Map<EndpointQueue, PlainCells>();
  const alone: Promise<Flow<Answered>>[] = [];
  /** Most cells of a large run are of one method, and without directives. */
  let last: { readonly spec: MethodSpec; readonly group: Group<Ready> } | undefined;
  for (const ready of cells) {
    const { cell } = ready.step;
    const only = onlyRequest(ready.requests);
    const isPlain = cell.kind === "request" && cell.directives.size === 0;
    askBeside(ready);
    if (only && isPlain && only.spec !== undefined && only.spec === last?.spec) {
      last.group.add(cell, only, ready);
      continue;
    }
    const queue = queues.of(cell);
    if (cell.directives.has("assume")) alone.push(sendChecked(ready, queue, assumptions));
    else if (only && sharesMessage(cell, only, queue)) {
      const plain = groups.get(queue) ?? { group: queue.group<Ready>(), mayFallBack: false };
      groups.set(queue, plain);
      plain.group.add(cell, only, ready);
      plain.mayFallBack ||= methodFallbacks.has(only.method);
      if (isPlain && only.spec) last = { spec: only.spec, group: plain.group };
    } else alone.push(sendAlone(ready, queue, assumptions));
  }
  const shared = [...groups].flatMap(([queue, { group, mayFallBack }]) => {
    const arrived = group.arrived();
    return (mayFallBack ? withFallbacks(arrived, queue) : arrived).later;
  });
  return { now: [], later: [...shared, ...alone] };
}

/** Cells of one endpoint that are one small read each. */
interface PlainCells {
  readonly group: Group<Ready>;
  /** One of them can be asked in another way. */
  mayFallBack: boolean;
}

/** Replaces refused outcomes by those of fallbacks. The other cells do not wait for these. */
function withFallbacks({ now, later }: Flow<Answered>, queue: EndpointQueue): Flow<Answered> {
  const fine: Answered[] = [];
  const rest = later.map((more) => more.then((flow) => withFallbacks(flow, queue)));
  for (const answered of now) {
    const { ready, outcomes } = answered;
    const { step, requests } = ready;
    if (!outcomes.some(hasFallback) || !methodFallbacks.has(requests[0]?.method)) fine.push(answered);
    else
      rest.push(
        applyFallbacks(queue, step.cell, requests, outcomes).then((replaced) => ({
          now: [{ ready, outcomes: replaced }],
          later: [],
        })),
      );
  }
  return { now: fine, later: rest };
}

/** Returns the request of a cell that has no other, for a batch or a row. */
function onlyRequest(requests: readonly EvaluatedRequest[]): EvaluatedRequest | undefined {
  return requests.length === 1 ? requests[0] : undefined;
}

/** Small reads share a message. Large or slow ones do not, so that small ones need not wait, and writes do not. */
function sharesMessage({ kind }: Cell, { method, spec }: EvaluatedRequest, { routes }: EndpointQueue): boolean {
  return (
    kind === "request" &&
    isHarmless(routes.approvals.effectOf(method)) &&
    (spec === undefined || itemsOf(spec.result) === undefined)
  );
}

async function sendAlone(ready: Ready, queue: EndpointQueue, assumptions: Assumptions): Promise<Flow<Answered>> {
  const { cell } = ready.step;
  return answered(ready, await outcomesOf(cell, ready.requests, queue), assumptions);
}

/** Sends a cell, and before it the questions whether what it assumes reads back: its answer counts only then. */
async function sendChecked(ready: Ready, queue: EndpointQueue, assumptions: Assumptions): Promise<Flow<Answered>> {
  const { step, requests } = ready;
  const only = onlyRequest(ready.requests);
  const refusals = assumptions.readBack(step.cell, requests);
  const sent =
    only && sharesMessage(step.cell, only, queue)
      ? queue.addOne(step.cell, only).then((outcome) => applyFallbacks(queue, step.cell, requests, [outcome]))
      : outcomesOf(step.cell, requests, queue);
  const [refused, outcomes] = await Promise.all([refusals, sent]);
  return answered(ready, refused(outcomes), assumptions);
}

function answered(ready: Ready, outcomes: readonly Outcome[], assumptions: Assumptions): Flow<Answered> {
  assumptions.outdate(ready.step.cell, ready.requests);
  return { now: [{ ready, outcomes }], later: [] };
}

async function outcomesOf(
  cell: Cell,
  requests: readonly EvaluatedRequest[],
  queue: EndpointQueue,
): Promise<readonly Outcome[]> {
  const only = onlyRequest(requests);
  const fallback = cell.kind === "request" ? methodFallbacks.get(only?.method) : undefined;
  if (only && fallback) return [await fallback(queue, cell, only)];
  const idempotent = requests.every(({ method }) => isHarmless(queue.routes.approvals.effectOf(method)));
  const isBatch = cell.kind === "batch";
  const onOutcome = isBatch || only ? undefined : rowProgress(cell, requests, queue);
  // A batch cell is sent as a batch, whatever the endpoint's settings are.
  const go = () => queue.post(requests, () => [cell], { idempotent, asBatch: isBatch, onOutcome });
  // Transactions are sent in the order of the notebook.
  const outcomes = await (idempotent ? go() : queue.writes.run(go));
  return only && !isBatch ? outcomes : applyFallbacks(queue, cell, requests, outcomes);
}

/** Shows the rows that are answered. */
function rowProgress(cell: Cell, requests: readonly EvaluatedRequest[], { progress }: EndpointQueue) {
  const outcomes = new Map<number, Outcome>();
  const soFar = () =>
    requests.flatMap((request, at) => {
      const outcome = outcomes.get(at);
      return outcome ? [{ request, outcome }] : [];
    });
  return (at: number, outcome: Outcome): void => {
    outcomes.set(at, outcome);
    progress.onPart(cell, { text: `${grouped(outcomes.size)} of ${plural(requests.length, "row")}`, soFar });
  };
}
