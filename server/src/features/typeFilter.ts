import type { CursorContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { isAddress, isHex, quantity } from "../base/hex.ts";
import { isArray, type JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { amountInWei } from "../base/units.ts";
import type { BytesType, TypeRef } from "../catalog/spec.ts";
import { isBlock, shapesOf } from "../catalog/types.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Segment } from "../notebook/placeholder.ts";
import { inside, joined, type PathTypes } from "./pathTypes.ts";
import { argumentAt, readableAt } from "./readable.ts";

/**
 * The sorts of a value, as finely as a place can ask for them: `address`, `hash of a block`, `wei`, `number`. Empty if
 * any value is possible.
 */
export type Sorts = ReadonlySet<string>;

const anything: Sorts = new Set();

/** The sorts that a place expects. */
export function expectedSorts(place: CursorContext, cell: Cell, scope: Scope): Sorts {
  const readable = readableAt(place.path, cell, scope);
  const argument = readable && argumentAt(readable);
  if (argument) return ofAbi(argument.type.text);
  const { role } = place;
  if (role.kind !== "typed" || place.kind === "key") return anything;
  const sorts = ofType(role.type, `${place.method ?? ""} ${role.field?.name ?? ""}`);
  const also = isBlock(role.type) ? ["block"] : isTopic(role.type) ? ["address"] : [];
  return sorts.size === 0 ? anything : new Set([...sorts, ...also]);
}

/** An address there is padded. */
function isTopic(ref: TypeRef): boolean {
  return shapesOf(ref).some(
    (shape) => shape.kind === "one" && shape.type.kind === "bytes" && shape.type.role === "topic",
  );
}

/** - `right`: of an expected sort. - `open`: of an unknown sort, or a number that counts other things. */
type TypeFilter = "right" | "open" | "wrong";

/** Sorts that many things have which mean nothing to each other. */
const coarse: Sorts = new Set(["number", "object", "map", "list"]);

/** @param name - The name of the value at its source, which distinguishes kinds of hashes. */
export function typeFilter(reach: PathTypes, wanted: Sorts, name: Segment): TypeFilter {
  const found = sortsOf(reach, String(name));
  if (found.size === 0 || wanted.size === 0) return "open";
  const shared = [...found].filter((sort) => wanted.has(sort));
  if (shared.some((sort) => !coarse.has(sort))) return "right";
  const isNumber = shared.includes("number") && (wanted.size === 1 || found.size === 1);
  return isNumber ? "right" : shared.length > 0 ? "open" : "wrong";
}

function sortsOf(reach: PathTypes, name: string): Sorts {
  switch (reach.kind) {
    case "value":
      return ofValue(reach.value, name);
    case "type":
      return sortsOfType(reach.type, name);
    case "leaf":
      return ofAbi(/^\S+/.exec(reach.about)?.[0] ?? "");
    case "parts":
      return new Set([reach.each ? "list" : "parts"]);
  }
}

function ofType(ref: TypeRef, name: string): Sorts {
  const sorts = shapesOf(ref).flatMap((shape): readonly string[] => {
    if (shape.kind === "list") return ["list"];
    const { type } = shape;
    switch (type.kind) {
      case "quantity":
        return ["number", type.unit];
      case "bytes":
        return ofBytes(type, name);
      case "integer":
        return ["number"];
      case "oneOf":
        return type.values.map(({ value }) => `"${value}"`);
      default:
        return [type.kind];
    }
  });
  return sorts.includes("any") ? anything : new Set(sorts);
}

function ofBytes({ role, length }: BytesType, name: string): readonly string[] {
  switch (role) {
    case "address":
      return ["address"];
    case "hash":
      return hashOf(name);
    case "topic":
    case "slot":
    case "word":
      return ["word"];
    case "returndata":
      return ["word", "bytes"];
    default:
      return [length === undefined ? "bytes" : plural(length, "byte")];
  }
}

/** Blocks and transactions have hashes of one type, as roots of tries have; only names tell them apart. */
function hashOf(name: string): readonly string[] {
  const last = /[^\s.]*$/.exec(name)?.[0] ?? "";
  if (/root|uncles|^(?!block|parent|transaction).+hash$/i.test(last)) return ["hash"];
  const clear = /block|transaction|parent/i.exec(last)?.[0] ?? /block|transaction/i.exec(name)?.[0];
  if (clear === undefined) return ["hash of a block", "hash of a transaction"];
  return [/transaction/i.test(clear) ? "hash of a transaction" : "hash of a block"];
}

function ofValue(value: JsonValue, name: string): Sorts {
  if (isArray(value)) return new Set(["list"]);
  if (value === null) return anything;
  if (typeof value !== "string")
    return new Set([typeof value === "boolean" ? "boolean" : typeof value === "object" ? "object" : "number"]);
  if (isAddress(value)) return new Set(["address"]);
  if (isHex(value)) {
    if (value.length === 66) return new Set(["word", "bytes", ...hashOf(name)]);
    if (/^(?:blockNumber|number)$/.test(name)) return new Set(["number", "block"]);
    return quantity(value) === undefined || /^0x0./.test(value)
      ? new Set(["bytes"])
      : new Set(["number", "bytes", "word"]);
  }
  if (typeof amountInWei(value) === "bigint") return new Set(/^\d+$/.test(value) ? ["number", "string"] : ["wei"]);
  return new Set([/^(?:latest|pending|safe|finalized|earliest)\b/.test(value) ? "block" : "string", `"${value}"`]);
}

function ofAbi(type: string): Sorts {
  if (type.endsWith("]")) return new Set(["list"]);
  if (/^u?int\d*$/.test(type)) return new Set(["number"]);
  if (type === "bool") return new Set(["boolean"]);
  if (type === "bytes32") return new Set(["word", ...hashOf("")]);
  if (type.startsWith("bytes")) return new Set(["bytes"]);
  if (type === "text") return new Set(["string"]);
  return ["address", "string", "number"].includes(type) ? new Set([type]) : anything;
}

/** A place in a result that is what is asked for. */
interface ValueSorts {
  readonly path: string;
  readonly reach: PathTypes;
}

/** Limits: steps below `result`, places to examine, and places to suggest from one result. */
const most = { steps: 4, looks: 100, found: 3 };

const typeParts = new Map<TypeRef, ReturnType<typeof inside>>();

/** Parts of a target; those of types are cached. */
function partsOf(reach: PathTypes): ReturnType<typeof inside> {
  if (reach.kind !== "type") return inside(reach);
  const parts = typeParts.get(reach.type) ?? inside(reach);
  typeParts.set(reach.type, parts);
  return parts;
}

const typeSorts = new Map<string, Sorts>();

function sortsOfType(type: TypeRef, name: string): Sorts {
  const key = `${type} ${name}`;
  const sorts = typeSorts.get(key) ?? ofType(type, name);
  if (typeSorts.size < 1000) typeSorts.set(key, sorts);
  return sorts;
}

/** Places in an outcome that are what is asked for, the shallow ones first; of lists, those of the first item. */
export function fittingIn(name: string, outcome: PathTypes, wanted: Sorts): readonly ValueSorts[] {
  // what counts nothing in particular, and yes or no, anything would be
  const vague = wanted.has("boolean") || (wanted.size === 1 && wanted.has("number"));
  if (wanted.size === 0) return [];
  const found: ValueSorts[] = [];
  const queue = [{ path: name, reach: outcome, steps: 0 }];
  let looks = 0;
  for (const { path, reach, steps } of queue) {
    for (const { segment, reach: part } of partsOf(reach)) {
      if (looks++ > most.looks || found.length >= most.found) return found;
      if ((typeof segment === "number" && segment > 0) || (steps === 0 && segment === "error")) continue;
      const on = joined(path, segment);
      const isRight = steps > 0 && (part.kind === "leaf" || !vague) && typeFilter(part, wanted, segment) === "right";
      if (isRight) found.push({ path: on, reach: part });
      else if (steps < most.steps) queue.push({ path: on, reach: part, steps: steps + 1 });
    }
  }
  return found;
}
