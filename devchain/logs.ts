import { ask } from "./anvil.ts";
import type { Chain } from "./chain.ts";
import { members } from "./json.ts";
import { isAhead } from "./play.ts";
import type { Log, Preconfirmed } from "./types.ts";
import { type Call, failure, forward, ok, type Reply, resultOf } from "./wire.ts";

/** A filter's criteria, without its range. */
export interface Criteria {
  readonly address?: unknown;
  readonly topics?: unknown;
}

/**
 * `eth_getLogs` with pre-confirmed logs if `toBlock` is `pending`. The sealed part ends at the block before the
 * pending one, by number: a log is in one of the two parts and never in both, also while a block is being sealed.
 */
export async function logs(call: Call, chain: Chain): Promise<Reply> {
  const [filter] = call.params;
  if (!isRecord(filter)) return only(forward(chain.anvil, [call]));
  // the service ignores a range together with a block hash, anvil refuses it
  if (typeof filter.blockHash === "string") return only(forward(chain.anvil, [ranged(call, {})]));
  const state = isAhead(chain.player.play) ? await chain.preconfirmation.current() : undefined;
  const pending = state ? BigInt(state.block.number) : BigInt(await ask<string>(chain.anvil, "eth_blockNumber")) + 1n;
  const from = place(filter.fromBlock ?? "latest", pending);
  const to = place(filter.toBlock ?? "latest", pending);
  if (from !== undefined && to !== undefined && to - from > chain.logRange) {
    const limit = chain.logRange.toLocaleString("en-US");
    return failure(-32614, `eth_getLogs is limited to a ${limit} range`, 413);
  }
  if (from !== undefined && to !== undefined && from > to) return failure(-32602, "invalid block range params");
  if (filter.toBlock !== "pending" || from === undefined || !state) return only(forward(chain.anvil, [call]));
  return merged(call, chain, state, from);
}

async function merged(call: Call, chain: Chain, state: Preconfirmed, from: bigint): Promise<Reply> {
  const last = BigInt(state.block.number) - 1n;
  // also sent for pending logs alone: anvil checks the filter
  const range = { fromBlock: hex(from < last ? from : last), toBlock: hex(last) };
  const reply = await only(forward(chain.anvil, [ranged(call, range)]));
  const sealed = resultOf(reply);
  if (sealed === undefined) return reply;
  const added = state.transactions
    .flatMap(({ receipt }) => receipt.logs)
    .filter((log) => matches(log, call.params[0] as Criteria)) // logs() has seen that it is an object
    .map((log) => JSON.stringify(log));
  const before = from > last || sealed === "[]" ? [] : [sealed.slice(1, -1)];
  return ok(`[${[...before, ...added].join()}]`);
}

/** @returns Whether a node would count the log among those that the filter asks for. */
export function matches(log: Pick<Log, "address" | "topics">, { address, topics }: Criteria): boolean {
  const places = Array.isArray(topics) ? (topics as readonly unknown[]) : []; // isArray gives any[]
  return (
    fits(log.address, address) &&
    places.length <= log.topics.length &&
    places.every((wanted, i) => fits(log.topics[i] ?? "", wanted))
  );
}

/** Nothing and an empty list fit everything. */
function fits(value: string, wanted: unknown): boolean {
  if (wanted === undefined || wanted === null) return true;
  if (Array.isArray(wanted)) return wanted.length === 0 || wanted.some((one) => one === null || fits(value, one));
  return typeof wanted === "string" && wanted.toLowerCase() === value.toLowerCase();
}

/** Returns the height of a block parameter, or `undefined` if the node has to decide. */
function place(block: unknown, pending: bigint): bigint | undefined {
  if (block === "pending") return pending;
  if (block === "earliest") return 0n;
  // anvil's own distances if an epoch has one slot
  const distance = block === "latest" ? 1n : block === "safe" ? 2n : block === "finalized" ? 3n : undefined;
  if (distance !== undefined) return pending < distance ? 0n : pending - distance;
  return typeof block === "string" && /^0x[0-9a-f]+$/i.test(block) ? BigInt(block) : undefined;
}

/** The call with another range in its filter, otherwise unchanged. */
function ranged(call: Call, range: Readonly<Record<string, string>>): Call {
  const kept = members(call.rawParams?.slice(call.rawParams.indexOf("{")) ?? "{}")
    .filter(({ name }) => name !== "fromBlock" && name !== "toBlock")
    .map(({ name, raw }) => `${JSON.stringify(name)}:${raw}`);
  const added = Object.entries(range).map(([name, value]) => `"${name}":"${value}"`);
  return { ...call, rawParams: `[{${[...kept, ...added].join()}}]` };
}

async function only(replies: Promise<readonly Reply[]>): Promise<Reply> {
  return (await replies)[0] ?? failure(-32603, "internal error");
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
