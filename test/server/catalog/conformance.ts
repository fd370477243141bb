import type {
  FieldSpec,
  MapType,
  MethodSpec,
  ObjectType,
  TypeRef,
  TypeSpec,
} from "../../../server/src/catalog/spec.ts";
import { textOfRef, typeOf } from "../../../server/src/catalog/types.ts";

/**
 * What of a wire value is not as its type says, as `path: fault` lines. Knows the wire form only, and nothing of what
 * people may write instead.
 */
export function faults(value: unknown, ref: TypeRef, path = "$"): readonly string[] {
  const found = typeOf(ref);
  if (!found) return [`${path}: no type ${textOfRef(ref)}`];
  if (!found.list) return one(value, found.type, path);
  if (!Array.isArray(value)) return [`${path}: no list`];
  return value.flatMap((item, index) => one(item, found.type, `${path}[${index}]`));
}

export function paramFaults(spec: MethodSpec, params: readonly unknown[]): readonly string[] {
  const missing = spec.params.slice(params.length).filter((param) => param.required);
  return [
    ...missing.map((param) => `params: no ${param.name}`),
    ...params.flatMap((value, index) => {
      const param = spec.params[index];
      return param ? faults(value, param.type, `params[${index}]`) : [`params[${index}]: one too many`];
    }),
  ];
}

function one(value: unknown, type: TypeSpec, path: string): readonly string[] {
  switch (type.kind) {
    case "any":
      return [];
    case "null":
      return expect(value === null, path, "null");
    case "boolean":
      return expect(typeof value === "boolean", path, "boolean");
    case "integer":
      return expect(type.fraction ? Number.isFinite(value) : Number.isInteger(value), path, "integer");
    case "string":
      return expect(typeof value === "string" && new RegExp(type.pattern ?? "").test(value), path, "text");
    case "quantity": {
      const digits = type.bits / 4;
      return expect(matches(value, new RegExp(`^0x(0|[1-9a-f][0-9a-f]{0,${digits - 1}})$`)), path, "quantity");
    }
    case "bytes": {
      const size = type.length === undefined ? `{0,${type.maxLength ?? 1e9}}` : `{${type.length}}`;
      const digits = type.odd ? `{0,${(type.maxLength ?? 1e9) * 2}}` : size;
      const pattern = type.odd ? `^0x[0-9a-fA-F]${digits}$` : `^0x([0-9a-fA-F]{2})${size}$`;
      return expect(matches(value, new RegExp(pattern)), path, "bytes");
    }
    case "oneOf":
      return expect(
        type.values.some((known) => known.value === value),
        path,
        "one of the known values",
      );
    case "union": {
      const tried = type.of.map((ref) => faults(value, ref, path));
      return tried.some((found) => found.length === 0) ? [] : (tried.at(-1) ?? []);
    }
    case "map":
      return mapFaults(value, type, path);
    case "object":
      return objectFaults(value, type, path);
  }
}

function mapFaults(value: unknown, type: MapType, path: string): readonly string[] {
  if (!isObject(value)) return [`${path}: no object`];
  return Object.entries(value).flatMap(([key, item]) => [
    ...faults(key, type.keys, `${path} key ${key}`),
    ...faults(item, type.values, `${path}.${key}`),
  ]);
}

function objectFaults(value: unknown, type: ObjectType, path: string): readonly string[] {
  if (!isObject(value)) return [`${path}: no object`];
  const given = (name: string): boolean => Object.hasOwn(value, name) && value[name] !== null;
  const known = type.fields.flatMap((field: FieldSpec) => [field.name, ...(field.aliases ?? [])]);
  const rules = [
    ...(type.exclusive ?? []).filter((rule) => rule.fields.filter(given).length > 1),
    ...(type.oneOfRequired ?? []).filter((rule) => !rule.advice && !rule.fields.some(given)),
  ];
  return [
    ...rules.map((rule) => `${path}: ${rule.why}`),
    ...Object.keys(value)
      .filter((key) => !type.open && !known.includes(key))
      .map((key) => `${path}.${key}: unknown`),
    ...type.fields.flatMap((field: FieldSpec) => fieldFaults(value, field, path)),
  ];
}

function fieldFaults(object: Record<string, unknown>, field: FieldSpec, path: string): readonly string[] {
  const name = [field.name, ...(field.aliases ?? [])].find((key) => Object.hasOwn(object, key));
  if (name === undefined) return field.required ? [`${path}.${field.name}: missing`] : [];
  const value = object[name];
  if (value === null && field.nullable) return [];
  const tooMany = Array.isArray(value) && value.length > (field.maxItems ?? Number.POSITIVE_INFINITY);
  return [...(tooMany ? [`${path}.${name}: too many`] : []), ...faults(value, field.type, `${path}.${name}`)];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function expect(right: boolean, path: string, what: string): readonly string[] {
  return right ? [] : [`${path}: no ${what}`];
}
