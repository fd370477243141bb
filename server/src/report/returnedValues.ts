import type { AbiScope } from "../abi/abiScope.ts";
import { type Decoded, utf8Text } from "../abi/decode.ts";
import { decodeRevert, innerReason } from "../abi/decodeRevert.ts";
import type { InnerReturned } from "../abi/innerReturns.ts";
import type { AbiParam } from "../abi/type.ts";
import { byteLength, isAddress, isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { precompileName } from "../catalog/contracts.ts";
import { guessOf, sourceText } from "./call.ts";
import type { Field, Section, Shown } from "./report.ts";
import { revertText } from "./revertText.ts";
import { abiShown, badShown, bytesShown, inlineText, isReadable, nameAt, partyShown, quoted, rawOf } from "./shown.ts";
import { filled, nothing, table } from "./table.ts";
import { returnsAmount, tokenShown } from "./tokens.ts";
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
    return { name: nameAt(name, at, "value"), value: shown ?? abiShown(value, type.text, labels) };
  });
}

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
    ? { text: oneLine(`revert data: ${innerReason(revert)}`), ...rawOf(data), role: "bad" }
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

/** The result of a call inside another one, and the path of that call. */
export interface InnerRow {
  /** `3`, and `3 › 0` for the first call inside of that one. */
  readonly place: string;
  readonly returned: InnerReturned;
}

/** All of them in order, those inside of others behind them. */
export function innerRows(inner: readonly InnerReturned[], prefix = ""): readonly InnerRow[] {
  return inner.flatMap((returned, at) => {
    const [, found] = returned.path.filter((step) => typeof step === "number");
    const place = `${prefix}${found ?? at}`;
    return [{ place, returned }, ...innerRows(returned.inner, `${place} › `)];
  });
}

export function innerSections(rows: readonly InnerRow[], context: ViewContext): readonly Section[] {
  if (rows.length === 0) return [];
  const columns = filled<InnerRow>(rows, [
    { name: "Call", align: "right", of: ({ place }) => ({ text: place }) },
    {
      name: "Contract",
      of: ({ returned: { asked } }) => (asked.to === undefined ? nothing : partyShown(asked.to, context.labels)),
    },
    { name: "Function", of: ({ returned }) => functionShown(returned) },
    { name: "Result", of: ({ returned }) => resultShown(returned, context) },
  ]);
  return [table(rows, columns, "Returned by the calls inside")];
}

/** How they went on one line: `2 calls inside, 1 failed: balanceOf 7, transfer reverted: too small`. */
export function innerText(inner: readonly InnerReturned[], context: ViewContext): string {
  const failed = inner.filter(({ revert }) => revert).length;
  const each = inner.slice(0, 20).map((one) => {
    const below =
      one.inner.length > 0 ? ` (${innerText(one.inner, context)})` : ` ${inlineText(resultShown(one, context))}`;
    return (precompileOf(one) ?? functionShown(one).text) + below;
  });
  const all = `${plural(inner.length, "call")} inside${failed > 0 ? `, ${failed} failed` : ""}`;
  return oneLine(`${all}: ${each.join(", ")}`, 200);
}

function precompileOf({ asked: { to } }: InnerReturned): string | undefined {
  return to === undefined ? undefined : precompileName(to);
}

function functionShown(returned: InnerReturned): Shown {
  const { call, data } = returned.asked;
  if (call) {
    const also = [`${oneLine(call.signature, 200)} ${sourceText(call.source, call.guess)}`];
    return { text: oneLine(call.name, 60), also, ...guessOf(call), role: "name" };
  }
  if (precompileOf(returned) !== undefined) return nothing;
  return { text: data.length < 10 ? "no function" : `unknown function ${data.slice(0, 10)}`, role: "bytes" };
}

function resultShown({ revert, returned, data, asked, inner }: InnerReturned, context: ViewContext): Shown {
  const raw = rawOf(data);
  if (revert)
    return { text: oneLine(`reverted: ${revertText(revert, context, asked.to, innerReason)}`), ...raw, role: "bad" };
  if (inner.length > 0) return { text: innerText(inner, context), ...raw };
  if (returned) {
    const { item, values } = returned;
    const token = returnsAmount(item.signature) && isAddress(asked.to) ? asked.to.toLowerCase() : undefined;
    const fields = valueFields(item.outputs, values, context, token, item.signature);
    const [only] = fields;
    return only && fields.length === 1 ? { ...only.value, ...raw } : { text: valuesText(fields), ...raw };
  }
  if (data !== "0x") return returnShown(data, context);
  return { text: asked.call?.item.outputs.length === 0 ? "succeeded" : "no data returned" };
}
