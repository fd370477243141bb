import { isArray, type JsonValue } from "../base/json.ts";
import { brief, listed, oneLine } from "../base/text.ts";
import { differences, differenceText } from "../run/diff.ts";
import type { RecordedExchange } from "./recording.ts";
import type { WrittenRequest } from "./wireMessages.ts";

/** Differences that a message names. */
const maxDifferences = 3;

/** Explains that a request was not recorded: the nearest recorded request, and how this one differs. */
export function nearestExchange({ method, params }: WrittenRequest, exchanges: readonly RecordedExchange[]): string {
  const sameMethod = exchanges.filter((one) => one.method === method);
  if (sameMethod.length === 0) {
    const methods = [...new Set(exchanges.map((one) => one.method))];
    const others = methods.length > 0 ? `, only ${brief(listed(methods), 200)}` : "";
    return `Not in the recording: it has no \`${brief(method, 60)}\`${others}.`;
  }
  const ranked = sameMethod.map((one) => differing(listOf(one.params), listOf(params)));
  const nearest = ranked.reduce((best, one) => (one.length < best.length ? one : best));
  if (nearest.length === 0)
    return `Not in the recording: every recorded answer to this \`${method}\` was already given.`;
  const what = nearest.slice(0, maxDifferences).map((text) => oneLine(text));
  const more = nearest.length > maxDifferences ? `, and ${nearest.length - maxDifferences} more` : "";
  return `Not in the recording: the nearest recorded \`${method}\` differs at ${what.join("; ")}${more}.`;
}

function listOf(params: JsonValue | undefined): JsonValue {
  return params === undefined ? [] : params;
}

function differing(recorded: JsonValue, asked: JsonValue): readonly string[] {
  if (!isArray(recorded) || !isArray(asked)) return ["params"];
  return [...differences(recorded, asked, ["params"])].map((one) => `${one.path}: ${differenceText(one)}`);
}
