import type { TypeSpec } from "./spec.ts";

/**
 * Returns the type of strings with a pattern. Supports patterns of hex and digits only: shows any other pattern, but
 * does not check against it, since a third party's pattern can be made to run forever.
 *
 * @example stringType("^0x[0-9a-fA-F]{40}$", ""); //=> "address"
 */
export function stringType(pattern: string, summary: string): string | TypeSpec {
  if (pattern === "") return "text";
  const plain = pattern
    .replace(/\[(?:0-9|a-f|A-F|\\d)+\]/g, "H")
    .replace(/\[(?:1-9|a-f|A-F)+\]\+?/g, "D")
    .replaceAll("(?:", "(");
  if (/^\^0x(H\*|H\+|\(HH\)[*+]|\(H\{2\}\)[*+])\$$/.test(plain)) return "bytes";
  const quantity = /^\^0x\((?:0\|)?DH(?:\*|\{0,(\d{1,2})\})(?:\|0)?\)\$$/.exec(plain);
  if (quantity) return quantity[1] !== undefined && Number(quantity[1]) <= 15 ? "uint64" : "uint256";
  const most = /^\^0xH\{0,(\d{1,6})\}\$$/.exec(plain)?.[1];
  if (most === "64") return "slot";
  if (most !== undefined) return { kind: "bytes", maxLength: Math.ceil(Number(most) / 2), odd: true, summary };
  const exact = /^\^0xH\{(\d{1,6})\}\$$/.exec(plain)?.[1];
  if (exact !== undefined && Number(exact) % 2 === 0) return exactly(Number(exact) / 2, summary);
  return /^\^(?:\[0-9\]|\\d)\+\$$/.test(pattern) ? "digits" : { kind: "string", summary };
}

function exactly(length: number, summary: string): string | TypeSpec {
  if (length === 20) return "address";
  return length === 32 ? "hash" : { kind: "bytes", length, summary };
}
