import type { BytesType, FieldSpec, MapType, ObjectType, TypeRef } from "../catalog/spec.ts";
import { isBlock, itemsOf, shapesOf, typeNamed, typeOf } from "../catalog/types.ts";

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
