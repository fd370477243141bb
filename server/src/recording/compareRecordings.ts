import { isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { brief, plural } from "../base/text.ts";
import { type Difference, differences, differenceText } from "../run/diff.ts";
import { readText } from "./recordedText.ts";
import { maxRecordingBytes, type RecordedExchange, type RecordedReply, type Recording } from "./recording.ts";
import { groupedBy, requestKey } from "./requestKey.ts";

/** What two recordings answered differently. Ids and times do not count. */
export interface RecordingDifference {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** Which answer to this request, counted from 1; equal requests are compared in order. */
  readonly occurrence: number;
  readonly kind: "only-in-first" | "only-in-second" | "changed";
  /** Of `result` or `error`; none unless `changed`. */
  readonly fields: readonly Difference[];
}

/**
 * Compares the answers of two recordings, request by request. What the program asked for itself does not count, except
 * which chain it is: heads and fees differ each time.
 */
export function compareRecordings(first: Recording, second: Recording): readonly RecordingDifference[] {
  const before = byRequest(first.exchanges);
  const after = byRequest(second.exchanges);
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const [old, now] = [before.get(key) ?? [], after.get(key) ?? []];
    const count = Math.max(old.length, now.length);
    return Array.from({ length: count }, (_, at) => differing(old[at], now[at], at + 1)).flat();
  });
}

function byRequest(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, readonly RecordedExchange[]> {
  const counting = exchanges.filter(({ own, method }) => !own || method === "eth_chainId");
  return groupedBy(counting, ({ method, params }) => requestKey(method, params));
}

function differing(
  old: RecordedExchange | undefined,
  now: RecordedExchange | undefined,
  occurrence: number,
): readonly RecordingDifference[] {
  const one = old ?? now;
  if (!one) return [];
  const base = { method: one.method, params: one.params, occurrence };
  if (!old || !now) return [{ ...base, kind: old ? "only-in-first" : "only-in-second", fields: [] }];
  const fields = [...differences(contentOf(old.reply), contentOf(now.reply))];
  return fields.length > 0 ? [{ ...base, kind: "changed", fields }] : [];
}

/** What an answer says, without its id. */
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
