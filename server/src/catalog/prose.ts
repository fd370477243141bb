import { brief } from "../base/text.ts";

/**
 * Makes a sentence on one line of text from a foreign document. The result is plain text, not Markdown.
 *
 * @example sentence("Gets it\nat once"); //=> "Gets it at once."
 */
export function sentence(text: unknown, limit = 300): string {
  const line = typeof text === "string" ? brief(text.slice(0, limit * 4), limit) : "";
  return line === "" || /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** Makes a short name of such text, without backticks. */
export function label(text: unknown, limit = 40): string {
  return typeof text === "string" ? brief(text.slice(0, limit * 4), limit).replaceAll("`", "'") : "";
}
