import { encodeParams } from "../abi/encode.ts";
import { type AbiItem, selectorOf } from "../abi/item.ts";
import type { AbiParam } from "../abi/type.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { span } from "../base/span.ts";
import { exactValue, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { choose } from "./candidates.ts";
import {
  type Context,
  type Conversion,
  type Edit,
  type Readable,
  type ReadableProblem,
  replacing,
  strayKey,
  wrong,
} from "./conversion.ts";
import { topicsOf } from "./topics.ts";

/**
 * Encodes call data written as `{ "function", "args" }`.
 *
 * @returns `undefined` if no function is named.
 */
export function functionCall(node: JsonNode, context: Context): Conversion | undefined {
  const name = member(node, "function");
  if (!name) return undefined;
  if (name.type !== "string") return wrong(spanOf(name), "function", "expected a name or a signature");
  if (context.isOpen(String(name.value))) return { form: "call", edits: undefined };
  const stray = strayKey(node, ["function", "args"], context);
  if (stray) return wrong(spanOf(stray), String(stray.value), "call data has a `function` and its `args`");
  const args = member(node, "args");
  const values = (args && exactValue(context.text, args)) ?? [];
  const chosen = choose("function", { name, args, contract: member(node.parent?.parent, "to") }, context, (item) => {
    const encoded = encodeParams(item.inputs, values, context.isOpen);
    return encoded.kind === "encoded" ? { kind: "encoded", text: selectorOf(item) + encoded.hex.slice(2) } : encoded;
  });
  if ("problems" in chosen) return chosen;
  const { item, text } = chosen;
  return { form: "call", calls: item, edits: text === undefined ? undefined : [replacing(node, `"${text}"`)] };
}

/**
 * Reads a filter with `event` and `args` instead of `topics`.
 *
 * @returns The node that names the event, and the converted filter; `undefined` if there is no such member.
 */
export function eventFilter(node: JsonNode, context: Context): readonly [JsonNode, Conversion] | undefined {
  const properties = node.children ?? [];
  const named = (key: string): readonly JsonNode[] => properties.filter(({ children }) => children?.[0]?.value === key);
  const [events, args] = [named("event"), named("args")];
  const [property] = events;
  const first = property ?? args[0];
  if (!first) return undefined;
  const at = first.children?.[1] ?? first;
  const twice = [events, args].find(({ length }) => length > 1);
  if (twice) return [at, wrongMember(twice[1] ?? first, "it is there twice")];
  const topics = named("topics")[0];
  if (topics) return [at, { problems: [excluded(topics, property, args[0])] }];
  const event = property?.children?.[1];
  if (!property) return [at, wrongMember(first, "without an `event`, they have no types")];
  if (event?.type !== "string") return [at, wrongMember(property, "expected a name or a signature")];
  return [event, filterOf(node, property, event, args[0], context)];
}

function filterOf(
  node: JsonNode,
  property: JsonNode,
  event: JsonNode,
  argsProperty: JsonNode | undefined,
  context: Context,
): Conversion {
  if (context.isOpen(String(event.value))) return { form: "event", edits: undefined };
  const args = argsProperty?.children?.[1];
  const values = (args && exactValue(context.text, args)) ?? [];
  const contract = member(node, "address");
  const chosen = choose("event", { name: event, args, contract }, context, (item) =>
    topicsOf(item, values, context.isOpen),
  );
  if ("problems" in chosen) return chosen;
  const filters = chosen.item;
  if (chosen.text === undefined) return { form: "event", filters, edits: undefined };
  const written = replacing(property, `"topics": ${chosen.text}`);
  const edits = argsProperty ? [written, removing(node, argsProperty)] : [written];
  return { form: "event", filters, edits: edits.toSorted((a, b) => a.span.start - b.span.start) };
}

/** Removes a member with the comma before it or, for the first one, after it. */
function removing(node: JsonNode, property: JsonNode): Edit {
  const all = node.children ?? [];
  const at = all.indexOf(property);
  const { start, end } = spanOf(property);
  const [before, after] = [all[at - 1], all[at + 1]];
  return { span: before ? span(spanOf(before).end, end) : span(start, after?.offset ?? end), text: "" };
}

/** Returns a problem of a member, at its key. */
function wrongMember(property: JsonNode, what: string): Conversion {
  const [key = property] = property.children ?? [];
  return wrong(spanOf(key), String(key.value), what);
}

function excluded(topics: JsonNode, event: JsonNode | undefined, args: JsonNode | undefined): ReadableProblem {
  const both = [event, args, topics].flatMap((property) => property?.children?.[0] ?? []);
  const last = both.toSorted((a, b) => a.offset - b.offset).at(-1) ?? topics;
  const why = "This tool turns `event` and `args` into `topics`, so use only one of them.";
  return {
    code: "exclusive-fields",
    span: spanOf(last),
    names: both.map(({ value }) => String(value)),
    why,
    advice: false,
  };
}

/**
 * Returns the declared return values of the function that an `eth_call` calls: as the call is written, else by the
 * selector in the project's ABIs.
 *
 * @param params - The params that are sent.
 * @returns `undefined` if there is no declaration, or if the ABIs differ.
 */
export function returnsOf(
  method: string,
  params: JsonValue | undefined,
  readables: readonly Readable[],
  abi: readonly AbiItem[],
): readonly AbiParam[] | undefined {
  if (method !== "eth_call") return undefined;
  const called = readables.find(({ calls }) => calls)?.calls;
  if (called) return called.outputs.length > 0 ? called.outputs : undefined;
  return functionOf(dataIn(params), abi)?.outputs;
}

/** Returns the function with the selector of call data, if its declarations agree on the return values. */
export function functionOf(data: unknown, abi: readonly AbiItem[]): AbiItem | undefined {
  if (typeof data !== "string" || data.length < 10) return undefined;
  const selector = data.slice(0, 10).toLowerCase();
  const declared = abi.filter(
    (item) => item.kind === "function" && item.outputs.length > 0 && selectorOf(item) === selector,
  );
  const types = new Set(declared.map(({ outputs }) => outputs.map(({ type }) => type.text).join()));
  return types.size === 1 ? declared[0] : undefined;
}

function dataIn(params: JsonValue | undefined): JsonValue | undefined {
  const call = isArray(params) ? params[0] : undefined;
  return isObject(call) ? (call.data ?? call.input) : undefined;
}
