import type { AbiParam, AbiType } from "../abi/type.ts";
import { type Scope, servesAhead } from "../analysis/scope.ts";
import { fieldAt, itemType, mapAt } from "../analysis/types.ts";
import { isAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import type { FieldSpec, MethodSpec, TypeRef } from "../catalog/spec.ts";
import { isBlock, type Shape, shapesOf } from "../catalog/types.ts";
import { defaultAddresses, wantsContract } from "./addresses.ts";
import { requestDefaults } from "./requestDefaults.ts";
import { type Snippet, stop, string } from "./snippet.ts";
import { usualObjects, usualParams } from "./usualParams.ts";

interface About {
  readonly field?: FieldSpec | undefined;
  readonly example?: JsonValue | undefined;
  /** The other keys of the object that it is for. */
  readonly siblings?: readonly string[];
}

/** The inputs of snippets from a scope: equal keys give equal snippets. */
const scopeKey = memoByObject((scope: Scope): string =>
  JSON.stringify([requestDefaults(scope), defaultAddresses(scope, false, true), defaultAddresses(scope, true, true)]),
);

/** Remembers one snippet for each thing, for as long as the notebook offers the same addresses and tags. */
export function remembering<Thing extends object>(
  make: (thing: Thing, scope: Scope) => Snippet,
): (thing: Thing, scope: Scope) => Snippet {
  const snippets = new WeakMap<Thing, { readonly key: string; readonly snippet: Snippet }>(); // by equal keys, not by identity
  return (thing, scope) => {
    const key = scopeKey(scope);
    const last = snippets.get(thing);
    if (last?.key === key) return last.snippet;
    const snippet = make(thing, scope);
    snippets.set(thing, { key, snippet });
    return snippet;
  };
}

/** The parameters of a method, as many as a request is usually written with. */
export const params: (spec: MethodSpec, scope: Scope) => Snippet = remembering((spec, scope) => {
  const draft = new SnippetBuilder(scope);
  const written = usualParams(spec).map((example, at) => {
    const field = spec.params[at];
    return draft.value(field?.type ?? "any", { field, example });
  });
  // A last stop inside of an object is for more members.
  return `[${written.map((one) => one.replace(/ \\\}$/, (end) => `${stop(draft.next())}${end}`)).join(", ")}]`;
});

/** Deeper than any type of the catalogue that does not hold itself. */
const deepest = 8;

/**
 * Writes new values: valid as written, with a tab stop for each choice, and the notebook's own addresses in
 * place of those of examples. One draft numbers the stops of one snippet.
 */
export class SnippetBuilder {
  readonly #scope: Scope;
  /** Replaces an address of an example, always with the same one; different addresses get different replacements. */
  readonly #taken = new Map<string, string>();
  #stops: number;

  /** @param firstStop - The number of the first stop. */
  constructor(scope: Scope, firstStop = 1) {
    this.#scope = scope;
    this.#stops = firstStop - 1;
  }

  /** The number of a stop of the caller's own. */
  next(): number {
    return ++this.#stops;
  }

  value(type: TypeRef, about: About = {}): Snippet {
    return this.#write(type, about, 0);
  }

  /** A value for an argument of a function or event. */
  argument(type: AbiType): Snippet {
    switch (type.kind) {
      case "address":
        return this.#address(`argument ${this.#stops}`) ?? this.#text(`0x${"00".repeat(20)}`);
      case "bool":
        return stop(this.next(), "true");
      case "uint":
      case "int":
        return stop(this.next(), "0");
      case "fixedBytes":
        return this.#text(`0x${"00".repeat(type.size)}`);
      case "bytes":
        return this.#text("0x");
      case "string":
        return this.#text();
      case "array":
        return `[${this.#items(repeated(type.of, type.length ?? 0)) || stop(this.next())}]`;
      case "tuple":
        return `[${this.#items(type.members)}]`;
    }
  }

  #items(params: readonly AbiParam[]): Snippet {
    return params.map((param) => this.argument(param.type)).join(", ");
  }

  #write(type: TypeRef, { field, example, siblings = [] }: About, depth: number): Snippet {
    const items = itemType(type);
    const shape = shapesOf(type)[0];
    const given = example === undefined && shape?.kind === "one" ? usualObjects.get(shape.ref) : example;
    if (isArray(given) && items !== undefined)
      return `[${given.map((item) => this.#write(items, { example: item }, depth + 1)).join(", ")}]`;
    if (isObject(given)) return this.#object(type, given, depth);
    if (!shape || (given !== undefined && typeof given !== "string" && typeof given !== "boolean"))
      return this.#json(given ?? null);
    if (shape.kind === "list") return this.#list(shape.items, depth);
    const required = shape.type.kind === "object" && given === undefined ? shape.type.fields.filter(isRequired) : [];
    if (required.length > 0 && depth < deepest) return this.#required(required, depth);
    return this.#single(shape.type, type, { field, example: given, siblings });
  }

  #single(type: SingleType, ref: TypeRef, { field, example, siblings = [] }: About): Snippet {
    if (isBlock(ref)) return this.#text(tags(valuesOf(type), field, this.#scope)[0]);
    switch (type.kind) {
      case "oneOf":
        return this.#text(leading(valuesOf(type), example ?? unquoted(field?.default))[0]);
      case "bytes":
        if (type.role === "calldata") return stop(this.next(), '"0x"');
        if (type.role === "slot") return stop(this.next(), '"0x0"');
        return (
          (type.role === "address" ? this.#address(textOf(example), wantsContract(field, siblings)) : undefined) ??
          this.#hex(example)
        );
      case "quantity":
        return this.#hex(example);
      case "boolean":
        return stop(this.next(), String(example ?? field?.default !== "true"));
      case "string":
        return example === undefined ? this.#text() : stop(this.next(), printJson(example));
      case "object":
      case "map":
        return `{ ${stop(this.next())} \\}`;
      case "integer":
        return stop(this.next(), "0");
      case "null":
      case "any":
        return stop(this.next(), "null");
    }
  }

  #list(items: TypeRef, depth: number): Snippet {
    const first = shapesOf(items)[0];
    const holds = first?.kind === "one" && (first.type.kind === "object" || usualObjects.has(first.ref));
    return holds && depth < deepest ? `[${this.#write(items, {}, depth + 1)}]` : `[${stop(this.next())}]`;
  }

  #object(type: TypeRef, example: JsonObject, depth: number): Snippet {
    const keys = Object.keys(example);
    if (keys.length === 0 || depth > deepest) return `{ ${stop(this.next())} \\}`;
    const map = mapAt(type);
    const members = Object.entries(example).map(([key, value]) => {
      const siblings = keys.filter((other) => other !== key);
      const field = map ? undefined : fieldAt(type, key);
      const name = map && isAddress(key) ? (this.#address(key) ?? string(key)) : string(key);
      const of = map?.values ?? field?.type ?? "";
      return `${name}: ${this.#write(of, { field, example: value, siblings }, depth + 1)}`;
    });
    return `{ ${members.join(", ")} \\}`;
  }

  #required(fields: readonly FieldSpec[], depth: number): Snippet {
    const members = fields.map((field) => `${string(field.name)}: ${this.#write(field.type, { field }, depth + 1)}`);
    return `{ ${members.join(", ")} \\}`;
  }

  /** @returns `undefined` if there is no example, and neither the notebook nor a local chain has an address. */
  #address(example = "", contract = false): Snippet | undefined {
    const options = defaultAddresses(this.#scope, contract, isAddress(example));
    const used = [...this.#taken.values()];
    const first = this.#taken.get(example) ?? options.find((option) => !used.includes(option)) ?? options[0];
    if (first === undefined) return undefined;
    if (example !== "") this.#taken.set(example, first);
    return this.#text(first);
  }

  #hex(example: JsonValue | undefined): Snippet {
    return example === undefined ? `"0x${stop(this.next())}"` : this.#json(example);
  }

  #json(value: JsonValue): Snippet {
    return typeof value === "string" ? this.#text(value) : stop(this.next(), printJson(value));
  }

  #text(content = ""): Snippet {
    return `"${stop(this.next(), JSON.stringify(content).slice(1, -1))}"`;
  }
}

type SingleType = (Shape & { readonly kind: "one" })["type"];

function valuesOf(type: SingleType): readonly string[] {
  return type.kind === "oneOf" ? type.values.map(({ value }) => value) : [];
}

function isRequired({ required }: FieldSpec): boolean {
  return required === true;
}

/** Longer arrays of a fixed length are for a person to fill in. */
function repeated(of: AbiType, length: number): readonly AbiParam[] {
  return length > 8 ? [] : Array.from({ length }, () => ({ name: "", type: of, indexed: false }));
}

/** Tags in the order in which they are likely. Of a range only the end is pending. */
export function tags(all: readonly string[], field: FieldSpec | undefined, scope: Scope): readonly string[] {
  const pending = servesAhead(scope) && field?.name !== "fromBlock";
  return leading(all, pending ? "pending" : "latest");
}

function leading(options: readonly string[], first: JsonValue | undefined): readonly string[] {
  return typeof first === "string" && options.includes(first)
    ? [first, ...options.filter((option) => option !== first)]
    : options;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function unquoted(json: string | undefined): string | undefined {
  return json?.startsWith('"') ? json.slice(1, -1) : undefined;
}
