import type { KeyContext } from "../analysis/cursorContext.ts";
import { headerMembers } from "../analysis/header.ts";
import { labels } from "../analysis/labels.ts";
import { dependencies } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { fieldsOf, mapAt, objectsOf } from "../analysis/types.ts";
import { isAddress } from "../base/hex.ts";
import { prose } from "../base/markdown.ts";
import { brief } from "../base/text.ts";
import { slots } from "../catalog/slots.ts";
import type { FieldRule, TypeRef } from "../catalog/spec.ts";
import { textOfRef } from "../catalog/types.ts";
import { assumingMethods } from "../evaluate/assume/readAssumptions.ts";
import { type Cell, isExplainable } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import { addresses } from "./addresses.ts";
import { assumedVariables } from "./assumedStorage.ts";
import { argumentKeys } from "./contractCalls.ts";
import { fieldDocs, memberDocs, methodDocs } from "./docs.ts";
import { expectedPaths, operatorKeys } from "./expectations.ts";
import { missedNames, schema } from "./memberValues.ts";
import { readableAt } from "./readable.ts";
import { members } from "./requests.ts";
import { literal, plain, type Snippet, stop, string } from "./snippet.ts";
import { params, SnippetBuilder } from "./snippetBuilder.ts";
import type { Choice, Suggestion } from "./suggestion.ts";

/** Suggests keys with their values, but for those that the object has. */
export function keys(cell: Cell, place: KeyContext, offset: number, scope: Scope): readonly Suggestion[] {
  const { owner, siblings, hasValue } = place;
  const present = new Set(siblings.map(string));
  const found = ofOwner(cell, place, offset, scope).flatMap(({ key, value, ...suggestion }): readonly Suggestion[] => {
    const name = key ?? string(suggestion.label);
    return present.has(name) ? [] : [{ ...suggestion, insert: hasValue ? name : `${name}: ${value}` }];
  });
  const whole = owner.kind === "request" && siblings.length === 0 && !hasValue ? methodPairs(scope) : [];
  return [...found, ...whole];
}

/** Suggests how a request begins, in an empty object that may become one. */
export function newRequest(place: KeyContext, scope: Scope): readonly Suggestion[] {
  const first = requestMembers(place, scope).filter(({ label }) => label === "method" || label === "batch");
  return [
    ...first.map(({ value, ...member }) => ({ ...member, insert: `${string(member.label)}: ${value}` })),
    ...methodPairs(scope),
  ];
}

/** A key, and the value that it begins with. */
interface KeySuggestion extends Choice {
  /** The key as JSON, if it differs from the label. */
  readonly key?: Snippet;
  readonly value: Snippet;
}

function ofOwner(cell: Cell, place: KeyContext, offset: number, scope: Scope): readonly KeySuggestion[] {
  const { owner } = place;
  const readable = readableAt(place.path, cell, scope);
  if (readable && readable.at !== "name") return argumentKeys(readable, scope);
  switch (owner.kind) {
    case "request":
      return requestMembers(place, scope);
    case "header":
      return Object.entries(headerMembers).map(([label, documentation]) => ({
        label,
        kind: "key",
        documentation: () => prose(documentation),
        value: headerSnippets.get(label) ?? stringOf(1),
      }));
    case "labels":
      return addressKeys(place, scope, stringOf(1));
    case "typed":
      return [...fields(owner.type, place, scope), ...mapKeys(owner.type, cell, place, scope)];
    case "member":
      if (owner.name === "expect") return expectedPaths(cell, place, offset, scope);
      if (owner.name === "each") return rowNames(cell, scope);
      return owner.name === "expectation" ? operatorKeys() : [];
    case "variables":
      return missedNames(scope).map((label) => ({
        label,
        kind: "key",
        detail: "placeholders refer to it",
        value: stringOf(1),
      }));
    case "cell":
    case "requests":
    case "method":
    case "params":
    case "endpoint":
    case "unknown":
      return [];
  }
}

/** Names that the request takes and that nothing has. */
function rowNames(cell: Cell, scope: Scope): readonly KeySuggestion[] {
  const missed = new Set(missedNames(scope));
  const names = new Set(dependencies(cell).flatMap(({ name }) => (missed.has(name) ? name : [])));
  return [...names].map((label) => ({
    label,
    kind: "key",
    detail: "the request takes it",
    value: `[${stringOf(1)}]`,
  }));
}

const objectOf: Snippet = `{ ${stop(1)} \\}`;

function stringOf(number: number, text = ""): Snippet {
  return `"${stop(number, text)}"`;
}

const headerSnippets: ReadonlyMap<string, Snippet> = new Map([
  ["chainId", stringOf(1, "0x1")],
  ["variables", objectOf],
  ["labels", objectOf],
  ["tokens", objectOf],
  ["abi", `[${stringOf(1)}]`],
  ["$schema", stringOf(1, schema)],
  ["openrpc", `[${stringOf(1, "./openrpc.json")}]`],
  ["descriptors", `[${stringOf(1, "./descriptors")}]`],
  ["recording", stringOf(1, "name.rpc.recording.json")],
]);

const memberValues: ReadonlyMap<string, Snippet> = new Map([
  ["jsonrpc", '"2.0"'],
  ["id", stop(1, "1")],
  ["abi", `[${stringOf(1)}]`],
  ["assume", objectOf],
  ["each", objectOf],
  ["expect", objectOf],
  ["within", stringOf(1, "10 s")],
  ["snapshot", stop(1, "true")],
  ["explain", stop(1, "true")],
  ["save", stringOf(1, "logs.parquet")],
  ["params", `[${stop(1)}]`],
  ["batch", `[{ "method": ${stringOf(1)} \\}]`],
]);

const order = [
  "method",
  "params",
  "name",
  "endpoint",
  "assume",
  "each",
  "expect",
  "within",
  "snapshot",
  "explain",
  "save",
  "abi",
  "id",
  "jsonrpc",
  "batch",
];

function requestMembers({ spec, siblings }: KeyContext, scope: Scope): readonly KeySuggestion[] {
  const isBatch = siblings.includes("batch");
  const fits = (name: string): boolean =>
    isBatch
      ? name === "name" || name === "endpoint"
      : (name !== "batch" || siblings.length === 0) &&
        (name !== "explain" || isExplainable(spec?.name ?? "")) &&
        (name !== "save" || spec?.name === "eth_getLogs") &&
        (name !== "assume" || assumingMethods.includes(spec?.name ?? ""));
  return order.filter(fits).map((label) => ({
    label,
    kind: "key",
    documentation: () => prose(memberDocs[label] ?? ""),
    value: label === "params" && spec ? params(spec, scope) : (memberValues.get(label) ?? stringOf(1)),
  }));
}

/** A request in one step, for who types a method's name where a key is expected. */
function methodPairs(scope: Scope): readonly Suggestion[] {
  return scope.catalog.methods.map((spec) => ({
    label: spec.name,
    kind: "method",
    detail: spec.summary,
    documentation: () => methodDocs(spec),
    insert: members(spec, scope, ", "),
  }));
}

function fields(type: TypeRef, { siblings, method }: KeyContext, scope: Scope): readonly KeySuggestion[] {
  const excluded = new Set(
    objectsOf(type).flatMap(({ exclusive = [] }) => exclusive.flatMap((rule) => others(rule, siblings))),
  );
  if (type === "assumptions" && method === "eth_estimateGas") excluded.add("time"); // it takes no block overrides
  const free = fieldsOf(type).filter(({ name }) => !excluded.has(name));
  return free
    .toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
    .map((field) => ({
      label: field.name,
      kind: "key",
      detail: textOfRef(field.type),
      documentation: () => fieldDocs(field),
      value: new SnippetBuilder(scope).value(field.type, { field, siblings }),
    }));
}

/** Fields that are not allowed beside a field that is present. */
function others({ fields }: FieldRule, siblings: readonly string[]): readonly string[] {
  const present = fields.filter((name) => siblings.includes(name));
  return present.length === 0 ? [] : fields.filter((name) => !present.includes(name));
}

function mapKeys(type: TypeRef, cell: Cell, place: KeyContext, scope: Scope): readonly KeySuggestion[] {
  const map = mapAt(type);
  if (map?.keys === "address") return addressKeys(place, scope, new SnippetBuilder(scope).value(map.values));
  if (map?.keys === "account") return accountKeys(place, scope, firstOf(map.values, scope));
  if (map?.keys === "slotName") return [...assumedVariables(cell, place, scope), ...slotKeys(stringOf(1, "0x"))];
  return map?.values === "word" ? slotKeys(new SnippetBuilder(scope).value(map.values)) : [];
}

/** The value of an account's key in `assume`. */
function firstOf(type: TypeRef, scope: Scope): Snippet {
  const amount = firstAmounts.get(type);
  return amount === undefined ? new SnippetBuilder(scope).value(type) : stringOf(1, amount);
}

const firstAmounts: ReadonlyMap<TypeRef, string> = new Map([
  ["wei", "1 ether"],
  ["tokenAmount", "1000"],
]);

/** The initial value of a key that you name yourself, without tab stops. */
export function valueOfKey({ owner }: KeyContext, scope: Scope): Snippet {
  const map = owner.kind === "typed" ? mapAt(owner.type) : undefined;
  return map ? literal(plain(new SnippetBuilder(scope).value(map.values))) : "null";
}

function addressKeys(place: KeyContext, scope: Scope, value: Snippet): readonly KeySuggestion[] {
  return addresses(scope, place).map(({ insert, ...suggestion }) => ({ ...suggestion, key: insert, value }));
}

/** Accounts by the names that the notebook has for them, tokens first where a token is expected; then addresses. */
function accountKeys(place: KeyContext, scope: Scope, value: Snippet): readonly KeySuggestion[] {
  const { tokens } = headerValues(scope.header);
  const named = new Map([...labels(scope)].map(([address, name]) => [name, address]));
  for (const [name, held] of scope.variables) if (isAddress(held)) named.set(name, held);
  const isToken = place.path.at(-2)?.key === "token" || place.path.at(-2)?.key === "allowance";
  const symbols = [...tokens].map(([address, { symbol }]) => [symbol, address] as const);
  const all = new Map(isToken ? [...symbols, ...named] : named);
  const names = [...all].map(
    ([label, address]): KeySuggestion => ({ label, kind: "key", detail: address, typed: `${label} ${address}`, value }),
  );
  return [...names, ...addressKeys(place, scope, value).filter(({ label }) => !all.has(label))];
}

/** Slots of contracts that many projects share. */
function slotKeys(value: Snippet): readonly KeySuggestion[] {
  return slots.map(({ slot, name, summary }) => ({
    label: name,
    kind: "key",
    detail: brief(summary, 60),
    documentation: () => prose(summary),
    key: string(slot),
    typed: `${name} ${slot}`,
    value,
  }));
}
