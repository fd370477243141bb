import assert from "node:assert/strict";
import { type Address, createAddressFromString } from "@ethereumjs/util";
import fc from "fast-check";
import { fromBytes, toBytes, toWord } from "../../../server/src/base/hex.ts";
import { OverlaidState } from "../../../server/src/trace/state.ts";
import { type AccountFacts, type KnownState, slotKey, usualLimits } from "../../../server/src/trace/task.ts";
import { times } from "../../support/depth.ts";
import { callable } from "../../support/randomCalls.ts";

const addresses = callable.slice(0, 2);
const slots = [0n, 1n].map(toWord);
const account: AccountFacts = { balance: 5n, nonce: 1n, code: "0x5b" };
const known: KnownState = {
  accounts: new Map(addresses.map((address) => [address, account])),
  slots: new Map(
    addresses.flatMap((address) => slots.map((slot) => [slotKey({ address, slot }), toWord(7n)] as const)),
  ),
  hashes: new Map(),
};

/** What code can see, as plain as it can be. */
interface Seen {
  readonly accounts: Readonly<Record<string, AccountFacts>>;
  readonly words: Readonly<Record<string, bigint>>;
  readonly before: Readonly<Record<string, bigint>>;
}

const keys = addresses.flatMap((address) => slots.map((slot) => ({ address, slot })));
const all = (word: bigint): Readonly<Record<string, bigint>> =>
  Object.fromEntries(keys.map((key) => [slotKey(key), word]));
const begin: Seen = {
  accounts: Object.fromEntries(addresses.map((address) => [address, account])),
  words: all(7n),
  before: all(7n),
};

function emptied(words: Seen["words"], address: string): Seen["words"] {
  return Object.fromEntries(Object.entries(words).map(([key, word]) => [key, key.startsWith(address) ? 0n : word]));
}

type Step = (state: OverlaidState, seen: Seen) => Promise<Seen>;

const changing = (change: (address: string, at: Address, value: bigint, slot: string) => Step) =>
  fc
    .tuple(fc.constantFrom(...addresses), fc.bigInt(0n, 3n), fc.constantFrom(...slots))
    .map(([address, value, slot]) => change(address, createAddressFromString(address), value, slot));

const step = fc.oneof(
  changing((address, at, value, slot) => async (state, seen) => {
    await state.putStorage(at, toBytes(slot), toBytes(toWord(value)));
    return { ...seen, words: { ...seen.words, [slotKey({ address, slot })]: value } };
  }),
  changing((address, at, balance) => async (state, seen) => {
    await state.modifyAccountFields(at, { balance });
    const before = seen.accounts[address] ?? account;
    return { ...seen, accounts: { ...seen.accounts, [address]: { ...before, balance } } };
  }),
  changing((address, at, value) => async (state, seen) => {
    const code = value === 0n ? "0x" : `0x0${value}`;
    await state.putCode(at, toBytes(code));
    const before = seen.accounts[address] ?? account;
    return { ...seen, accounts: { ...seen.accounts, [address]: { ...before, code } } };
  }),
  changing((address, at) => async (state, { accounts, words, before }) => {
    await state.clearStorage(at);
    return { accounts, words: emptied(words, address), before: emptied(before, address) };
  }),
  changing((address, at) => async (state, { accounts, words, before }) => {
    await state.deleteAccount(at);
    const gone = { balance: 0n, nonce: 0n, code: "0x" };
    return {
      accounts: { ...accounts, [address]: gone },
      words: emptied(words, address),
      before: emptied(before, address),
    };
  }),
);
type Move = Step | "checkpoint" | "commit" | "revert";
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: step },
  { weight: 2, arbitrary: fc.constantFrom("checkpoint", "commit", "revert") },
);

async function seenIn(state: OverlaidState): Promise<Seen> {
  const accounts: Record<string, AccountFacts> = {};
  const words: Record<string, bigint> = {};
  const before: Record<string, bigint> = {};
  const number = (bytes: Uint8Array): bigint => BigInt(bytes.length === 0 ? 0 : fromBytes(bytes));
  for (const address of addresses) {
    const at = createAddressFromString(address);
    const { balance = 0n, nonce = 0n } = (await state.getAccount(at)) ?? {};
    accounts[address] = { balance, nonce, code: fromBytes(await state.getCode(at)) };
    for (const slot of slots) {
      words[slotKey({ address, slot })] = number(await state.getStorage(at, toBytes(slot)));
      before[slotKey({ address, slot })] = number(await state.originalStorageCache.get(at, toBytes(slot)));
    }
  }
  return { accounts, words, before };
}

describe("the state under a call", () => {
  it("is after a revert as it was at the checkpoint, whatever changed and was committed since", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 15, maxLength: 30 }), async (moves) => {
        const state = new OverlaidState(known, usualLimits);
        const open: Seen[] = [];
        let seen = begin;
        for (const one of moves) {
          if (typeof one === "function") seen = await one(state, seen);
          else if (one === "checkpoint") open.push(seen);
          else if (open.length === 0) continue;
          else seen = one === "revert" ? (open.at(-1) ?? seen) : seen;
          if (one === "commit" || one === "revert") open.pop();
          if (typeof one === "string") await state[one]();
          assert.deepEqual(await seenIn(state), seen);
          const changed = state.changes.map((change) => [slotKey(change), BigInt(change.after)]);
          const expected = Object.entries(seen.words).filter(([key, word]) => word !== seen.before[key]);
          assert.deepEqual(new Map(changed as [string, bigint][]), new Map(expected)); // pairs
        }
      }),
      { numRuns: times(2000, 200) },
    );
  });
});
