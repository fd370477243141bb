import { visible } from "./text.ts";

declare const brand: unique symbol;

/**
 * Text to be read as HTML. Only this file makes it, so a string of a chain, a server or a notebook cannot become HTML
 * without being escaped: the compiler refuses it.
 */
export type Html = string & { readonly [brand]: "Html" };

/** Private: callers have escaped all text from outside. */
function made(text: string): Html {
  return text as Html; // the brand exists only for the compiler
}

/**
 * HTML of our own with other HTML inside. A string does not fit: it goes through {@link textHtml} first.
 *
 * @example html`<p>${textHtml(name)}</p>`
 */
export function html(ours: TemplateStringsArray, ...inside: readonly (Html | number)[]): Html {
  return made(ours.map((text, at) => text + String(inside[at] ?? "")).join(""));
}

export function joinedHtml(parts: readonly Html[], between: "" | "\n" | ", " = ""): Html {
  return made(parts.join(between));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Escapes text, also for attributes in quotes. Characters that are not seen or that reorder a line are made visible.
 *
 * @example textHtml("<b>"); //=> "&lt;b&gt;"
 */
export function textHtml(text: string): Html {
  return made(visible(text).replace(/[&<>"']/g, (mark) => entities[mark] ?? mark));
}

/** An element with code or a style sheet of our own, and what a Content-Security-Policy calls it. */
export interface OwnElement {
  readonly element: Html;
  /** @example "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" */
  readonly source: Html;
}

/** @param content - Ours; never text from outside. */
export async function ownElement(tag: "script" | "style", content: string): Promise<OwnElement> {
  // An HTML parser would read these inside of strings too.
  const safe = content.replace(/<(?=\/script|!--)/gi, tag === "script" ? "\\x3c" : "");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(safe));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return { element: made(`<${tag}>${safe}</${tag}>`), source: made(`'sha256-${hash}'`) };
}

/** An element with data for a script. It runs nothing, whatever the data is. */
export function dataElement(id: string, data: unknown): Html {
  const json = visible(JSON.stringify(data)).replaceAll("<", "\\u003c"); // means the same in its strings
  return html`<script type="application/json" id="${textHtml(id)}">${made(json)}</script>`;
}
