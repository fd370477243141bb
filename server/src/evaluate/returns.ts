import { type AbiItem, selectorOf } from "../abi/item.ts";
import type { AbiParam } from "../abi/type.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Readable } from "./reading.ts";

/**
 * What the function that an `eth_call` calls is declared to return: as the call is written, else as the project's ABIs
 * know its selector.
 *
 * @param params - As they are sent.
 * @returns `undefined` where nothing says so, or where the ABIs differ.
 */
export function returnsOf(
  method: string,
  params: JsonValue | undefined,
  found: readonly Readable[],
  abi: readonly AbiItem[],
): readonly AbiParam[] | undefined {
  if (method !== "eth_call") return undefined;
  const called = found.find(({ calls }) => calls)?.calls;
  if (called) return called.outputs.length > 0 ? called.outputs : undefined;
  const selector = selectorIn(params);
  if (selector === undefined) return undefined;
  const known = abi.filter(
    (item) => item.kind === "function" && item.outputs.length > 0 && selectorOf(item) === selector,
  );
  const types = new Set(known.map(({ outputs }) => outputs.map(({ type }) => type.text).join()));
  return types.size === 1 ? known[0]?.outputs : undefined;
}

function selectorIn(params: JsonValue | undefined): string | undefined {
  const call = isArray(params) ? params[0] : undefined;
  if (!isObject(call)) return undefined;
  const data = call.data ?? call.input;
  return typeof data === "string" && data.length >= 10 ? data.slice(0, 10).toLowerCase() : undefined;
}
