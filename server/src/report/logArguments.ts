import { decodeCall } from "../abi/decodeCall.ts";
import type { DecodedEvent } from "../abi/decodeLog.ts";
import type { JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";
import { callShown } from "./call.ts";
import type { Shown } from "./report.ts";
import { revertShown } from "./returnedValues.ts";
import { abiShown, weiShown } from "./shown.ts";
import { nothing } from "./table.ts";
import { tokenAddress, tokenShown } from "./tokens.ts";
import type { ViewContext } from "./view.ts";

/** Shows an argument of an event as what it is: an amount of a token, a call inside of bytes. */
export function argShown(log: JsonValue, event: DecodedEvent, index: number, context: ViewContext): Shown {
  const { labels, tokens } = context;
  const arg = event.args[index];
  if (!arg) return nothing;
  const { value, type } = arg;
  if (arg.hashed)
    return { text: `hash ${String(value)}`, also: [`only the hash of the ${type} is logged`], role: "hash" };
  if (typeof value === "string" && /^u?int\d+$/.test(type)) {
    if (event.native) return weiShown(BigInt(value), value);
    const values = event.args.map((one) => one.value);
    const self = isObject(log) ? log.address : undefined;
    // an indexed number is the id of an item: some collections have decimals
    const token = arg.indexed
      ? undefined
      : tokens.get(tokenAddress({ kind: "event", signature: event.signature, values, self }, index) ?? "");
    if (token) return tokenShown(value, token, event.signature);
  }
  const inside = type === "bytes" && typeof value === "string" ? insideShown(value, context) : undefined;
  return inside ?? abiShown(value, type, labels);
}

/** Logged bytes that are data of their own: why a user operation failed, the call that a timelock has scheduled. */
function insideShown(data: string, context: ViewContext): Shown | undefined {
  const call = data.length % 64 === 10 ? decodeCall(data, context.scope) : undefined;
  return call?.faults.length === 0 ? { ...callShown(data, context), role: "bytes" } : revertShown(data, context.scope);
}
