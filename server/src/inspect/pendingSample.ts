import { transferTopic } from "../abi/token.ts";
import { isAddress, isHex, shortQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import { resultOf } from "../rpc/outcome.ts";

/** A transaction that shows whether a method sees pending state. */
export interface PendingSample {
  readonly sender: string;
  /** `undefined` if the sample comes from a log: its sender is then the one of the transfer. */
  readonly nonce: bigint | undefined;
  /** Number of its block. */
  readonly block: bigint;
  /** The contract of the token that it transfers. */
  readonly token?: string;
  /** Contracts that transactions of the block call. */
  readonly called: readonly string[];
  readonly calls: readonly JsonObject[];
  /** Hash of a transaction that creates a contract. */
  readonly creation: string | undefined;
}

export function sampleIn(block: JsonValue | undefined): PendingSample | undefined {
  if (!isObject(block) || !isArray(block.transactions)) return undefined;
  const number = shortQuantity(block.number);
  // deposits of a rollup do not change the balance of their sender
  const candidates = block.transactions.filter(isObject).filter(({ type, from }) => type !== "0x7e" && isAddress(from));
  const [first] = candidates;
  const nonce = shortQuantity(first?.nonce);
  if (number === undefined || nonce === undefined || !isAddress(first?.from)) return undefined;
  const calls = candidates.filter(({ to, input }) => isAddress(to) && isHex(input) && input.length >= 10).slice(0, 8);
  const creation = candidates.find(({ to, hash }) => to === null && isHex(hash))?.hash;
  return {
    sender: first.from,
    nonce,
    block: number,
    called: [...new Set(calls.map(({ to }) => String(to)))],
    calls,
    creation: typeof creation === "string" ? creation : undefined,
  };
}

/** Returns a transfer of a token in the logs at `pending`, for endpoints that serve no blocks. */
export function sampleInLogs(logs: JsonValue | undefined): PendingSample | undefined {
  const all = isArray(logs) ? logs.filter(isObject) : [];
  for (const { address, topics, blockNumber: number } of all.reverse()) {
    const [event, from, , third] = isArray(topics) ? topics : [];
    const block = shortQuantity(number);
    const isTransfer = event === transferTopic && typeof from === "string" && third === undefined;
    if (!isTransfer || !isAddress(address) || block === undefined) continue;
    const sender = `0x${from.slice(-40)}`;
    return { sender, nonce: undefined, block, token: address, called: [address], calls: [], creation: undefined };
  }
  return undefined;
}

/** State that a sample may have changed. */
export interface SampleState {
  readonly slots: readonly { readonly address: string; readonly slot: string }[];
  /** A contract of a pending transaction. */
  readonly created: string | undefined;
}

const maxSlots = 16;

export async function readSampleState(
  client: BackgroundClient,
  { calls, creation }: PendingSample,
  signal: AbortSignal,
): Promise<SampleState> {
  const questions = calls.map(({ from = null, to = null, input = null, value = null }) => ({
    method: "eth_createAccessList",
    params: [{ from, to, data: input, value }, "latest"],
  }));
  const receipt = creation === undefined ? [] : [{ method: "eth_getTransactionReceipt", params: [creation] }];
  if (questions.length + receipt.length === 0) return { slots: [], created: undefined };
  const outcomes = await client.ask([...questions, ...receipt], signal);
  const slots = outcomes.slice(0, questions.length).flatMap((outcome) => slotsIn(resultOf(outcome)));
  const creationReceipt = creation === undefined ? undefined : resultOf(outcomes.at(-1));
  const created =
    isObject(creationReceipt) && isAddress(creationReceipt.contractAddress)
      ? creationReceipt.contractAddress
      : undefined;
  const unique = new Map(slots.map((each) => [`${each.address} ${each.slot}`, each]));
  return { slots: [...unique.values()].slice(0, maxSlots), created };
}

function slotsIn(answer: JsonValue | undefined): SampleState["slots"] {
  const list = isObject(answer) && isArray(answer.accessList) ? answer.accessList : [];
  return list.slice(0, 20).flatMap((entry) => {
    if (!isObject(entry) || !isAddress(entry.address) || !isArray(entry.storageKeys)) return [];
    const { address, storageKeys } = entry;
    return storageKeys.slice(0, maxSlots).flatMap((slot) => (isHex(slot) ? [{ address, slot }] : []));
  });
}
