import { quantity, toQuantity } from "../base/hex.ts";
import { isObject } from "../base/json.ts";
import type { Cell } from "../notebook/cell.ts";
import { explain } from "../rpc/explain.ts";
import type { NotSent } from "./notSent.ts";
import { join, type Lane } from "./parcels.ts";

/** Numbers of the blocks that tags name, each asked for once in a run. */
export async function headsAt(
  lane: Lane,
  cell: Cell,
  tags: readonly string[],
): Promise<ReadonlyMap<string, bigint> | NotSent> {
  const heads = new Map<string, bigint>();
  for (const tag of tags) {
    const asked = lane.heads.get(tag) ?? headAt(lane, cell, tag);
    lane.heads.set(tag, asked);
  }
  for (const tag of tags) {
    const head = await lane.heads.get(tag);
    if (typeof head === "object") return head;
    if (head !== undefined) heads.set(tag, head);
  }
  return heads;
}

/** The number of the block that a tag names now. */
export async function headAt(lane: Lane, cell: Cell, tag: string): Promise<bigint | NotSent> {
  const id = 1_000_000_000 + lane.heads.size; // beyond the ids of cells, so that it may share a batch with them
  const [method, params] =
    tag === "latest" ? ["eth_blockNumber", "[]"] : ["eth_getBlockByNumber", `[${JSON.stringify(tag)},false]`];
  const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
  const outcome = await join(lane, cell, { text, id, method });
  if (outcome.kind !== "answered") return { kind: "unknown-head", tag, because: explain(outcome, method) };
  const { value } = outcome.result;
  const number = isObject(value) ? value.number : value;
  const head = typeof number === "string" && number.length > 18 ? undefined : quantity(number);
  if (tag === "latest" && head !== undefined) lane.host.sawHead(lane.resolved.endpoint, head);
  const because = { what: `${outcome.exchange.host} sent no number.`, todo: "Write the number of the block." };
  return head ?? { kind: "unknown-head", tag, because };
}

/** `undefined` where the endpoint has no such block, or does not tell. */
export async function hashAt(lane: Lane, cell: Cell, block: bigint): Promise<string | undefined> {
  const [id, method] = [2_000_000_000, "eth_getBlockByNumber"]; // beyond the ids of cells, as those of heads
  const text = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":["${toQuantity(block)}",false]}`;
  const outcome = await join(lane, cell, { text, id, method });
  const found = outcome.kind === "answered" ? outcome.result.value : undefined;
  return isObject(found) && typeof found.hash === "string" ? found.hash : undefined;
}
