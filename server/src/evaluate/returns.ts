import { type AbiItem, selectorOf } from "../abi/item.ts";
import type { AbiParam } from "../abi/type.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Readable } from "./conversion.ts";

/**
 * Returns the declared return values of the function that an `eth_call` calls: as the call is written, else by the
 * selector in the project's ABIs.
 *
 * @param params - The params that are sent.
 * @returns `undefined` if there is no declaration, or if the ABIs differ.
 */
export function returnsOf(
  method: string,
  params: JsonValue | undefined,
  readables: readonly Readable[],
  abi: readonly AbiItem[],
): readonly AbiParam[] | undefined {
  if (method !== "eth_call") return undefined;
  const called = readables.find(({ calls }) => calls)?.calls;
  if (called) return called.outputs.length > 0 ? called.outputs : undefined;
  return functionOf(dataIn(params), abi)?.outputs;
}

/** Returns the function with the selector of call data, if its declarations agree on the return values. */
export function functionOf(data: unknown, abi: readonly AbiItem[]): AbiItem | undefined {
  if (typeof data !== "string" || data.length < 10) return undefined;
  const selector = data.slice(0, 10).toLowerCase();
  const declared = abi.filter(
    (item) => item.kind === "function" && item.outputs.length > 0 && selectorOf(item) === selector,
  );
  const types = new Set(declared.map(({ outputs }) => outputs.map(({ type }) => type.text).join()));
  return types.size === 1 ? declared[0] : undefined;
}

function dataIn(params: JsonValue | undefined): JsonValue | undefined {
  const call = isArray(params) ? params[0] : undefined;
  return isObject(call) ? (call.data ?? call.input) : undefined;
}
