import assert from "node:assert/strict";
import { type CodeAction, codeActions } from "../../server/src/features/codeActions.ts";
import { type Completion, completion } from "../../server/src/features/completion.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { type Around, scopeOf } from "./cell.ts";

/** A tab stop of a snippet with its current position in the text. */
interface Stop {
  readonly number: number;
  start: number;
  end: number;
}

/**
 * A cell in an editor, as far as typing with completions goes: a list opens by itself while one types and narrows to
 * what fits the word, the best first; snippets have stops, and stops may have stops inside.
 */
export class Typist {
  #text = "";
  #start = 0;
  #end = 0;
  #list: readonly Completion[] = [];
  #actions: readonly CodeAction[] = [];
  #stop: Stop | undefined;
  #ahead: Stop[] = [];
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  get text(): string {
    return this.#text;
  }

  /** Presses keys: `⏎` is Enter, `⇥` is Tab, `☼` is Ctrl+. (what can be changed here), anything else types itself. */
  press(keys: string): void {
    for (const key of keys) {
      if (key === "☼") this.#actions = this.#changes();
      else if (key === "⏎" && this.#actions.length > 0) this.#change();
      else if (key === "⏎" || (key === "⇥" && this.#list.length > 0)) this.#accept();
      else if (key === "⇥") this.#next();
      else this.#type(key);
    }
  }

  #type(character: string): void {
    this.#replace(this.#start, this.#end, character);
    this.#list = /[\w"{.$[]/.test(character) ? this.#suggestions() : [];
  }

  #suggestions(): readonly Completion[] {
    const cell = readCell(this.#text);
    const found = completion(cell, this.#end, scopeOf(cell, this.#around));
    const word = this.#text.slice(found[0]?.span.start, this.#end);
    const inOrder = found.toSorted((a, b) => (a.sortText ?? a.label).localeCompare(b.sortText ?? b.label));
    return byFit(inOrder, word, ({ filterText, label }) => filterText ?? label);
  }

  #changes(): readonly CodeAction[] {
    const cell = readCell(this.#text);
    return codeActions(cell, { start: this.#end, end: this.#end }, scopeOf(cell, this.#around));
  }

  #change(): void {
    const edits = this.#actions[0]?.edits ?? [];
    this.#actions = [];
    for (const { span, insert } of edits.toSorted((a, b) => b.span.start - a.span.start))
      this.#text = this.#text.slice(0, span.start) + insert + this.#text.slice(span.end);
  }

  #accept(): void {
    const [best] = this.#list;
    assert.ok(best, `there is something to accept in ${this.#text}`);
    this.#list = [];
    const { text, stops } = best.snippet ? parsed(best.insert) : { text: best.insert, stops: [] };
    const { start, end } = best.span;
    this.#replace(start, end, text);
    let at = start;
    for (const { span, insert } of best.also ?? []) {
      assert.ok(span.end <= start, "commas are added in front");
      const here = this.#end;
      this.#replace(span.start, span.end, insert);
      this.#start = this.#end = here + insert.length;
      at += insert.length;
    }
    for (const stop of stops) {
      stop.start += at;
      stop.end += at;
    }
    this.#ahead = [...stops, ...this.#ahead];
    if (stops.length > 0) this.#next();
  }

  #next(): void {
    this.#stop = this.#ahead.shift();
    if (!this.#stop) return;
    this.#start = this.#stop.start;
    this.#end = this.#stop.end;
    this.#list = [];
  }

  /** Replaces text and puts the cursor after it; the stop at the cursor grows, later stops move. */
  #replace(start: number, end: number, insert: string): void {
    const by = insert.length - (end - start);
    this.#text = this.#text.slice(0, start) + insert + this.#text.slice(end);
    this.#start = start + insert.length;
    this.#end = this.#start;
    for (const stop of this.#ahead) {
      if (stop.start >= end) stop.start += by;
      if (stop.end >= end) stop.end += by;
    }
    if (this.#stop && this.#stop.start <= start && this.#stop.end >= end) this.#stop.end += by;
  }
}

/** The text of a snippet and its stops in the order of their numbers, the last one `$0`. */
export function parsed(snippet: string): { readonly text: string; readonly stops: Stop[] } {
  const stops: Stop[] = [];
  const part = /\\([\\$}])|\$(\d+)|\$\{(\d+):((?:\\.|[^}\\])*)\}/gs;
  let text = "";
  let from = 0;
  for (const { 0: all, 1: mark, 2: bare, 3: named, 4: content, index } of snippet.matchAll(part)) {
    text += snippet.slice(from, index);
    from = index + all.length;
    const inner = mark ?? (content ?? "").replace(/\\([\\$}])/g, "$1");
    const number = bare ?? named;
    const isCopy = stops.some((one) => one.number === Number(number));
    if (number !== undefined && !isCopy)
      // an editor writes into copies what is typed into the first
      stops.push({ number: Number(number), start: text.length, end: text.length + inner.length });
    text += inner;
  }
  const rank = ({ number }: Stop): number => (number === 0 ? Number.POSITIVE_INFINITY : number);
  return { text: text + snippet.slice(from), stops: stops.sort((a, b) => rank(a) - rank(b)) };
}

function byFit<T>(all: readonly T[], word: string, textOf: (one: T) => string): readonly T[] {
  return all
    .flatMap((one) => {
      const rank = closeness(word, textOf(one));
      return rank === undefined ? [] : [{ one, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

/** How well a word fits: its beginning, the beginning of a part, the inside, letters in order; `undefined` if not at all. */
function closeness(word: string, text: string): number | undefined {
  const typed = word.replace(/^["']/, "").toLowerCase();
  const given = text.replace(/^["']/, "");
  const at = given.toLowerCase().indexOf(typed);
  if (at === 0) return 0;
  if (at > 0) return /[^A-Za-z0-9]/.test(given.charAt(at - 1)) || /[A-Z]/.test(given.charAt(at)) ? 1 : 2;
  let next = 0;
  for (const letter of given.toLowerCase()) if (letter === typed.charAt(next)) next++;
  return next === typed.length ? 3 : undefined;
}
