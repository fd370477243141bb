import { decodeErrorResult, type Hex } from "viem";
import { ask } from "./anvil.ts";
import type { Chain } from "./chain.ts";
import { elements, members, parse } from "./json.ts";
import type { Block } from "./types.ts";
import { type Call, failure, forward, ok, type Reply, resultOf } from "./wire.ts";

/** Seconds between two simulated blocks, as between two of the chain. */
const step = 2;

interface SimulatedBlock {
  readonly hash: string;
  parentHash: string;
  readonly calls: { readonly status: string; readonly returnData: Hex; error?: unknown }[];
}

/**
 * `eth_simulateV1` as the service has it. anvil gives the first block the number of its parent, leaves the parents' hashes
 * empty, and reports only that a failed call failed.
 */
export async function simulate(call: Call, chain: Chain): Promise<Reply> {
  const parent = await parentOf(call.params[1], chain);
  const [reply = failure(-32603, "internal error")] = await forward(chain.anvil, [
    parent ? placed(call, parent) : call,
  ]);
  const result = resultOf(reply);
  if (result === undefined || !parent) return reply;
  let parentHash = parent.hash;
  // every number in this answer is a string, so that parsing it loses nothing
  const blocks = parse(result) as readonly SimulatedBlock[];
  for (const block of blocks) {
    block.parentHash = parentHash;
    parentHash = block.hash;
    for (const one of block.calls) if (one.status === "0x0") one.error = reason(one.returnData);
  }
  return ok(JSON.stringify(blocks));
}

/** The block that the first simulated one follows. Pre-confirmed state belongs to the block after the latest. */
async function parentOf(block: unknown, { anvil }: Chain): Promise<Block | undefined> {
  if (block !== undefined && typeof block !== "string") return undefined;
  const name = block === undefined || block === "pending" ? "latest" : block;
  const method = /^0x[0-9a-fA-F]{64}$/.test(name) ? "eth_getBlockByHash" : "eth_getBlockByNumber";
  const found = await ask<Block | null>(anvil, method, [name, false]).catch(() => null);
  return found ?? undefined;
}

/** Writes number and time into the block overrides that leave them out; all other text stays. */
function placed(call: Call, parent: Block): Call {
  const [payload, ...others] = elements(call.rawParams ?? "[]");
  if (payload === undefined || !payload.startsWith("{")) return call;
  let [number, time] = [BigInt(parent.number), BigInt(parent.timestamp)];
  const entry = (raw: string): string => {
    if (!raw.startsWith("{")) return raw;
    const rawOverrides = members(raw).findLast(({ name }) => name === "blockOverrides")?.raw;
    const given = rawOverrides?.startsWith("{") ? members(rawOverrides) : [];
    const named = (...names: readonly string[]): string | undefined =>
      given.findLast(({ name }) => names.includes(name))?.raw;
    const rawNumber = named("number", "blockNumber");
    const rawTime = named("time", "timestamp");
    number = quantity(rawNumber) ?? number + 1n;
    time = quantity(rawTime) ?? time + BigInt(step);
    const added = [
      ...(rawNumber === undefined ? [`"number":"0x${number.toString(16)}"`] : []),
      ...(rawTime === undefined ? [`"time":"0x${time.toString(16)}"`] : []),
    ];
    return withMember(raw, "blockOverrides", `{${[...given.map(written), ...added].join()}}`);
  };
  const rawEntries = members(payload).findLast(({ name }) => name === "blockStateCalls")?.raw;
  if (!rawEntries?.startsWith("[")) return call;
  const entries = `[${elements(rawEntries).map(entry).join()}]`;
  return { ...call, rawParams: `[${[withMember(payload, "blockStateCalls", entries), ...others].join()}]` };
}

function withMember(object: string, name: string, raw: string): string {
  const kept = members(object).filter((one) => one.name !== name);
  return `{${[...kept.map(written), `${JSON.stringify(name)}:${raw}`].join()}}`;
}

function written({ name, raw }: { readonly name: string; readonly raw: string }): string {
  return `${JSON.stringify(name)}:${raw}`;
}

function quantity(raw: string | undefined): bigint | undefined {
  return raw !== undefined && /^"0x[0-9a-fA-F]+"$/.test(raw) ? BigInt(raw.slice(1, -1)) : undefined;
}

/** The service documents a string here; other nodes send an object. */
function reason(returnData: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ data: returnData });
    return errorName === "Error" ? `execution reverted: ${String(args[0])}` : "execution reverted";
  } catch {
    return "execution reverted";
  }
}
