import { toWord } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { memberRead } from "../path.ts";
import { type Assumption, type BadAssumption, maskOf, type Override } from "./assumption.ts";

export type Merged =
  | { readonly params: readonly JsonValue[]; readonly problems?: undefined }
  | { readonly problems: readonly BadAssumption[] };

/**
 * Adds what is assumed to the overrides that a request has.
 *
 * @param params - As they are sent without it.
 */
export function mergeOverrides(method: string, params: readonly JsonValue[], list: readonly Assumption[]): Merged {
  const problems: BadAssumption[] = [];
  const clash = ({ span }: Assumption, name: string): void => {
    problems.push({
      code: "bad-assumption",
      span,
      what: `The request overrides this too, in \`${name}\`. Remove one of the two.`,
    });
  };
  const merged = method === "eth_simulateV1" ? inSimulation(params, list, clash) : inCall(params, list, clash);
  return problems.length > 0 ? { problems } : { params: merged };
}

type Clash = (assumption: Assumption, name: string) => void;

/** In `eth_call` and `eth_estimateGas` the overrides follow the block. */
function inCall(params: readonly JsonValue[], list: readonly Assumption[], clash: Clash): readonly JsonValue[] {
  const [call = {}, block = "latest", state, time, ...rest] = params;
  const blockOverrides = withTime(time, list, clash);
  return [
    call,
    block ?? "latest",
    withState(state, list, clash),
    ...(blockOverrides === undefined ? [] : [blockOverrides]),
    ...rest,
  ];
}

/** In a simulation they belong to the first block. */
function inSimulation(params: readonly JsonValue[], list: readonly Assumption[], clash: Clash): readonly JsonValue[] {
  const [payload, ...rest] = params;
  const blocks = isObject(payload) && isArray(payload.blockStateCalls) ? payload.blockStateCalls : [];
  const [first, ...others] = blocks;
  if (!isObject(payload) || !isObject(first)) return params; // the node says what is wrong with it
  const time = withTime(first.blockOverrides, list, clash);
  const state = withState(first.stateOverrides, list, clash);
  const block = { ...first, ...(time !== undefined && { blockOverrides: time }), stateOverrides: state };
  return [{ ...payload, blockStateCalls: [block, ...others] }, ...rest];
}

function withTime(given: JsonValue | undefined, list: readonly Assumption[], clash: Clash): JsonValue | undefined {
  const assumed = list.find(({ override }) => override.kind === "time");
  const { override } = assumed ?? {};
  if (!assumed || override?.kind !== "time") return given;
  const block = isObject(given) ? given : {};
  const name = Object.keys(block).find((one) => ["time", "timestamp"].includes(memberRead(one)));
  if (name !== undefined) clash(assumed, `blockOverrides.${name}`);
  return { ...block, [override.timeAs ?? "time"]: override.value };
}

function withState(given: JsonValue | undefined, list: readonly Assumption[], clash: Clash): JsonObject {
  const accounts = isObject(given) ? given : {};
  const keys = new Map<string, string>();
  const changed = new Map<string, ChangedAccount>();
  const twice = new Map<string, string>();
  for (const key of Object.keys(accounts)) {
    const address = key.toLowerCase();
    if (keys.has(address)) twice.set(address, key);
    keys.set(address, key);
  }
  for (const assumption of list) {
    const { override } = assumption;
    if (override.kind === "time") continue;
    const key = keys.get(override.address) ?? override.address;
    const account = changed.get(key) ?? new ChangedAccount(Object.hasOwn(accounts, key) ? accounts[key] : undefined);
    const taken = twice.get(override.address) ?? account.takenBy(override);
    if (taken !== undefined) clash(assumption, `stateOverrides.${taken}`);
    account.change(override);
    changed.set(key, account);
  }
  const all = new Map<string, JsonValue>(Object.entries(accounts));
  for (const [key, account] of changed) all.set(key, account.json());
  return Object.fromEntries(all);
}

type StateOverride = Exclude<Override, { readonly kind: "time" }>;

/** An account of a request's overrides, with what is assumed about it. */
class ChangedAccount {
  readonly #own: JsonObject;
  readonly #members = new Map<string, JsonValue>();
  /** By slot, as 32 bytes. */
  readonly #slots = new Map<string, bigint>();
  readonly #ownSlots: ReadonlySet<bigint>;

  constructor(own: JsonValue | undefined) {
    this.#own = isObject(own) ? own : {};
    this.#ownSlots = new Set(slotsOf(this.#own.stateDiff));
  }

  /** Returns the member that overrides the same already: nodes written in Go ignore case. */
  takenBy(override: StateOverride): string | undefined {
    const named = (name: string): readonly string[] =>
      Object.keys(this.#own).filter((one) => memberRead(one) === memberRead(name));
    if (override.kind !== "slot") return named(override.kind)[0];
    const [other] = [...named("state"), ...named("stateDiff").filter((one) => one !== "stateDiff")];
    return other ?? (this.#ownSlots.has(BigInt(override.slot)) ? "stateDiff" : undefined);
  }

  change(override: StateOverride): void {
    if (override.kind !== "slot") {
      this.#members.set(override.kind, override.value);
      return;
    }
    const [mask, value] = [maskOf(override), BigInt(override.value)];
    const earlier = this.#slots.get(override.slot);
    this.#slots.set(override.slot, earlier === undefined ? value : (earlier & ~mask) | (value & mask));
  }

  json(): JsonObject {
    const { stateDiff } = this.#own;
    const slots = Object.fromEntries([...this.#slots].map(([slot, value]) => [slot, toWord(value)]));
    const all = { ...(isObject(stateDiff) ? stateDiff : {}), ...slots };
    return {
      ...this.#own,
      ...Object.fromEntries(this.#members),
      ...(this.#slots.size > 0 && { stateDiff: all }),
    };
  }
}

/** Slots can be written in several ways. */
function slotsOf(stateDiff: JsonValue | undefined): readonly bigint[] {
  return Object.keys(isObject(stateDiff) ? stateDiff : {})
    .filter((one) => /^0x[0-9a-fA-F]{1,64}$/.test(one))
    .map(BigInt);
}
