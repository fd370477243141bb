import { decodeParams, utf8Text } from "../abi/decode.ts";
import type { AbiParam } from "../abi/type.ts";
import { byteLength, isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import type { Field, Section, Shown } from "./report.ts";
import { abiShown, badShown, bytesShown, isReadable, oneLine, quoted } from "./shown.ts";
import { table } from "./table.ts";
import type { View, ViewContext } from "./view.ts";
import { valueView } from "./view.ts";
import { wordShown } from "./word.ts";

/** The result of `eth_call`: without the function's declaration its types are unknown, so these are readings. */
export function returnView(data: JsonValue, context: ViewContext): View {
  if (data === "0x") return { summary: "no data returned", sections: [{ kind: "note", text: emptyReturn }] };
  if (context.returns && isHex(data)) return declaredView(context.returns, data, context);
  const shown = returnShown(data, context);
  if (!isHex(data) || data.length % 64 !== 2 || data.length <= 66) return valueView(shown);
  const words = Array.from({ length: (data.length - 2) / 64 }, (_, i) => `0x${data.slice(2 + i * 64, 66 + i * 64)}`);
  return { summary: shown.text, sections: [wordTable(words, context)] };
}

/** The values of a function whose declaration says what it returns. */
function declaredView(returns: readonly AbiParam[], data: string, { labels }: ViewContext): View {
  const { values, faults } = decodeParams(returns, data.toLowerCase(), 2);
  const shown = returns.map(({ type }, at) => abiShown(values[at], type.text, labels));
  const wrong = faults.map((fault): Field => ({ name: "fault", value: { text: fault, role: "bad" } }));
  const [only] = shown;
  if (only && shown.length === 1 && wrong.length === 0) return valueView({ ...only, raw: data });
  const fields = shown.map(
    (value, at): Field => ({ name: oneLine(returns[at]?.name ?? "", 60) || `value ${at + 1}`, value }),
  );
  const line = fields.map(({ name, value }) => `${name}: ${value.text}`).join(", ");
  const summary = faults.length > 0 ? `not what the function is declared to return: ${faults[0]}` : oneLine(line, 200);
  return {
    summary,
    sections: [{ kind: "fields", fields: [...fields, ...wrong, { name: "on the wire", value: bytesShown(data) }] }],
  };
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

/** Returned data on one line. */
export function returnShown(data: JsonValue, { labels }: ViewContext): Shown {
  if (!isHex(data)) return badShown(data, "not bytes");
  if (data === "0x") return { text: "no data", raw: "0x" };
  if (data.length === 66) return wordShown(data, labels);
  const text = encodedString(data);
  if (text !== undefined) return { text: quoted(text), raw: data, also: ["a string"] };
  return data.length % 64 === 2
    ? { ...bytesShown(data), text: `${plural((data.length - 2) / 64, "word")} returned` }
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
