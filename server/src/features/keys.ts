import { headerMembers } from "../analysis/header.ts";
import type { KeyPlace } from "../analysis/placeAt.ts";
import type { Scope } from "../analysis/scope.ts";
import { mapAt, shapesOf, wireObjectsOf } from "../analysis/types.ts";
import type { FieldSpec, TypeRef } from "../catalog/spec.ts";
import { fieldDocs, memberDocs, methodDocs } from "./docs.ts";
import { literal, type Snippet, stop, string } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";
import { addresses, params } from "./values.ts";

/** Suggests keys with their values, but for those that the object has. */
export function keys(place: KeyPlace, scope: Scope): readonly Suggestion[] {
  const { owner, siblings } = place;
  const found = ofOwner(place, scope).filter(({ label, key = label }) => !siblings.includes(key));
  const whole = owner.kind === "request" && siblings.length === 0 && !place.hasValue ? methodPairs(scope) : [];
  return [...found.map(({ value, ...suggestion }) => withValue(suggestion, value, place)), ...whole];
}

/** A key, and the value that it begins with. */
interface KeySuggestion extends Omit<Suggestion, "insert"> {
  readonly key?: string;
  readonly value: Snippet;
}

function withValue({ key, ...suggestion }: Omit<KeySuggestion, "value">, value: Snippet, place: KeyPlace): Suggestion {
  const name = string(key ?? suggestion.label);
  return { ...suggestion, insert: place.hasValue ? name : `${name}: ${value}` };
}

function ofOwner(place: KeyPlace, scope: Scope): readonly KeySuggestion[] {
  const { owner } = place;
  switch (owner.kind) {
    case "request":
      return requestMembers(place);
    case "header":
      return Object.entries(headerMembers).map(([label, documentation]) => ({
        label,
        kind: "key",
        documentation: () => documentation,
        value: headerValues[label] ?? stringOf(1),
      }));
    case "labels":
      return addressKeys(scope, stringOf(1));
    case "typed":
      return [...fields(owner.type), ...mapKeys(owner.type, scope)];
    case "cell":
    case "requests":
    case "method":
    case "params":
    case "endpoint":
    case "variables":
    case "member":
    case "unknown":
      return [];
  }
}

const objectOf: Snippet = `{ ${stop(1)} \\}`;

function stringOf(number: number, text = ""): Snippet {
  return `"${stop(number, text)}"`;
}

const headerValues: Readonly<Record<string, Snippet>> = {
  chainId: stringOf(1, "0x1"),
  variables: objectOf,
  labels: objectOf,
  abi: `[${stringOf(1)}]`,
};

const memberValues: Readonly<Record<string, Snippet>> = {
  jsonrpc: '"2.0"',
  id: stop(1, "1"),
  abi: `[${stringOf(1)}]`,
  expect: objectOf,
  within: stringOf(1, "10 s"),
  snapshot: stop(1, "true"),
  params: `[${stop(1)}]`,
  batch: `[{ "method": ${stringOf(1)} \\}]`,
};

const order = ["method", "params", "name", "endpoint", "expect", "within", "snapshot", "abi", "id", "jsonrpc", "batch"];

function requestMembers({ spec, siblings }: KeyPlace): readonly KeySuggestion[] {
  const isBatch = siblings.includes("batch");
  const fits = (name: string): boolean =>
    isBatch ? name === "name" || name === "endpoint" : name !== "batch" || siblings.length === 0;
  return order.filter(fits).map((label) => ({
    label,
    kind: "key",
    documentation: () => memberDocs[label] ?? "",
    value: label === "params" && spec ? params(spec) : (memberValues[label] ?? stringOf(1)),
  }));
}

/** A request in one step, for who types a method's name where a key is due. */
function methodPairs({ catalog }: Scope): readonly Suggestion[] {
  return catalog.methods.map((spec) => ({
    label: spec.name,
    kind: "method",
    detail: spec.summary,
    documentation: () => methodDocs(spec),
    insert: `"method": "${spec.name}"${spec.params.length === 0 ? "" : `, "params": ${params(spec)}`}`,
  }));
}

function fields(type: TypeRef): readonly KeySuggestion[] {
  return wireObjectsOf(type)
    .flatMap((object) => object.fields)
    .map((field) => ({
      label: field.name,
      kind: "key",
      detail: field.type,
      documentation: () => fieldDocs(field),
      value: beginning(field),
    }));
}

function mapKeys(type: TypeRef, scope: Scope): readonly KeySuggestion[] {
  const map = mapAt(type);
  if (map?.keys !== "address") return [];
  return addressKeys(scope, beginning({ name: "", type: map.values, summary: "" }));
}

function addressKeys(scope: Scope, value: Snippet): readonly KeySuggestion[] {
  return addresses(scope).map(({ insert: _, ...suggestion }) => ({
    ...suggestion,
    key: suggestion.detail ?? "",
    value,
  }));
}

/** What a field's value begins with: valid as it stands, with the cursor where one types. */
function beginning({ type, default: assumed }: FieldSpec): Snippet {
  const shape = shapesOf(type)[0];
  if (!shape || shape.kind === "list") return shape ? `[${stop(1)}]` : stop(1, "null");
  switch (shape.type.kind) {
    case "quantity":
    case "bytes":
      return `"0x${stop(1)}"`;
    case "oneOf":
      return stringOf(1, unquoted(assumed) ?? shape.type.values[0]?.value ?? "");
    case "boolean":
      return stop(1, assumed === "false" ? "true" : "false");
    case "string":
      return stringOf(1);
    case "object":
    case "map":
      return objectOf;
    case "integer":
      return stop(1, "0");
    case "null":
    case "any":
      return stop(1, "null");
  }
}

function unquoted(json: string | undefined): string | undefined {
  return json?.startsWith('"') ? literal(json.slice(1, -1)) : undefined;
}
