import { type Candidate, fittingData } from "../abi/candidates.ts";
import { decodeParams } from "../abi/decode.ts";
import { decodeCall } from "../abi/decodeCall.ts";
import { decodeReturns, type InnerReturned, innerReturns } from "../abi/innerReturns.ts";
import { declaration } from "../abi/item.ts";
import type { AbiParam } from "../abi/type.ts";
import { isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { alternatives, dataOf, guessOf, sourceText } from "./call.ts";
import type { Amount, Field, Section, Shown } from "./report.ts";
import { innerRows, innerSections, innerText, returnShown, valueFields, valuesText } from "./returnedValues.ts";
import { bytesShown, faultFields, rawOf } from "./shown.ts";
import { table } from "./table.ts";
import { returnsAmount } from "./tokens.ts";
import { type View, type ViewContext, valueView } from "./view.ts";
import { wordShown } from "./word.ts";

/** The result of `eth_call`: by the function that was called, else readings of words whose types are unknown. */
export function returnView(data: JsonValue, context: ViewContext): View {
  if (data === "0x") return { summary: "no data returned", sections: [{ kind: "note", text: emptyReturn }] };
  if (isHex(data)) {
    const asked = isArray(context.params) ? context.params[0] : undefined;
    const returned = returnedBy(isObject(asked) ? asked : {}, data, context);
    if (returned && (returned.faults.length === 0 || returned.guess === undefined))
      return declaredView(returned, data, context);
  }
  const shown = returnShown(data, context);
  if (!isHex(data) || data.length % 64 !== 2 || data.length <= 66) return valueView(shown);
  const words = Array.from({ length: (data.length - 2) / 64 }, (_, i) => `0x${data.slice(2 + i * 64, 66 + i * 64)}`);
  return { summary: shown.text, sections: [wordTable(words, context)] };
}

/** The values that a call returned, by their names; `undefined` if its function is not known, or if the data does not fit. */
export function returnedFields(data: JsonValue, context: ViewContext): readonly Field[] | undefined {
  const call = isArray(context.params) ? context.params[0] : undefined;
  const returned = isHex(data) && data !== "0x" && isObject(call) ? returnedBy(call, data, context) : undefined;
  if (!returned || returned.faults.length > 0) return undefined;
  const { values, guess } = returned;
  return values.map(({ name, value }) => ({
    name: values.length === 1 && name === "value 1" ? "result" : name,
    value: guess === undefined ? value : { ...value, guess },
  }));
}

/** Returned data by what the function that was called returns. */
interface Returned {
  readonly values: readonly Field[];
  readonly faults: readonly string[];
  /** The reason to read it so; `undefined` if the request itself says it. */
  readonly reason: string | undefined;
  /** `undefined` where the project declares it. */
  readonly guess: Shown["guess"];
  readonly others: readonly Candidate[];
  /** The amount of a token that the first value is. */
  readonly amount?: Amount;
  readonly inner: readonly InnerReturned[];
}

const asWritten = { reason: undefined, guess: undefined, others: [], inner: [] } as const;

/** @returns `undefined` if no known function has that selector and returns something. */
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
  const named = token === undefined ? undefined : context.tokens.get(token);
  const [first] = values;
  const known = {
    ...(named && typeof first === "string" && { amount: { value: first, unit: named } }),
    values: valueFields(written ?? item.outputs, values, context, token, item.signature),
    faults,
    inner: asked ? innerReturns(asked, best, data, scope) : [],
  };
  if (written) return { ...asWritten, ...known };
  const guess = fits.find((fit) => fit.item === item)?.guess ?? true;
  const others = rest.filter((one) => one.faults.length === 0 && typesOf(one.item.outputs) !== typesOf(item.outputs));
  return {
    ...known,
    reason: `${oneLine(item.signature, 200)} ${sourceText(item.source, guess)}`,
    guess: guessOf({ ...item, guess }).guess,
    others: others.map((one) => ({ declaration: declaration(one.item), source: one.item.source })),
  };
}

function typesOf(outputs: readonly AbiParam[]): string {
  return outputs.map(({ type }) => type.text).join();
}

/** The values of a function whose declaration says what it returns. */
function declaredView(
  { values, faults, reason, others, inner, amount }: Returned,
  data: string,
  context: ViewContext,
): View {
  const why: readonly Field[] =
    reason === undefined ? [] : [{ name: "returned by", value: { text: reason, also: alternatives(others) } }];
  const below = innerSections(innerRows(inner), context);
  const told = inner.length > 0 ? innerText(inner, context) : undefined;
  const [only] = values;
  if (only && values.length === 1 && faults.length === 0) {
    const { summary, headline, sections } = valueView(
      only.value.role === "amount" ? only.value : { ...only.value, raw: data },
    );
    return {
      summary: told ?? summary,
      ...(told === undefined && headline && { headline }),
      ...(told === undefined && amount && { amount }),
      sections: [...sections, ...(why.length > 0 ? [{ kind: "fields" as const, fields: why }] : []), ...below],
    };
  }
  const summary =
    faults.length > 0 ? `not what the function is declared to return: ${faults[0]}` : (told ?? valuesText(values));
  const fields = [...why, ...values, ...faultFields(faults), { name: "on the wire", value: bytesShown(data) }];
  return { summary, sections: [{ kind: "fields", fields }, ...below] };
}

const emptyReturn = "The function returns nothing, or there is no contract at that address in that block.";

function wordTable(words: readonly string[], { labels }: ViewContext): Section {
  const readings = words.slice(0, 200).map((word) => wordShown(word, labels));
  return table(
    words,
    [
      { name: "Byte", align: "right", of: (_, i) => ({ text: String(i * 32) }) },
      { name: "Word", of: (word) => ({ text: word, role: "bytes" }) },
      { name: "Perhaps", of: (word, i) => (readings[i]?.text === word ? { text: "" } : (readings[i] ?? { text: "" })) },
    ],
    "Returned words",
  );
}

/** The result of a call, on one line: decoded by its function if known. */
export function returnedShown(call: JsonObject, data: JsonValue, context: ViewContext): Shown {
  const returned =
    isHex(data) && data !== "0x" ? returnedBy(call, data, { ...context, returns: undefined }) : undefined;
  if (!returned || !isHex(data) || returned.faults.length > 0) return returnShown(data, context);
  const { values, reason, guess, others, inner } = returned;
  const [only] = values;
  const shown: Shown =
    inner.length > 0
      ? { text: innerText(inner, context) }
      : only && values.length === 1
        ? only.value
        : { text: valuesText(values) };
  return {
    ...shown,
    ...rawOf(data),
    ...(guess !== undefined && { guess }),
    also: [...(shown.also ?? []), ...(reason === undefined ? [] : [reason]), ...alternatives(others)],
  };
}

/** The results of the calls inside the call. */
export function innerReturned(call: JsonObject, data: JsonValue, context: ViewContext): readonly InnerReturned[] {
  if (!isHex(data) || data === "0x") return [];
  return returnedBy(call, data, { ...context, returns: undefined })?.inner ?? [];
}
