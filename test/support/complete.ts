import assert from "node:assert/strict";
import { type Completion, completion } from "../../server/src/features/completion.ts";
import { plain } from "../../server/src/features/snippet.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { type Around, change, cursor, edited, scopeOf } from "./cell.ts";
import { parsed } from "./typist.ts";

/** Returns the suggestions at the cursor `|`. */
export function complete(marked: string, around: Around = {}, kind?: "header"): readonly Completion[] {
  const { text, offset } = cursor(marked);
  const cell = readCell(text, kind);
  return completion(cell, offset, scopeOf(cell, around));
}

export function labels(marked: string, around?: Around, kind?: "header"): readonly string[] {
  return complete(marked, around, kind).map(({ label }) => label);
}

function chosen(marked: string, label: string, around?: Around, kind?: "header"): Completion {
  const found = complete(marked, around, kind);
  const item = found.find((one) => one.label === label);
  assert.ok(item, `${label} is suggested, not only ${found.map((one) => one.label).slice(0, 20)}`);
  return item;
}

/** The text after an editor without snippets has accepted a suggestion. */
export function applied(text: string, { span, insert, snippet, also = [] }: Completion): string {
  return edited(text, [{ span, insert: snippet ? plain(insert) : insert }, ...also]);
}

/** The cell after a suggestion is accepted by an editor without snippets. */
export function accepted(marked: string, label: string, around?: Around, kind?: "header"): string {
  return applied(cursor(marked).text, chosen(marked, label, around, kind));
}

/** Checks the text after acceptance, and that it is JSON. */
export function check(marked: string, label: string, after: string, around?: Around, kind?: "header"): void {
  assert.equal(accepted(marked, label, around, kind), after);
  JSON.parse(after);
}

/** Checks what accepting a suggestion changes, written as a {@link change}, and that the text is JSON afterwards. */
export function completes(label: string, marked: string, around?: Around, kind?: "header"): void {
  check(change(marked)[0], label, change(marked)[1], around, kind);
}

/** Checks what a suggestion inserts, with its stops in `‹…›`. */
export function checkStops(marked: string, label: string, inserted: string, around?: Around, kind?: "header"): void {
  const { text, stops } = parsed(chosen(marked, label, around, kind).insert);
  const marks = stops.toSorted((a, b) => b.start - a.start || b.end - a.end);
  const shown = marks.reduce(
    (all, { start, end }) => `${all.slice(0, start)}‹${all.slice(start, end)}›${all.slice(end)}`,
    text,
  );
  assert.equal(shown, inserted);
}
