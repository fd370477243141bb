import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";

/**
 * Text with places to fill in, in the syntax of LSP snippets: `${1:latest}`. Every stop has a default that leaves the
 * text valid, so that {@link plain} text is valid too. A stop has no list of choices: while such a list is
 * open, editors may offer nothing else in any cell of the notebook.
 */
export type Snippet = string;

/** Text that is as it is. */
export function literal(text: string): Snippet {
  return text.replace(/[\\$}]/g, "\\$&");
}

/** A string of JSON without stops. */
export function string(text: string): Snippet {
  return literal(JSON.stringify(text));
}

export function stop(number: number, text = ""): Snippet {
  return text === "" ? `$${number}` : `\${${number}:${literal(text)}}`;
}

/** Takes text as it is, with snippets in it. */
export function snippet({ raw }: TemplateStringsArray, ...inside: readonly Snippet[]): Snippet {
  return raw.map((text, at) => literal(text) + (inside[at] ?? "")).join("");
}

const part = /\\([\\$}])|\$\d+|\$\{\d+:((?:\\.|[^}\\])*)\}/gs;

/** Expands a snippet to its defaults, for an editor without snippets. */
export function plain(snippet: Snippet): string {
  return snippet.replace(part, (_all, mark?: string, text = "") => mark ?? text.replace(/\\([\\$}])/g, "$1"));
}

/** JSON on one line in which every string, number and literal is a stop. */
export function skeleton(value: JsonValue): Snippet {
  let next = 1;
  const print = (item: JsonValue): Snippet => {
    if (isArray(item)) return `[${item.map(print).join(", ")}]`;
    if (isObject(item)) {
      const members = Object.entries(item).map(([key, member]) => `${literal(JSON.stringify(key))}: ${print(member)}`);
      return members.length === 0 ? "{\\}" : `{ ${members.join(", ")} \\}`;
    }
    if (typeof item !== "string") return stop(next++, printJson(item));
    return `"${stop(next++, JSON.stringify(item).slice(1, -1))}"`;
  };
  return print(value);
}
