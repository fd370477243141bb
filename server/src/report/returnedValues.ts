import type { AbiScope } from "../abi/abiScope.ts";
import type { Decoded } from "../abi/decode.ts";
import { utf8Text } from "../abi/decode.ts";
import { decodeRevert, innerReason } from "../abi/decodeRevert.ts";
import type { AbiParam } from "../abi/type.ts";
import { byteLength, isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import type { Field, Shown } from "./report.ts";
import { abiShown, badShown, bytesShown, inlineText, isReadable, quoted } from "./shown.ts";
import { tokenShown } from "./tokens.ts";
import type { ViewContext } from "./view.ts";
import { wordShown } from "./word.ts";

/**
 * Returned values by their names.
 *
 * @param token - The contract whose amount the first value is.
 * @param signature - Of the function that returned them.
 */
export function valueFields(
  outputs: readonly AbiParam[],
  values: readonly Decoded[],
  { labels, tokens }: ViewContext,
  token?: string,
  signature?: string,
): readonly Field[] {
  const known = token === undefined ? undefined : tokens.get(token);
  return outputs.map(({ name, type }, at) => {
    const value = values[at];
    const shown = known && at === 0 && typeof value === "string" ? tokenShown(value, known, signature) : undefined;
    return { name: oneLine(name, 60) || `value ${at + 1}`, value: shown ?? abiShown(value, type.text, labels) };
  });
}

/** Values on one line. */
export function valuesText(values: readonly Field[]): string {
  return oneLine(values.map(({ name, value }) => `${name}: ${inlineText(value)}`).join(", "), 200);
}

/** Returned data on one line, of a function that is not known. */
export function returnShown(data: JsonValue, { labels, scope }: ViewContext): Shown {
  if (!isHex(data)) return badShown(data, "not bytes");
  if (data === "0x") return { text: "no data", raw: "0x" };
  if (data.length === 66) return wordShown(data, labels);
  const text = encodedString(data);
  if (text !== undefined) return { text: quoted(text), raw: data, also: ["a string"] };
  if (data.length % 64 === 2)
    return { ...bytesShown(data), text: `${plural((data.length - 2) / 64, "word")} returned` };
  return revertShown(data, scope) ?? bytesShown(data);
}

/** Bytes that are the data of a known revert, whole; `undefined` for all others. */
export function revertShown(data: string, scope: AbiScope | undefined): Shown | undefined {
  const revert = data.length % 64 === 10 ? decodeRevert(data, scope) : undefined;
  const known = revert?.kind === "reason" || revert?.kind === "panic" || revert?.kind === "custom";
  return known && revert.faults.length === 0
    ? { text: oneLine(`revert data: ${innerReason(revert)}`), ...(data.length <= 4096 && { raw: data }), role: "bad" }
    : undefined;
}

/** Data that is one encoded string and nothing else, as `name()` and `symbol()` return it. */
function encodedString(data: string): string | undefined {
  if (!/^0x0{62}20/.test(data) || !/^0{56}/.test(data.slice(66, 122))) return undefined;
  const length = Number.parseInt(data.slice(122, 130), 16);
  if (Math.ceil(length / 32) * 32 + 64 !== byteLength(data)) return undefined;
  const text = utf8Text(`0x${data.slice(130, 130 + length * 2)}`);
  return text !== undefined && (text === "" || isReadable(text)) ? text : undefined;
}
