import { transferTopic } from "../abi/token.ts";
import { isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { answerOf, blockNumber } from "./answered.ts";
import type { BackgroundClient } from "./backgroundClient.ts";

/** A transaction by which can be told whether it is seen. */
export interface PendingSample {
  readonly sender: string;
  /** `undefined` where only logs tell of the transaction: the sender is then one that they name, and may be another. */
  readonly nonce: bigint | undefined;
  /** Of its block. */
  readonly block: bigint;
  /** Its contract, where it moves a token of the sender. */
  readonly token?: string;
  /** Contracts that transactions of the block call. */
  readonly called: readonly string[];
  readonly calls: readonly JsonObject[];
  /** Hash of a transaction that creates a contract. */
  readonly creation: string | undefined;
}

export function sampleIn(block: JsonValue | undefined): PendingSample | undefined {
  if (!isObject(block) || !isArray(block.transactions)) return undefined;
  const number = blockNumber(block.number);
  // deposits of a rollup cost their sender nothing
  const usual = block.transactions.filter(isObject).filter(({ type, from }) => type !== "0x7e" && isAddress(from));
  const [first] = usual;
  const nonce = blockNumber(first?.nonce);
  if (number === undefined || nonce === undefined || !isAddress(first?.from)) return undefined;
  const calls = usual.filter(({ to, input }) => isAddress(to) && isHex(input) && input.length >= 10).slice(0, 8);
  const creation = usual.find(({ to, hash }) => to === null && isHex(hash))?.hash;
  return {
    sender: first.from,
    nonce,
    block: number,
    called: [...new Set(calls.map(({ to }) => String(to)))],
    calls,
    creation: typeof creation === "string" ? creation : undefined,
  };
}

/** A witness for endpoints that serve no blocks: a transfer of a token, as the logs at `pending` tell of it. */
export function sampleInLogs(logs: JsonValue | undefined): PendingSample | undefined {
  const all = isArray(logs) ? logs.filter(isObject) : [];
  for (const { address, topics, blockNumber: number } of all.reverse()) {
    const [event, from, , third] = isArray(topics) ? topics : [];
    const block = blockNumber(number);
    const isTransfer = event === transferTopic && typeof from === "string" && third === undefined;
    if (!isTransfer || !isAddress(address) || block === undefined) continue;
    const sender = `0x${from.slice(-40)}`;
    return { sender, nonce: undefined, block, token: address, called: [address], calls: [], creation: undefined };
  }
  return undefined;
}

/** Where something may have changed. */
export interface SamplePlaces {
  readonly slots: readonly { readonly address: string; readonly slot: string }[];
  /** A contract of a pending transaction. */
  readonly created: string | undefined;
}

const mostSlots = 16;

export async function samplePlaces(
  asker: BackgroundClient,
  { calls, creation }: PendingSample,
  signal: AbortSignal,
): Promise<SamplePlaces> {
  const questions = calls.map(({ from = null, to = null, input = null, value = null }) => ({
    method: "eth_createAccessList",
    params: [{ from, to, data: input, value }, "latest"],
  }));
  const receipt = creation === undefined ? [] : [{ method: "eth_getTransactionReceipt", params: [creation] }];
  if (questions.length + receipt.length === 0) return { slots: [], created: undefined };
  const outcomes = await asker.ask([...questions, ...receipt], signal);
  const slots = outcomes.slice(0, questions.length).flatMap((outcome) => slotsIn(answerOf(outcome)));
  const told = creation === undefined ? undefined : answerOf(outcomes.at(-1));
  const created = isObject(told) && isAddress(told.contractAddress) ? told.contractAddress : undefined;
  const byName = new Map(slots.map((place) => [`${place.address} ${place.slot}`, place]));
  return { slots: [...byName.values()].slice(0, mostSlots), created };
}

function slotsIn(answer: JsonValue | undefined): SamplePlaces["slots"] {
  const list = isObject(answer) && isArray(answer.accessList) ? answer.accessList : [];
  return list.slice(0, 20).flatMap((entry) => {
    if (!isObject(entry) || !isAddress(entry.address) || !isArray(entry.storageKeys)) return [];
    const { address, storageKeys } = entry;
    return storageKeys.slice(0, mostSlots).flatMap((slot) => (isHex(slot) ? [{ address, slot }] : []));
  });
}
