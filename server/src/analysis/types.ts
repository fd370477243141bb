import { nearest } from "../base/text.ts";
import type { BytesType, FieldSpec, MapType, ObjectType, TypeRef } from "../catalog/spec.ts";
import { isBlock, itemsOf, shapesOf, typeNamed, typeOf } from "../catalog/types.ts";
import type { Segment } from "../notebook/placeholder.ts";
import { isTypo } from "./typo.ts";

/** Fields on the wire, then those that people may write instead, of every object that the type allows. */
export function fieldsOf(ref: TypeRef): readonly FieldSpec[] {
  const objects = objectsOf(ref);
  return [...objects.flatMap(({ fields }) => fields), ...objects.flatMap(({ readable }) => readable ?? [])];
}

/** A field by its name or by one that some clients take. */
export function fieldAt(ref: TypeRef, key: string): FieldSpec | undefined {
  const fields = fieldsOf(ref);
  return fields.find(({ name }) => name === key) ?? fields.find(({ aliases }) => aliases?.includes(key));
}

export function itemType(ref: TypeRef): TypeRef | undefined {
  return shapesOf(ref).find((shape) => shape.kind === "list")?.items;
}

export function mapAt(ref: TypeRef): MapType | undefined {
  return shapesOf(ref).flatMap((shape) => (shape.kind === "one" && shape.type.kind === "map" ? shape.type : []))[0];
}

/** The objects that nodes take. */
export function wireObjectsOf(ref: TypeRef): readonly ObjectType[] {
  return shapesOf(ref).flatMap((shape) => (shape.kind === "one" && shape.type.kind === "object" ? shape.type : []));
}

/** Those, and the objects that people may write in place of bytes. */
export function objectsOf(ref: TypeRef): readonly ObjectType[] {
  const readable = readableObject(ref);
  return readable === undefined ? wireObjectsOf(ref) : [...wireObjectsOf(ref), ...wireObjectsOf(readable)];
}

/** The object that people may write in place of bytes. */
export function readableObject(ref: TypeRef): TypeRef | undefined {
  return shapesOf(ref).flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "bytes" ? (shape.type.readable ?? []) : [],
  )[0];
}

export function summaryOf(ref: TypeRef): string | undefined {
  const found = typeOf(ref);
  return found?.list ? `A list. Each: ${found.type.summary}` : found?.type.summary;
}

/** A type as messages say it: "an address", "a list". */
export function nameOfType(ref: TypeRef): string {
  if (itemsOf(ref) !== undefined) return "a list";
  const type = typeNamed(ref);
  if (isBlock(ref)) return "a block";
  switch (type?.kind) {
    case "quantity":
      return "a quantity (a `0x` string)";
    case "bytes":
      return bytesName(type);
    case "oneOf":
      return type.values.map(({ value }) => `\`${value}\``).join(" or ");
    case "boolean":
      return "`true` or `false`";
    case "integer":
      return type.fraction ? "a number" : "a whole number";
    case "null":
      return "`null`";
    case "string":
      return type.form ?? "a string";
    case "object":
    case "map":
      return "an object";
    case "union":
    case "any":
    case undefined:
      return "another value";
  }
}

const roleNames: Readonly<Partial<Record<NonNullable<BytesType["role"]>, string>>> = {
  address: "an address of 20 bytes",
  hash: "a hash of 32 bytes",
  topic: "a topic of 32 bytes",
  word: "a word of 32 bytes",
  slot: "a storage slot of up to 32 bytes",
  calldata: "call data",
  code: "bytecode",
};

function bytesName({ role, length, maxLength }: BytesType): string {
  const size =
    length !== undefined ? `${length} bytes` : maxLength !== undefined ? `up to ${maxLength} bytes` : "bytes";
  return (role && roleNames[role]) ?? size;
}

/** Where a path ends too early, by the types of the catalogue. */
export interface DeadEnd {
  /** The step that leads nowhere, from 0. */
  readonly at: number;
  /** The value found: "a list". */
  readonly found: string;
  /** Steps that do lead on and look alike, as they are written. */
  readonly nearest: readonly string[];
}

/**
 * Follows a path into the type of a result. Objects to which clients add members are left alone, but for what looks
 * like a slip.
 *
 * @returns `undefined` where the path can lead somewhere, for all that is known.
 */
export function deadEnd(type: TypeRef, path: readonly Segment[]): DeadEnd | undefined {
  let here: readonly TypeRef[] = [type];
  for (const [at, step] of path.entries()) {
    const next = here.flatMap((ref) => stepInto(ref, step));
    if (next.includes("any")) return undefined;
    if (next.length === 0) return { at, found: nameOfResult(here), nearest: alike(here, step) };
    here = next;
  }
  return undefined;
}

/** Returns the types that a path may lead to; empty if nothing is known. */
export function typesAt(type: TypeRef, path: readonly Segment[]): readonly TypeRef[] {
  return path.reduce<readonly TypeRef[]>((here, step) => here.flatMap((ref) => stepInto(ref, step)), [type]);
}

function stepInto(ref: TypeRef, step: Segment): readonly TypeRef[] {
  const shapes = shapesOf(ref);
  if (shapes.length === 0) return ["any"];
  return shapes.flatMap((shape): readonly TypeRef[] => {
    if (shape.kind === "list") return typeof step === "number" ? [shape.items] : [];
    const { type } = shape;
    if (type.kind === "any") return ["any"];
    if (typeof step === "number") return [];
    if (type.kind === "map") return [type.values];
    if (type.kind !== "object") return [];
    const field = type.fields.find(({ name, aliases }) => name === step || aliases?.includes(step));
    if (field) return [field.type];
    return type.open && !type.fields.some(({ name }) => isTypo(step, name)) ? ["any"] : [];
  });
}

function alike(refs: readonly TypeRef[], step: Segment): readonly string[] {
  const shapes = refs.flatMap(shapesOf);
  if (typeof step === "number") return [];
  if (/^\d{1,9}$/.test(step) && shapes.some(({ kind }) => kind === "list")) return [`[${step}]`];
  const names = shapes.flatMap((shape) =>
    shape.kind === "one" && shape.type.kind === "object" ? shape.type.fields.map(({ name }) => name) : [],
  );
  return nearest(step, names, 1);
}

function nameOfResult(refs: readonly TypeRef[]): string {
  const [ref] = refs;
  const shape = ref === undefined ? undefined : shapesOf(ref)[0];
  if (ref === undefined || shape === undefined) return "another value";
  if (shape.kind === "one" && shape.type.kind === "object") return "an object";
  return nameOfType(ref);
}
