import type { AbiItem } from "../abi/item.ts";
import { toQuantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { brief, nearest } from "../base/text.ts";
import { firstMilliseconds } from "../base/units.ts";
import type { BytesType, QuantityType, TypeRef, TypeSpec } from "../catalog/spec.ts";
import { isBlock, type Shape, shapesOf } from "../catalog/types.ts";
import { readablesAt } from "../evaluate/readable.ts";
import { exactValue, type JsonNode, spanOf } from "../notebook/json.ts";
import { type CheckValue, checkObject, duplicates, duplicatesWithin, membersOf } from "./object.ts";
import type { Problem, ProblemWith } from "./problem.ts";
import { hasPlaceholder } from "./references.ts";
import { nameOfType, readableObject } from "./types.ts";

/**
 * Checks a value against a type of the catalogue: as nodes read it, in the form that goes over the wire, or in a
 * readable form that a run turns into it. A string with a placeholder may become anything, so nothing is said about it
 * here.
 *
 * @param abi - What the project declares, for functions and events that are named.
 */
export function checkValue(
  text: string,
  node: JsonNode,
  ref: TypeRef,
  abi: readonly AbiItem[] = [],
): readonly Problem[] {
  const { found, problems, nodes } = readablesAt(text, node, ref, { abi, heads: new Map() }, false);
  const hints = found.flatMap(({ form, span, edits }): readonly Problem[] =>
    form === "decimal" && edits?.[0] ? [{ code: "decimal-number", span, wire: edits[0].text }] : [],
  );
  const checkWire: CheckValue = (text, node, ref) => {
    if (node.type !== "object" && nodes.has(node)) return [];
    return wireProblems(text, node, ref, nodes, checkWire);
  };
  return [...problems, ...hints, ...checkWire(text, node, ref)];
}

function wireProblems(
  text: string,
  node: JsonNode,
  ref: TypeRef,
  readable: ReadonlySet<JsonNode>,
  checkWire: CheckValue,
): readonly Problem[] {
  const shapes = shapesOf(ref);
  if (shapes.length === 0 || kindsOf(shapes).includes("any")) return duplicatesWithin(node);
  switch (node.type) {
    case "string":
      return hasPlaceholder(text, node) ? [] : checkString(node, ref, shapes);
    case "number":
      return checkNumber(text, node, ref, shapes);
    case "array": {
      const list = shapes.find((shape) => shape.kind === "list");
      return list
        ? (node.children ?? []).flatMap((item) => checkWire(text, item, list.items))
        : [wrongType(node, ref, shapes)];
    }
    case "object": {
      const instead = readableObject(ref);
      if (instead === undefined) return checkObject(text, node, ref, checkWire) ?? [wrongType(node, ref, shapes)];
      // what was understood has been looked at inside
      return readable.has(node) ? duplicates(membersOf(node)) : (checkObject(text, node, instead, checkWire) ?? []);
    }
    case "boolean":
    case "null":
      return kindsOf(shapes).includes(node.type) ? [] : [wrongType(node, ref, shapes)];
    case "property":
      return [];
  }
}

/** Checks a string against several possible shapes and reports the problem with the most similar one. */
function checkString(node: JsonNode, ref: TypeRef, shapes: readonly Shape[]): readonly Problem[] {
  const text = String(node.value);
  const found = shapes.map((shape) => ({ shape, problem: stringProblem(text, node, shape) }));
  if (found.some(({ problem }) => problem === undefined)) return [];
  if (isBlock(ref)) return [blockProblem(text, node, shapes)];
  const problems = found.flatMap(({ shape, problem }) => (problem && problem !== "kind" ? [{ shape, problem }] : []));
  const likely = problems.find(({ shape }) => looksLike(text, shape)) ?? problems[0];
  return [likely?.problem ?? wrongType(node, ref, shapes)];
}

/** Returns the problem of a string with a shape; `"kind"` if the shape does not accept strings. */
function stringProblem(text: string, node: JsonNode, shape: Shape): Problem | "kind" | undefined {
  if (shape.kind === "list") return "kind";
  const { type, ref } = shape;
  switch (type.kind) {
    case "quantity":
      return quantityProblem(text, node, type);
    case "bytes":
      return bytesProblem(text, node, type, nameOfType(ref));
    case "oneOf": {
      const allowed = type.values.map(({ value }) => value);
      return allowed.includes(text) ? undefined : { code: "unknown-value", span: spanOf(node), text, allowed };
    }
    case "string":
      if (type.pattern === undefined || new RegExp(type.pattern).test(text)) return undefined;
      return { code: "wrong-type", span: spanOf(node), expected: nameOfType(ref), found: `\`${brief(text, 60)}\`` };
    case "any":
      return undefined;
    case "boolean":
    case "integer":
    case "null":
    case "object":
    case "map":
      return "kind";
  }
}

function looksLike(text: string, shape: Shape): boolean {
  if (shape.kind === "list" || !/^-?0x|^\d/i.test(text)) return false;
  return shape.type.kind === "quantity" ? text.length < 24 : shape.type.kind === "bytes";
}

function quantityProblem(
  text: string,
  node: JsonNode,
  { bits, unit }: QuantityType,
): ProblemWith<"bad-quantity"> | undefined {
  const problem = (why: ProblemWith<"bad-quantity">["why"], meant?: string): ProblemWith<"bad-quantity"> => ({
    code: "bad-quantity",
    span: spanOf(node),
    why,
    text,
    bits,
    meant,
  });
  if (text === "0x") return problem("empty");
  if (/^0x[0-9a-f]+$/i.test(text) && text.startsWith("0x")) {
    const meant = withoutZeros(text.slice(2));
    if (meant.length - 2 > bits / 4) return problem("too-large");
    if (meant.length !== text.length) return problem("leading-zeros", meant);
    const seconds = unit === "seconds" ? secondsMeant(BigInt(text)) : undefined;
    return seconds === undefined ? undefined : problem("milliseconds", toQuantity(seconds));
  }
  if (/^\d+$/.test(text)) return text.length > 80 ? problem("too-large") : problem("decimal", toQuantity(BigInt(text)));
  if (/^-\s*(0x)?[0-9a-f]+$/i.test(text)) return problem("negative");
  if (/^\d+e\d+$/i.test(text)) return problem("not-hex"); // a power of ten as well as hexadecimal digits
  if (/^(0X)?[0-9a-f]+$/i.test(text)) return problem("no-prefix", withoutZeros(text.replace(/^0X/, "")));
  return problem("not-hex");
}

/** Returns the seconds of what is more likely a time in milliseconds, of the years 1973 to 2286. */
function secondsMeant(time: bigint): bigint | undefined {
  return time >= firstMilliseconds && time < 100n * firstMilliseconds ? time / 1000n : undefined;
}

function withoutZeros(digits: string): string {
  return `0x${digits.replace(/^0+(?=.)/, "")}`;
}

function bytesProblem(
  text: string,
  node: JsonNode,
  type: BytesType,
  expected: string,
): ProblemWith<"bad-hex"> | undefined {
  const digits = text.replace(/^0x/i, "").length;
  const bytes = type.length ?? type.maxLength;
  const problem = (why: ProblemWith<"bad-hex">["why"]): ProblemWith<"bad-hex"> => ({
    code: "bad-hex",
    span: spanOf(node),
    why,
    expected,
    digits,
    expectedDigits: bytes === undefined ? undefined : bytes * 2,
  });
  if (/^[0-9a-f]+$/i.test(text) && (type.length === undefined || digits === type.length * 2))
    return problem("no-prefix");
  if (type.role === "calldata" && /^\s*[a-z_$][\w$]*\s*\(.*\)\s*$/is.test(text)) return problem("function");
  if (!/^0x[0-9a-fA-F]*$/.test(text)) return problem("not-hex");
  if (type.length !== undefined) return digits === type.length * 2 ? undefined : problem("length");
  if (type.maxLength !== undefined && digits > type.maxLength * 2) return problem("too-long");
  return digits % 2 === 1 && !type.odd ? problem("odd") : undefined;
}

function blockProblem(text: string, node: JsonNode, shapes: readonly Shape[]): Problem {
  const types = shapes.flatMap((shape) => (shape.kind === "one" ? [shape.type] : []));
  const number = types.find((type) => type.kind === "quantity");
  const hash = types.find((type) => type.kind === "bytes");
  if (number && /^-?0x/i.test(text) && text.length <= 24) {
    const problem = quantityProblem(text, node, number);
    if (problem) return problem;
  }
  if (hash && /^0x[0-9a-f]{24,}$/i.test(text)) {
    const problem = bytesProblem(text, node, hash, "a block's hash");
    if (problem) return problem;
  }
  const tags = types.flatMap((type) => (type.kind === "oneOf" ? type.values.map(({ value }) => value) : []));
  const decimal = /^\d{1,19}$/.test(text);
  const meant = decimal ? toQuantity(BigInt(text)) : undefined;
  const near = nearest(text, tags, 1);
  return { code: "bad-block", span: spanOf(node), text, takesHash: hash !== undefined, decimal, meant, nearest: near };
}

function checkNumber(text: string, node: JsonNode, ref: TypeRef, shapes: readonly Shape[]): readonly Problem[] {
  const value = exactValue(text, node);
  const whole = isWhole(value) ? BigInt(value) : undefined;
  if (shapes.some((shape) => takesNumber(shape, whole !== undefined))) return [];
  const token = text.slice(node.offset, node.offset + node.length);
  const meant = whole !== undefined && whole >= 0n ? toQuantity(whole) : undefined;
  if (isBlock(ref)) {
    const takesHash = kindsOf(shapes).includes("bytes");
    return [
      { code: "bad-block", span: spanOf(node), text: brief(token), takesHash, decimal: false, meant, nearest: [] },
    ];
  }
  const type = shapes.flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "quantity" ? [shape.type] : [],
  )[0];
  if (!type) return [wrongType(node, ref, shapes)];
  const why = whole === undefined ? "not-hex" : whole < 0n ? "negative" : "too-large";
  return [{ code: "bad-quantity", span: spanOf(node), why, text: brief(token), bits: type.bits, meant }];
}

function takesNumber(shape: Shape, whole: boolean): boolean {
  return shape.kind === "one" && shape.type.kind === "integer" && (whole || shape.type.fraction === true);
}

function isWhole(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));
}

function kindsOf(shapes: readonly Shape[]): readonly TypeSpec["kind"][] {
  return shapes.flatMap((shape) => (shape.kind === "one" ? [shape.type.kind] : []));
}

function wrongType(node: JsonNode, ref: TypeRef, shapes: readonly Shape[]): Problem {
  const expected = shapes.length === 1 || isBlock(ref) ? nameOfType(ref) : alternatives(ref, shapes);
  return { code: "wrong-type", span: spanOf(node), expected, found: kindOfNode(node) };
}

function alternatives(ref: TypeRef, shapes: readonly Shape[]): string {
  const names = shapes.map((shape) => (shape.kind === "list" ? "a list" : nameOfType(shape.ref)));
  return names.length > 0 ? [...new Set(names)].join(" or ") : nameOfType(ref);
}

/** Returns the kind of a node as messages name it: "a number". */
export function kindOfNode(node: JsonNode): string {
  switch (node.type) {
    case "array":
      return "a list";
    case "object":
      return "an object";
    case "null":
      return "`null`";
    case "property":
    case "string":
    case "number":
    case "boolean":
      return `a ${node.type}`;
  }
}
