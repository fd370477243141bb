import type { Scope } from "../analysis/scope.ts";
import type { TypedToken } from "../analysis/typedTokens.ts";
import { isAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { code, codeCut, type Markdown, markdown } from "../base/markdown.ts";
import { type Span, shift, touches } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { member } from "../notebook/json.ts";
import { cellNumbers } from "../notebook/key.ts";
import { partsOf, type Reference } from "../notebook/placeholder.ts";
import { addressCard } from "./addressNames.ts";
import { placeholderValue } from "./placeholderValue.ts";
import { guess, meaningOf, type ValueMeaning } from "./valueMeaning.ts";

/** A placeholder in a cell. */
export interface CellReference {
  readonly path: Reference["path"];
  readonly span: Span;
  /** The string is this placeholder and nothing else. */
  readonly whole: boolean;
  /** The source text, without the braces. */
  readonly written: string;
}

/** @param at - Of a string with its quotes; the closing one may be missing. */
export function referenceAt({ text }: Cell, at: Span, offset: number): CellReference | undefined {
  return referencesIn(text, at).find(({ span }) => touches(span, offset));
}

/** The placeholders of a string. */
export function referencesIn(text: string, at: Span): readonly CellReference[] {
  const token = text.slice(at.start, at.end);
  if (!token.includes("{{")) return [];
  const parts = partsOf(token);
  return parts.flatMap((part) => {
    if (part.kind !== "reference") return [];
    const span = shift(part.span, at.start);
    return [
      { path: part.path, span, whole: parts.length === 1, written: text.slice(span.start + 2, span.end - 2).trim() },
    ];
  });
}

/** Where a placeholder leads, and what is there now. */
export function referenceDocs(
  { path, written, whole }: CellReference,
  word: TypedToken,
  cell: Cell,
  scope: Scope,
): readonly (Markdown | undefined)[] {
  const name = code(`{{${written}}}`);
  const rows = rowValues(String(path[0]), cell);
  if (rows) return [markdown`${name} · a value of each row`, codeCut(rows)];
  const found = placeholderValue(path, scope);
  const docs = (value: JsonValue | undefined): Markdown | undefined =>
    readingOfValue(value, whole ? word : undefined, word, cell, scope);
  switch (found.from) {
    case "host":
      return [
        markdown`${name} · the ${found.source} ${code(found.name)}. Its value is filled in when the cell runs, and never shown.`,
        found.where,
      ];
    case "variable": {
      const origin = markdown`${name} · variable of the header`;
      if (found.value === undefined) return [origin, found.why];
      if (isAddress(found.value)) return [origin, addressCard(found.value, scope, String(path[0]))];
      return [origin, valueText(found.value), docs(found.value)];
    }
    case "cell": {
      const number = cellNumbers(scope.cells)[scope.cells.indexOf(found.cell)];
      const request = found.cell.requests.find((one) => one.name === path[0]) ?? found.cell.requests[0];
      const method = found.cell.kind === "batch" && request?.name !== path[0] ? "batch" : request?.method;
      const place = markdown`${name} · from cell ${number ?? 0}`;
      const from = method === undefined ? place : markdown`${place}, ${code(method)}`;
      if (found.value === undefined) return [from, found.why];
      return [from, markdown`**Last result** ${valueText(found.value)}`, docs(found.value)];
    }
    case "nothing":
      return [markdown`${name} · no variable or cell has this name`];
  }
}

/** Returns the values of a name in `each` as they are written; `undefined` if it is none. */
function rowValues(name: string, { requests, text }: Cell): string | undefined {
  const values = requests.flatMap(({ members }) => member(members.get("each")?.value, name) ?? [])[0];
  return values && text.slice(values.offset, values.offset + values.length);
}

function valueText(value: JsonValue): Markdown {
  return codeCut(printJson(value));
}

/** The meaning of the value in the place of the placeholder. */
function readingOfValue(
  value: JsonValue | undefined,
  typed: TypedToken | undefined,
  { path, method }: TypedToken,
  cell: Cell,
  scope: Scope,
): Markdown | undefined {
  if (value === undefined || value === null || isArray(value) || isObject(value)) return undefined;
  const one: ValueMeaning = { text: String(value), path, method, cell, scope };
  const role = typed?.role;
  return (role?.kind === "typed" ? meaningOf(one, role.type, role.field?.name) : undefined) ?? guess(one);
}
