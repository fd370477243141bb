import { ask } from "./anvil.ts";
import type { Chain } from "./chain.ts";
import { elements, members, parse } from "./json.ts";
import type { NodePlay, Play } from "./play.ts";
import { type Call, failure, ok, type Reply, resultOf } from "./wire.ts";

/** Where the block parameter is, in methods that take `latest` if it is left out. */
const places: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  eth_simulateV1: 1,
};

/** Positions of parameters that can be a block. */
const givenPlaces: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getTransactionByBlockNumberAndIndex: 0,
  eth_feeHistory: 1,
  debug_traceBlockByNumber: 0,
  debug_traceCall: 1,
  trace_block: 0,
};

const filters: ReadonlySet<string> = new Set(["eth_getLogs", "eth_newFilter"]);

/** A number that no chain reaches: the node answers as for any block that it does not have. */
const unknownBlock = '"0xffffffffffff"';

/**
 * Writes block tags as the play reads them: `pending` as another block, and every tag as the chosen node knows it.
 *
 * @returns The call, or the refusal of `pending`.
 */
export async function placed(call: Call, chain: Chain): Promise<Call | Reply> {
  const { play } = chain.player;
  const node = nodeOf(chain);
  const special = play.pendingBehind > 0 || play.pending === "alias" || play.pending === "refused";
  if (!special && !isOther(node)) return call;
  if (asksPending(call) && play.pending === "refused") return failure(-32000, "pending block is not available");
  const chainHead = Number(await ask(chain.anvil, "eth_blockNumber"));
  const head = Math.max(0, chainHead - node.behind);
  if (call.method === "eth_blockNumber") return ok(quoted(head));
  const block = (raw: string, isEnd = false): string => blockAt(raw, { play, node, head, isEnd });
  if (filters.has(call.method)) return inFilter(call, block);
  const place = placeOf(call.method);
  if (place === undefined) return call;
  const params = elements(call.rawParams ?? "[]");
  const given = params[place];
  if (given !== undefined) return withParams(call, params.with(place, block(given)));
  // an earlier parameter is missing: the node reports it
  if (places[call.method] === undefined || params.length < place) return call;
  return withParams(call, [...params, block('"latest"')]);
}

/** Hides from the answer what the chosen node does not have yet. */
export async function seenBy(call: Call, reply: Reply, chain: Chain): Promise<Reply> {
  const node = nodeOf(chain);
  const found =
    node.behind > 0 && /(ByHash|Receipt|Sync)$/.test(call.method) ? parse(resultOf(reply) ?? "") : undefined;
  if (typeof found !== "object" || found === null) return reply;
  const { number, blockNumber = number } = found as Readonly<Record<string, unknown>>;
  const head = Number(await ask(chain.anvil, "eth_blockNumber")) - node.behind;
  return Number(blockNumber) > head ? ok("null") : reply;
}

/** The chain with the node that the next request goes to. */
export function atNextNode(chain: Chain, turn: number): Chain {
  const { nodes } = chain.player.play;
  const node = nodes[turn % nodes.length];
  return node ? { ...chain, node } : chain;
}

function nodeOf({ node, player }: Chain): NodePlay {
  return node ?? player.play.nodes[0] ?? { behind: 0 };
}

function isOther({ behind, finalizedBehind }: NodePlay): boolean {
  return behind > 0 || finalizedBehind !== undefined;
}

interface View {
  readonly play: Play;
  readonly node: NodePlay;
  /** The node's own. */
  readonly head: number;
  readonly isEnd: boolean;
}

/** The block parameter in the words of anvil, which knows one head and no distance. */
function blockAt(raw: string, view: View): string {
  const { play, node, head, isEnd } = view;
  const back = (blocks: number): string => quoted(Math.max(0, head - blocks));
  const latest = node.behind > 0 ? back(0) : '"latest"';
  switch (raw) {
    case '"pending"':
      if (play.pendingBehind > 0) return back(play.pendingBehind);
      return play.pending === "alias" || node.behind > 0 ? latest : raw;
    case '"latest"':
    case "null":
      return latest;
    case '"safe"':
      return isOther(node) ? back(Math.min(1, node.finalizedBehind ?? 1)) : raw;
    case '"finalized"':
      return isOther(node) ? back(node.finalizedBehind ?? 2) : raw;
    default:
      if (node.behind === 0 || !/^"0x[0-9a-fA-F]{1,16}"$/.test(raw) || Number(parse(raw)) <= head) return raw;
      return isEnd ? back(0) : unknownBlock;
  }
}

function inFilter(call: Call, block: (raw: string, isEnd: boolean) => string): Call {
  const [filter, ...others] = elements(call.rawParams ?? "[]");
  if (!filter?.startsWith("{")) return call;
  const given = members(filter);
  const has = (wanted: string): boolean => given.some(({ name }) => name === wanted);
  const ends = has("blockHash") ? [] : ["fromBlock", "toBlock"].filter((name) => !has(name));
  const all = [...given, ...ends.map((name) => ({ name, raw: '"latest"' }))].map(({ name, raw }) => {
    const placedRaw = name === "fromBlock" || name === "toBlock" ? block(raw, name === "toBlock") : raw;
    return `${JSON.stringify(name)}:${placedRaw}`;
  });
  return withParams(call, [`{${all.join()}}`, ...others]);
}

function asksPending({ method, params }: Call): boolean {
  const place = placeOf(method);
  if (place !== undefined) return params[place] === "pending";
  const { fromBlock, toBlock } = Object(filters.has(method) ? params[0] : undefined) as Readonly<
    Record<string, unknown>
  >;
  return fromBlock === "pending" || toBlock === "pending";
}

function placeOf(method: string): number | undefined {
  return places[method] ?? givenPlaces[method];
}

function withParams(call: Call, params: readonly string[]): Call {
  const rawParams = `[${params.join()}]`;
  return { ...call, rawParams, params: JSON.parse(rawParams) };
}

function quoted(block: number): string {
  return `"0x${block.toString(16)}"`;
}
