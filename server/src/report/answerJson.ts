import type { JsonObject } from "../base/json.ts";
import { printJson } from "../base/json.ts";
import { formatBytes } from "../base/units.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { jsonText } from "./jsonText.ts";

/**
 * The answer itself as pretty-printed JSON: the result, or the error with what is known about it. Numbers stay as the
 * endpoint wrote them.
 *
 * @param limit - Characters; longer text is cut and says so in a last line, which makes it no JSON any more.
 */
export function answerJson(outcome: Outcome, limit = 1_000_000): string {
  const json = outcome.kind === "answered" ? outcome.result.text : errorText(outcome);
  const { text, length } = jsonText(json, limit);
  return length > text.length ? `${text}\n… cut here: the whole answer has ${formatBytes(json.length)}` : text;
}

/** With the part of the answer that came, if there is one. */
function errorText(outcome: Exclude<Outcome, { readonly kind: "answered" }>): string {
  const error = printJson(errorOf(outcome));
  const soFar = outcome.exchange.parts?.soFar;
  return soFar ? `${error.slice(0, -1)},"partial":${soFar.result.text}}` : error;
}

function errorOf(outcome: Exclude<Outcome, { readonly kind: "answered" }>): JsonObject {
  if (outcome.kind === "unreachable") return { unreachable: outcome.reason, message: outcome.message };
  const { code, message, data, exchange } = outcome;
  return {
    ...(code === undefined ? { httpStatus: exchange.status ?? null } : { code }),
    message,
    ...(data !== undefined && { data }),
  };
}
