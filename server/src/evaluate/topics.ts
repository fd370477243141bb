import { type EncodingFault, encodeTopic, type IsOpen } from "../abi/encode.ts";
import type { AbiItem } from "../abi/item.ts";
import type { AbiParam } from "../abi/type.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import type { Attempt } from "./candidates.ts";

/**
 * Encodes the topics of a filter for an event as JSON: the event's own, then a condition for each indexed argument, up
 * to the last one given.
 *
 * @param args - By name or in the order of the indexed arguments; `null` or nothing matches all values, a list any of its items.
 */
export function topicsOf(event: AbiItem, args: JsonValue, isOpen: IsOpen): Attempt {
  if (typeof args === "string" && isOpen(args)) return { kind: "open" };
  const placed = inPlace(event, args);
  if ("kind" in placed) return placed;
  const made = placed.map(({ param, value, step }) => conditionOn(param, value, step, isOpen));
  const faults = made.flatMap((one) => (one.kind === "faults" ? one.faults : []));
  if (faults.length > 0) return { kind: "faults", faults };
  if (made.some(({ kind }) => kind === "open")) return { kind: "open" };
  const conditions = made.flatMap((one) => (one.kind === "encoded" ? one.text : []));
  const topics = event.anonymous ? conditions : [`"${event.hash}"`, ...conditions];
  return {
    kind: "encoded",
    text: `[${topics.slice(0, topics.findLastIndex((one) => one !== "null") + 1).join(", ")}]`,
  };
}

interface Placed {
  readonly param: AbiParam;
  readonly value: JsonValue;
  readonly step: string | number;
}

function fault(what: string, ...path: EncodingFault["path"]): Extract<Attempt, { readonly kind: "faults" }> {
  return { kind: "faults", faults: [{ path, what }] };
}

function inPlace(event: AbiItem, args: JsonValue): readonly Placed[] | Attempt {
  const indexed = event.inputs.filter((input) => input.indexed);
  if (args === null) return [];
  if (isObject(args)) return byName(event, indexed, args);
  if (!isArray(args)) return fault("expected a list of values, or an object by name");
  if (args.length > indexed.length) {
    const marked =
      indexed.length === 0
        ? "none of its arguments is"
        : `only ${plural(indexed.length, "argument")} ${indexed.length === 1 ? "is" : "are"}`;
    return fault(
      `${marked} marked \`indexed\`, and ${plural(args.length, "value")} ${args.length === 1 ? "is" : "are"} given`,
    );
  }
  return args.flatMap((value, at) => (indexed[at] ? { param: indexed[at], value, step: at } : []));
}

function byName({ inputs }: AbiItem, indexed: readonly AbiParam[], args: JsonObject): readonly Placed[] | Attempt {
  for (const key of Object.keys(args)) {
    if (indexed.some(({ name }) => name === key)) continue;
    const isInput = inputs.some(({ name }) => name === key);
    const names = indexed.flatMap(({ name }) => name || []).join(", ");
    return fault(
      isInput
        ? "it is not marked `indexed`, so no topic holds it"
        : `the indexed arguments are: ${names || "none by name"}`,
      key,
    );
  }
  return indexed.map((param) => {
    const value = Object.hasOwn(args, param.name) ? args[param.name] : undefined;
    return { param, value: value ?? null, step: param.name };
  });
}

/** Encodes one position of the filter as JSON. */
function conditionOn({ type }: AbiParam, value: JsonValue, step: string | number, isOpen: IsOpen): Attempt {
  if (value === null) return { kind: "encoded", text: "null" };
  const composite = type.kind === "array" || type.kind === "tuple";
  if (isArray(value) && !composite) return anyOf(value, step, (one) => topic(type, one, isOpen));
  const single = under(topic(type, value, isOpen), step);
  // for an array type, a list is one value, and a list of lists means any of them
  const several = single.kind === "faults" && isArray(value) && value.length > 0 && value.every(isList);
  return several ? anyOf(value, step, (one) => topic(type, one, isOpen)) : single;
}

function isList(value: JsonValue): boolean {
  return isArray(value) || isObject(value);
}

function topic(type: AbiParam["type"], value: JsonValue, isOpen: IsOpen): Attempt {
  const encoded = encodeTopic(type, value, isOpen);
  return encoded.kind === "encoded" ? { kind: "encoded", text: `"${encoded.hex}"` } : encoded;
}

function anyOf(values: readonly JsonValue[], step: string | number, encode: (value: JsonValue) => Attempt): Attempt {
  if (values.length === 0) return fault("an empty list would match everything; leave it out, or write `null`", step);
  const made = values.map((value, at) =>
    under(value === null ? fault("`null` in a list would match everything") : encode(value), at),
  );
  const faults = made.flatMap((one) => (one.kind === "faults" ? one.faults : []));
  if (faults.length > 0) return under({ kind: "faults", faults }, step);
  if (made.some(({ kind }) => kind === "open")) return { kind: "open" };
  return { kind: "encoded", text: `[${made.flatMap((one) => (one.kind === "encoded" ? one.text : [])).join(", ")}]` };
}

function under(attempt: Attempt, step: string | number): Attempt {
  if (attempt.kind !== "faults") return attempt;
  return { kind: "faults", faults: attempt.faults.map(({ path, what }) => ({ path: [step, ...path], what })) };
}
