import { toQuantity } from "../base/hex.ts";
import { amountInWei } from "../base/units.ts";
import type { QuantityType } from "../catalog/spec.ts";
import type { Shape } from "../catalog/types.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import type { Context, Conversion } from "./conversion.ts";
import { replacing } from "./edit.ts";

/** Converts a JSON number in place of a quantity, a block or a slot, from its text, so that no digit is lost. */
export function readNumber(node: JsonNode, shapes: readonly Shape[], { text }: Context): Conversion | undefined {
  const kinds = shapes.flatMap((shape) => (shape.kind === "one" ? [shape.type] : []));
  if (kinds.some(({ kind }) => kind === "integer" || kind === "any")) return undefined;
  const bits =
    quantityOf(shapes)?.bits ?? (kinds.some((type) => type.kind === "bytes" && type.role === "slot") ? 256 : 0);
  const value = wholeNumber(text.slice(node.offset, node.offset + node.length));
  if (value === undefined || value < 0n || value >> BigInt(bits) > 0n) return undefined;
  return { form: "decimal", edits: [replacing(node, `"${toQuantity(value)}"`)] };
}

/** Converts an amount with its unit, or bare digits, in place of wei. */
export function readText(node: JsonNode, shapes: readonly Shape[]): Conversion | undefined {
  const type = quantityOf(shapes);
  if (type?.unit !== "wei" || shapes.length > 1) return undefined;
  const text = String(node.value);
  const wei = amountInWei(text.trim());
  if (wei === undefined) return undefined;
  const problem = (why: "unit" | "precision" | "negative" | "too-large"): Conversion => ({
    problems: [{ code: "bad-amount", span: spanOf(node), text, why }],
  });
  if (typeof wei !== "bigint") return problem(wei);
  if (wei >> BigInt(type.bits) > 0n) return problem("too-large");
  const form = /^\d+$/.test(text) ? "decimal" : "amount";
  return { form, edits: [replacing(node, `"${toQuantity(wei)}"`)] };
}

/** Converts `"latest - 100"`: a number of blocks before or after the one that a tag names. */
export function readBlock(node: JsonNode, shapes: readonly Shape[], { heads }: Context): Conversion | undefined {
  const text = String(node.value);
  const [, tag = "", sign, digits = ""] = /^\s*([a-z]+)\s*([-+])\s*(\d{1,18})\s*$/.exec(text) ?? [];
  const tags = shapes.flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "oneOf" ? shape.type.values : [],
  );
  if (!quantityOf(shapes) || !tags.some(({ value }) => value === tag)) return undefined;
  const head = heads.get(tag);
  if (head === undefined) return { form: "block", edits: undefined, head: tag };
  const number = sign === "-" ? head - BigInt(digits) : head + BigInt(digits);
  if (number < 0n) return { problems: [{ code: "before-first-block", span: spanOf(node), text, head }] };
  return { form: "block", edits: [replacing(node, `"${toQuantity(number)}"`)] };
}

function quantityOf(shapes: readonly Shape[]): QuantityType | undefined {
  return shapes.flatMap((shape) => (shape.kind === "one" && shape.type.kind === "quantity" ? shape.type : []))[0];
}

/** @example wholeNumber("1.5e18"); //=> 1500000000000000000n */
function wholeNumber(token: string): bigint | undefined {
  const [all, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d{1,80})(?:\.(\d{1,80}))?(?:[eE]\+?(\d{1,2}))?$/.exec(token) ?? [];
  if (all === undefined) return undefined;
  const digits = fraction.replace(/0+$/, "");
  const zeros = Number(exponent) - digits.length;
  return zeros < 0 ? undefined : BigInt(`${sign}${whole}${digits}${"0".repeat(zeros)}`);
}
