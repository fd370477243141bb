import { isAddress, quantity, toWord } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import { explain } from "../rpc/explain.ts";
import type { AskAll, BlockQuestion } from "../rpc/head.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import { hashProbe } from "./blockProbe.ts";
import { bulkQuestion, readBulk, type StateValues, type Wanted } from "./bulkState.ts";
import { type AccountFacts, type KnownState, type Needs, type Slot, slotKey } from "./task.ts";

/** Accounts that one message asks for because they may be needed next. */
const maxGuesses = 16;

/** The slot in which a proxy keeps the address of its code. @see https://eips.ethereum.org/EIPS/eip-1967 */
const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** Words that are read in addition where that costs no message. */
const bulkSlots = [implementationSlot, ...Array.from({ length: 8 }, (_, at) => toWord(BigInt(at)))];

/** State that a person assumes: `stateOverrides` of a call. */
export type StateOverrides = Readonly<Record<string, JsonObject>>;

/** How state is read. */
export interface StateSource {
  /** Sends questions in one message. */
  readonly ask: AskAll;
  /** The number of the block, as a quantity. */
  readonly block: string;
  /** Its hash, which no call at this block can read, and calls in the next one can. */
  readonly hash: string | undefined;
  readonly overrides: StateOverrides;
  /** Values that may be read. */
  readonly maxValues: number;
  /** Accounts that have no code. */
  readonly plain?: ReadonlySet<string>;
  /** Whether one simulation is better than this many requests. */
  isBulkBetter(requests: number): boolean;
}

/** Reads the state of one block, each value once. */
export class StateReader {
  readonly #source: StateSource;
  readonly #asked = new Set<string>();
  /** Accounts whose nonce is assumed. */
  readonly #assumed = new Map<string, AccountFacts>();
  /** Addresses that were seen in code and in storage, and not asked for. */
  readonly #guesses = new Set<string>();
  #refusesBulk = false;

  constructor(source: StateSource) {
    this.#source = source;
  }

  /**
   * Reads what is needed in one message, with what may be needed next.
   *
   * @param beside - Questions for the same message.
   * @returns The outcomes of the other questions, and the state; if it cannot be read, why, as a sentence.
   */
  async read(
    needs: Needs,
    beside: readonly BlockQuestion[] = [],
  ): Promise<{ readonly state: KnownState | string; readonly others: readonly Outcome[] }> {
    const nonces = needs.accounts.flatMap((address) => {
      const facts = this.#assumed.get(address);
      return facts ? [{ address, facts }] : [];
    });
    const wanted = this.#wanted(needs);
    const { block, hash = "", maxValues } = this.#source;
    if (this.#asked.size > maxValues) {
      const state = `More than ${grouped(BigInt(maxValues))} accounts and words of storage are needed.`;
      return { state, others: beside.length === 0 ? [] : await this.#source.ask(beside) };
    }
    const earlier = needs.hashes.filter((number) => number !== quantity(block) || hash === "");
    const own = [
      ...beside,
      ...nonces.map(({ address }) => this.#question("eth_getTransactionCount", address)),
      ...earlier.map((number) => this.#question("eth_call", { data: hashProbe(number) })),
    ];
    const [outcomes, values] = await this.#ask(own, wanted);
    const others = outcomes.slice(0, beside.length);
    if (typeof values === "string") return { state: values, others };
    const texts = own.slice(beside.length).map(({ method }, at) => readValue(method, outcomes[beside.length + at]));
    const wrong = texts.find((value) => typeof value === "object");
    if (wrong) return { state: wrong.why, others };
    const [counts, hashes] = [texts.slice(0, nonces.length), texts.slice(nonces.length)].map((some) =>
      some.map(String),
    );
    const renewed = nonces.map(({ address, facts: { balance, code } }, at) => {
      this.#assumed.delete(address);
      return [address, { balance, code, nonce: quantity(counts?.[at]) ?? 0n }] as const;
    });
    const state = {
      accounts: new Map([...this.#accounts(wanted, values), ...renewed]),
      slots: new Map(wanted.slots.map((one, at) => [slotKey(one), this.#word(one, values.words[at] ?? "0x0")])),
      hashes: new Map([
        ...needs.hashes.map((number) => [number, hash] as const),
        ...earlier.map((number, at) => [number, hashes?.[at] ?? ""] as const),
      ]),
    };
    this.#collect(state);
    return { state, others };
  }

  #wanted(needs: Needs): Wanted {
    const { plain } = this.#source;
    const guesses = [...this.#guesses].filter((one) => !this.#asked.has(one)).slice(0, maxGuesses);
    this.#guesses.clear();
    const accounts = [...needs.accounts, ...guesses].filter((one) => this.#isNew(one));
    const proxies = accounts.filter((address) => !isPrecompile(address) && !plain?.has(address));
    // where one simulation reads all, the first words cost no message: most contracts keep variables there
    const slots = this.#source.isBulkBetter(leastBulk) && !this.#refusesBulk ? bulkSlots : [implementationSlot];
    const guessed = proxies.flatMap((address) => slots.map((slot) => ({ address, slot })));
    return { accounts, slots: [...needs.slots, ...guessed].filter((one) => this.#isNew(slotKey(one))) };
  }
  /** Asks for values by one simulation, or one by one. */
  async #ask(
    own: readonly BlockQuestion[],
    wanted: Wanted,
  ): Promise<readonly [readonly Outcome[], StateValues | string]> {
    const { ask, block } = this.#source;
    const count = 3 * wanted.accounts.length + wanted.slots.length;
    const singly = singleQuestions(wanted, block);
    if (count < leastBulk || this.#refusesBulk || !this.#source.isBulkBetter(count)) {
      const questions = [...own, ...singly];
      const outcomes = questions.length === 0 ? [] : await ask(questions);
      return [outcomes, readSingly(wanted, outcomes.slice(own.length))];
    }
    const outcomes = await ask([...own, bulkQuestion(wanted, block)]);
    const values = readBulk(wanted, resultOf(outcomes[own.length]));
    if (values) return [outcomes, values];
    this.#refusesBulk = true;
    return [outcomes, readSingly(wanted, await ask(singly))];
  }
  #isNew(key: string): boolean {
    if (this.#asked.has(key)) return false;
    this.#asked.add(key);
    return true;
  }
  #question(method: string, ...params: readonly JsonValue[]): BlockQuestion {
    return { method, params: [...params, this.#source.block] };
  }
  #accounts({ accounts }: Wanted, { accounts: values }: StateValues): readonly (readonly [string, AccountFacts])[] {
    return accounts.flatMap((address, at) => {
      const read = values[at];
      if (!read) return [];
      const { balance, nonce, code } = this.#source.overrides[address] ?? {};
      const facts: AccountFacts = {
        ...read,
        balance: quantity(balance) ?? read.balance,
        nonce: quantity(nonce) ?? read.nonce,
        code: typeof code === "string" ? code.toLowerCase() : read.code,
      };
      const isAssumed = facts.isNonceAssumed && quantity(nonce) === undefined;
      if (isAssumed) this.#assumed.set(address, facts);
      return [[address, isAssumed ? facts : known(facts)]];
    });
  }
  #word({ address, slot }: Slot, read: string): string {
    const { state, stateDiff } = this.#source.overrides[address] ?? {};
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

/** A nonce that a person states is not assumed. */
function known({ balance, nonce, code }: AccountFacts): AccountFacts {
  return { balance, nonce, code };
}

/** Fewer values are asked for one by one. */
const leastBulk = 6;

const accountMethods = ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"];

function singleQuestions({ accounts, slots }: Wanted, block: string): readonly BlockQuestion[] {
  return [
    ...accounts.flatMap((address) => accountMethods.map((method) => ({ method, params: [address, block] }))),
    ...slots.map(({ address, slot }) => ({ method: "eth_getStorageAt", params: [address, slot, block] })),
  ];
}

/** @returns Why they cannot be read, as a sentence, if one is not a value. */
function readSingly(wanted: Wanted, outcomes: readonly Outcome[]): StateValues | string {
  const values = singleQuestions(wanted, "").map(({ method }, at) => readValue(method, outcomes[at]));
  const wrong = values.find((value) => typeof value === "object");
  if (wrong) return wrong.why;
  const texts = values.map(String);
  const accounts = wanted.accounts.map((_, at) => {
    const [balance, nonce, code = "0x"] = texts.slice(at * 3, at * 3 + 3);
    return { balance: quantity(balance) ?? 0n, nonce: quantity(nonce) ?? 0n, code };
  });
  return { accounts, words: texts.slice(3 * accounts.length) };
}

/** Whether an address is too small for a contract. */
function isPrecompile(address: string): boolean {
  return /^0x0{36}/.test(address);
}

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
