import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { BlockQuestion } from "../rpc/head.ts";
import { type AccountFacts, type Slot, slotKey } from "./task.ts";

/** Accounts that one call reads: their codes have to fit into its memory. */
const maxAccounts = 24;

/** An address at which nothing is. */
const reader = "0x7ace7ace7ace7ace7ace7ace7ace7ace7ace7ace";

/**
 * Returns the words of storage whose slots it is called with.
 *
 *     for (i = 0; i < CALLDATASIZE; i += 32) memory[i] = SLOAD(calldata[i])
 */
const slotCode = codeOf("54");

/** Returns the hashes of the codes of the accounts whose addresses it is called with: `EXTCODEHASH` in the place of `SLOAD`. */
export const hashCode = codeOf("3f");

function codeOf(instruction: string): string {
  return `0x60005b368110600d57366000f35b8035${instruction}8152602001600256`;
}

/**
 * Returns balance, size of the code and hash of the code of the accounts whose addresses it is called with, three words for
 * each, then their codes one after the other. `i` and `a` as above, `p` is where the next code begins:
 *
 *     memory[3 i] = BALANCE(a); memory[3 i + 32] = EXTCODESIZE(a); memory[3 i + 64] = EXTCODEHASH(a)
 *     EXTCODECOPY(a, p, 0, EXTCODESIZE(a)); p += EXTCODESIZE(a)
 */
const accountCode =
  "0x368080010160005b368110601257506000f35b803580318260030252803b808360030260200152813f836003026040015280600085843c928301925050602001600756";

/** What one message reads. */
export interface Wanted {
  readonly accounts: readonly string[];
  readonly slots: readonly Slot[];
}

export interface StateValues {
  readonly accounts: readonly AccountFacts[];
  /** Words, in the order of the slots. */
  readonly words: readonly string[];
}

/**
 * The question for state as one simulation, for endpoints that take few requests: code that reads is put in the place of
 * contracts, whose storage stays. Nothing is left of it.
 */
export function bulkQuestion({ accounts, slots }: Wanted, block: string): BlockQuestion {
  const parts = chunks(accounts).map((some) => readingCall(reader, some));
  const blocks: readonly JsonObject[] = [
    ...(parts.length > 0 ? [{ stateOverrides: { [reader]: { code: accountCode } }, calls: parts }] : []),
    ...slotBlocks(slots),
  ];
  return { method: "eth_simulateV1", params: [{ blockStateCalls: blocks, validation: false }, block] };
}

/** A call of code that reads. */
export function readingCall(to: string, words: readonly string[]): JsonObject {
  return { from: reader, to, input: `0x${words.map((word) => word.slice(2).padStart(64, "0")).join("")}` };
}

/** The block of a simulation that reads words of storage, if there are any. */
export function slotBlocks(slots: readonly Slot[]): readonly JsonObject[] {
  const contracts = [...bySlots(slots)];
  if (contracts.length === 0) return [];
  const stateOverrides = Object.fromEntries(contracts.map(([address]) => [address, { code: slotCode }]));
  return [{ stateOverrides, calls: contracts.map(([address, own]) => readingCall(address, own)) }];
}

/** @returns `undefined` if it is not what the code returns. */
export function readBulk({ accounts, slots }: Wanted, result: JsonValue | undefined): StateValues | undefined {
  const texts = returnedBy(result);
  const parts = chunks(accounts);
  const facts = parts.map((some, at) => accountsIn(texts[at], some.length));
  const words = readSlots(slots, texts.slice(parts.length));
  if (!words || !facts.every((one) => one !== undefined)) return undefined;
  return { accounts: facts.flat(), words };
}

/** What the calls of a simulation returned, without `0x`; `undefined` for one that failed. */
export function returnedBy(result: JsonValue | undefined): readonly (string | undefined)[] {
  const blocks = isArray(result) ? result : [];
  return blocks.flatMap((block) => (isObject(block) && isArray(block.calls) ? block.calls : [])).map(returned);
}

/** Reads what the calls of {@link slotBlocks} returned. */
export function readSlots(
  slots: readonly Slot[],
  texts: readonly (string | undefined)[],
): readonly string[] | undefined {
  const words = new Map<string, string>();
  for (const [at, [address, own]] of [...bySlots(slots)].entries()) {
    const text = texts[at];
    if (text?.length !== own.length * 64) return undefined;
    for (const [index, slot] of own.entries()) words.set(slotKey({ address, slot }), wordIn(text, index));
  }
  return slots.map((one) => words.get(slotKey(one)) ?? "");
}

export function wordIn(text: string, at: number): string {
  return `0x${text.slice(at * 64, at * 64 + 64)}`;
}

function chunks(accounts: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(accounts.length / maxAccounts);
  return Array.from({ length: count }, (_, at) => accounts.slice(at * maxAccounts, (at + 1) * maxAccounts));
}

function bySlots(slots: readonly Slot[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { address, slot } of slots) found.set(address, [...(found.get(address) ?? []), slot]);
  return found;
}

/** Returns what a call returned, without `0x`; `undefined` if it failed. */
function returned(call: JsonValue): string | undefined {
  if (!isObject(call) || call.status !== "0x1" || typeof call.returnData !== "string") return undefined;
  return /^0x((?:[0-9a-f]{2})*)$/i.exec(call.returnData)?.[1]?.toLowerCase();
}

/** The nonce is not among what code can read: only whether an account exists is, which depends on it. */
function accountsIn(text: string | undefined, count: number): readonly AccountFacts[] | undefined {
  if (text === undefined || text.length < count * 192) return undefined;
  const wordAt = (at: number): bigint => BigInt(wordIn(text, at));
  const sizes = Array.from({ length: count }, (_, at) => Number(wordAt(at * 3 + 1)));
  if (text.length !== count * 192 + 2 * sizes.reduce((sum, size) => sum + size, 0)) return undefined;
  let end = count * 192;
  return sizes.map((size, at) => {
    const code = `0x${text.slice(end, end + 2 * size)}`;
    end += 2 * size;
    return { balance: wordAt(at * 3), nonce: wordAt(at * 3 + 2) === 0n ? 0n : 1n, code, isNonceAssumed: true };
  });
}
