import { directiveTypes } from "../server/src/catalog/assumptionTypes.ts";
import { bundledCatalog } from "../server/src/catalog/catalog.ts";
import { slots } from "../server/src/catalog/slots.ts";
import type {
  BytesType,
  FieldRule,
  FieldSpec,
  MethodSpec,
  ObjectType,
  QuantityType,
  TypeRef,
  TypeSpec,
  UnionType,
} from "../server/src/catalog/spec.ts";
import { tags } from "../server/src/catalog/tags.ts";
import { itemsOf, textOfRef, typeNamed } from "../server/src/catalog/types.ts";

/** A JSON Schema of draft 7, with the keywords that VS Code adds to it. */
export type Schema = boolean | SchemaObject;
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

const text = { type: "string" } as const;
export const placeholder = { type: "string", pattern: "\\{\\{" } as const;
export const definition = (name: string): SchemaObject => ({ $ref: `#/definitions/${name}` });

/** `condition` decides between two schemas. */
export function when(condition: SchemaObject, yes: SchemaObject, no?: Schema): SchemaObject {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: condition, then: yes, ...(no === undefined ? {} : { else: no }) };
}

/** Returns the schema of the members of a request with this method. */
export function params(spec: MethodSpec): SchemaObject {
  const needed = spec.params.filter((param) => param.required).length;
  const list = {
    type: "array",
    ...(spec.params.length > 0 ? { items: spec.params.map(field), additionalItems: false } : { maxItems: 0 }),
    minItems: needed,
  };
  const description = [spec.summary, ...(spec.limits ?? [])].join(" ");
  const examples = [spec.example.params];
  const properties = { params: { description, examples, anyOf: [list, definition("placeholder")] } };
  return needed > 0 ? { properties, required: ["params"] } : { properties };
}

function field(spec: FieldSpec): SchemaObject {
  const limit = spec.maxItems === undefined ? {} : { maxItems: spec.maxItems };
  const item = reference(spec.type, limit);
  const value = itemsOf(spec.type) !== undefined ? [item, definition("placeholder")] : [item];
  return {
    description: spec.summary,
    ...(spec.default === undefined ? {} : { default: JSON.parse(spec.default) }),
    anyOf: spec.nullable ? [...value, { type: "null" }] : value,
  };
}

function reference(ref: TypeRef, limit: SchemaObject = {}): SchemaObject {
  const items = itemsOf(ref);
  return items === undefined
    ? definition(textOfRef(ref))
    : { type: "array", items: definition(textOfRef(items)), ...limit };
}

/** The types that parameters of methods and directives refer to, without types that only results have. */
export function typeDefinitions(): Readonly<Record<string, Schema>> {
  const found = new Map<string, Schema>();
  const add = (ref: TypeRef): void => {
    const name = textOfRef(itemsOf(ref) ?? ref);
    const type = typeNamed(name);
    if (!type || found.has(name)) return;
    found.set(name, typeSchema(type));
    for (const next of refsOf(type)) add(next);
  };
  for (const spec of bundledCatalog.methods) for (const param of spec.params) add(param.type);
  for (const type of directiveTypes.values()) add(type);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function refsOf(type: TypeSpec): readonly TypeRef[] {
  if (type.kind === "object") return [...type.fields, ...(type.readable ?? [])].map((item) => item.type);
  if (type.kind === "map") return [type.keys, type.values];
  if (type.kind === "union") return type.of;
  return type.kind === "bytes" && type.readable ? [type.readable] : [];
}

function typeSchema(type: TypeSpec): Schema {
  return { description: type.summary, anyOf: [...forms(type), definition("placeholder")] };
}

function forms(type: TypeSpec): readonly Schema[] {
  switch (type.kind) {
    case "any":
      return [true];
    case "boolean":
    case "null":
      return [{ type: type.kind }];
    case "integer":
      return [{ type: type.fraction ? "number" : "integer" }];
    case "string":
      return [type.pattern === undefined ? text : { ...text, pattern: type.pattern }];
    case "quantity":
      return quantity(type);
    case "bytes":
      return bytes(type);
    case "oneOf":
      return [
        { enum: type.values.map(({ value }) => value), enumDescriptions: type.values.map(({ summary }) => summary) },
      ];
    case "union":
      return union(type);
    case "map":
      return [
        {
          type: "object",
          propertyNames: definition(textOfRef(type.keys)),
          additionalProperties: reference(type.values),
        },
      ];
    case "object":
      return [object(type)];
  }
}

function quantity({ bits, unit }: QuantityType): readonly Schema[] {
  const amount = unit === "wei" ? "(\\.[0-9]+)?( ?(wei|gwei|ether))?" : "";
  return [
    { ...text, pattern: `^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,${bits / 4 - 1}})$` },
    { type: "integer", minimum: 0 },
    { ...text, pattern: `^[0-9]+${amount}$` },
  ];
}

function bytes({ length, maxLength, odd, role, readable }: BytesType): readonly Schema[] {
  const digits = odd ? `[0-9a-fA-F]{0,${(maxLength ?? 0) * 2}}` : `([0-9a-fA-F]{2})${times(length, maxLength)}`;
  // an address in the place of a topic is padded
  const pattern = role === "topic" ? `^0x(${digits}|[0-9a-fA-F]{40})$` : `^0x${digits}$`;
  const named = role === "slot" ? [{ type: "integer", minimum: 0 }, { enum: slots.map(({ name }) => name) }] : [];
  return [{ ...text, pattern }, ...named, ...(readable === undefined ? [] : [definition(textOfRef(readable))])];
}

function times(length: number | undefined, most: number | undefined): string {
  if (length !== undefined) return `{${length}}`;
  return most === undefined ? "*" : `{0,${most}}`;
}

function union({ of, role }: UnionType): readonly Schema[] {
  const any = of.map((ref) => reference(ref));
  const near = `^(${tags.map(({ tag }) => tag).join("|")}) ?[-+] ?[0-9]+$`;
  return role === "block" ? [...any, { ...text, pattern: near }] : any;
}

function object(type: ObjectType): Schema {
  const fields: readonly FieldSpec[] = [...type.fields, ...(type.readable ?? [])];
  const required = type.fields.filter((item: FieldSpec) => item.required).map((item) => item.name);
  const aliases = fields.flatMap((item) =>
    (item.aliases ?? []).map((alias) => [
      alias,
      { ...field(item), deprecationMessage: `Only some nodes take it: write \`${item.name}\`.` },
    ]),
  );
  const mistaken = (type.mistaken ?? []).map(({ name, field: meant }) => [
    name,
    { not: {}, doNotSuggest: true, errorMessage: `No node takes it: write \`${meant}\`.` },
  ]);
  const properties = Object.fromEntries([...fields.map((item) => [item.name, field(item)]), ...aliases, ...mistaken]);
  const rules = [...(type.exclusive ?? []).flatMap(apart), ...(type.oneOfRequired ?? []).flatMap(some)];
  return {
    type: "object",
    properties,
    patternProperties: { "\\{\\{": true },
    additionalProperties: type.open,
    ...(required.length > 0 ? { required } : {}),
    ...(rules.length > 0 ? { allOf: rules } : {}),
  };
}

/** No two of the fields. */
function apart({ fields, why }: FieldRule): readonly Schema[] {
  return fields.flatMap((one, index) =>
    fields.slice(index + 1).map((other) => ({ not: { required: [one, other] }, errorMessage: why })),
  );
}

/** Requires at least one of the fields; a schema cannot warn, so values that nodes accept are not flagged. */
function some({ fields, why, advice }: FieldRule): readonly Schema[] {
  return advice ? [] : [{ anyOf: fields.map((name) => ({ required: [name] })), errorMessage: why }];
}
