import type { JsonValue } from "../base/json.ts";
import type { FieldSpec, TypeRef, TypeSpec } from "./spec.ts";
import { typeOf } from "./typeOf.ts";

/** The plainest value of a type: zeros, empty lists, objects with what they need. */
export function sampleOf(ref: TypeRef, levels = 6): JsonValue {
  const found = typeOf(ref);
  if (!found || levels === 0) return null;
  return found.list ? [] : sampleOfType(found.type, levels - 1);
}

function sampleOfType(type: TypeSpec, levels: number): JsonValue {
  switch (type.kind) {
    case "quantity":
      return "0x0";
    case "bytes":
      return `0x${"00".repeat(Math.min(type.length ?? 0, 64))}`;
    case "oneOf":
      return type.values[0]?.value ?? "";
    case "boolean":
      return false;
    case "integer":
      return 0;
    case "string":
      return "";
    case "null":
    case "any":
      return null;
    case "map":
      return {};
    case "union":
      return sampleOf(type.of[0] ?? "any", levels);
    case "object": {
      const needed = type.fields.filter(({ required }: FieldSpec) => required);
      return Object.fromEntries(needed.map((field): [string, JsonValue] => [field.name, sampleOf(field.type, levels)]));
    }
  }
}
