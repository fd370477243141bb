import { type CursorContext, cursorContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { type Markdown, markdown } from "../base/markdown.ts";
import type { Span } from "../base/span.ts";
import { labelText } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Spans } from "../notebook/spans.ts";
import { keys, newRequest, valueOfKey } from "./keys.ts";
import { maxResults, placeholders, takesPlaceholders } from "./placeholders.ts";
import { type Snippet, stop } from "./snippet.ts";
import type { CompletionKind, Suggestion } from "./suggestion.ts";
import { values } from "./values.ts";
import { byWords, foundBy } from "./wordRanking.ts";

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Beside the label: a type, an address, an origin. Plain text. */
  readonly detail?: string;
  /** The parameters of a function or event, and where it is declared. Plain text. */
  readonly signature?: string;
  readonly source?: string;
  /** Asked for when a person looks at the item. */
  readonly documentation?: () => Markdown;
  /** The span that `insert` replaces. It is on one line and holds the cursor. */
  readonly span: Span;
  /** A snippet where `snippet` is set; `plain` of it is what other editors insert. */
  readonly insert: string;
  readonly snippet: boolean;
  readonly sortText?: string;
  /** The text that typed text is compared with, if it is not the label. */
  readonly filterText?: string;
  /** Its place in the list depends on the words that are typed. */
  readonly byWords?: true;
  /** Insertions elsewhere, such as a comma that is missing before. */
  readonly also?: readonly { readonly span: Span; readonly insert: string }[];
}

/**
 * The structure of a file shown as text: cells in a row, with commas between them, or nothing yet, so that anything may
 * begin.
 */
export type FileShape = Row | "bare";

interface Row {
  readonly text: string;
  readonly cells: Spans;
  /** Where the cell begins, or an empty one would. */
  readonly at: number;
}

/**
 * Suggests what can be typed at the cursor. Each suggestion leaves valid JSON behind where the rest of the cell is.
 *
 * @param offset - UTF-16 code units from the start of the cell.
 * @param shape - The structure around the cell in a file shown as text.
 */
export function completion(cell: Cell, offset: number, scope: Scope, shape?: FileShape): readonly Completion[] {
  const found = cursorContext(cell, offset, scope.catalog);
  if (!found?.free) return [];
  const place = typeof shape === "object" && found.owner.kind === "cell" ? inRow(found, shape) : found;
  const before = cell.text.slice(place.span.start, offset);
  const suggestions = inPlaceholder(place, before)
    ? placeholders(cell, place, offset, scope).map((one) => withValue(one, place, scope))
    : [
        ...(shape === "bare" ? fileSnippets(place, scope) : []),
        ...(place.kind === "key"
          ? keys(cell, place, offset, scope)
          : [
              ...values(cell, place, scope),
              ...(place.param === undefined ? [] : placeholders(cell, place, offset, scope)),
            ]),
      ];
  const quote = place.quoted ? cell.text.charAt(place.span.start) : "";
  const typed = before.slice(quote.length);
  if (place.role.kind !== "request" && place.role.kind !== "method")
    return distinct(fitting(suggestions, typed)).map((one, rank) => fitted(one, place, quote, rank));
  return distinct(byWords(suggestions, typed)).map((one, rank) => ({
    ...fitted(one, place, quote, rank, foundBy(one, typed)),
    byWords: true,
  }));
}

/** A key alone is not JSON. */
function withValue(suggestion: Suggestion, place: CursorContext, scope: Scope): Suggestion {
  if (place.kind === "value" || place.hasValue) return suggestion;
  return { ...suggestion, insert: `${suggestion.insert}: ${valueOfKey(place, scope)}` };
}

/** A whole cell needs commas if it has neighbours. */
function inRow(place: CursorContext, { text, cells, at }: Row): CursorContext {
  const start = at + place.span.start;
  const end = at + place.span.end;
  const before = cells.at(cells.endingBefore(start + 1) - 1);
  const after = cells.at(cells.startingBy(end - 1));
  const isParted = (from: number, to: number): boolean => text.slice(from, to).includes(",");
  return {
    ...place,
    commaBefore: before && !isParted(before.end, start) ? before.end - at : undefined,
    commaAfter: after !== undefined && !isParted(end, after.start),
  };
}

/** Filters a list that is too long by the word that is being typed. */
function fitting(suggestions: readonly Suggestion[], word: string): readonly Suggestion[] {
  if (suggestions.length <= maxItems) return suggestions;
  const letters = word.toLowerCase();
  if (letters === "") return suggestions;
  return suggestions.filter(({ typed, label }) => {
    let next = 0;
    for (const letter of (typed ?? label).toLowerCase()) if (letter === letters[next]) next++;
    return next >= letters.length;
  });
}

/** Keeps the first suggestions; one that several sources make appears once, at its first position. */
function distinct(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const byInsert = new Map<string, Suggestion>();
  for (const suggestion of suggestions) {
    if (byInsert.size === maxItems) break;
    const { insert } = suggestion;
    if (!byInsert.has(insert)) byInsert.set(insert, suggestion);
  }
  return [...byInsert.values()];
}

/** A longer list is cut. */
const maxItems = 300;

/** More may fit what is typed next, or in another order: an editor that knows so asks again. */
export function isCut(completions: readonly Completion[]): boolean {
  if (completions.some(({ byWords }) => byWords)) return true;
  const references = completions.filter(({ kind }) => kind === "reference");
  return completions.length >= maxItems || references.length >= maxResults;
}

function inPlaceholder(place: CursorContext, before: string): boolean {
  return place.quoted && takesPlaceholders(place) && /\{\{[^{}]*$/.test(before);
}

/** Characters of what an editor shows of an item. */
const most = { label: 200, detail: 400, source: 60 };

/** Characters of a label and a detail that VS Code shows in one row. With more, it cuts the label. */
const mostInRow = 46;
/** A detail with fewer characters says nothing. */
const leastDetail = 12;

/** The documentation of a request begins with its detail, so the row needs only its beginning. */
function detailBeside(label: string, kind: Suggestion["kind"], detail: string): { readonly detail?: string } {
  const room = kind === "request" ? mostInRow - label.length : most.detail;
  return room < leastDetail ? {} : { detail: labelText(detail, room) };
}

/**
 * Adds the quotes, colons and commas that JSON needs around the suggestion.
 *
 * @param found - The text that an editor filters by.
 */
function fitted(
  suggestion: Suggestion,
  place: CursorContext,
  quote: string,
  rank: number,
  found = suggestion.typed ?? suggestion.label,
): Completion {
  const { label, kind, detail, signature, source, documentation, insert } = suggestion;
  const text = place.commaAfter ? `${insert},` : insert;
  return {
    label: labelText(label, most.label),
    kind,
    span: place.span,
    insert: text,
    snippet: /[\\$]/.test(text),
    sortText: String(rank).padStart(4, "0"),
    filterText: quote === "" ? found : `${quote}${JSON.stringify(found).slice(1, -1)}${quote}`,
    ...(detail !== undefined && detailBeside(label, kind, detail)),
    ...(signature !== undefined && { signature: labelText(signature, most.label) }),
    ...(source !== undefined && { source: labelText(source, most.source) }),
    ...(documentation !== undefined && { documentation }),
    ...(place.commaBefore !== undefined && { also: [comma(place.commaBefore)] }),
  };
}

function comma(at: number): { readonly span: Span; readonly insert: string } {
  return { span: { start: at, end: at }, insert: "," };
}

/** Suggests what a file without cells may become: a notebook, or a single request. */
function fileSnippets(place: CursorContext, scope: Scope): readonly Suggestion[] {
  if (place.kind === "value") return place.owner.kind === "cell" ? [notebook(scope)] : [];
  if (place.owner.kind !== "header" || place.hasValue) return [];
  const cells: Suggestion = {
    label: "cells",
    kind: "key",
    detail: "The requests of the notebook",
    documentation: () => markdown`Requests, batches and Markdown, in order.`,
    insert: `"cells": ${list}`,
  };
  return place.siblings.length === 0 ? [cells, ...newRequest(place, scope)] : [cells];
}

/** A list of cells with the cursor in it. */
const list: Snippet = `[\n  ${stop(0)}\n]`;

function notebook({ endpoints }: Scope): Suggestion {
  const names = endpoints.map(({ name }) => JSON.stringify(name).slice(1, -1));
  const endpoint = stop(1, names[0] ?? "local");
  const variables = `{ ${stop(2)} \\}`;
  return {
    label: "notebook",
    kind: "request",
    detail: "A notebook: an endpoint, variables and cells",
    documentation: () =>
      markdown`The \`endpoint\` of its requests, \`variables\` for placeholders, and \`cells\` for the requests.`,
    insert: `{\n  "endpoint": "${endpoint}",\n  "variables": ${variables},\n  "cells": [\n    ${stop(0)}\n  ]\n\\}`,
  };
}
