import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { brief } from "../base/text.ts";
import {
  type Choices,
  choicesIn,
  details,
  formOf,
  isOf,
  type Leaf,
  mostChoices,
  mostFields,
  pointed,
  typesOf,
  type Written,
} from "./jsonSchema.ts";
import { label, sentence } from "./prose.ts";
import type { FieldSpec, TypeRef, TypeSpec } from "./spec.ts";
import { stringType } from "./stringType.ts";
import { tags } from "./tags.ts";
import { openTable, type TypeTable } from "./typeTables.ts";

/** Turns the schemas of one document into types of ours. */
export interface SchemaTypes {
  /** The type of a value that any one of the schemas allows; `any` where that cannot be said. */
  refOf(alternatives: readonly Written[]): TypeRef;
  /** Follows `$ref` to what it stands for. */
  resolved(written: Written): Written;
  readonly table: TypeTable;
}

/** Beyond these, schemas count as `any`: documents come from anywhere. */
const most = { steps: 100_000, types: 3_000, levels: 40, links: 50 };

/**
 * @param problem - Told what cannot be read, with its path and a clause.
 */
export function schemaTypes(
  root: JsonValue,
  document: string,
  problem: (path: string, what: string) => void,
): SchemaTypes {
  const { name: tableName, types } = openTable(document);
  const ids = new Map<JsonObject, number>();
  const known = new Map<string, TypeRef>();
  const counts = new Map<string, number>();
  /** Objects whose fields are still to be read: one after the other, however deep they refer to each other. */
  const unread: (() => void)[] = [];
  let steps = most.steps;
  let levels = 0;

  const add = (name: string, type: TypeSpec): TypeRef => {
    const plain = label(name).replace(/[^\w.-]+/g, "") || "type";
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    const whole = `${plain}${count > 1 ? `~${count}` : ""}@${tableName}`;
    types.set(whole, type);
    return whole;
  };
  /** The same type for the same schemas. */
  const once = (key: string, type: () => TypeRef): TypeRef => {
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, "any"); // what a list or union of itself comes to
    const made = type();
    known.set(key, made);
    return made;
  };
  const keyOf = (kind: string, leaves: readonly Leaf[]): string => {
    const numbers = leaves.map(({ schema }) => {
      const id = ids.get(schema) ?? ids.size;
      ids.set(schema, id);
      return id;
    });
    return `${kind} ${numbers.toSorted((a, b) => a - b).join(" ")}`;
  };

  const resolved = (written: Written): Written => {
    let here = written;
    for (let links = 0; isObject(here.value) && typeof here.value.$ref === "string"; links++) {
      const target = here.value.$ref;
      const value = links < most.links ? pointed(root, target) : undefined;
      if (value === undefined) {
        problem(
          here.path,
          target.startsWith("#")
            ? `nothing is at ${quoted(target)}`
            : "only references into the document itself are followed",
        );
        return { ...here, value: {} };
      }
      here = { value, path: target.slice(2).replaceAll("/", "."), name: target.slice(target.lastIndexOf("/") + 1) };
    }
    return here;
  };

  /** The schemas that alternatives come to when references and choices are taken apart. */
  const leavesOf = (alternatives: readonly Written[]): readonly Leaf[] => {
    const found = new Map<JsonObject, Leaf>();
    const seen = new Set<JsonObject>();
    const visit = (written: Written): void => {
      if (steps-- <= 0 || found.size >= mostChoices) return;
      const { value, path, name } = resolved(written);
      const schema = isObject(value) ? value : {};
      if (!isObject(value) && value !== undefined && typeof value !== "boolean") problem(path, "a schema is an object");
      if (seen.has(schema)) return;
      seen.add(schema);
      const choices = choicesIn(schema) ?? narrowed(schema, path);
      if (choices) for (const [key, choice] of choices) visit({ value: choice, path: `${path}.${key}`, name });
      else found.set(schema, { schema, path, name });
    };
    for (const written of alternatives) visit(written);
    return [...found.values()];
  };

  /** The part of an `allOf` that says what a value is, where it is no object: a type, and notes about it. */
  const narrowed = (schema: JsonObject, path: string): Choices | undefined => {
    if (!isArray(schema.allOf) || isObject(schema.properties)) return undefined;
    const parts = partsOf({ schema, path, name: "" }).slice(1);
    if (parts.some((part) => isOf("object", part.schema))) return undefined;
    const telling = parts.find((part) => typesOf(part.schema).length > 0 || isArray(part.schema.enum))?.schema;
    return [["allOf", telling ?? {}]];
  };

  const refOf = (alternatives: readonly Written[]): TypeRef => {
    if (levels >= most.levels || steps <= 0 || types.size >= most.types) {
      problem("", "it is too large or too deep: not all of its types are read");
      return "any";
    }
    levels++;
    const leaves = leavesOf(alternatives);
    const objects = leaves.filter(isObjectLeaf);
    const lists = leaves.filter(({ schema }) => isOf("array", schema));
    const refs = asBlock([
      ...new Set([
        ...leaves.flatMap(scalars),
        ...(objects.length > 0 ? [objectRef(objects)] : []),
        ...(lists.length > 0 ? [listRef(lists)] : []),
      ]),
    ]);
    levels--;
    const [only = "any", ...others] = refs;
    return others.length === 0 ? only : unionRef(refs, leaves[0]?.name ?? "");
  };

  const unionRef = (of: readonly TypeRef[], name: string): TypeRef =>
    once(`union ${of.join(" ")}`, () => add(name, { kind: "union", of, summary: "One of several forms." }));

  const scalars = (leaf: Leaf): readonly TypeRef[] => {
    const { schema, name } = leaf;
    const own = (type: TypeSpec): TypeRef => once(keyOf("scalar", [leaf]), () => add(name, type));
    const summary = sentence(schema.description ?? schema.title);
    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (isArray(values))
      return enumerated(values, (texts) => own({ kind: "oneOf", summary, values: texts.map(plainly) }));
    const named = typesOf(schema);
    if (named.length === 0 && isArray(schema.allOf)) return nullInAll(leaf) ? ["null"] : [];
    if (named.length === 0 && !isOf("object", schema) && !isOf("array", schema)) {
      return [typeof schema.pattern === "string" ? stringRef(schema, own) : "any"];
    }
    return named.flatMap((type): readonly TypeRef[] => {
      switch (type) {
        case "string":
          return [stringRef(schema, own)];
        case "boolean":
        case "null":
        case "integer":
          return [type];
        case "number":
          return [once("number", () => add("number", { kind: "integer", fraction: true, summary: "A JSON number." }))];
        case "object":
        case "array":
          return [];
        default:
          problem(leaf.path, `no type is called ${quoted(String(type))}`);
          return ["any"];
      }
    });
  };

  const enumerated = (values: readonly JsonValue[], own: (texts: readonly string[]) => TypeRef): readonly TypeRef[] => {
    steps -= values.length;
    const texts = values.filter((value) => typeof value === "string").slice(0, mostChoices);
    const others = values.some((value) => typeof value !== "string" && value !== null);
    return [
      ...(texts.length > 0 ? [isTags(texts) ? "blockTag" : own(texts)] : []),
      ...(values.includes(null) ? ["null"] : []),
      ...(others ? ["any"] : []),
    ];
  };

  const listRef = (leaves: readonly Leaf[]): TypeRef =>
    once(keyOf("list", leaves), () => {
      const items = leaves.map(
        ({ schema, path, name }): Written => ({
          value: isObject(schema.items) ? schema.items : {},
          path: `${path}.items`,
          name,
        }),
      );
      const item = refOf(items);
      return `${item.endsWith("[]") ? unionRef([item], leaves[0]?.name ?? "") : item}[]`;
    });

  const objectRef = (leaves: readonly Leaf[]): TypeRef => {
    const key = keyOf("object", leaves);
    const found = known.get(key);
    if (found !== undefined) return found;
    const [first] = leaves;
    const { name, schema }: Pick<Leaf, "name" | "schema"> = first ?? { name: "", schema: {} };
    const summary = sentence(schema.description ?? schema.title);
    const ref = add(leaves.length > 1 ? `${name}Any` : name, { kind: "object", fields: [], open: true, summary });
    known.set(key, ref); // objects may hold themselves
    unread.push(() => types.set(ref, objectType(leaves, summary)));
    return ref;
  };

  const objectType = (leaves: readonly Leaf[], summary: string): TypeSpec => {
    const forms = leaves.map((leaf) => formOf(partsOf(leaf)));
    for (const { members } of forms) steps -= members.size;
    const names = [...new Set(forms.flatMap(({ members }) => [...members.keys()]))];
    const values = leaves.flatMap(({ schema, path, name }): readonly Written[] => {
      const rest = schema.additionalProperties;
      const patterned = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
      return [
        ...(isObject(rest) ? [{ value: rest, path: `${path}.additionalProperties`, name }] : []),
        ...patterned.map(([pattern, value]) => ({ value, path: `${path}.patternProperties.${pattern}`, name })),
      ];
    });
    if (names.length === 0 && values.length > 0) {
      const keys = keysOf(leaves);
      const isKnown = leaves.every(({ schema }) => limitsValues(schema) && (keys !== "text" || !choosesByKey(schema)));
      return { kind: "map", keys, values: isKnown ? refOf(values) : "any", summary };
    }
    const fields = names.slice(0, mostFields).flatMap((name): readonly FieldSpec[] => {
      if (name.length > 100) return [];
      const written = forms.flatMap(({ members }) => members.get(name) ?? []);
      const required = forms.every((form) => form.required.has(name));
      return [{ name, type: refOf(written), ...(required && { required }), ...details(written[0]?.value) }];
    });
    const open =
      names.length > mostFields ||
      leaves.some(({ schema }) => schema.additionalProperties !== false || isArray(schema.allOf));
    return { kind: "object", fields, open, summary };
  };

  /** An object schema with those that `allOf` adds to it. */
  const partsOf = (leaf: Leaf): readonly Leaf[] => {
    const found = new Map<JsonObject, Leaf>();
    const visit = (part: Leaf): void => {
      if (steps-- <= 0 || found.has(part.schema) || found.size >= mostChoices) return;
      found.set(part.schema, part);
      if (!isArray(part.schema.allOf)) return;
      for (const [at, value] of part.schema.allOf.entries()) {
        const next = resolved({ value, path: `${part.path}.allOf[${at}]`, name: part.name });
        if (isObject(next.value)) visit({ schema: next.value, path: next.path, name: next.name });
      }
    };
    visit(leaf);
    return [...found.values()];
  };

  const isObjectLeaf = (leaf: Leaf): boolean =>
    typesOf(leaf.schema).length > 0
      ? isOf("object", leaf.schema)
      : partsOf(leaf).some(({ schema }) => isOf("object", schema));

  /** One part of an `allOf` names `null`, and no other one refuses it. */
  const nullInAll = (leaf: Leaf): boolean => {
    const named = partsOf(leaf).flatMap(({ schema }) => (schema.type === undefined ? [] : [typesOf(schema)]));
    return named.length > 0 && named.every((types) => types.includes("null"));
  };

  const keysOf = (leaves: readonly Leaf[]): TypeRef => {
    const named = leaves.map(({ schema }) => {
      const pattern = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties)[0] : undefined;
      const written = pattern === undefined ? schema.propertyNames : { type: "string", pattern };
      return isObject(written) ? refOf([{ value: written, path: "", name: "key" }]) : "text";
    });
    const [first = "text"] = named;
    const type = types.get(first);
    return named.every((ref) => ref === first) && (type === undefined || type.kind === "bytes") && first !== "any"
      ? first
      : "text";
  };

  return {
    refOf(alternatives) {
      const ref = refOf(alternatives);
      for (let next = unread.pop(); next; next = unread.pop()) next();
      return ref;
    },
    resolved,
    table: types,
  };
}

function limitsValues({ additionalProperties: rest, patternProperties }: JsonObject): boolean {
  return rest === false || isObject(rest) || isObject(patternProperties);
}

/** Patterns other than those of hex are not read, so which value belongs to which key is not known. */
function choosesByKey({ patternProperties }: JsonObject): boolean {
  return (
    isObject(patternProperties) && Object.keys(patternProperties).some((pattern) => !/^\^?\.[*+]\$?$/.test(pattern))
  );
}

function stringRef(schema: JsonObject, own: (type: TypeSpec) => TypeRef): TypeRef {
  const found = stringType(
    typeof schema.pattern === "string" ? schema.pattern : "",
    sentence(schema.description ?? schema.title),
  );
  return typeof found === "string" ? found : own(found);
}

function plainly(value: string): { readonly value: string; readonly summary: string } {
  return { value, summary: "" };
}

function isTags(texts: readonly string[]): boolean {
  return texts.includes("latest") && texts.every((text) => tags.some(({ tag }) => tag === text));
}

/** A tag beside a number, and perhaps a hash, is what names a block. */
function asBlock(refs: readonly TypeRef[]): readonly TypeRef[] {
  const number = refs.includes("uint256") || refs.includes("uint64");
  if (!refs.includes("blockTag") || !number) return refs;
  const rest = refs.filter((ref) => !["blockTag", "uint256", "uint64", "hash"].includes(ref));
  return [refs.includes("hash") ? "block" : "blockNumberOrTag", ...rest];
}

function quoted(text: string): string {
  return `\`${brief(text, 60).replaceAll("`", "'")}\``;
}
