import { type AbiItem, parseItem } from "../abi/item.ts";
import type { AbiParam, AbiType } from "../abi/type.ts";
import type { JsonValue } from "../base/json.ts";

/** The signature in the spelling of notebooks, and what it takes. */
interface CastSignature {
  readonly text: string;
  readonly inputs: AbiItem["inputs"];
}

/**
 * Reads a signature as `cast` has it: what a function returns may stand in brackets of its own.
 *
 * @example castSignature("balanceOf(address)(uint256)")?.text; //=> "balanceOf(address) returns (uint256)"
 */
export function castSignature(written: string): CastSignature | undefined {
  const end = closing(written, written.indexOf("("));
  const outputs = written.slice(end).trim();
  const text = outputs.startsWith("(") ? `${written.slice(0, end)} returns ${outputs}` : written;
  const item = parseItem(text.replace(/\b(?:external|public|view|pure|nonpayable)\b/g, ""), "");
  return item && { text: text.trim(), inputs: item.inputs };
}

/** The place behind the bracket that closes the one at `open`. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at >= 0 && at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Arguments as `cast` takes them, `[1,2]` and `(0x…,true)` among them, as values of JSON. */
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

/** The members of a list in brackets; brackets and quotes in it hold together what they enclose. */
function items(text: string): readonly string[] {
  const inner = /^[[(][\s\S]*[\])]$/.test(text) ? text.slice(1, -1) : text;
  const found: string[] = [];
  let depth = 0;
  let item = "";
  for (const [token] of inner.matchAll(/"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if (token === "," && depth === 0) {
      found.push(item.trim());
      item = "";
      continue;
    }
    if (/^[[(]$/.test(token)) depth++;
    if (/^[\])]$/.test(token)) depth--;
    item += token;
  }
  return inner.trim() === "" ? [] : [...found, item.trim()];
}
