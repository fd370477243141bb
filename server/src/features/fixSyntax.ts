import { jsonrepair } from "jsonrepair";
import { curlCommand } from "../analysis/check.ts";
import { span } from "../base/span.ts";
import { importText } from "../convert/importText.ts";
import type { Cell } from "../notebook/cell.ts";
import { readCell } from "../notebook/readCell.ts";
import type { Replacement } from "./formatting.ts";

/** A change after which the text is JSON. */
export interface SyntaxFix {
  readonly title: string;
  readonly edits: readonly Replacement[];
}

/** Longer texts, in UTF-16 code units, are not repaired: a fix is computed at each movement of the cursor. */
const maxLength = 50_000;

/**
 * Turns a cell that is not JSON into JSON. Refuses if that would drop or invent a value, or change a key.
 *
 * @param variables - Names that a bare word may mean.
 */
export function syntaxFix({ text, kind }: Cell, variables: { has(name: string): boolean }): SyntaxFix | undefined {
  if (text.length > maxLength) return undefined;
  if (curlCommand.test(text)) return commandFix(text);
  const made = repaired(withoutForeignTokens(text, variables));
  if (made === undefined || readCell(made, kind === "header" ? "header" : undefined).faults.length > 0)
    return undefined;
  return { title: "Fix the JSON", edits: editsBetween(text, made) };
}

/** Replaces a `curl` command with the body that it sends. */
function commandFix(text: string): SyntaxFix | undefined {
  const { cells, notes } = importText(text, "curl");
  const [only, ...others] = cells.filter(({ kind }) => kind === "request");
  if (!only || others.length > 0 || notes.some(({ severity }) => severity === "error")) return undefined;
  return { title: "Keep only what the command sends", edits: [{ span: span(0, text.length), insert: only.text }] };
}

function repaired(text: string): string | undefined {
  try {
    const made = jsonrepair(text);
    return contentOf(made) === contentOf(text) ? made : undefined;
  } catch {
    return undefined; // jsonrepair throws if it cannot repair the text, and if brackets nest too deep for its recursion
  }
}

/** A text without the marks and escapes that a repair may add or take away. */
function contentOf(text: string): string {
  return text.replace(/\\(?:u[0-9a-fA-F]{4}|[bfnrt])|[\s\0-\x1f\\"'`´“”„‘’,:[\]{}]/g, "");
}

const foreignLiterals: ReadonlyMap<string, string> = new Map([
  ...["True", "TRUE"].map((word) => [word, "true"] as const),
  ...["False", "FALSE"].map((word) => [word, "false"] as const),
  ...["None", "NULL", "Null", "nil", "undefined"].map((word) => [word, "null"] as const),
]);

/** Strings first, so that nothing inside of one is taken for a token; then the tokens that are rewritten. */
const tokens = new RegExp(
  [
    /(?<string>"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|`(?:[^`\\\r\n]|\\.)*`)/u,
    /(?<dropped>(?<![:\w])\/\/[^\r\n]*|#[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|\.{3}|…|,(?=\s*,)|;(?=\s*$))/u,
    /(?<placeholder>\{\{[^{}"\r\n]+\}\})/u,
    /(?<![\w.])(?<sign>[-+]?)0*(?<digits>\d+(?:_\d+)*)n?(?![\w.])/u,
    /(?<![\p{L}\p{N}_.$-])(?<word>[\p{L}_$][\p{L}\p{N}_$.-]*)(?<key>\s*:)?/u,
    /(?<colon>=>|:=|=)/u,
    /(?<comma>;)/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/** Rewrites what JavaScript, Python and notebooks have and jsonrepair does not know. */
function withoutForeignTokens(text: string, variables: { has(name: string): boolean }): string {
  return text.replace(tokens, (token: string, ...rest: readonly unknown[]): string => {
    const found = rest.at(-1) as Readonly<Record<string, string | undefined>>; // the named groups come last
    const { string, dropped, placeholder, sign, digits, word, key, colon, comma } = found;
    if (string !== undefined) return closedKey(string, text.charAt(Number(rest.at(-3)) + string.length));
    if (dropped !== undefined) return "";
    if (placeholder !== undefined) return `"${placeholder}"`;
    if (digits !== undefined) return (sign === "-" ? sign : "") + digits.replaceAll("_", "");
    if (word !== undefined && key === undefined)
      return variables.has(word) ? `"{{${word}}}"` : (foreignLiterals.get(word) ?? token);
    if (colon !== undefined) return ":";
    return comma === undefined ? token : ",";
  });
}

/** Closes a key whose quote is missing: in `"method: "eth_chainId"` the first string seems to end before the value. */
function closedKey(string: string, next: string): string {
  return /\w/.test(next) ? string.replace(/^"(\w+)(:\s*)"$/, '"$1"$2"') : string;
}

/** Two texts are taken to agree again where this many characters are the same. */
const agreement = 8;
/** A change longer than this, in characters of both texts, is one replacement up to the end. */
const maxChange = 400;

/** The replacements that turn one text into the other, each as small as can be found quickly. */
function editsBetween(before: string, after: string): readonly Replacement[] {
  const edits: Replacement[] = [];
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    if (before[from] === after[to]) {
      from++;
      to++;
      continue;
    }
    const [removed, added] = changeAt(before, from, after, to);
    edits.push({ span: span(from, from + removed), insert: after.slice(to, to + added) });
    from += removed;
    to += added;
  }
  return edits;
}

/** How many characters were removed and added before the texts agree again. */
function changeAt(before: string, from: number, after: string, to: number): readonly [removed: number, added: number] {
  for (let size = 1; size <= maxChange; size++)
    for (let added = 0; added <= size; added++) {
      const [next, nextAfter] = [from + size - added, to + added];
      const same = before.slice(next, next + agreement);
      if (next <= before.length && same === after.slice(nextAfter, nextAfter + agreement)) return [size - added, added];
    }
  return [before.length - from, after.length - to];
}
