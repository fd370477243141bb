import { brief } from "../base/text.ts";

/**
 * Text of a foreign document as one sentence of ours: it is shown as plain text and inside Markdown, so that nothing
 * is left of it that either could take for a link, an image, HTML or a block of its own.
 *
 * @example sentence("See <b>[docs](https://x.example)</b>\n# now"); //=> "See ‹b›docs‹/b› # now."
 */
export function sentence(text: unknown, limit = 300): string {
  if (typeof text !== "string") return "";
  const line = brief(text.slice(0, limit * 4).replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1"), limit)
    .replace(/\b[a-z][\w+.-]{0,20}:\/\/|www\./gi, "")
    .replace(/^[\s#>|=~*+-]+/, "")
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll("[", "(")
    .replaceAll("]", ")");
  const plain = line.split("`").length % 2 === 0 ? line.replaceAll("`", "'") : line;
  return plain === "" || /[.!?…]$/.test(plain) ? plain : `${plain}.`;
}

/** The same as a few words to call something by, without quotes. */
export function label(text: unknown, limit = 40): string {
  return typeof text === "string" ? sentence(text, limit).replaceAll("`", "'").replace(/\.$/, "") : "";
}
