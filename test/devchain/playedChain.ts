import type { Devchain } from "../../devchain/devchain.ts";
import type { Kind } from "../../devchain/play.ts";
import type { Block, Log, Receipt } from "../../devchain/types.ts";
import { sharedChain } from "../support/sharedChain.ts";
import { type Conversation, connect, request } from "./client.ts";

export type TimedBlock = Block & { readonly timestampMs?: string };
export type TimedLog = Log & { readonly blockTimestampMs?: string };

/** The chain of the running test. */
export let chain: Devchain;
/** A connection to it. */
export let client: Conversation;

/** Gives each test of a block the shared chain as it was at its start; the test then calls {@link start}. */
export function playedChain(): void {
  chain = sharedChain({}, true);
  afterEach(() => client.close());
}

export async function start(kind: Kind, sealEveryMs?: number): Promise<void> {
  if (kind !== "preconfirmed") await chain.play({ kind });
  if (sealEveryMs !== undefined) await chain.play({ sealEveryMs });
  client = await connect(chain.wsUrl);
}

export const block = async (tag: string, url = chain.url): Promise<TimedBlock> =>
  (await request(url, "eth_getBlockByNumber", [tag, false])).result as TimedBlock;
export const logs = async (filter: object): Promise<readonly TimedLog[]> =>
  (await request(chain.url, "eth_getLogs", [filter])).result as TimedLog[];
export const number = async (method: string, params: readonly unknown[] = []): Promise<number> =>
  Number((await request(chain.url, method, params)).result);
export const head = (): Promise<number> => number("eth_blockNumber");

/** Sends dollars of alice; no other code sends hers. */
export async function pay(amount = 1n): Promise<string> {
  const { alice, bob } = chain.accounts;
  const data = `0xa9059cbb${bob.address.slice(2).padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`;
  const call = { from: alice.address, to: chain.contracts.token.address, data, gas: "0x30000" };
  return String(await chain.rpc("eth_sendTransaction", [call]));
}

export async function receipt(hash: string): Promise<Receipt | null> {
  return (await chain.rpc("eth_getTransactionReceipt", [hash])) as Receipt | null;
}
