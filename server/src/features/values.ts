import type { StorageType } from "../abi/storageLayout.ts";
import type { CursorContext, ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { fieldAt, summaryOf } from "../analysis/types.ts";
import type { JsonValue } from "../base/json.ts";
import { prose } from "../base/markdown.ts";
import { brief } from "../base/text.ts";
import { slots } from "../catalog/slots.ts";
import type { BytesType, MethodSpec, TypeRef } from "../catalog/spec.ts";
import { isBlock, type Shape, shapesOf } from "../catalog/types.ts";
import type { Cell } from "../notebook/cell.ts";
import { addresses } from "./addresses.ts";
import { assumedType } from "./assumedStorage.ts";
import { argumentValues, callables, calls } from "./contractCalls.ts";
import { methodDocs, signature } from "./docs.ts";
import { expectedValues, operands } from "./expectations.ts";
import { memberValues } from "./memberValues.ts";
import { phrases } from "./phrases.ts";
import { quantities } from "./quantities.ts";
import { readableAt } from "./readable.ts";
import { countIn, durationOf, requestDefaults } from "./requestDefaults.ts";
import { requests } from "./requests.ts";
import { type Snippet, stop, string } from "./snippet.ts";
import { params, SnippetBuilder, tags } from "./snippetBuilder.ts";
import { contractPlaces, storedVariables } from "./storedVariables.ts";
import type { Suggestion } from "./suggestion.ts";
import { topics } from "./topics.ts";
import { usualParams } from "./usualParams.ts";

/** Suggests values for a place, the likely ones first. */
export function values(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const { role } = place;
  switch (role.kind) {
    case "method":
      return scope.catalog.methods.map((spec) => method(spec, place, scope));
    case "request":
      return requests(cell, place, scope);
    case "params":
      return place.spec ? [whole("[…]", signature(place.spec), params(place.spec, scope))] : [];
    case "endpoint":
      return scope.endpoints.map(({ name, host, origin, broken }) => ({
        label: name,
        kind: "endpoint",
        detail: `${broken === undefined ? host : "cannot be used"} · ${origin}`,
        insert: string(name),
      }));
    case "member":
      if (role.name === "expectation") return expectedValues(cell, place, scope);
      return role.name === "operand" ? operands(cell, place, scope) : memberValues(role.name, cell, place, scope);
    case "typed":
      return typed(role.type, cell, place, scope);
    case "unknown":
      return inArguments(cell, place, scope) ?? [];
    case "cell":
    case "requests":
    case "header":
    case "variables":
    case "labels":
      return [];
  }
}

function whole(label: string, detail: string | undefined, insert: Snippet): Suggestion {
  return { label, kind: "value", detail, insert };
}

function method(spec: MethodSpec, place: CursorContext, scope: Scope): Suggestion {
  const rest = place.siblings.includes("params") || spec.params.length === 0 ? "" : params(spec, scope);
  return {
    label: spec.name,
    kind: "method",
    detail: spec.summary,
    documentation: () => methodDocs(spec),
    words: phrases.get(spec.name),
    insert: `"${spec.name}"${rest && `, "params": ${rest}`}`,
  };
}

function inArguments(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] | undefined {
  const readable = readableAt(place.path, cell, scope);
  return readable && readable.at !== "name" ? argumentValues(readable, place, scope) : undefined;
}

function typed(type: TypeRef, cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const readable =
    inArguments(cell, place, scope) ?? behindName(cell, place, scope) ?? storedVariables(cell, place, scope);
  if (readable) return readable;
  const variable = assumedType(cell, place, scope);
  if (variable) return ofVariable(variable, place, scope);
  const found = shapesOf(type).flatMap((shape) => ofShape(shape, cell, place, scope));
  const example = exampleAt(place);
  return example !== undefined && typeof example !== "object"
    ? found
    : [...entire(type, example, place, scope), ...found];
}

/** Suggests what a variable may hold, in `assume`. */
function ofVariable(type: StorageType, place: ValueContext, scope: Scope): readonly Suggestion[] {
  switch (type.kind === "value" ? type.abi.kind : undefined) {
    case "bool":
      return ["true", "false"].map((value) => whole(value, undefined, value));
    case "address":
      return addresses(scope, place);
    default:
      return [];
  }
}

/** The whole of an object or a list at once. */
function entire(
  type: TypeRef,
  example: JsonValue | undefined,
  place: ValueContext,
  scope: Scope,
): readonly Suggestion[] {
  const shape = shapesOf(type)[0];
  const isObject = shape?.kind === "one" && shape.type.kind === "object";
  if (!isObject && shape?.kind !== "list") return [];
  const field = place.role.kind === "typed" ? place.role.field : undefined;
  const insert = new SnippetBuilder(scope).value(type, { field, example, siblings: place.siblings });
  return [whole(isObject ? "{…}" : "[…]", summaryOf(type), insert)];
}

/** Suggests values of `function` and `event`. */
function behindName(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] | undefined {
  const { key, owner } = place;
  if ((key !== "function" && key !== "event") || owner.kind !== "typed" || !fieldAt(owner.type, key)) return undefined;
  return fieldAt(owner.type, "args") ? callables(cell, key, place, scope) : undefined;
}

/** The value of this parameter in a new request. */
function exampleAt({ spec, param, owner }: ValueContext): JsonValue | undefined {
  if (owner.kind !== "params" || param === undefined) return undefined;
  return spec && usualParams(spec)[param];
}

function ofShape(shape: Shape, cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  if (shape.kind === "list") return [whole("[]", summaryOf(shape.items), `[${stop(1)}]`)];
  switch (shape.type.kind) {
    case "oneOf": {
      const meaning = new Map(shape.type.values.map(({ value, summary }) => [value, summary]));
      const options = inOrder([...meaning.keys()], place, scope).map((value) => tag(value, meaning.get(value) ?? ""));
      return isBlockPlace(place) ? [...options, blocksBefore(place.text, scope)] : options;
    }
    case "boolean":
      return ["true", "false"].map((value) => whole(value, undefined, value));
    case "null":
      return [whole("null", undefined, "null")];
    case "bytes":
      return bytes(shape.type.role, cell, place, scope);
    case "object":
    case "map":
      return [whole("{}", shape.type.summary, `{ ${stop(1)} \\}`)];
    case "quantity":
      return isBlockPlace(place) ? [] : quantities(shape.type, place);
    case "string":
      return (examples.get(shape.ref) ?? []).map((text) => whole(text, undefined, string(text)));
    case "integer":
    case "any":
      return [];
  }
}

/** Values to begin with, of types that any text fits. */
const examples: ReadonlyMap<TypeRef, readonly string[]> = new Map([
  ["amountText", ["1000", "1", "0.5"]],
  ["timeText", ["+1 hour", "+1 day", "+30 days"]],
]);

function inOrder(all: readonly string[], place: ValueContext, scope: Scope): readonly string[] {
  return isBlockPlace(place) ? tags(all, place.role.kind === "typed" ? place.role.field : undefined, scope) : all;
}

function isBlockPlace({ role }: ValueContext): boolean {
  return role.kind === "typed" && isBlock(role.type);
}

/** @param typed - What is there already, such as `latest - 50`. */
function blocksBefore(typed: string | undefined, scope: Scope): Suggestion {
  const { blocks } = requestDefaults(scope, countIn(typed));
  const duration = durationOf(blocks, scope);
  const time = duration === undefined ? "" : `, about ${duration}`;
  return {
    label: `latest - ${blocks}`,
    kind: "value",
    detail: `A number of blocks before a tag${time}`,
    insert: `"latest - ${stop(1, String(blocks))}"`,
  };
}

function tag(value: string, summary: string): Suggestion {
  return {
    label: value,
    kind: "tag",
    detail: brief(summary, 60),
    documentation: () => prose(summary),
    insert: string(value),
  };
}

function bytes(role: BytesType["role"], cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  switch (role) {
    case "address":
      return addresses(scope, place);
    case "calldata":
      return calls(cell, place, scope);
    case "topic":
      return topics(cell, place, scope);
    case "slot":
      return [...contractPlaces(cell, scope), ...wellKnown];
    default:
      return [];
  }
}

const wellKnown: readonly Suggestion[] = slots.map(({ slot, name, summary }) => ({
  label: name,
  kind: "value",
  detail: brief(summary, 60),
  documentation: () => prose(summary),
  insert: string(slot),
  typed: `${name} ${slot}`,
}));
