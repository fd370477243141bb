import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import { itemsOf, typeNamed } from "../catalog/types.ts";

/**
 * Says what an answer is not: a quantity, bytes, a list or an object, as its method has it. What is inside of lists and
 * objects is not looked at.
 *
 * @returns `undefined` if the answer can be right, also for methods of unknown type.
 * @example answerFault(methodNamed("eth_getBalance"), "zz"); //=> "not a quantity"
 */
export function answerFault(spec: MethodSpec | undefined, result: JsonValue): string | undefined {
  // the rows of a subscription come in place of its id
  if (!spec || spec.name === "eth_subscribe" || (result === null && spec.nullResult !== undefined)) return undefined;
  if (itemsOf(spec.result) !== undefined) return isArray(result) || result === null ? undefined : "not a list";
  switch (typeNamed(spec.result)?.kind) {
    case "quantity":
      return quantity(result) === undefined ? "not a quantity" : undefined;
    case "bytes":
      return typeof result === "string" && /^0x[0-9a-f]*$/i.test(result) ? undefined : "not bytes";
    case "object":
    case "map":
      return isObject(result) || isArray(result) || result === null ? undefined : "not an object";
    default:
      return undefined;
  }
}
