import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import {
  details,
  formOf,
  isOf,
  type Leaf,
  label,
  maxChoices,
  maxFields,
  sentence,
  stringType,
  typesOf,
  type Written,
} from "./jsonSchema.ts";
import { quoted, SchemaGraph, type TellProblem } from "./schemaGraph.ts";
import type { FieldSpec, TypeRef, TypeSpec } from "./spec.ts";
import { tags } from "./tags.ts";
import { itemsOf, listOf, textOfRef, typeNamed } from "./types.ts";

/** Beyond these, schemas count as `any`: documents come from anywhere. */
const maxTypes = 3_000;
const maxLevels = 40;

/** Turns the schemas of one document into types. */
export class SchemaTypes {
  readonly #document: string;
  readonly #tell: TellProblem;
  readonly #graph: SchemaGraph;
  #types = 0;
  #levels = 0;
  /** Schemas by number, so that the same ones make the same type. */
  readonly #numbers = new Map<JsonObject, number>();
  readonly #made = new Map<string, TypeRef>();
  readonly #counts = new Map<string, number>();
  /** Fields that are still to be read: one object after the other, however deep they refer to each other. */
  readonly #unread: (() => void)[] = [];

  /** @param document - What people call it: the names of its types end in it. */
  constructor(root: JsonValue, document: string, tell: TellProblem) {
    this.#document = document.replace(/[^\w-]+/g, "_").slice(0, 40) || "document";
    this.#tell = tell;
    this.#graph = new SchemaGraph(root, tell);
  }

  /** Returns the type of a value that any one of the schemas allows; `any` if that cannot be said. */
  refOf(alternatives: readonly Written[]): TypeRef {
    const ref = this.#refOf(alternatives);
    for (let next = this.#unread.pop(); next; next = this.#unread.pop()) next();
    return ref;
  }

  /** Follows `$ref` to its target. */
  resolved(written: Written): Written {
    return this.#graph.resolved(written);
  }

  #refOf(alternatives: readonly Written[]): TypeRef {
    if (this.#levels >= maxLevels || this.#graph.isExhausted || this.#types >= maxTypes) {
      this.#tell("", `it has more than ${maxLevels} levels or ${grouped(maxTypes)} types: not all of them are read`);
      return "any";
    }
    this.#levels++;
    const leaves = this.#graph.leavesOf(alternatives);
    const objects = leaves.filter((leaf) => this.#graph.isObject(leaf));
    const lists = leaves.filter(({ schema }) => isOf("array", schema));
    const refs = asBlock([
      ...new Set([
        ...leaves.flatMap((leaf) => this.#scalars(leaf)),
        ...(objects.length > 0 ? [this.#objectRef(objects)] : []),
        ...(lists.length > 0 ? [this.#listRef(lists)] : []),
      ]),
    ]);
    this.#levels--;
    const [only = "any", ...others] = refs;
    return others.length === 0 ? only : this.#unionRef(refs, leaves[0]?.name ?? "");
  }

  /** Makes a type; its name is for people. */
  #add(name: string, type: TypeSpec): { readonly name: string; type: TypeSpec; readonly items: undefined } {
    const plain = label(name).replace(/[^\w.-]+/g, "") || "type";
    const count = (this.#counts.get(plain) ?? 0) + 1;
    this.#counts.set(plain, count);
    this.#types++;
    return { name: `${plain}${count > 1 ? `~${count}` : ""}@${this.#document}`, type, items: undefined };
  }

  /** Returns the same type for the same schemas. */
  #once(key: string, make: () => TypeRef): TypeRef {
    const earlier = this.#made.get(key);
    if (earlier !== undefined) return earlier;
    this.#made.set(key, "any"); // what a list or union of itself comes to
    const ref = make();
    this.#made.set(key, ref);
    return ref;
  }

  #keyOf(kind: string, leaves: readonly Leaf[]): string {
    const numbers = leaves.map(({ schema }) => {
      const number = this.#numbers.get(schema) ?? this.#numbers.size;
      this.#numbers.set(schema, number);
      return number;
    });
    return `${kind} ${numbers.toSorted((a, b) => a - b).join(" ")}`;
  }

  #unionRef(of: readonly TypeRef[], name: string): TypeRef {
    const key = `union ${of.map(textOfRef).join(" ")}`;
    return this.#once(key, () => this.#add(name, { kind: "union", of, summary: "One of several forms." }));
  }

  /** The types of a schema that are neither objects nor lists. */
  #scalars(leaf: Leaf): readonly TypeRef[] {
    const { schema, name } = leaf;
    const own = (type: TypeSpec): TypeRef => this.#once(this.#keyOf("scalar", [leaf]), () => this.#add(name, type));
    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (isArray(values)) return this.#enumerated(values, schema, own);
    const named = typesOf(schema);
    if (named.length === 0 && isArray(schema.allOf)) return this.#graph.allowsNull(leaf) ? ["null"] : [];
    if (named.length === 0 && !isOf("object", schema) && !isOf("array", schema)) {
      return [typeof schema.pattern === "string" ? stringRef(schema, own) : "any"];
    }
    return named.flatMap((type) => this.#scalar(type, leaf, own));
  }

  #scalar(type: JsonValue, { schema, path }: Leaf, own: (type: TypeSpec) => TypeRef): readonly TypeRef[] {
    switch (type) {
      case "string":
        return [stringRef(schema, own)];
      case "boolean":
      case "null":
      case "integer":
        return [type];
      case "number": {
        const number: TypeSpec = { kind: "integer", fraction: true, summary: "A JSON number." };
        return [this.#once("number", () => this.#add("number", number))];
      }
      case "object":
      case "array":
        return [];
      default:
        this.#tell(path, `${quoted(String(type))} is not a type of JSON Schema`);
        return ["any"];
    }
  }

  #enumerated(
    values: readonly JsonValue[],
    { description, title }: JsonObject,
    own: (type: TypeSpec) => TypeRef,
  ): readonly TypeRef[] {
    this.#graph.spend(values.length);
    const texts = values.filter((value) => typeof value === "string").slice(0, maxChoices);
    const others = values.some((value) => typeof value !== "string" && value !== null);
    const summary = sentence(description ?? title);
    const oneOf = (): TypeSpec => ({ kind: "oneOf", summary, values: texts.map(withoutSummary) });
    return [
      ...(texts.length > 0 ? [isTags(texts) ? "blockTag" : own(oneOf())] : []),
      ...(values.includes(null) ? ["null"] : []),
      ...(others ? ["any"] : []),
    ];
  }

  #listRef(leaves: readonly Leaf[]): TypeRef {
    return this.#once(this.#keyOf("list", leaves), () => {
      const items = leaves.map(({ schema, path, name }): Written => {
        const value = isObject(schema.items) ? schema.items : {};
        return { value, path: `${path}.items`, name };
      });
      const item = this.#refOf(items);
      return listOf(itemsOf(item) === undefined ? item : this.#unionRef([item], leaves[0]?.name ?? ""));
    });
  }

  #objectRef(leaves: readonly Leaf[]): TypeRef {
    const key = this.#keyOf("object", leaves);
    const earlier = this.#made.get(key);
    if (earlier !== undefined) return earlier;
    const [first] = leaves;
    const { name, schema } = first ?? { name: "", schema: {} as JsonObject };
    const summary = sentence(schema.description ?? schema.title);
    const empty: TypeSpec = { kind: "object", fields: [], open: true, summary };
    const ref = this.#add(leaves.length > 1 ? `${name}Any` : name, empty);
    this.#made.set(key, ref); // objects may hold themselves
    this.#unread.push(() => {
      ref.type = this.#objectType(leaves, summary);
    });
    return ref;
  }

  #objectType(leaves: readonly Leaf[], summary: string): TypeSpec {
    const forms = leaves.map((leaf) => formOf(this.#graph.partsOf(leaf)));
    for (const { members } of forms) this.#graph.spend(members.size);
    const names = [...new Set(forms.flatMap(({ members }) => [...members.keys()]))];
    const values = leaves.flatMap(otherValues);
    if (names.length === 0 && values.length > 0) {
      const keys = this.#keysOf(leaves);
      const isKnown = leaves.every(({ schema }) => limitsValues(schema) && (keys !== "text" || !choosesByKey(schema)));
      return { kind: "map", keys, values: isKnown ? this.#refOf(values) : "any", summary };
    }
    const fields = names.slice(0, maxFields).flatMap((name): readonly FieldSpec[] => {
      if (name.length > 100) return [];
      const written = forms.flatMap(({ members }) => members.get(name) ?? []);
      const required = forms.every((form) => form.required.has(name));
      return [{ name, type: this.#refOf(written), ...(required && { required }), ...details(written[0]?.value) }];
    });
    const open =
      names.length > maxFields ||
      leaves.some(({ schema }) => schema.additionalProperties !== false || isArray(schema.allOf));
    return { kind: "object", fields, open, summary };
  }

  #keysOf(leaves: readonly Leaf[]): TypeRef {
    const named = leaves.map(({ schema }) => {
      const pattern = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties)[0] : undefined;
      const written = pattern === undefined ? schema.propertyNames : { type: "string", pattern };
      return isObject(written) ? this.#refOf([{ value: written, path: "", name: "key" }]) : "text";
    });
    const [first = "text"] = named;
    const type = typeof first === "string" ? undefined : typeNamed(first);
    return named.every((ref) => ref === first) && (type === undefined || type.kind === "bytes") && first !== "any"
      ? first
      : "text";
  }
}

/** The schemas of members that have no name of their own. */
function otherValues({ schema, path, name }: Leaf): readonly Written[] {
  const rest = schema.additionalProperties;
  const patterned = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  return [
    ...(isObject(rest) ? [{ value: rest, path: `${path}.additionalProperties`, name }] : []),
    ...patterned.map(([pattern, value]) => ({ value, path: `${path}.patternProperties.${pattern}`, name })),
  ];
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
  const pattern = typeof schema.pattern === "string" ? schema.pattern : "";
  const type = stringType(pattern, sentence(schema.description ?? schema.title));
  return typeof type === "string" ? type : own(type);
}

function withoutSummary(value: string): { readonly value: string; readonly summary: string } {
  return { value, summary: "" };
}

function isTags(texts: readonly string[]): boolean {
  return texts.includes("latest") && texts.every((text) => tags.some(({ tag }) => tag === text));
}

/** A tag beside a number, and perhaps a hash, is what names a block. */
function asBlock(refs: readonly TypeRef[]): readonly TypeRef[] {
  const number = refs.includes("uint256") || refs.includes("uint64");
  if (!refs.includes("blockTag") || !number) return refs;
  const parts: readonly TypeRef[] = ["blockTag", "uint256", "uint64", "hash"];
  const rest = refs.filter((ref) => !parts.includes(ref));
  return [refs.includes("hash") ? "block" : "blockNumberOrTag", ...rest];
}
