import { toQuantity } from "../base/hex.ts";
import type { Cell } from "../notebook/cell.ts";
import { explain } from "../rpc/explain.ts";
import { type AskAll, blockFacts, findBlock, findHead } from "../rpc/head.ts";
import { type Outcome, resultOf, seemsUnserved } from "../rpc/outcome.ts";
import { ownRequest } from "../rpc/requestIds.ts";
import type { BackgroundClient } from "./backgroundClient.ts";
import { type EndpointQueue, enqueueOne } from "./endpointQueue.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** Returns the number of the block that a tag names, read once in a run: all cells count from the same block. */
export function headOnce(queue: EndpointQueue, cell: Cell, tag: string): Promise<bigint | UnsentReason> {
  const head = queue.heads.get(tag) ?? headNow(queue, cell, tag);
  queue.heads.set(tag, head);
  return head;
}

/** Returns the number of the block that a tag names now. */
export async function headNow(queue: EndpointQueue, cell: Cell, tag: string): Promise<bigint | UnsentReason> {
  const { endpoint } = queue.resolved;
  const memory = queue.host.memoryOf(endpoint);
  const ask = askerOf(queue, cell);
  const { facts, outcome } = await (tag === "latest" ? findHead(ask, memory) : findBlock(ask, memory, tag));
  if (facts && tag === "latest") queue.host.onHead(endpoint, facts.number);
  if (facts) return facts.number;
  if (outcome && outcome.kind !== "answered" && !seemsUnserved(outcome))
    return { kind: "unknown-head", tag, because: explain(outcome, "eth_blockNumber") };
  const why = outcome?.kind === "answered" ? "sent no number" : "has no method that returns its number";
  return {
    kind: "unknown-head",
    tag,
    because: { what: `${endpoint.host} ${why}.`, todo: "Write the number of the block." },
  };
}

/** Returns `undefined` if the endpoint has no such block, or does not send its hash. */
export async function hashAt(queue: EndpointQueue, cell: Cell, block: bigint): Promise<string | undefined> {
  const memory = queue.host.memoryOf(queue.resolved.endpoint);
  const { facts } = await findBlock(askerOf(queue, cell), memory, toQuantity(block));
  return facts?.number === block ? facts.hash : undefined;
}

function askerOf(queue: EndpointQueue, cell: Cell): AskAll {
  return (questions) =>
    Promise.all(questions.map(({ method, params }) => enqueueOne(queue, cell, ownRequest(method, params))));
}

/**
 * Returns the number of the newest block from the outcome of the question for it. If the endpoint does not serve that
 * method, asks others once, and remembers which one works.
 */
export async function headFrom(
  outcome: Outcome | undefined,
  client: BackgroundClient,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const facts = blockFacts(resultOf(outcome));
  if (facts || !seemsUnserved(outcome)) return facts?.number;
  return (await findHead((questions) => client.ask(questions, signal), client.memory)).facts?.number;
}
