import { type AbiItem, parseItem } from "../abi/item.ts";
import type { AbiParam, AbiType } from "../abi/type.ts";
import type { JsonValue } from "../base/json.ts";

/** A signature in the spelling of notebooks, and its parameters. */
interface CastSignature {
  readonly text: string;
  readonly inputs: AbiItem["inputs"];
}

/**
 * Reads a signature as `cast` has it: what a function returns may be in brackets of its own.
 *
 * @example castSignature("balanceOf(address)(uint256)")?.text; //=> "balanceOf(address) returns (uint256)"
 */
export function castSignature(written: string): CastSignature | undefined {
  const end = (outermost(written, ")")[0] ?? written.length - 1) + 1;
  const outputs = written.slice(end).trim();
  const text = outputs.startsWith("(") ? `${written.slice(0, end)} returns ${outputs}` : written;
  const item = parseItem(text.replace(/\b(?:external|public|view|pure|nonpayable)\b/g, ""), "");
  return item && { text: text.trim(), inputs: item.inputs };
}

/** Reads arguments as `cast` takes them, such as `[1,2]` and `(0x…,true)`, as values of JSON. */
export function castArguments(params: readonly AbiParam[], texts: readonly string[]): readonly JsonValue[] {
  return params.map(({ type }, at) => argument(type, (texts[at] ?? "").trim()));
}

function argument(type: AbiType, text: string): JsonValue {
  if (text.includes("{{")) return text;
  switch (type.kind) {
    case "array":
      return items(text).map((item) => argument(type.of, item));
    case "tuple":
      return items(text).map((item, at) => {
        const member = type.members[at];
        return member ? argument(member.type, item) : item;
      });
    case "bool":
      return text === "true" ? true : text === "false" ? false : text;
    case "uint":
    case "int":
      return text.replace(/^([\d.]+)(ether|gwei|wei)$/i, "$1 $2");
    case "string":
      return /^"[\s\S]*"$/.test(text) ? text.slice(1, -1) : text;
    default:
      return text;
  }
}

/** Splits a list in brackets into its members. */
function items(text: string): readonly string[] {
  const inner = /^[[(][\s\S]*[\])]$/.test(text) ? text.slice(1, -1) : text;
  const ends = [...outermost(inner, ","), inner.length];
  return inner.trim() === ""
    ? []
    : ends.map((end, at) => inner.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end).trim());
}

/** Finds the offsets of a mark that is in no brackets and no quotes; a closing bracket counts as outside. */
function outermost(text: string, mark: string): readonly number[] {
  const offsets: number[] = [];
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\](),]/g)) {
    if (/^[\])]/.test(token)) depth--;
    if (depth === 0 && token === mark) offsets.push(index);
    if (/^[[(]/.test(token)) depth++;
  }
  return offsets;
}
