import { isAddress, quantity, toQuantity, toWord, zeroAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import { overridesOf, type StateOverrides } from "./stateReader.ts";
import { type TracedCall, tracedMethods } from "./task.ts";

/** A request whose calls can be traced. */
export interface AskedCalls {
  /** One call, or a simulation of one block. */
  readonly isSimulation: boolean;
  /** As they were asked for, each with the gas that it is traced with. */
  readonly requests: readonly JsonObject[];
  readonly calls: readonly Omit<TracedCall, "gasPrice">[];
  /** A tag, or a number as a quantity. */
  readonly block: string;
  /** Overrides of state, as they are understood and as the endpoint takes them. */
  readonly overrides: StateOverrides;
  readonly stateOverrides: JsonObject | undefined;
  readonly blockOverrides: JsonObject | undefined;
  /** The call pays for its gas. */
  readonly pays: boolean;
}

/** Gas of a call that states none: the most that one transaction may have. @see https://eips.ethereum.org/EIPS/eip-7825 */
const usualGas = 16_777_216n;
/** More than any endpoint gives a call: it buys memory. */
const maxGas = 1_000_000_000n;
/** Gas of all calls of a simulation that state none: as much as a block has. */
const blockGas = 30_000_000n;

/** @returns Why the request cannot be traced, as a sentence. */
export function askedCalls(method: string, params: JsonValue | undefined): AskedCalls | string {
  const [request, block = "latest", state, time] = isArray(params) ? params : [];
  if (!tracedMethods.has(method) || !isObject(request)) return "The request is not a call.";
  const wrong = wrongBlock(block);
  if (wrong !== undefined || typeof block !== "string") return wrong ?? "";
  if (method !== "eth_simulateV1") return askedOf([request], block, state, time, false);
  const { blockStateCalls, validation } = request;
  const [first, ...others] = isArray(blockStateCalls) ? blockStateCalls : [];
  if (!isObject(first) || others.length > 0) return "Only a simulation of one block is traced.";
  if (validation === true) return "A simulation with `validation` is not traced yet.";
  const calls = isArray(first.calls) ? first.calls.filter(isObject) : [];
  if (calls.length === 0) return "The simulation has no calls.";
  const asked = askedOf(calls, block, first.stateOverrides, first.blockOverrides, true);
  if (typeof asked !== "string" && asked.pays) return "A simulation whose calls pay for gas is not traced yet.";
  return asked;
}

/** Returns the gas that calls get which state none; `undefined` if all state theirs. */
export function addedGas(method: string, params: JsonValue | undefined): bigint | undefined {
  const asked = askedCalls(method, params);
  if (typeof asked === "string") return undefined;
  const [request] = isArray(params) ? params : [];
  const [block] = isObject(request) && isArray(request.blockStateCalls) ? request.blockStateCalls : [];
  const given = isObject(block) ? (isArray(block.calls) ? block.calls : []) : [request];
  const without = given.findIndex((call) => isObject(call) && (call.gas ?? null) === null);
  return asked.calls[without]?.gas;
}

function wrongBlock(block: JsonValue): string | undefined {
  if (typeof block === "string" && /^(?:pending|latest|safe|finalized|earliest)$/.test(block)) return undefined;
  if (typeof block !== "string" || quantity(block) === undefined)
    return "Only a block that is named by its number or a tag is read.";
  return block.length > 20 ? "A block is read by its number, not by its hash." : undefined;
}

function askedOf(
  given: readonly JsonObject[],
  block: string,
  state: JsonValue | undefined,
  time: JsonValue | undefined,
  isSimulation: boolean,
): AskedCalls | string {
  const overrides = overridesOf(state);
  if (!overrides) return "The overrides of the call have a form that is not known.";
  if (given.some((one) => isArray(one.authorizationList) || isArray(one.blobVersionedHashes)))
    return "Calls with authorizations or blobs are not traced yet.";
  const share = blockGas / BigInt(given.length);
  const calls = given.map((one) => callOf(one, share < usualGas ? share : usualGas));
  if (!calls.every((call) => call !== undefined)) return "The call has a form that is not known.";
  if (calls.some(({ gas }) => gas > maxGas)) return `A call with more than ${grouped(maxGas)} gas is not traced.`;
  const hasPrice = (price: JsonValue | undefined): boolean => (quantity(price) ?? 0n) > 0n;
  return {
    isSimulation,
    requests: given.map((one, at) => ({ ...one, gas: toQuantity(calls[at]?.gas ?? 0n) })),
    calls,
    block,
    overrides,
    stateOverrides: isObject(state) && Object.keys(state).length > 0 ? state : undefined,
    blockOverrides: isObject(time) ? time : undefined,
    pays: given.some(({ gasPrice, maxFeePerGas }) => hasPrice(gasPrice) || hasPrice(maxFeePerGas)),
  };
}

/** Returns what follows the block in the parameters of a call. */
export function overrideParams({ stateOverrides, blockOverrides }: AskedCalls): readonly JsonValue[] {
  if (blockOverrides) return [stateOverrides ?? {}, blockOverrides];
  return stateOverrides ? [stateOverrides] : [];
}

/** Returns the overrides as members. */
export function overrideMembers({ stateOverrides, blockOverrides }: AskedCalls): JsonObject {
  return { ...(stateOverrides && { stateOverrides }), ...(blockOverrides && { blockOverrides }) };
}

/** Reads one call. @returns `undefined` if it has a form that is not known. */
export function callOf(request: JsonObject, usual: bigint): AskedCalls["calls"][number] | undefined {
  const { from = zeroAddress, to, value = "0x0", gas, accessList } = request;
  const data = request.input ?? request.data ?? "0x";
  const isCreation = to === undefined || to === null;
  if (!isAddress(from) || !(isCreation || isAddress(to))) return undefined;
  if (typeof data !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(data)) return undefined;
  const amount = quantity(value);
  const given = gas === undefined || gas === null ? usual : quantity(gas);
  const listed = listOf(accessList);
  if (amount === undefined || amount >= 2n ** 256n || given === undefined || !listed) return undefined;
  return {
    from: from.toLowerCase(),
    to: isCreation ? undefined : String(to).toLowerCase(),
    data: data.toLowerCase(),
    value: amount,
    gas: given,
    accessList: listed,
  };
}

function listOf(list: JsonValue | undefined): TracedCall["accessList"] | undefined {
  if (list === undefined || list === null) return [];
  if (!isArray(list)) return undefined;
  const entries = list.map((one) => {
    if (!isObject(one) || !isAddress(one.address) || !isArray(one.storageKeys)) return undefined;
    const slots = one.storageKeys.map(quantity);
    if (slots.some((slot) => slot === undefined || slot >= 2n ** 256n)) return undefined;
    return { address: one.address.toLowerCase(), slots: slots.map((slot) => toWord(slot ?? 0n)) };
  });
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}
