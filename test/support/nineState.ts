import { createHash } from "node:crypto";

/** An account of {@link Ledger}. */
interface Account {
  readonly balance: bigint;
  readonly nonce: number;
  readonly code: string;
  readonly storage: ReadonlyMap<string, string>;
}

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Accounts at one moment. A copy shares everything until it is written to. */
export class Ledger {
  readonly #accounts: Map<string, Account>;

  constructor(accounts: ReadonlyMap<string, Account> = new Map()) {
    this.#accounts = new Map(accounts);
  }
  at(address: string): Account {
    return this.#accounts.get(address.toLowerCase()) ?? { balance: 0n, nonce: 0, code: "0x", storage: new Map() };
  }
  set(address: string, change: Partial<Account>): void {
    this.#accounts.set(address.toLowerCase(), { ...this.at(address), ...change });
  }
  slot(address: string, slot: bigint): string {
    return this.at(address).storage.get(slot.toString()) ?? word(0n);
  }
  store(address: string, slot: bigint, value: bigint): void {
    this.set(address, { storage: new Map(this.at(address).storage).set(slot.toString(), word(value)) });
  }
  copy(): Ledger {
    return new Ledger(this.#accounts);
  }
}

export function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

export function hashOf(text: string): string {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}

const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export function transferLog(address: string, from: string, to: string, amount: bigint): Log {
  return { address, topics: [transferTopic, word(BigInt(from)), word(BigInt(to))], data: word(amount) };
}

/** Which block code sees around it. */
export interface Around {
  readonly number: bigint;
  readonly timestamp: bigint;
}

export interface Ran {
  readonly data: string;
  readonly reverted: boolean;
  readonly logs: readonly Log[];
}

const token = "0x70";
/** The code of the one token contract; it is played, not run. */
export const tokenCode = `0x6080${token.slice(2)}`;

/** Runs a call on a ledger: the token's functions, or code of the few instructions that follow. */
export function run(ledger: Ledger, from: string, to: string, data: string, around: Around): Ran {
  const { code } = ledger.at(to);
  if (code === "0x") return { data: "0x", reverted: false, logs: [] };
  return code === tokenCode ? runToken(ledger, from, to, data) : runCode(ledger, to, code, around);
}

/** A token that keeps the balance of an account in the slot of its address. */
function runToken(ledger: Ledger, from: string, to: string, data: string): Ran {
  const argument = (at: number): bigint => BigInt(`0x${data.slice(10 + 64 * at, 74 + 64 * at) || "0"}`);
  const balance = (owner: bigint): bigint => BigInt(ledger.slot(to, owner));
  const gives = (data: string, logs: readonly Log[] = []): Ran => ({ data, reverted: false, logs });
  switch (data.slice(0, 10)) {
    case "0x70a08231":
      return gives(word(balance(argument(0))));
    case "0x313ce567":
      return gives(word(6n));
    case "0x95d89b41":
      return gives(`${word(32n)}${word(4n).slice(2)}${"4e494e45".padEnd(64, "0")}`);
    case "0xa9059cbb": {
      const [owner, receiver, amount] = [BigInt(from), argument(0), argument(1)];
      if (balance(owner) < amount) return { data: errorString("not enough"), reverted: true, logs: [] };
      ledger.store(to, owner, balance(owner) - amount);
      ledger.store(to, receiver, balance(receiver) + amount);
      return gives(word(1n), [transferLog(to, from, `0x${receiver.toString(16)}`, amount)]);
    }
    default:
      return { data: "0x", reverted: true, logs: [] };
  }
}

/** `Error(string)`. */
function errorString(text: string): string {
  const hex = Buffer.from(text).toString("hex");
  const length = word(BigInt(text.length)).slice(2);
  return `0x08c379a0${word(32n).slice(2)}${length}${hex.padEnd(Math.ceil(hex.length / 64) * 64, "0")}`;
}

const chainId = 8453n;

/** A machine for straight code: it knows the instructions that read the block and accounts, and returns words. */
function runCode(ledger: Ledger, self: string, code: string, around: Around): Ran {
  const bytes = Buffer.from(code.slice(2), "hex");
  const stack: bigint[] = [];
  const memory = Buffer.alloc(1024);
  const pop = (): bigint => stack.pop() ?? 0n;
  for (let at = 0; at < bytes.length; at++) {
    const instruction = bytes[at] ?? 0;
    if (instruction >= 0x5f && instruction <= 0x7f) {
      const size = instruction - 0x5f;
      stack.push(BigInt(`0x${bytes.subarray(at + 1, at + 1 + size).toString("hex") || "0"}`));
      at += size;
    } else if (instruction === 0x43) stack.push(around.number);
    else if (instruction === 0x42) stack.push(around.timestamp);
    else if (instruction === 0x46) stack.push(chainId);
    else if (instruction === 0x31) stack.push(ledger.at(address(pop())).balance);
    else if (instruction === 0x54) stack.push(BigInt(ledger.slot(self, pop())));
    else if (instruction === 0x14) {
      const one = pop();
      stack.push(one === pop() ? 1n : 0n);
    } else if (instruction === 0x52) {
      const place = Number(pop());
      memory.write(word(pop()).slice(2), place, "hex");
    } else if (instruction === 0x55) ledger.store(self, pop(), pop());
    else if (instruction === 0x57) {
      const [target, condition] = [pop(), pop()];
      if (condition !== 0n) at = Number(target) - 1;
    } else if (instruction === 0xf3) {
      const [from, size] = [Number(pop()), Number(pop())];
      return { data: `0x${memory.subarray(from, from + size).toString("hex")}`, reverted: false, logs: [] };
    } else if (instruction !== 0x5b) break;
  }
  return { data: "0x", reverted: false, logs: [] };
}

function address(value: bigint): string {
  return `0x${value.toString(16).padStart(40, "0")}`;
}
