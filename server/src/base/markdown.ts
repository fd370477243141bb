import type { Mask } from "./mask.ts";
import { brief, visible } from "./text.ts";
import { grouped } from "./units.ts";

declare const brand: unique symbol;

/**
 * Text to be read as Markdown. Only this file makes it, so a string of a chain, a server or a file cannot become
 * Markdown without being escaped: the compiler refuses it.
 */
export type Markdown = string & { readonly [brand]: "Markdown" };

/** Private: callers have escaped all text from outside. */
function made(text: string): Markdown {
  return text as Markdown; // the brand exists only for the compiler
}

/**
 * Markdown of our own with other Markdown inside. A string does not fit: it goes through {@link escaped}, {@link code}
 * or {@link prose} first. Numbers get separators.
 *
 * @example markdown`**${escaped(name)}** · ${code(host)}`
 */
export function markdown(ours: TemplateStringsArray, ...inside: readonly (Markdown | number | bigint)[]): Markdown {
  const texts = inside.map((one) => (typeof one === "string" ? one : grouped(one)));
  return made(ours.map((text, at) => text + (texts[at] ?? "")).join(""));
}

/** Joins parts, without those that are empty. */
export function joined(
  parts: readonly (Markdown | undefined)[],
  between: "\n\n" | "\n" | " · " | ", " | " " | " = ",
): Markdown {
  return made(parts.filter((part) => part).join(between));
}

/**
 * Escapes text for Markdown: every mark that could begin a link, an image, HTML, a list or an address that renderers
 * link by themselves. The result is one line.
 *
 * @example escaped("[a](https://x)"); //=> "\\[a\\]\\(https\\:\\/\\/x\\)"
 */
export function escaped(text: string, limit = 200): Markdown {
  return made(brief(text, limit).replace(/[!-/:-@[-`{-~]/g, "\\$&"));
}

/**
 * Escapes a number, an amount, a count or a time as `units.ts` writes them: those contain no Markdown and stay as they
 * are, everything else is {@link escaped}.
 *
 * @example figure("1,000.5 ether"); //=> "1,000.5 ether"
 */
export function figure(text: string): Markdown {
  return /^[+−-]?\d(?:[\d,.]*\d)?(?: [A-Za-z]{1,20})?$|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(text)
    ? made(text)
    : escaped(text);
}

/**
 * Escapes a sentence or a name of the catalogue or of an OpenRPC document. Text between backticks becomes code; plain
 * English stays as it is, so that editors that show Markdown as text can be read too.
 *
 * @example prose("Takes `eth_call`s, *not* <b>"); //=> "Takes `eth_call`s, \\*not\\* \\<b\\>"
 */
export function prose(text: string, limit = 2000): Markdown {
  const pieces = brief(text, limit).split("`");
  const isWhole = pieces.length % 2 === 1;
  const shown = pieces.map((piece, at) => {
    if (at % 2 === 0) return proseMarks(piece);
    if (!isWhole && at === pieces.length - 1) return `\\\`${proseMarks(piece)}`;
    return piece.trim() === "" ? "\\`\\`" : `\`${piece}\``;
  });
  // two code spans in a row would read as one
  return made(shown.join("").replace(/(?<=[^\\]`)(?=`)/g, " "));
}

/** Marks of Markdown where they mean something: emphasis at the edge of a word, addresses, the beginning of a block. */
function proseMarks(text: string): string {
  return text
    .replace(
      /[\\*~[\]<>&$|{}@#^]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\S)|\.(?=\p{L})|\/(?=\/)|(?<=\/)\//gu,
      "\\$&",
    )
    .replace(/^\s*(?:\d+(?=[.)])|(?=[-+=:]))/, "$&\\");
}

/** Text as code: nothing in it is read as Markdown but a backtick, which becomes an apostrophe. */
export function code(text: string, limit = 100): Markdown {
  return made(`\`${brief(text, limit).replaceAll("`", "'") || " "}\``);
}

/** Formats as {@link code} does. Cuts longer text and appends its length. */
export function codeCut(text: string, limit = 200): Markdown {
  return text.length > limit
    ? markdown`${code(text.slice(0, limit + 1), limit)} (${text.length} characters)`
    : code(text, limit);
}

/** Characters of JSON in a block. */
const maxFenced = 4000;

/** JSON with its lines in a block that it cannot end: the fence is longer than any in it. */
export function fencedJson(text: string): Markdown {
  const shown = visible(text.slice(0, maxFenced));
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const rest = text.length > maxFenced ? `\n\n… ${grouped(text.length)} characters in all` : "";
  return made(`${fence}json\n${shown}\n${fence}${rest}`);
}

/**
 * A link to a page of the catalogue or of a block explorer. Text of a notebook or a chain must not be part of the URL
 * unless it has been checked.
 *
 * @returns `undefined` for a URL that is not `https`, or that contains credentials.
 */
export function link(text: string, url: string): Markdown | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href, username, password } = new URL(url);
  if (protocol !== "https:" || username !== "" || password !== "") return undefined;
  const safe = href.replace(
    /[^\w\-.~:/?#@!$&*+,;=%]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return made(`[${escaped(text, 80)}](${safe})`);
}

/**
 * The last pass over Markdown before it leaves. A secret may have been escaped on the way, so each line is looked at as
 * it will be read; one that contains a secret loses its styles.
 */
export function masked(text: Markdown, mask: Mask): Markdown {
  const lines = text.split("\n").map((line) => {
    const read = line.replace(/\\([!-/:-@[-`{-~])/g, "$1");
    const hidden = mask.text(read);
    return hidden === read ? line : escaped(hidden, 2000);
  });
  return made(lines.join("\n"));
}

/**
 * Writes Markdown of ours as text for editors that do not render it: without marks and escapes, links with their
 * address behind them, tables with two spaces between columns.
 *
 * @example plainText(markdown`**${escaped("a_b")}** · ${code("0x")}`); //=> "a_b · 0x"
 */
export function plainText(text: Markdown): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^`{3,}/.exec(line)?.[0];
    if (fence === undefined ? mark !== undefined : line === fence) fence = fence === undefined ? mark : undefined;
    else if (fence !== undefined) lines.push(line);
    else if (!/^(?:---|\|(?: ?:?-+:? ?\|)+)$/.test(line)) lines.push(line.startsWith("| ") ? row(line) : inline(line));
  }
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function row(line: string): string {
  const cells = line.replace(/^\| | \|$/g, "").match(/(?:\\.|`[^`]*`|[^|\\`]|[\\`])+/g) ?? [];
  return cells.map((cell) => inline(cell.trim())).join("  ");
}

function inline(line: string): string {
  return line.replace(
    /\\([!-/:-@[-`{-~])|`([^`]*)`|\*\*|\[((?:\\.|[^\]\\])*)\]\(([^()\s]*)\)/g,
    (_, escaped?: string, code?: string, label?: string, url?: string) =>
      escaped ?? code ?? (label === undefined ? "" : `${inline(label)} (${url})`),
  );
}
