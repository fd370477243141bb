import { toQuantity } from "../base/hex.ts";
import type { Cell } from "../notebook/cell.ts";
import { explain } from "../rpc/explain.ts";
import { findBlock, findHead, seemsUnserved } from "../rpc/head.ts";
import { ownRequest } from "../rpc/requestIds.ts";
import { type EndpointQueue, enqueueOne } from "./endpointQueue.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** Returns the numbers of the blocks that tags name, each read once in a run. */
export async function headsAt(
  queue: EndpointQueue,
  cell: Cell,
  tags: readonly string[],
): Promise<ReadonlyMap<string, bigint> | UnsentReason> {
  const heads = new Map<string, bigint>();
  for (const tag of tags) {
    const number = queue.heads.get(tag) ?? headAt(queue, cell, tag);
    queue.heads.set(tag, number);
  }
  for (const tag of tags) {
    const head = await queue.heads.get(tag);
    if (typeof head === "object") return head;
    if (head !== undefined) heads.set(tag, head);
  }
  return heads;
}

/** Returns the number of the block that a tag names now. */
export async function headAt(queue: EndpointQueue, cell: Cell, tag: string): Promise<bigint | UnsentReason> {
  const ask = askerFor(queue, cell);
  const { endpoint } = queue.resolved;
  const memory = queue.host.memoryOf(endpoint);
  const { facts, outcome } = await (tag === "latest" ? findHead(ask, memory) : findBlock(ask, memory, tag));
  if (facts && tag === "latest") queue.host.onHead(endpoint, facts.number);
  if (facts) return facts.number;
  if (outcome && outcome.kind !== "answered" && !seemsUnserved(outcome))
    return { kind: "unknown-head", tag, because: explain(outcome, "eth_blockNumber") };
  const why = outcome?.kind === "answered" ? "sent no number" : "has no method that returns its number";
  return { kind: "unknown-head", tag, because: { what: `${endpoint.host} ${why}.`, todo: instead } };
}

const instead = "Write the number of the block.";

/** Returns `undefined` if the endpoint has no such block, or does not send its hash. */
export async function hashAt(queue: EndpointQueue, cell: Cell, block: bigint): Promise<string | undefined> {
  const memory = queue.host.memoryOf(queue.resolved.endpoint);
  const { facts } = await findBlock(askerFor(queue, cell), memory, toQuantity(block));
  return facts?.number === block ? facts.hash : undefined;
}

function askerFor(queue: EndpointQueue, cell: Cell): Parameters<typeof findHead>[0] {
  return (questions) =>
    Promise.all(questions.map(({ method, params }) => enqueueOne(queue, cell, ownRequest(method, params))));
}
