import type { AccountFields, StateManagerInterface } from "@ethereumjs/common";
import {
  Account,
  type Address,
  bytesToHex,
  hexToBytes,
  KECCAK256_NULL,
  KECCAK256_RLP,
  unpadBytes,
} from "@ethereumjs/util";
import { keccak256 } from "viem/utils";
import { type Change, type KnownState, type Limits, type Needs, type Slot, slotKey, type Touched } from "./task.ts";

/** An account while a call runs. Never changed: a change replaces it. */
interface Entry {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  readonly codeHash: Uint8Array;
}

const noCode = new Uint8Array(0);
const nothing: Entry = { balance: 0n, nonce: 0n, code: noCode, codeHash: KECCAK256_NULL };

/**
 * State over what was read from an endpoint. What was not read yet is zero, and is noted as needed. Every change knows how
 * to undo itself.
 */
export class OverlaidState implements StateManagerInterface {
  readonly #known: KnownState;
  readonly #limits: Limits;
  readonly #entries = new Map<string, Entry>();
  readonly #slots = new Map<string, Uint8Array>();
  /** Words before the calls that were read. */
  readonly #readSlots = new Set<string>();
  /** Words at the end of the call before. */
  readonly #left = new Map<string, Uint8Array>();
  /** Accounts whose storage before the calls does not count: they were created in them. */
  readonly #emptied = new Set<string>();
  readonly #undo: (() => void)[] = [];
  /** Lengths of the list of undos at each checkpoint that is open. */
  readonly #checkpoints: number[] = [];
  readonly #needs = {
    accounts: new Set<string>(),
    slots: new Map<string, Slot>(),
    hashes: new Set<bigint>(),
  };

  constructor(known: KnownState, limits: Limits) {
    this.#known = known;
    this.#limits = limits;
  }
  /** State that was needed and not known; `undefined` if there is none. */
  get needs(): Needs | undefined {
    const { accounts, slots, hashes } = this.#needs;
    if (accounts.size + slots.size + hashes.size === 0) return undefined;
    return { accounts: [...accounts], slots: [...slots.values()], hashes: [...hashes] };
  }
  /** Words of storage that differ from those before the call. */
  get changes(): readonly Change[] {
    return this.#changesFrom((address, slot) => this.#first(address, slot));
  }
  #changesFrom(earlier: (address: string, slot: string) => Uint8Array): readonly Change[] {
    return [...this.#slots].flatMap(([key, now]) => {
      const [address = "", slot = ""] = key.split(" ");
      const before = bytesToHex(padded(earlier(address, slot)));
      const after = bytesToHex(padded(now));
      return before === after ? [] : [{ address, slot, before, after }];
    });
  }
  /** Words of storage that differ from those before the call that ran last. */
  get changesOfCall(): readonly Change[] {
    return this.#changesFrom((address, slot) => this.#before(address, slot));
  }
  /** State before the calls that was read. */
  get used(): Needs {
    const slots = [...this.#readSlots].map((key) => {
      const [address = "", slot = ""] = key.split(" ");
      return { address, slot };
    });
    return { accounts: [...this.#entries.keys()], slots, hashes: [] };
  }
  /** Codes of those of some accounts that have one, as hex. */
  codesOf(addresses: Iterable<string>): ReadonlyMap<string, string> {
    const codes = [...new Set(addresses)].map(
      (one) => [one, bytesToHex(this.#entries.get(one)?.code ?? noCode)] as const,
    );
    return new Map(codes.filter(([, code]) => code !== "0x"));
  }
  /** All that was read or written, as it is now. */
  get touched(): Touched {
    const accounts = [...this.#entries].map(([address, { balance, nonce, code: bytes }]) => {
      const before = this.#known.accounts.get(address);
      const code = bytesToHex(bytes);
      const isAssumed = before?.isNonceAssumed === true && before.nonce === nonce;
      return {
        ...{ address, balance, nonce: isAssumed ? undefined : nonce },
        code: before?.code === code ? undefined : code,
        codeHash: before && isContract(before.code) ? bytesToHex(hashOf(hexToBytes(hex(before.code)))) : undefined,
      };
    });
    const slots = [...new Set([...this.#readSlots, ...this.#slots.keys()])].map((key) => {
      const [address = "", slot = ""] = key.split(" ");
      const word = bytesToHex(padded(this.#slots.get(key) ?? this.#first(address, slot)));
      const read = this.#readSlots.has(key) ? this.#known.slots.get(key) : undefined;
      return { address, slot, word, before: read === undefined || BigInt(read) === BigInt(word) ? undefined : read };
    });
    return { accounts, slots };
  }
  /** Begins the next call: what is stored now is what it finds. */
  beginCall(): void {
    for (const [key, value] of this.#slots) this.#left.set(key, value);
    this.#undo.length = 0;
  }
  /** Called if the nonce of an account itself counts: it decides the address of a contract that it creates. */
  useNonce(address: string): void {
    if (this.#known.accounts.get(address)?.isNonceAssumed) this.#note(() => this.#needs.accounts.add(address));
  }
  blockHash(number: bigint): Uint8Array {
    const known = this.#known.hashes.get(number);
    if (known === undefined) this.#note(() => this.#needs.hashes.add(number));
    return known === undefined ? new Uint8Array(32) : hexToBytes(hex(known));
  }

  // What the EVM asks for. An account that has nothing does not exist (EIP-161).
  async getAccount(address: Address): Promise<Account | undefined> {
    const { nonce, balance, code, codeHash } = this.#entry(address.toString());
    const exists = nonce > 0n || balance > 0n || code.length > 0;
    return exists ? new Account(nonce, balance, KECCAK256_RLP, codeHash) : undefined;
  }
  async putAccount(address: Address, account?: Account): Promise<void> {
    const { nonce = 0n, balance = 0n } = account ?? {};
    this.#put(address.toString(), { ...this.#entry(address.toString()), nonce, balance });
  }
  async modifyAccountFields(address: Address, { nonce, balance }: AccountFields): Promise<void> {
    const before = this.#entry(address.toString());
    this.#put(address.toString(), { ...before, nonce: nonce ?? before.nonce, balance: balance ?? before.balance });
  }
  async deleteAccount(address: Address): Promise<void> {
    this.#put(address.toString(), nothing);
    this.#empty(address.toString());
  }
  async getCode(address: Address): Promise<Uint8Array> {
    return this.#entry(address.toString()).code;
  }
  async getCodeSize(address: Address): Promise<number> {
    return this.#entry(address.toString()).code.length;
  }
  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.#put(address.toString(), { ...this.#entry(address.toString()), code, codeHash: hashOf(code) });
  }
  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const [account, slot] = [address.toString(), bytesToHex(key)];
    return this.#slots.get(slotKey({ address: account, slot })) ?? this.#before(account, slot);
  }
  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#set(this.#slots, slotKey({ address: address.toString(), slot: bytesToHex(key) }), unpadBytes(value));
  }
  async clearStorage(address: Address): Promise<void> {
    this.#empty(address.toString());
  }
  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> =>
      this.#before(address.toString(), bytesToHex(key)),
    clear() {},
  };
  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length);
  }
  async commit(): Promise<void> {
    this.#checkpoints.pop();
  }
  async revert(): Promise<void> {
    const length = this.#checkpoints.pop() ?? 0;
    while (this.#undo.length > length) this.#undo.pop()?.();
  }

  // What the EVM never asks for.
  async getStateRoot(): Promise<never> {
    throw new RangeError("There is no root: the state is known in part.");
  }
  async setStateRoot(): Promise<never> {
    throw new RangeError("There is no root: the state is known in part.");
  }
  async hasStateRoot(): Promise<boolean> {
    return false;
  }
  clearCaches(): void {}
  shallowCopy(): never {
    throw new RangeError("The state of a call is not copied.");
  }

  #entry(address: string): Entry {
    return this.#entries.get(address) ?? this.#read(address);
  }
  #read(address: string): Entry {
    const known = this.#known.accounts.get(address);
    if (!known) this.#note(() => this.#needs.accounts.add(address));
    const code = known ? hexToBytes(hex(known.code)) : noCode;
    const { balance, nonce } = known ?? nothing;
    const entry = { balance, nonce, code, codeHash: hashOf(code) };
    this.#entries.set(address, entry); // it is no change
    return entry;
  }
  #before(address: string, slot: string): Uint8Array {
    return this.#left.get(slotKey({ address, slot })) ?? this.#first(address, slot);
  }
  #first(address: string, slot: string): Uint8Array {
    if (this.#emptied.has(address)) return noCode;
    const key = slotKey({ address, slot });
    const known = this.#known.slots.get(key);
    if (known !== undefined) {
      this.#readSlots.add(key);
      return unpadBytes(hexToBytes(hex(known)));
    }
    this.#note(() => this.#needs.slots.set(key, { address, slot }));
    return noCode;
  }
  /** @throws {@link TraceEnd} if there is more than a run may ask for: it may be in a loop because of a zero. */
  #note(add: () => void): void {
    const { accounts, slots, hashes } = this.#needs;
    add();
    if (accounts.size + slots.size + hashes.size >= this.#limits.needs) throw new TraceEnd(undefined);
  }
  #put(address: string, entry: Entry): void {
    this.#set(this.#entries, address, entry);
  }
  #set<Value>(map: Map<string, Value>, key: string, value: Value): void {
    const before = map.get(key);
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    map.set(key, value);
  }
  #empty(address: string): void {
    for (const [key, value] of this.#slots) {
      if (!key.startsWith(address)) continue;
      this.#undo.push(() => this.#slots.set(key, value));
      this.#slots.delete(key);
    }
    if (this.#emptied.has(address)) return;
    this.#emptied.add(address);
    this.#undo.push(() => this.#emptied.delete(address));
  }
}

/** Ends a run at once, past the EVM. */
export class TraceEnd extends Error {
  /** Why it cannot be computed; `undefined` if more state is needed. */
  readonly why: string | undefined;

  constructor(why: string | undefined) {
    super(why ?? "More state is needed.");
    this.why = why;
  }
}

/** Nodes do not agree on the hash of code that only names the code of another account. */
function isContract(code: string): boolean {
  return code !== "0x" && !code.startsWith("0xef0100");
}

function hashOf(code: Uint8Array): Uint8Array {
  return code.length === 0 ? KECCAK256_NULL : keccak256(code, "bytes");
}

function padded(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytes, 32 - bytes.length);
  return word;
}

function hex(text: string): `0x${string}` {
  return text.startsWith("0x") ? (text as `0x${string}`) : `0x${text}`; // it was checked when it was read
}
