import { brief } from "../base/text.ts";

/**
 * Text of a chain, an endpoint or a notebook inside Markdown: every mark that could begin a link, an image, HTML or
 * an address that renderers link by themselves is escaped.
 *
 * @example escaped("[a](https://x)"); //=> "\\[a\\]\\(https\\:\\/\\/x\\)"
 */
export function escaped(text: string, limit = 200): string {
  return brief(text, limit).replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** The same as code. Nothing is read as Markdown there but a backtick. */
export function code(text: string, limit = 100): string {
  return `\`${brief(text, limit).replaceAll("`", "'")}\``;
}
