import type { Place, ValuePlace } from "../analysis/placeAt.ts";
import type { Scope } from "../analysis/scope.ts";
import { type Shape, shapesOf, summaryOf } from "../analysis/types.ts";
import { isAddress } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { brief, shortHex } from "../base/text.ts";
import type { MethodSpec, TypeRef } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import { methodDocs, signature } from "./docs.ts";
import { addressesIn, labels } from "./labels.ts";
import { type Snippet, skeleton, stop, string } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/** Suggests values for a place, the likely ones first. */
export function values(cell: Cell, place: ValuePlace, scope: Scope): readonly Suggestion[] {
  const { role } = place;
  switch (role.kind) {
    case "method":
      return scope.catalog.methods.map((spec) => method(spec, place));
    case "request":
      return requests(cell, place, scope);
    case "params":
      return place.spec
        ? [{ label: "[…]", kind: "value", detail: signature(place.spec), insert: params(place.spec) }]
        : [];
    case "endpoint":
      return scope.endpoints.map(({ name, host, origin }) => ({
        label: name,
        kind: "endpoint",
        detail: `${host} · ${origin}`,
        insert: string(name),
      }));
    case "member":
      return (memberValues.get(role.name) ?? []).map((json) => ({
        label: json,
        kind: "value",
        insert: json,
        typed: bare(json),
      }));
    case "typed":
      return typed(role.type, place, scope);
    case "cell":
    case "requests":
    case "header":
    case "variables":
    case "labels":
    case "unknown":
      return [];
  }
}

const memberValues: ReadonlyMap<string, readonly string[]> = new Map([
  ["jsonrpc", ['"2.0"']],
  ["snapshot", ["true", "false"]],
  ["within", ['"10 s"', '"3 blocks"']],
]);

function bare(json: string): string {
  return json.replaceAll('"', "");
}

function method(spec: MethodSpec, place: Place): Suggestion {
  const rest = place.siblings.includes("params") || spec.params.length === 0 ? "" : `, "params": ${params(spec)}`;
  return describe(spec, `"${spec.name}"${rest}`);
}

function describe(spec: MethodSpec, insert: Snippet): Suggestion {
  return { label: spec.name, kind: "method", detail: spec.summary, documentation: () => methodDocs(spec), insert };
}

const skeletons = new WeakMap<MethodSpec, Snippet>();

/** Parameters of a method that can be run as they are: those of its example. */
export function params(spec: MethodSpec): Snippet {
  const found = skeletons.get(spec) ?? skeleton(spec.example.params as JsonValue); // examples are JSON, a test of the catalogue says so
  skeletons.set(spec, found);
  return found;
}

function requests(cell: Cell, place: ValuePlace, scope: Scope): readonly Suggestion[] {
  const whole = place.owner.kind === "cell";
  const [open, between, close] = whole ? ["{\n  ", ",\n  ", "\n\\}"] : ["{ ", ", ", " \\}"];
  const found = scope.catalog.methods.map((spec): Suggestion => {
    const rest = spec.params.length === 0 ? "" : `${between}"params": ${params(spec)}`;
    return { ...describe(spec, `${open}"method": "${spec.name}"${rest}${close}`), kind: "request" };
  });
  const batch: Suggestion = {
    label: "batch",
    kind: "request",
    detail: "Requests that travel together",
    insert: `{\n  "batch": [\n    { "method": "${stop(1, "eth_chainId")}" \\},\n    { "method": "${stop(2, "eth_blockNumber")}" \\}\n  ]\n\\}`,
  };
  return whole && cell.kind !== "batch" ? [...found, batch] : found;
}

function typed(type: TypeRef, place: ValuePlace, scope: Scope): readonly Suggestion[] {
  const example = exampleAt(place);
  const found = shapesOf(type).flatMap((shape) => ofShape(shape, scope));
  if (example === undefined || typeof example !== "object") return found;
  return [
    {
      label: Array.isArray(example) ? "[…]" : "{…}",
      kind: "value",
      detail: summaryOf(type),
      insert: skeleton(example),
    },
    ...found,
  ];
}

/** What the method's example has as this parameter. */
function exampleAt({ spec, param, owner }: ValuePlace): JsonValue | undefined {
  if (owner.kind !== "params" || param === undefined) return undefined;
  return spec?.example.params[param] as JsonValue | undefined; // examples are JSON, a test of the catalogue says so
}

function ofShape(shape: Shape, scope: Scope): readonly Suggestion[] {
  if (shape.kind === "list")
    return [{ label: "[]", kind: "value", detail: summaryOf(shape.items), insert: `[${stop(1)}]` }];
  switch (shape.type.kind) {
    case "oneOf":
      return shape.type.values.map(({ value, summary }) => ({
        label: value,
        kind: "tag",
        detail: brief(summary, 60),
        documentation: () => summary,
        insert: string(value),
      }));
    case "boolean":
      return ["true", "false"].map((value) => ({ label: value, kind: "value", insert: value }));
    case "null":
      return [{ label: "null", kind: "value", insert: "null" }];
    case "bytes":
      return shape.type.role === "address" ? addresses(scope) : [];
    case "object":
    case "map":
      return [{ label: "{}", kind: "value", detail: shape.type.summary, insert: `{ ${stop(1)} \\}` }];
    case "quantity":
    case "integer":
    case "string":
    case "any":
      return [];
  }
}

/** Addresses that the notebook spells out: labelled ones first, then variables, then the rest. */
export function addresses(scope: Scope): readonly Suggestion[] {
  const names = labels(scope);
  const found = new Map<string, Suggestion>();
  const add = (address: string, name: string | undefined): void => {
    if (found.has(address.toLowerCase()) || found.size >= most) return;
    const shown = name === undefined ? undefined : brief(name, 40);
    const typed = shown === undefined ? address : `${address} ${shown}`;
    found.set(address.toLowerCase(), {
      label: shown ?? shortHex(address),
      kind: "address",
      detail: address,
      insert: string(address),
      typed,
    });
  };
  const spelt = scope.header ? addressesIn(scope.header) : [];
  for (const address of spelt) if (names.has(address.toLowerCase())) add(address, names.get(address.toLowerCase()));
  for (const [name, value] of scope.variables) if (isAddress(value)) add(value, name);
  for (const cell of scope.cells) {
    if (found.size >= most) break;
    for (const address of addressesIn(cell)) add(address, undefined);
  }
  return [...found.values()];
}

/** More than this nobody reads through. */
const most = 50;
