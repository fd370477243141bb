import { isAddress, quantity, toWord } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import { explain } from "../rpc/explain.ts";
import type { AskAll, BlockQuestion } from "../rpc/head.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import { hashProbe } from "./blockProbe.ts";
import { type AccountFacts, type KnownState, type Needs, type Slot, slotKey } from "./task.ts";

/** Values of state that one trace may read. */
const maxValues = 5000;
/** Accounts that one message asks for because they may be needed next. */
const maxGuesses = 16;

/** The slot in which a proxy keeps the address of its code. @see https://eips.ethereum.org/EIPS/eip-1967 */
const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** State that a person assumes: `stateOverrides` of a call. */
export type StateOverrides = Readonly<Record<string, JsonObject>>;

/** Reads the state of one block, each value once. */
export class StateReader {
  readonly #ask: AskAll;
  /** The number of the block, as a quantity. */
  readonly #block: string;
  readonly #overrides: StateOverrides;
  readonly #asked = new Set<string>();
  /** Addresses that were seen in code and in storage, and not asked for. */
  readonly #guesses = new Set<string>();

  constructor(ask: AskAll, block: string, overrides: StateOverrides) {
    this.#ask = ask;
    this.#block = block;
    this.#overrides = overrides;
  }

  /**
   * Reads what is needed in one message, with what may be needed next.
   *
   * @param beside - Questions for the same message.
   * @returns The state and the outcomes of the other questions; why it cannot be read, as a sentence, if it cannot.
   */
  async read(
    needs: Needs,
    beside: readonly BlockQuestion[] = [],
  ): Promise<{ readonly state: KnownState; readonly others: readonly Outcome[] } | string> {
    const accounts = needs.accounts.filter((one) => this.#isNew(one));
    const guessed = [...this.#guesses].filter((one) => this.#isNew(one)).slice(0, maxGuesses);
    this.#guesses.clear();
    const all = [...accounts, ...guessed];
    const slots = [...needs.slots, ...all.map((address) => ({ address, slot: implementationSlot }))].filter((one) =>
      this.#isNew(slotKey(one)),
    );
    if (this.#asked.size > maxValues)
      return `The call needs more than ${grouped(BigInt(maxValues))} accounts and words of storage.`;
    const questions = [
      ...beside,
      ...all.flatMap((address) => accountMethods.map((method) => this.#question(method, address))),
      ...slots.map(({ address, slot }) => this.#question("eth_getStorageAt", address, slot)),
      ...needs.hashes.map((number) => this.#question("eth_call", { data: hashProbe(number) })),
    ];
    const outcomes = questions.length === 0 ? [] : await this.#ask(questions);
    const others = outcomes.slice(0, beside.length);
    const values = questions
      .slice(beside.length)
      .map(({ method }, at) => readValue(method, outcomes[beside.length + at]));
    const wrong = values.find((value) => typeof value === "object");
    if (wrong) return wrong.why;
    const texts = values.map(String);
    const state = {
      accounts: new Map(all.map((address, at) => [address, this.#account(address, texts.slice(at * 3, at * 3 + 3))])),
      slots: new Map(slots.map((one, at) => [slotKey(one), this.#word(one, texts[all.length * 3 + at] ?? "0x0")])),
      hashes: new Map(needs.hashes.map((number, at) => [number, texts[all.length * 3 + slots.length + at] ?? ""])),
    };
    this.#collect(state);
    return { state, others };
  }

  #isNew(key: string): boolean {
    if (this.#asked.has(key)) return false;
    this.#asked.add(key);
    return true;
  }
  #question(method: string, ...params: readonly JsonValue[]): BlockQuestion {
    return { method, params: [...params, this.#block] };
  }
  #account(address: string, [balance = "", nonce = "", code = ""]: readonly string[]): AccountFacts {
    const own = this.#overrides[address] ?? {};
    return {
      balance: quantity(own.balance) ?? quantity(balance) ?? 0n,
      nonce: quantity(own.nonce) ?? quantity(nonce) ?? 0n,
      code: typeof own.code === "string" ? own.code : code,
    };
  }
  #word({ address, slot }: Slot, read: string): string {
    const { state, stateDiff } = this.#overrides[address] ?? {};
    const words = [state, stateDiff].flatMap((one) => (isObject(one) ? Object.entries(one) : []));
    const own = words.find(([key]) => BigInt(key) === BigInt(slot))?.[1];
    if (own !== undefined) return toWord(BigInt(String(own)));
    return isObject(state) ? toWord(0n) : toWord(BigInt(read));
  }
  /** Notes the addresses in what was read: a call may lead there next. */
  #collect({ accounts, slots }: KnownState): void {
    for (const word of slots.values()) if (isAddressWord(word)) this.#guesses.add(`0x${word.slice(26)}`);
    for (const { code } of accounts.values())
      for (const [, address = ""] of code.matchAll(/73([0-9a-f]{40})/gi))
        if (isAddressWord(`0x${"0".repeat(24)}${address}`)) this.#guesses.add(`0x${address.toLowerCase()}`);
  }
}

const accountMethods = ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"];

const wordForm = /^0x([0-9a-f]{1,64})$/i;
const forms: Readonly<Record<string, RegExp>> = {
  eth_getCode: /^0x((?:[0-9a-f]{2})*)$/i,
  eth_call: /^0x0{64}([0-9a-f]{64})$/i,
};

/** @returns The value as hex, or why there is none, as a sentence. */
function readValue(method: string, outcome: Outcome | undefined): string | { readonly why: string } {
  const value = resultOf(outcome);
  const form = forms[method] ?? wordForm;
  const [, digits] = (typeof value === "string" && form.exec(value)) || [];
  if (digits !== undefined) return `0x${digits.toLowerCase()}`;
  if (!outcome || outcome.kind === "answered") return { why: `The answer to \`${method}\` is not what it should be.` };
  return { why: explain(outcome, method).what };
}

/** Whether a word may be an address: small numbers and hashes are none. */
function isAddressWord(word: string): boolean {
  return /^0x0{24}(?!0{8})[0-9a-f]{40}$/i.test(word) && !/^0x0{24}f{40}$/i.test(word);
}

/** Addresses in the data of a call, each in a word of its own. */
export function addressesIn(data: string): readonly string[] {
  const words = data.slice(10).match(/.{64}/g) ?? [];
  return words.flatMap((word) => (isAddressWord(`0x${word}`) ? [`0x${word.slice(24).toLowerCase()}`] : []));
}

/** Reads answers to `eth_createAccessList`. What they leave out is found later. */
export function listedState(answers: readonly (JsonValue | undefined)[]): Needs {
  const lists = answers.flatMap((one) => (isObject(one) && isArray(one.accessList) ? one.accessList : []));
  const entries = lists.flatMap((one) =>
    isObject(one) && isAddress(one.address) && isArray(one.storageKeys)
      ? [{ address: one.address.toLowerCase(), keys: one.storageKeys }]
      : [],
  );
  return {
    accounts: entries.map(({ address }) => address),
    slots: entries.flatMap(({ address, keys }) =>
      keys.flatMap((key) => {
        const number = quantity(key);
        return number === undefined ? [] : [{ address, slot: toWord(number) }];
      }),
    ),
    hashes: [],
  };
}

/** Whether overrides have a form that is understood here. */
export function overridesOf(value: JsonValue | undefined): StateOverrides | undefined {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return undefined;
  const known = new Set(["balance", "nonce", "code", "state", "stateDiff"]);
  const entries = Object.entries(value);
  const isKnown = entries.every(
    ([address, one]) => isAddress(address) && isObject(one) && Object.entries(one).every(isUnderstood),
  );
  function isUnderstood([name, own]: readonly [string, JsonValue]): boolean {
    if (!known.has(name)) return false;
    if (name === "code") return typeof own === "string" && /^0x(?:[0-9a-f]{2})*$/i.test(own);
    if (name === "balance" || name === "nonce") return isShortWord(own);
    return isObject(own) && Object.entries(own).every((pair) => pair.every(isShortWord));
  }
  if (!isKnown) return undefined;
  return Object.fromEntries(entries.map(([address, one]) => [address.toLowerCase(), isObject(one) ? one : {}]));
}

function isShortWord(value: JsonValue): boolean {
  return typeof value === "string" && wordForm.test(value);
}
