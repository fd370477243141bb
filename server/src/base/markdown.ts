import { brief, visible } from "./text.ts";
import { grouped } from "./units.ts";

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

/** As {@link code}; what is longer than the limit is cut, and its length said. */
export function codeCut(text: string, limit = 200): string {
  return text.length > limit
    ? `${code(text.slice(0, limit + 1), limit)} (${grouped(text.length)} characters)`
    : code(text, limit);
}

/** Text as it stands, lines and all, in a block that it cannot end: the fence is longer than any in it. */
export function fenced(text: string, language: string, limit = 4000): string {
  const shown = visible(text.length > limit ? text.slice(0, limit) : text);
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const rest = text.length > limit ? `\n\n… ${grouped(text.length)} characters in all` : "";
  return `${fence}${language}\n${shown}\n${fence}${rest}`;
}

/**
 * A link to a page of the catalogue or of a block explorer. Nothing of a notebook or a chain may stand in the URL but
 * what has been checked.
 *
 * @returns `undefined` where the URL is none of the web.
 */
export function link(text: string, url: string): string | undefined {
  const { protocol, href } = URL.canParse(url) ? new URL(url) : { protocol: "", href: "" };
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const safe = href.replace(
    /[^\w\-.~:/?#@!$&*+,;=%]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return `[${escaped(text, 80)}](${safe})`;
}
