import { span } from "../base/span.ts";
import { exactValue, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { choose } from "./candidates.ts";
import type { Context, Conversion } from "./conversion.ts";
import { type Edit, replacing } from "./edit.ts";
import type { ReadableProblem } from "./readableProblem.ts";
import { topicsOf } from "./topics.ts";

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
  if (twice) return [at, wrong(twice[1] ?? first, "it is there twice")];
  const topics = named("topics")[0];
  if (topics) return [at, { problems: [excluded(topics, property, args[0])] }];
  const event = property?.children?.[1];
  if (!property) return [at, wrong(first, "without an `event`, they have no types")];
  if (event?.type !== "string") return [at, wrong(property, "expected a name or a signature")];
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
  if (chosen.text === undefined) return { form: "event", edits: undefined };
  const written = replacing(property, `"topics": ${chosen.text}`);
  const edits = argsProperty ? [written, removing(node, argsProperty)] : [written];
  return { form: "event", edits: edits.toSorted((a, b) => a.span.start - b.span.start) };
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
function wrong(property: JsonNode, what: string): Conversion {
  const [key = property] = property.children ?? [];
  return {
    problems: [{ code: "bad-argument", span: spanOf(key), path: String(key.value), declared: undefined, what }],
  };
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
