import { type Flow, Inflow } from "../../base/flow.ts";
import { isHarmless } from "../../catalog/effects.ts";
import { itemsOf } from "../../catalog/types.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import {
  type EndpointQueue,
  enqueue,
  enqueueOne,
  type OutcomeReceiver,
  optionsFor,
  post,
} from "../../gate/endpointQueue.ts";
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
 * @param beside - Asks what else has to be known about a cell: in the same batch, before its own requests.
 */
export function send(
  cells: readonly Ready[],
  queues: EndpointQueues,
  assumptions: Assumptions,
  beside: (cell: Ready) => void,
): Flow<Answered> {
  const batch = new Batch(queues);
  const alone: Promise<Flow<Answered>>[] = [];
  for (const ready of cells) {
    const { cell } = ready.step;
    const queue = queues.of(cell);
    const [only] = ready.requests;
    beside(ready);
    if (cell.directives.has("assume")) alone.push(sendChecked(ready, queue, assumptions));
    else if (only && sharesMessage(cell, only, queue)) batch.queue(queue, ready, only);
    else alone.push(sendAlone(ready, queue, assumptions));
  }
  const { now, later } = batch.flow();
  return { now, later: [...later, ...alone] };
}

/** Cells that are one small read each. */
class Batch implements OutcomeReceiver {
  readonly #queues: EndpointQueues;
  readonly #cells: Ready[] = [];
  readonly #answered = new Inflow<Answered>();

  constructor(queues: EndpointQueues) {
    this.#queues = queues;
  }

  queue(queue: EndpointQueue, ready: Ready, request: EvaluatedRequest): void {
    enqueue(queue, { cell: ready.step.cell, request, receiver: this, at: this.#cells.length });
    this.#cells.push(ready);
  }
  flow(): Flow<Answered> {
    return this.#answered.expect(this.#cells.length);
  }
  add(at: number, outcome: Outcome): void {
    const ready = this.#cells[at];
    const [request] = ready?.requests ?? [];
    if (!ready || !request) return;
    if (methodFallbacks.has(request.method) && hasFallback(outcome)) this.#fallBack(ready, outcome);
    else this.#answered.add({ ready, outcomes: [outcome] });
  }
  fail(bug: unknown): void {
    this.#answered.fail(bug);
  }

  #fallBack(ready: Ready, outcome: Outcome): void {
    const { cell } = ready.step;
    applyFallbacks(this.#queues.of(cell), cell, ready.requests, [outcome])
      .then((outcomes) => this.#answered.add({ ready, outcomes }))
      .catch((bug: unknown) => this.fail(bug));
  }
}

/** Small reads share a message. Large or slow ones do not, so that small ones need not wait, and writes do not. */
function sharesMessage({ kind }: Cell, { method, spec }: EvaluatedRequest, { host }: EndpointQueue): boolean {
  return (
    kind === "request" &&
    isHarmless(host.approvals.effectOf(method)) &&
    (spec === undefined || itemsOf(spec.result) === undefined)
  );
}

async function sendAlone(ready: Ready, queue: EndpointQueue, assumptions: Assumptions): Promise<Flow<Answered>> {
  const { step, requests } = ready;
  const outcomes = await outcomesOf(step.cell, requests, queue);
  assumptions.outdate(step.cell, requests);
  return { now: [{ ready, outcomes }], later: [] };
}

/** Sends a cell, and with it the questions whether what it assumes reads back: its answer counts only then. */
async function sendChecked(ready: Ready, queue: EndpointQueue, assumptions: Assumptions): Promise<Flow<Answered>> {
  const { step, requests } = ready;
  const [only] = requests;
  const refusals = assumptions.readBack(step.cell, requests);
  const sent =
    only && sharesMessage(step.cell, only, queue)
      ? enqueueOne(queue, step.cell, only).then((outcome) => applyFallbacks(queue, step.cell, requests, [outcome]))
      : outcomesOf(step.cell, requests, queue);
  const outcomes = (await refusals)(await sent);
  assumptions.outdate(step.cell, requests);
  return { now: [{ ready, outcomes }], later: [] };
}

async function outcomesOf(
  cell: Cell,
  requests: readonly EvaluatedRequest[],
  queue: EndpointQueue,
): Promise<readonly Outcome[]> {
  const [only] = requests;
  const fallback = cell.kind === "request" ? methodFallbacks.get(only?.method) : undefined;
  if (only && fallback) return [await fallback(queue, cell, only)];
  const idempotent = requests.every(({ method }) => isHarmless(queue.host.approvals.effectOf(method)));
  // A batch cell is sent as a batch, whatever the endpoint's settings are.
  const options = optionsFor(queue, idempotent, () => [cell], cell.kind === "batch");
  const go = () => post(queue, requests, options);
  // Transactions are sent in the order of the notebook.
  const outcomes = await (idempotent ? go() : queue.writes.run(go));
  return cell.kind === "batch" ? applyFallbacks(queue, cell, requests, outcomes) : outcomes;
}
