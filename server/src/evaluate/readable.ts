import { isAddress, toQuantity } from "../base/hex.ts";
import { amountInWei } from "../base/units.ts";
import type { ObjectType, QuantityType, TypeRef } from "../catalog/spec.ts";
import { isBlock, type Shape, shapesOf } from "../catalog/types.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import { partsOf } from "../notebook/placeholder.ts";
import {
  type Context,
  type Conversion,
  type ConverterContext,
  type Readable,
  type ReadableProblem,
  replacing,
} from "./conversion.ts";
import { eventFilter, functionCall } from "./namedItems.ts";
import { decimalOf } from "./operators.ts";
import { storagePlace } from "./storagePlace.ts";

export interface Readables {
  /** In the order of the text. */
  readonly found: readonly Readable[];
  readonly problems: readonly ReadableProblem[];
  /** The nodes of readable values, valid or not: they need not be in wire form. */
  readonly nodes: ReadonlySet<JsonNode>;
}

/**
 * Finds the readable values at a node and inside it, if the catalogue knows the type. A value in wire form,
 * or in no known form, is not one.
 *
 * @param filled - Placeholders have been filled, so remaining braces are literal.
 */
export function readablesAt(
  text: string,
  node: JsonNode,
  ref: TypeRef,
  known: ConverterContext,
  filled: boolean,
): Readables {
  if (node.type === "string" && isPlain(String(node.value), shapesOf(ref))) return none;
  const walker = new Walker({ ...known, text, isOpen: filled ? () => false : hasReference });
  walker.value(node, ref);
  return walker;
}

const none: Readables = { found: [], problems: [], nodes: new Set() };

/** Matches tags and hex, except an address as a topic. Most strings are such values, and need no converter. */
function isPlain(text: string, shapes: readonly Shape[]): boolean {
  return plain.test(text) && !(text.length === 42 && hasRole(shapes, "topic"));
}

const plain = /^(?:0x[0-9a-fA-F]*|[a-z]*)$/;

function hasReference(text: string): boolean {
  return text.includes("{{") && partsOf(JSON.stringify(text)).some(({ kind }) => kind === "reference");
}

class Walker implements Readables {
  readonly found: Readable[] = [];
  readonly problems: ReadableProblem[] = [];
  readonly nodes = new Set<JsonNode>();
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  value(node: JsonNode, ref: TypeRef): void {
    const shapes = shapesOf(ref);
    switch (node.type) {
      case "string":
        if (!this.#context.isOpen(String(node.value))) this.#keep(node, this.#string(node, ref, shapes));
        return;
      case "number":
        this.#keep(node, readNumber(node, shapes, this.#context));
        return;
      case "array": {
        const list = shapes.find((shape) => shape.kind === "list");
        for (const item of list ? (node.children ?? []) : []) if (list) this.value(item, list.items);
        return;
      }
      case "object":
        this.#object(node, shapes);
        return;
      case "property":
      case "boolean":
      case "null":
        return;
    }
  }

  #string(node: JsonNode, ref: TypeRef, shapes: readonly Shape[]): Conversion | undefined {
    const text = String(node.value);
    if (isPlain(text, shapes)) return undefined;
    if (isBlock(ref)) return readBlock(node, shapes, this.#context);
    if (isAddress(text) && hasRole(shapes, "topic") && !hasRole(shapes, "address")) {
      return { form: "topic", edits: [replacing(node, `"0x${text.slice(2).padStart(64, "0")}"`)] };
    }
    if (hasRole(shapes, "slot")) return storagePlace(node, this.#context);
    return readText(node, shapes);
  }

  #object(node: JsonNode, shapes: readonly Shape[]): void {
    for (const shape of shapes) {
      if (shape.kind === "list") continue;
      const { type } = shape;
      if (type.kind === "map") {
        for (const { children } of node.children ?? []) if (children?.[1]) this.value(children[1], type.values);
        return;
      }
      if (type.kind === "object") {
        this.#members(node, type);
        return;
      }
      if (type.kind === "bytes" && type.readable !== undefined) {
        const read = type.role === "slot" ? storagePlace : functionCall;
        this.#keep(node, read(node, this.#context));
        return;
      }
    }
  }

  #members(node: JsonNode, type: ObjectType): void {
    for (const { children } of node.children ?? []) {
      const name = String(children?.[0]?.value);
      const field = type.fields.find((one) => one.name === name || one.aliases?.includes(name));
      if (field && children?.[1]) this.value(children[1], field.type);
    }
    if (type.readable?.some(({ name }) => name === "event")) {
      const [at, reading] = eventFilter(node, this.#context) ?? [node, undefined];
      this.#keep(at, reading);
    }
  }

  #keep(node: JsonNode, reading: Conversion | undefined): void {
    if (!reading) return;
    this.nodes.add(node);
    if ("problems" in reading) this.problems.push(...reading.problems);
    else this.found.push({ ...reading, span: spanOf(node) });
  }
}

function hasRole(shapes: readonly Shape[], role: string): boolean {
  return shapes.some((shape) => shape.kind === "one" && shape.type.kind === "bytes" && shape.type.role === role);
}

/** Converts a JSON number in place of a quantity, a block or a slot, from its text, so that no digit is lost. */
function readNumber(node: JsonNode, shapes: readonly Shape[], { text }: Context): Conversion | undefined {
  const kinds = shapes.flatMap((shape) => (shape.kind === "one" ? [shape.type] : []));
  if (kinds.some(({ kind }) => kind === "integer" || kind === "any")) return undefined;
  const bits =
    quantityOf(shapes)?.bits ?? (kinds.some((type) => type.kind === "bytes" && type.role === "slot") ? 256 : 0);
  const value = wholeNumber(text.slice(node.offset, node.offset + node.length));
  if (value === undefined || value < 0n || value >> BigInt(bits) > 0n) return undefined;
  return { form: "decimal", edits: [replacing(node, `"${toQuantity(value)}"`)] };
}

/** Converts an amount with its unit, or bare digits, in place of wei. */
function readText(node: JsonNode, shapes: readonly Shape[]): Conversion | undefined {
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
function readBlock(node: JsonNode, shapes: readonly Shape[], { heads }: Context): Conversion | undefined {
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
  const read = /e-/i.test(token) ? undefined : decimalOf(token);
  return read?.places === 0 ? read.units : undefined;
}
