import { parseItem } from "../../abi/item.ts";
import type { AbiType } from "../../abi/type.ts";
import { toQuantity, zeroAddress } from "../../base/hex.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { RecogniseScope } from "./reading.ts";

/** The case of a transaction: what it did, and why. */
export function transactionCell(hash: string): JsonObject {
  return { method: "eth_getTransactionByHash", params: [hash], explain: true };
}

export function blockHashCell(hash: string): JsonObject {
  return { method: "eth_getBlockByHash", params: [hash, false] };
}

export function blockCell(block: bigint | string): JsonObject {
  const number = typeof block === "string" ? block : toQuantity(block);
  return { method: "eth_getBlockByNumber", params: [number, false] };
}

export function accountCell(address: string, { tag }: RecogniseScope): JsonObject {
  const methods = ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"];
  return { batch: methods.map((method) => ({ method, params: [address, tag] })) };
}

export function callCell(call: JsonValue, { tag }: RecogniseScope): JsonObject {
  return { method: "eth_call", params: [call, tag] };
}

/** A call of the contract that the notebook has, to be replaced. */
export function contractCell(data: JsonValue, scope: RecogniseScope): JsonObject {
  return callCell({ to: scope.contract, data }, scope);
}

export function logsCell(filter: JsonObject): JsonObject {
  return { method: "eth_getLogs", params: [filter] };
}

export function chainCell(id: bigint): JsonObject {
  return { method: "eth_chainId", expect: { result: toQuantity(id) } };
}

/** The precompiled contract that returns its input. */
const identity = "0x0000000000000000000000000000000000000004";

/** A call whose answer is these bytes, so that the report shows them. */
export function returningCell(bytes: string, scope: RecogniseScope): JsonObject {
  return callCell({ to: identity, data: bytes }, scope);
}

/**
 * A call that reverts with these bytes, so that the report decodes them: code that copies what follows it to memory and
 * reverts with that.
 */
export function revertingCell(bytes: string, scope: RecogniseScope): JsonObject {
  const length = ((bytes.length - 2) / 2).toString(16).padStart(4, "0");
  const call = callCell({ data: `0x61${length}80600c6000396000fd${bytes.slice(2)}` }, scope);
  return { ...call, expect: { "error.reason": "revert" } };
}

/** Bytes that {@link revertingCell} takes: code that creates a contract has a limit (EIP-3860). */
export const maxRevertBytes = 40_000;

/** A call of a function with the plainest arguments, in readable form. @param selector - Used if the signature has odd types. */
export function sampleCall(signature: string, selector: string): JsonValue {
  const item = parseItem(`function ${signature}`, "");
  if (!item) return selector;
  return { function: signature, args: item.inputs.map(({ type }) => sample(type)) };
}

function sample(type: AbiType): JsonValue {
  switch (type.kind) {
    case "array":
      return Array.from({ length: Math.min(type.length ?? 0, 16) }, () => sample(type.of));
    case "tuple":
      return type.members.map(({ type: member }) => sample(member));
    case "bool":
      return false;
    case "address":
      return zeroAddress;
    case "bytes":
      return "0x";
    case "string":
      return "";
    case "fixedBytes":
      return `0x${"00".repeat(type.size)}`;
    default:
      return "0";
  }
}
