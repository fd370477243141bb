import { type Place, placeAt } from "../analysis/placeAt.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { keys } from "./keys.ts";
import { placeholders } from "./placeholders.ts";
import { plain } from "./snippet.ts";
import type { CompletionKind, Suggestion } from "./suggestion.ts";
import { values } from "./values.ts";

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Beside the label: a type, an address, an origin. Plain text. */
  readonly detail?: string;
  /** Makes Markdown, untrusted; asked for when a person looks at the item. */
  readonly documentation?: () => string;
  /** What `insert` replaces. It lies on one line and holds the cursor. */
  readonly span: Span;
  /** A snippet where `snippet` is set; `plain` of it is what other editors insert. */
  readonly insert: string;
  readonly snippet: boolean;
  readonly sortText?: string;
  /** What typed text is compared with, where that is not the label. */
  readonly filterText?: string;
  /** Insertions elsewhere, such as a comma that is missing before. */
  readonly also?: readonly { readonly span: Span; readonly insert: string }[];
}

/**
 * Suggests what can be typed at the cursor. Each suggestion leaves valid JSON behind where the rest of the cell is.
 *
 * @param offset - UTF-16 code units from the start of the cell.
 */
export function completion(cell: Cell, offset: number, scope: Scope): readonly Completion[] {
  const place = placeAt(cell, offset, scope.catalog);
  if (!place?.free) return [];
  const before = cell.text.slice(place.span.start, offset);
  const suggestions = inPlaceholder(place, before)
    ? placeholders(cell, place, offset, scope)
    : place.kind === "key"
      ? keys(place, scope)
      : [...values(cell, place, scope), ...placeholders(cell, place, offset, scope)];
  return suggestions.slice(0, mostItems).map((suggestion, rank) => fitted(suggestion, place, rank));
}

/** A longer list is cut; an editor that gets as many asks again as more is typed. */
export const mostItems = 300;

function inPlaceholder({ param, quoted }: Place, before: string): boolean {
  return quoted && param !== undefined && /\{\{[^{}]*$/.test(before);
}

/** Adds what JSON needs around the suggestion where it stands. */
function fitted(suggestion: Suggestion, place: Place, rank: number): Completion {
  const { label, kind, detail, documentation, insert, typed = label } = suggestion;
  const text = place.commaAfter ? `${insert},` : insert;
  const isSnippet = plain(text) !== text;
  return {
    label,
    kind,
    span: place.span,
    insert: text,
    snippet: isSnippet,
    sortText: String(rank).padStart(4, "0"),
    filterText: place.quoted ? JSON.stringify(typed) : typed,
    ...(detail !== undefined && { detail }),
    ...(documentation !== undefined && { documentation }),
    ...(place.commaBefore !== undefined && { also: [comma(place.commaBefore)] }),
  };
}

function comma(at: number): { readonly span: Span; readonly insert: string } {
  return { span: { start: at, end: at }, insert: "," };
}
