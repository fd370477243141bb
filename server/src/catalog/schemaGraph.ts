import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { brief } from "../base/text.ts";
import { type Choices, choicesIn, isOf, type Leaf, maxChoices, pointed, typesOf, type Written } from "./jsonSchema.ts";

/** Told what cannot be read: its path in the document, and a clause. */
export type TellProblem = (path: string, what: string) => void;

/** Links of `$ref` that are followed from one schema to the next. */
const maxLinks = 50;

/** The schemas of one document, with their references, choices and `allOf` taken apart within a budget of steps. */
export class SchemaGraph {
  readonly #root: JsonValue;
  readonly #tell: TellProblem;
  /** Documents come from anywhere, so the work on one is limited. */
  #steps = 100_000;

  constructor(root: JsonValue, tell: TellProblem) {
    this.#root = root;
    this.#tell = tell;
  }

  get isExhausted(): boolean {
    return this.#steps <= 0;
  }

  spend(steps: number): void {
    this.#steps -= steps;
  }

  /** Follows `$ref` to its target. */
  resolved(written: Written): Written {
    let here = written;
    for (let links = 0; isObject(here.value) && typeof here.value.$ref === "string"; links++) {
      const target = here.value.$ref;
      const value = links < maxLinks ? pointed(this.#root, target) : undefined;
      if (value === undefined) {
        const isInside = target.startsWith("#");
        this.#tell(
          here.path,
          isInside ? `nothing is at ${quoted(target)}` : "only references into the document itself are followed",
        );
        return { ...here, value: {} };
      }
      here = { value, path: target.slice(2).replaceAll("/", "."), name: target.slice(target.lastIndexOf("/") + 1) };
    }
    return here;
  }

  /** Returns the schemas that alternatives come to when references and choices are taken apart. */
  leavesOf(alternatives: readonly Written[]): readonly Leaf[] {
    const leaves = new Map<JsonObject, Leaf>();
    const seen = new Set<JsonObject>();
    const visit = (written: Written): void => {
      if (this.#steps-- <= 0 || leaves.size >= maxChoices) return;
      const { value, path, name } = this.resolved(written);
      const schema = isObject(value) ? value : {};
      if (!isObject(value) && value !== undefined && typeof value !== "boolean")
        this.#tell(path, "a schema is an object");
      if (seen.has(schema)) return;
      seen.add(schema);
      const choices = choicesIn(schema) ?? this.#narrowed(schema, path);
      if (choices) for (const [key, choice] of choices) visit({ value: choice, path: `${path}.${key}`, name });
      else leaves.set(schema, { schema, path, name });
    };
    for (const written of alternatives) visit(written);
    return [...leaves.values()];
  }

  /** Returns an object schema with those that `allOf` adds to it. */
  partsOf(leaf: Leaf): readonly Leaf[] {
    const parts = new Map<JsonObject, Leaf>();
    const visit = (part: Leaf): void => {
      if (this.#steps-- <= 0 || parts.has(part.schema) || parts.size >= maxChoices) return;
      parts.set(part.schema, part);
      if (!isArray(part.schema.allOf)) return;
      for (const [at, value] of part.schema.allOf.entries()) {
        const next = this.resolved({ value, path: `${part.path}.allOf[${at}]`, name: part.name });
        if (isObject(next.value)) visit({ schema: next.value, path: next.path, name: next.name });
      }
    };
    visit(leaf);
    return [...parts.values()];
  }

  isObject(leaf: Leaf): boolean {
    return typesOf(leaf.schema).length > 0
      ? isOf("object", leaf.schema)
      : this.partsOf(leaf).some(({ schema }) => isOf("object", schema));
  }

  /** One part of an `allOf` names `null`, and no other one refuses it. */
  allowsNull(leaf: Leaf): boolean {
    const named = this.partsOf(leaf).flatMap(({ schema }) => (schema.type === undefined ? [] : [typesOf(schema)]));
    return named.length > 0 && named.every((types) => types.includes("null"));
  }

  /** The part of an `allOf` that says what a value is, if that is not an object: a type, and notes about it. */
  #narrowed(schema: JsonObject, path: string): Choices | undefined {
    if (!isArray(schema.allOf) || isObject(schema.properties)) return undefined;
    const parts = this.partsOf({ schema, path, name: "" }).slice(1);
    if (parts.some((part) => isOf("object", part.schema))) return undefined;
    const typed = parts.find((part) => typesOf(part.schema).length > 0 || isArray(part.schema.enum))?.schema;
    return [["allOf", typed ?? {}]];
  }
}

/** A text of the document, as a problem quotes it. */
export function quoted(text: string): string {
  return `\`${brief(text, 60).replaceAll("`", "'")}\``;
}
