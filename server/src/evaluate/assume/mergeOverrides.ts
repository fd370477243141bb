import { toWord } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
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
  if (!assumed) return given;
  const block = isObject(given) ? given : {};
  const name = ["time", "timestamp"].find((one) => Object.hasOwn(block, one));
  if (name !== undefined) clash(assumed, `blockOverrides.${name}`);
  return { ...block, time: assumed.override.value };
}

function withState(given: JsonValue | undefined, list: readonly Assumption[], clash: Clash): JsonObject {
  const own = new Map(Object.entries(isObject(given) ? given : {}));
  const accounts = new Map(own);
  for (const assumption of list) {
    const { override } = assumption;
    if (override.kind === "time") continue;
    const key = [...accounts.keys()].find((one) => one.toLowerCase() === override.address) ?? override.address;
    const changed = accounts.get(key);
    const account = isObject(changed) ? changed : {};
    const before = own.get(key);
    const taken = takenBy(isObject(before) ? before : {}, override);
    if (taken !== undefined) clash(assumption, `stateOverrides.${taken}`);
    accounts.set(key, { ...account, ...memberOf(account, override) });
  }
  return Object.fromEntries(accounts);
}

function takenBy(account: JsonObject, override: Exclude<Override, { readonly kind: "time" }>): string | undefined {
  if (override.kind !== "slot") return Object.hasOwn(account, override.kind) ? override.kind : undefined;
  if (isObject(account.state)) return "state";
  const { stateDiff } = account;
  return slotKey(stateDiff, override.slot) === undefined ? undefined : "stateDiff";
}

/** Adding to a `stateDiff` must not repeat a slot that is written in another way. */
function slotKey(stateDiff: JsonValue | undefined, slot: string): string | undefined {
  return Object.keys(isObject(stateDiff) ? stateDiff : {}).find(
    (one) => /^0x[0-9a-fA-F]{1,64}$/.test(one) && BigInt(one) === BigInt(slot),
  );
}

function memberOf(account: JsonObject, override: Exclude<Override, { readonly kind: "time" }>): JsonObject {
  if (override.kind !== "slot") return { [override.kind]: override.value };
  const stateDiff = isObject(account.stateDiff) ? account.stateDiff : {};
  const earlier = stateDiff[override.slot];
  const mask = maskOf(override);
  const value =
    typeof earlier === "string" ? toWord((BigInt(earlier) & ~mask) | (BigInt(override.value) & mask)) : override.value;
  return { stateDiff: { ...stateDiff, [override.slot]: value } };
}
