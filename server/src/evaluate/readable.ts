import { isAddress } from "../base/hex.ts";
import type { ObjectType, TypeRef } from "../catalog/spec.ts";
import { isBlock, type Shape, shapesOf } from "../catalog/types.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import { partsOf } from "../notebook/placeholder.ts";
import type { Context, Conversion, ConverterContext, Readable } from "./conversion.ts";
import { replacing } from "./edit.ts";
import { eventFilter } from "./eventFilter.ts";
import { functionCall } from "./functionCall.ts";
import { readBlock, readNumber, readText } from "./number.ts";
import type { ReadableProblem } from "./readableProblem.ts";
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
