import type { Scope } from "../analysis/scope.ts";
import { memberOf, type TypedToken, textOf } from "../analysis/typedTokens.ts";
import { typesAt } from "../analysis/types.ts";
import { printJson } from "../base/json.ts";
import { code, codeCut, escaped, joined, link, type Markdown, markdown, prose } from "../base/markdown.ts";
import { errorMeaning } from "../catalog/catalog.ts";
import { isOperator, type Operator } from "../evaluate/operators.ts";
import { follow } from "../evaluate/path.ts";
import type { Cell } from "../notebook/cell.ts";
import { parsePath } from "../notebook/placeholder.ts";
import { guess, meaningOf, type ValueMeaning } from "./valueMeaning.ts";

const operatorDocs: Readonly<Record<Operator, string>> = {
  "==": "The value equals this one. Quantities compare as numbers, hexadecimal or decimal; bytes and text as written.",
  "!=": "The value differs from this one.",
  "<": "The value is less than this number, of any size, hexadecimal or decimal.",
  "<=": "The value is at most this number, of any size, hexadecimal or decimal.",
  ">": "The value is greater than this number, of any size, hexadecimal or decimal.",
  ">=": "The value is at least this number, of any size, hexadecimal or decimal.",
  in: "The value is in this list.",
  matches: "The text contains a match of this regular expression; `^` and `$` match its ends.",
  length: "The number of items in a list, members in an object, bytes after `0x`, or characters in a text.",
  type: 'The kind of JSON value: `"array"`, `"boolean"`, `"null"`, `"number"`, `"object"` or `"string"`.',
};

/** Explains a word inside `expect`. */
export function expectationDocs(word: TypedToken, cell: Cell, scope: Scope): Markdown | undefined {
  const at = word.path.findLastIndex(({ key }) => key === "expect");
  const keys = word.path.slice(at + 1).flatMap(({ key }) => key ?? []);
  if (word.kind === "key") {
    if (keys.length === 1) return pathDocs(word.text, nameOf(word, at), cell, scope);
    return isOperator(word.text) ? markdown`${code(word.text)} · ${prose(operatorDocs[word.text])}` : undefined;
  }
  const path = keys.filter((key) => !isOperator(key)).join(".");
  if (path === "error.code") return codeDocs(word.text);
  const steps = parsePath(path);
  const types = word.spec && steps?.[0] === "result" ? typesAt(word.spec.result, steps.slice(1)) : [];
  const value: ValueMeaning = { text: word.text, path: word.path, method: word.method, cell, scope };
  return types.map((type) => meaningOf(value, type)).find((reading) => reading !== undefined) ?? guess(value);
}

/** The name of the request that `expect` belongs to. */
function nameOf({ path }: TypedToken, at: number): string | undefined {
  return textOf(memberOf(path[at]?.container, "name"));
}

function pathDocs(text: string, name: string | undefined, cell: Cell, scope: Scope): Markdown {
  const what = markdown`${code(text)} · a path into the answer, and the value that is expected there.`;
  const steps = parsePath(text);
  const outcome = name === undefined ? undefined : scope.lastResult(cell)?.values().get(name);
  const found = steps && outcome !== undefined ? follow(outcome, steps) : undefined;
  if (!found) return what;
  const now =
    "value" in found
      ? codeCut(printJson(found.value))
      : markdown`nothing; ${code(found.missing.until)} is ${escaped(found.missing.found)}`;
  return markdown`${what}\n\nIn the last result: ${now}`;
}

/** Explains an error code. */
function codeDocs(text: string): Markdown | undefined {
  const spec = /^-?\d{1,9}$/.test(text) ? errorMeaning(Number(text)) : undefined;
  if (!spec) return undefined;
  const meaning = markdown`${code(text)} **${prose(spec.name)}** · ${prose(spec.meaning)}`;
  return joined([meaning, link("Source", spec.source)], " ");
}
