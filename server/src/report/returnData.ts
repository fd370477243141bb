import type { Candidate } from "../abi/candidates.ts";
import { fittingData } from "../abi/candidates.ts";
import type { Decoded } from "../abi/decode.ts";
import { decodeParams, utf8Text } from "../abi/decode.ts";
import type { DecodedCall } from "../abi/decodeCall.ts";
import { decodeCall } from "../abi/decodeCall.ts";
import type { Returned as ReturnedAs } from "../abi/decodeReturns.ts";
import { decodeReturns, innerReturns } from "../abi/decodeReturns.ts";
import { decodeRevert, revertReason } from "../abi/decodeRevert.ts";
import { declaration } from "../abi/item.ts";
import type { AbiParam } from "../abi/type.ts";
import { byteLength, isAddress, isHex } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { alternatives, dataOf, sourceText } from "./call.ts";
import type { Field, Section, Shown } from "./report.ts";
import { abiShown, badShown, bytesShown, inlineText, isReadable, oneLine, quoted } from "./shown.ts";
import { maxRows, table } from "./table.ts";
import { returnsAmount, tokenShown } from "./tokens.ts";
import type { View, ViewContext } from "./view.ts";
import { valueView } from "./view.ts";
import { wordShown } from "./word.ts";

/** The result of `eth_call`: by the function that was called, else readings of words whose types are unknown. */
export function returnView(data: JsonValue, context: ViewContext): View {
  if (data === "0x") return { summary: "no data returned", sections: [{ kind: "note", text: emptyReturn }] };
  if (isHex(data)) {
    const asked = isArray(context.params) ? context.params[0] : undefined;
    const returned = returnedBy(isObject(asked) ? asked : {}, data, context);
    if (returned && (returned.faults.length === 0 || !returned.guess)) return declaredView(returned, data);
  }
  const shown = returnShown(data, context);
  if (!isHex(data) || data.length % 64 !== 2 || data.length <= 66) return valueView(shown);
  const words = Array.from({ length: (data.length - 2) / 64 }, (_, i) => `0x${data.slice(2 + i * 64, 66 + i * 64)}`);
  return { summary: shown.text, sections: [wordTable(words, context)] };
}

/** Returned data by what the function that was called returns. */
interface Returned {
  readonly values: readonly Field[];
  readonly faults: readonly string[];
  /** Why it is read so; `undefined` where the request itself says it. */
  readonly reason: string | undefined;
  readonly guess: boolean;
  readonly others: readonly Candidate[];
  /** What the calls inside the call returned. */
  readonly inner: readonly Field[];
}

const asWritten = { reason: undefined, guess: false, others: [], inner: [] } as const;

/** @returns `undefined` where no known function has that selector and returns something. */
function returnedBy(call: JsonObject, data: string, context: ViewContext): Returned | undefined {
  const { returns: written, scope } = context;
  const input = dataOf(call)?.toLowerCase() ?? "";
  const fits = fittingData("function", input, scope, isAddress(call.to) ? call.to : undefined).filter(
    ({ item }) => item.outputs.length > 0,
  );
  const readings = decodeReturns(
    fits.map(({ item }) => item),
    data,
  );
  const [best, ...rest] = readings.filter(({ item }) => !written || typesOf(item.outputs) === typesOf(written));
  if (best === undefined) {
    if (!written) return undefined;
    const { values, faults } = decodeParams(written, data.toLowerCase(), 2);
    return { ...asWritten, values: valueFields(written, values, context), faults };
  }
  const { item, values, faults } = best;
  const token = returnsAmount(item.signature) && isAddress(call.to) ? call.to.toLowerCase() : undefined;
  const asked = decodeCall(input, scope, call.to);
  const known = {
    values: valueFields(written ?? item.outputs, values, context, token),
    faults,
    inner: asked ? innerFields(asked, best, context) : [],
  };
  if (written) return { ...asWritten, ...known };
  const guess = fits.find((fit) => fit.item === item)?.guess ?? true;
  const others = rest.filter((one) => one.faults.length === 0 && typesOf(one.item.outputs) !== typesOf(item.outputs));
  return {
    ...known,
    reason: `${oneLine(item.signature, 200)} ${sourceText(item.source, guess)}`,
    guess,
    others: others.map((one) => ({ declaration: declaration(one.item), source: one.item.source })),
  };
}

function typesOf(outputs: readonly AbiParam[]): string {
  return outputs.map(({ type }) => type.text).join();
}

/** @param token - The contract whose amount the first value is. */
function valueFields(
  outputs: readonly AbiParam[],
  values: readonly Decoded[],
  { labels, tokens }: ViewContext,
  token?: string,
): readonly Field[] {
  const known = token === undefined ? undefined : tokens.get(token);
  return outputs.map(({ name, type }, at) => {
    const value = values[at];
    const shown = known && at === 0 && typeof value === "string" ? tokenShown(value, known) : undefined;
    return { name: oneLine(name, 60) || `value ${at + 1}`, value: shown ?? abiShown(value, type.text, labels) };
  });
}

function innerFields(call: DecodedCall, returned: ReturnedAs, context: ViewContext): readonly Field[] {
  return innerReturns(call, returned, context.scope)
    .slice(0, maxRows)
    .map(({ call: inner, revert, returned: own, path }, at): Field => {
      const place = path.filter((step) => typeof step === "number")[1] ?? at;
      const name = `${place}: ${oneLine(inner.name, 60)}`;
      if (revert) return { name, value: { text: oneLine(`reverted: ${revertReason(revert)}`), role: "bad" } };
      const values = own ? valueFields(own.item.outputs, own.values, context) : [];
      const [only] = values;
      if (values.length === 0) return { name, value: { text: "succeeded" } };
      return { name, value: only && values.length === 1 ? only.value : { text: line(values) } };
    });
}

/** The values of a function whose declaration says what it returns. */
function declaredView({ values, faults, reason, others, inner }: Returned, data: string): View {
  const wrong = faults.map((fault): Field => ({ name: "fault", value: { text: fault, role: "bad" } }));
  const why: readonly Field[] =
    reason === undefined ? [] : [{ name: "returned by", value: { text: reason, also: alternatives(others) } }];
  const below: readonly Section[] =
    inner.length > 0 ? [{ kind: "fields", title: "Returned by the calls inside", fields: inner }] : [];
  const [only] = values;
  if (only && values.length === 1 && wrong.length === 0) {
    const { summary, sections } = valueView({ ...only.value, raw: data });
    return {
      summary,
      sections: [
        ...sections.map((one) => (one.kind === "fields" ? { ...one, fields: [...why, ...one.fields] } : one)),
        ...below,
      ],
    };
  }
  const summary = faults.length > 0 ? `not what the function is declared to return: ${faults[0]}` : line(values);
  const fields = [...why, ...values, ...wrong, { name: "on the wire", value: bytesShown(data) }];
  return { summary, sections: [{ kind: "fields", fields }, ...below] };
}

function line(values: readonly Field[]): string {
  return oneLine(values.map(({ name, value }) => `${name}: ${inlineText(value)}`).join(", "), 200);
}

const emptyReturn = "The function returns nothing, or there is no contract at that address in that block.";

function wordTable(words: readonly string[], { labels }: ViewContext): Section {
  const readings = words.slice(0, 200).map((word) => wordShown(word, labels));
  const section = table(
    words,
    [
      { name: "Byte", align: "right", of: (_, i) => ({ text: String(i * 32) }) },
      { name: "Word", of: (word) => ({ text: word, role: "bytes" }) },
      { name: "Perhaps", of: (word, i) => (readings[i]?.text === word ? { text: "" } : (readings[i] ?? { text: "" })) },
    ],
    "Returned words",
  );
  return section;
}

/** What a call returned, on one line: by its function where that is known. */
export function returnedShown(call: JsonObject, data: JsonValue, context: ViewContext): Shown {
  const returned =
    isHex(data) && data !== "0x" ? returnedBy(call, data, { ...context, returns: undefined }) : undefined;
  if (!returned || !isHex(data) || returned.faults.length > 0) return returnShown(data, context);
  const { values, reason, others } = returned;
  const [only] = values;
  const shown: Shown = only && values.length === 1 ? only.value : { text: line(values) };
  return {
    ...shown,
    ...(data.length <= 4096 && { raw: data }),
    also: [...(shown.also ?? []), ...(reason === undefined ? [] : [reason]), ...alternatives(others)],
  };
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
  const revert = data.length % 64 === 10 ? decodeRevert(data, scope) : undefined;
  return revert && revert.kind !== "none" && revert.kind !== "unknown" && revert.kind !== "text"
    ? { text: oneLine(`revert data: ${revertReason(revert)}`), ...(data.length <= 4096 && { raw: data }), role: "bad" }
    : bytesShown(data);
}

/** Data that is one encoded string and nothing else, as `name()` and `symbol()` return it. */
function encodedString(data: string): string | undefined {
  if (!/^0x0{62}20/.test(data) || !/^0{56}/.test(data.slice(66, 122))) return undefined;
  const length = Number.parseInt(data.slice(122, 130), 16);
  if (Math.ceil(length / 32) * 32 + 64 !== byteLength(data)) return undefined;
  const text = utf8Text(`0x${data.slice(130, 130 + length * 2)}`);
  return text !== undefined && (text === "" || isReadable(text)) ? text : undefined;
}
