import { isArray, isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { brief, plural } from "../base/text.ts";
import { type Difference, differences, differenceText } from "../evaluate/diff.ts";
import { groupedBy, requestKey } from "./match.ts";
import { maxRecordingBytes } from "./maxRecordingBytes.ts";
import { readText } from "./recordedText.ts";
import type { RecordedReply, RecordedStream, Recording } from "./recording.ts";

/** A request that two recordings answer differently. Ids and times do not count. */
export interface RecordingDifference {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** Which answer to this request, counted from 1; equal requests are compared in order. */
  readonly occurrence: number;
  readonly kind: "only-in-first" | "only-in-second" | "changed";
  /** The differing parts of `result` or `error`; none unless `changed`. */
  readonly fields: readonly Difference[];
}

/**
 * Compares the answers of two recordings, request by request. What the program asked for itself does not count, except
 * which chain it is: heads and fees differ each time.
 * Notifications of subscriptions are compared too, in their order.
 */
export function compareRecordings(first: Recording, second: Recording): readonly RecordingDifference[] {
  const before = byRequest(first);
  const after = byRequest(second);
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const [old, now] = [before.get(key) ?? [], after.get(key) ?? []];
    const count = Math.max(old.length, now.length);
    return Array.from({ length: count }, (_, at) => differing(old[at], now[at], at + 1)).flat();
  });
}

/** A request, and a function that reads what answered it. */
interface Answered {
  readonly method: string;
  readonly params: JsonValue | undefined;
  content(): JsonValue;
}

function byRequest({ exchanges, streams }: Recording): ReadonlyMap<string, readonly Answered[]> {
  const counting = exchanges.filter(({ own, method }) => !own || method === "eth_chainId");
  // The answer to a subscription is only an id: its notifications are compared, except heads, which differ in every run.
  const subscribed = new Set(streams.map(({ params }) => requestKey(subscribe, params)));
  const answered = counting
    .filter(({ method, params }) => method !== subscribe || !subscribed.has(requestKey(method, params)))
    .map(({ method, params, reply }): Answered => ({ method, params, content: () => contentOf(reply) }));
  const delivered = streams
    .filter(({ params }) => !isArray(params) || params[0] !== "newHeads")
    .map(({ params, events }): Answered => ({ method: subscribe, params, content: () => notificationsOf(events) }));
  return groupedBy([...answered, ...delivered], ({ method, params }) => requestKey(method, params));
}

const subscribe = "eth_subscribe";

function notificationsOf(events: RecordedStream["events"]): JsonValue {
  const notifications = events.map(({ text }): JsonValue => {
    const value = parseJson(text);
    const params = isObject(value) ? value.params : undefined;
    return isObject(params) ? (params.result ?? null) : text;
  });
  return { notifications };
}

function differing(
  old: Answered | undefined,
  now: Answered | undefined,
  occurrence: number,
): readonly RecordingDifference[] {
  const one = old ?? now;
  if (!one) return [];
  const base = { method: one.method, params: one.params, occurrence };
  if (!old || !now) return [{ ...base, kind: old ? "only-in-first" : "only-in-second", fields: [] }];
  const fields = [...differences(old.content(), now.content())];
  return fields.length > 0 ? [{ ...base, kind: "changed", fields }] : [];
}

/** Returns the content of an answer, without its id. */
function contentOf(reply: RecordedReply): JsonValue {
  switch (reply.kind) {
    case "answer": {
      const text = readText(reply.body, maxRecordingBytes) ?? "";
      const value = parseJson(text);
      if (!isObject(value)) return text;
      const { jsonrpc: _jsonrpc, id: _id, ...content } = value;
      return content;
    }
    case "http":
      return { status: reply.status, body: readText(reply.body, maxRecordingBytes) ?? "" };
    case "fault":
      return { fault: reply.reason };
  }
}

/** Fields of one answer that a text lists. */
const maxFields = 1000;

/** Prints differences for a person, one request after the other. */
export function comparisonText(found: readonly RecordingDifference[]): string {
  if (found.length === 0) return "The recordings have the same answers.";
  const lines = found.flatMap(({ method, params, occurrence, kind, fields }) => {
    const which = occurrence > 1 ? ` (answer ${occurrence})` : "";
    const title = `${method} ${brief(printJson(params ?? []), 100)}${which}`;
    if (kind !== "changed") return [`${title}: only in the ${kind === "only-in-first" ? "first" : "second"} recording`];
    const shown = fields.slice(0, maxFields).map((field) => `  ${field.path}: ${differenceText(field)}`);
    const left = fields.length - shown.length;
    return [title, ...shown, ...(left > 0 ? [`  and ${plural(left, "more field")}`] : [])];
  });
  return lines.join("\n");
}
