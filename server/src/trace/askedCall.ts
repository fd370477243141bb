import { isAddress, quantity, toQuantity, toWord, zeroAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { overridesOf, type StateOverrides } from "./stateReader.ts";
import { type TracedCall, tracedMethods } from "./task.ts";

/** A request whose call can be traced. */
export interface AskedCall {
  /** As it was asked for, with the gas that it is traced with. */
  readonly request: JsonObject;
  /** A tag, or a number as a quantity. */
  readonly block: string;
  readonly overrides: StateOverrides;
  /** What follows the block: overrides as the endpoint takes them. */
  readonly more: readonly JsonValue[];
  readonly call: Omit<TracedCall, "gasPrice">;
  /** It pays for its gas. */
  readonly pays: boolean;
}

/** Gas of a call that states none: the most that one transaction may have. @see https://eips.ethereum.org/EIPS/eip-7825 */
const usualGas = 16_777_216n;

/** @returns Why the request cannot be traced, as a sentence. */
export function askedCall(method: string, params: JsonValue | undefined): AskedCall | string {
  const [request, block = "latest", state, time] = isArray(params) ? params : [];
  if (!tracedMethods.has(method) || !isObject(request)) return "The request is not a call.";
  if (
    typeof block !== "string" ||
    (!/^(?:latest|safe|finalized|earliest)$/.test(block) && quantity(block) === undefined)
  )
    return block === "pending"
      ? "The state of `pending` changes while it is read. Write `latest` or a number."
      : "Only a block that is named by its number or a tag is read.";
  if (block.length > 20) return "A block is read by its number, not by its hash.";
  const overrides = overridesOf(state);
  if (!overrides) return "The overrides of the call have a form that is not known.";
  if (isArray(request.authorizationList) || isArray(request.blobVersionedHashes))
    return "Calls with authorizations or blobs are not traced yet.";
  const call = callOf(request);
  if (!call) return "The call has a form that is not known.";
  const more = time === undefined ? (Object.keys(overrides).length > 0 ? [state ?? null] : []) : [state ?? {}, time];
  const pays = [request.gasPrice, request.maxFeePerGas].some((price) => (quantity(price) ?? 0n) > 0n);
  return { request: { ...request, gas: toQuantity(call.gas) }, block, overrides, more, call, pays };
}

function callOf(request: JsonObject): AskedCall["call"] | undefined {
  const { from = zeroAddress, to, value = "0x0", gas, accessList } = request;
  const data = request.input ?? request.data ?? "0x";
  const isCreation = to === undefined || to === null;
  if (!isAddress(from) || !(isCreation || isAddress(to))) return undefined;
  if (typeof data !== "string" || !/^0x(?:[0-9a-fA-F]{2})*$/.test(data)) return undefined;
  const amount = quantity(value);
  const given = gas === undefined || gas === null ? usualGas : quantity(gas);
  const listed = listOf(accessList);
  if (amount === undefined || amount >= 2n ** 256n || given === undefined || given >= 2n ** 63n || !listed)
    return undefined;
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
