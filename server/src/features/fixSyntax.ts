import { curlCommand } from "../analysis/syntax.ts";
import { type Span, span } from "../base/span.ts";
import { replaced } from "../base/text.ts";
import { importText } from "../convert/importText.ts";
import type { Cell } from "../notebook/cell.ts";
import { readCell } from "../notebook/readCell.ts";
import type { Replacement } from "./formatting.ts";

/** A way to mend a fault of the JSON. */
interface SyntaxFix {
  readonly title: string;
  readonly edits: readonly Replacement[];
  /** It mends a token by itself, whatever else is wrong. */
  readonly local: boolean;
}

/**
 * What may mend a fault of the JSON, the best first: that leaves none. Each was tried: with it the text has fewer
 * faults, or the first of them lies farther on.
 *
 * @param at - The fault's span.
 * @param variables - Names that a bare word may mean.
 */
export function syntaxFixes(cell: Cell, at: Span, variables: { has(name: string): boolean }): readonly SyntaxFix[] {
  const { text } = cell;
  if (text.length > longest) return [];
  if (curlCommand.test(text)) return dataOfCommand(text);
  return [...candidates(text, at, variables)]
    .flatMap((mending) => {
      const left = faultsLeft(cell, at, mending);
      return left === undefined ? [] : [{ mending, left }];
    })
    .sort((a, b) => Math.sign(a.left) - Math.sign(b.left))
    .slice(0, most)
    .map(({ mending }) => mending);
}

/** What a `curl` command sends, in its place; nothing where it cannot be told, or is no JSON. */
function dataOfCommand(text: string): readonly SyntaxFix[] {
  const { cells, notes } = importText(text, "curl");
  const requests = cells.filter(({ kind }) => kind === "request");
  const [only] = requests;
  if (!only || requests.length > 1 || notes.some(({ severity }) => severity === "error")) return [];
  return [one("Keep only what the command sends", 0, text.length, only.text)];
}

/** Characters up to which a text is read again and again. */
const longest = 50_000;
/** More ways than these are no help. */
const most = 3;

/** How many faults there are with it; `undefined` where it does not help. */
function faultsLeft(cell: Cell, at: Span, { edits }: SyntaxFix): number | undefined {
  const { faults } = readCell(replaced(cell.text, edits), cell.kind === "header" ? "header" : undefined);
  const [first, firstBefore] = [faults[0], cell.faults[0]];
  if (!first || faults.length < cell.faults.length) return faults.length;
  const grown = edits.reduce((sum, { span: { start, end }, insert }) => sum + insert.length - (end - start), 0);
  const isFirst = firstBefore !== undefined && firstBefore.span.start >= at.start && firstBefore.span.start < at.end;
  const farther = first.span.start > at.start + Math.max(0, grown);
  return isFirst && farther && faults.length === cell.faults.length ? faults.length : undefined;
}

function* candidates(text: string, at: Span, variables: { has(name: string): boolean }): Generator<SyntaxFix> {
  const rest = text.slice(at.start);
  for (const mending of tokens(rest, at, variables)) yield { ...mending, local: true };
  yield* commas(text, rest, at);
  yield* strings(text, rest, at);
  yield* escapes(rest, at);
  yield* brackets(text, rest, at);
  if (/^\s/.test(rest) && !/^[ \t\r\n]/.test(rest)) yield one("Write a plain space", at.start, at.start + 1, " ");
}

function* tokens(rest: string, at: Span, variables: { has(name: string): boolean }): Generator<SyntaxFix> {
  yield* comments(rest, at);
  yield* braces(rest, at);
  yield* quotes(rest, at);
  yield* words(rest, at, variables);
  yield* numbers(rest, at);
}

function one(title: string, start: number, end: number, insert: string): SyntaxFix {
  return { title, edits: [{ span: span(start, end), insert }], local: false };
}

function* comments(rest: string, { start }: Span): Generator<SyntaxFix> {
  const comment = /^(?:\/\/|#)[^\r\n]*|^\/\*[\s\S]*?(?:\*\/|$)/.exec(rest)?.[0];
  if (comment !== undefined) yield one("Delete the comment", start, start + comment.length, "");
}

/** A placeholder, or a word in angle brackets, that stands there without quotes. */
function* braces(rest: string, { start }: Span): Generator<SyntaxFix> {
  const token = /^(?:\{\{[^{}"\r\n]+\}\}|<[^<>"\r\n]+>)/.exec(rest)?.[0];
  if (token !== undefined) yield one("Put it in double quotes", start, start + token.length, `"${token}"`);
  const dots = /^(?:\.{3}|…)/.exec(rest)?.[0];
  if (dots !== undefined) yield one("Delete the dots", start, start + dots.length, "");
}

const pairs: readonly (readonly [RegExp, RegExp])[] = [
  [/^'((?:[^'\\\r\n]|\\.)*)'/, /\\'/g],
  [/^`((?:[^`\\\r\n]|\\.)*)`/, /\\`/g],
  [/^[“”„]([^“”„\r\n]*)[“”„]/, /(?!)/g],
];

function* quotes(rest: string, { start }: Span): Generator<SyntaxFix> {
  for (const [pattern, escaped] of pairs) {
    const found = pattern.exec(rest);
    if (!found) continue;
    const inner = (found[1] ?? "").replace(escaped, (all) => all.slice(1)).replace(/(?<!\\)"/g, '\\"');
    yield one("Put it in double quotes", start, start + found[0].length, `"${inner}"`);
  }
}

function* commas(text: string, rest: string, { start }: Span): Generator<SyntaxFix> {
  const before = text.slice(0, start).trimEnd();
  if (rest.startsWith(",")) yield one("Delete the comma", start, start + 1, "");
  if (/^;/.test(rest)) yield one("Write a comma", start, start + 1, ",");
  if (/^(?:=>?|:=)/.test(rest)) yield one("Write a colon", start, start + (/^(?:=>|:=)/.test(rest) ? 2 : 1), ":");
  if (/["\]}\w]$/.test(before) && /^["[{\w-]/.test(rest)) {
    yield one("Add the comma", before.length, before.length, ",");
    yield one("Add the colon", before.length, before.length, ":");
  }
}

const literals: Readonly<Record<string, string>> = {
  True: "true",
  TRUE: "true",
  False: "false",
  FALSE: "false",
  None: "null",
  NULL: "null",
  Null: "null",
  nil: "null",
  undefined: "null",
};

function* words(rest: string, { start }: Span, variables: { has(name: string): boolean }): Generator<SyntaxFix> {
  const word = /^[\p{L}_$][\p{L}\p{N}_$.-]*/u.exec(rest)?.[0] ?? /^0[xX][0-9a-fA-F]+/.exec(rest)?.[0];
  if (word === undefined) return;
  const end = start + word.length;
  if (Object.hasOwn(literals, word)) yield one(`Write ${literals[word]}`, start, end, literals[word] ?? "");
  if (variables.has(word)) yield one(`Write the variable {{${word}}}`, start, end, `"{{${word}}}"`);
  yield one("Put it in double quotes", start, end, `"${word}"`);
}

function* numbers(rest: string, { start }: Span): Generator<SyntaxFix> {
  const [all = "", sign = "", digits = ""] = /^([+-]?)0*(\d+(?:_\d+)*)n?/.exec(rest) ?? [];
  const plain = (sign === "-" ? sign : "") + digits.replaceAll("_", "");
  if (all !== "" && plain !== all) yield one(`Write ${plain}`, start, start + all.length, plain);
  if (/^n\b/.test(rest)) yield one("Delete the `n`", start, start + 1, "");
}

/** A quote is missing: behind a word, before a word, or at the end of the string. */
function* strings(text: string, rest: string, { start }: Span): Generator<SyntaxFix> {
  const title = "Add the double quote";
  const line = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "";
  const lineStart = Math.max(text.lastIndexOf("\n", start - 1), text.lastIndexOf("\r", start - 1)) + 1;
  // before the fault: the string that swallowed what stands between it and here
  for (const { index } of [...text.slice(lineStart, start).matchAll(/(?<=[\w}])(?=\s*[:,\]}])/g)]
    .reverse()
    .slice(0, 8)) {
    yield one(title, lineStart + index, lineStart + index, '"');
  }
  if (rest.startsWith('"')) {
    for (const { index } of [...line.matchAll(/(?<=[\w}])(?=\s*[:,\]}]|\s*$)/g)].slice(0, 8)) {
      yield one(title, start + index, start + index, '"');
    }
  }
  const word = /^[\p{L}\p{N}_.$-]+(?=")/u.exec(rest);
  if (word) yield one(title, start, start, '"');
}

function* escapes(rest: string, { start }: Span): Generator<SyntaxFix> {
  if (/^[\0-\x1f]/.test(rest)) {
    yield one("Write it as an escape", start, start + 1, JSON.stringify(rest.charAt(0)).slice(1, -1));
  }
  if (!rest.startsWith("\\")) return;
  if (/^\\'/.test(rest)) yield one("Delete the backslash", start, start + 1, "");
  yield one("Double the backslash", start, start, "\\");
}

function* brackets(text: string, rest: string, { start, end }: Span): Generator<SyntaxFix> {
  const mark = /^[\]}]/.exec(rest)?.[0];
  if (mark !== undefined) {
    const other = mark === "]" ? "}" : "]";
    yield one(`Add the ${other}`, start, start, other === "}" ? " }" : "]");
  }
  const open = openBrackets(text);
  if (open.length > 0 && text.trimEnd().length <= end) {
    const close = open
      .map((bracket) => (bracket === "{" ? "}" : "]"))
      .reverse()
      .join("");
    yield one("Close the brackets", text.trimEnd().length, text.trimEnd().length, close);
  }
  if (/^[\s;,)\]}]+$/.test(rest)) yield one("Delete what follows the end", start, text.trimEnd().length, "");
  if (mark !== undefined) yield one(`Delete the ${mark}`, start, start + 1, "");
}

/** Brackets that nothing closes, outermost first. */
function openBrackets(text: string): readonly string[] {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\\r\n]|\\.)*"?|[{}[\]]/g)) {
    if (token === "{" || token === "[") open.push(token);
    else if (token === "}" || token === "]") {
      if (open.at(-1) === (token === "}" ? "{" : "[")) open.pop();
    }
  }
  return open;
}
