import { brief } from "../base/text.ts";

/**
 * Text of a foreign document as a sentence on one line. It is plain text, whatever marks of Markdown it contains.
 *
 * @example sentence("Gets it\nat once"); //=> "Gets it at once."
 */
export function sentence(text: unknown, limit = 300): string {
  const line = typeof text === "string" ? brief(text.slice(0, limit * 4), limit) : "";
  return line === "" || /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** The same as a few words to call something by, without quotes. */
export function label(text: unknown, limit = 40): string {
  return typeof text === "string" ? brief(text.slice(0, limit * 4), limit).replaceAll("`", "'") : "";
}
