/** How the list begins. */
const opening = '"result":[{';
/** Characters in front of the list. */
const maxHead = 100_000;
/** Characters of an item. */
const maxItem = 1_000_000;

const string = String.raw`"[\x21\x23-\x5b\x5d-\x7e]*"`;
/** A literal, or a number that a double holds, in its usual form. */
const word = String.raw`true|false|null|(?:0|[1-9]\d{0,14})(?![\d.eE])`;
const value = `(?:${string}|\\[(?:${string}(?:,${string})*)?\\]|${word})`;
/**
 * An object of plain values and lists of texts as JSON would print it, in ASCII without escapes and spaces. One pattern checks
 * this faster than a walk over its characters.
 */
const item = new RegExp(`\\{${string}:${value}(?:,${string}:${value})*\\}`, "y");
/** A member that only logs have. */
const topics = /[{,]"topics":\[/;

/** Where the items of a list are in a body. */
export interface ScannedList {
  /** Where each item begins, in UTF-16 code units of the body. */
  readonly starts: readonly number[];
  /** The place of the closing bracket, in the same units. */
  readonly listEnd: number;
}

/**
 * Finds the items of the first list of logs that is a `result`, while the body arrives. Checks that they are JSON; what is around
 * the list is checked by who reads it. The items of other lists are looked at so often that they are better read at once.
 */
export class ListScanner {
  readonly #starts: number[] = [];
  #state: "head" | "items" | "after" | "stopped" = "head";
  /** Text that is not scanned yet, and where it begins in the body. */
  #text = "";
  #offset = 0;
  #listEnd = 0;
  /** Length of a text in which nothing was found; it is read again when it is twice as long, or a body in small pieces takes minutes. */
  #tried = 0;

  /** Whether the rest of the body matters. */
  get isOpen(): boolean {
    return this.#state === "head" || this.#state === "items";
  }

  push(text: string): void {
    this.#text += text;
    if (this.#text.length >= 2 * this.#tried) this.#read();
  }

  /** Returns the list of the body that was pushed. */
  found(): ScannedList | undefined {
    this.#read();
    return this.#state === "after" ? { starts: this.#starts, listEnd: this.#listEnd } : undefined;
  }

  #read(): void {
    if (this.#state === "head") this.#readHead();
    if (this.#state === "items") this.#readItems();
    if (!this.isOpen) this.#text = "";
    this.#tried = this.#text.length;
  }

  #readHead(): void {
    const at = this.#text.indexOf(opening);
    if (at >= 0) {
      this.#state = "items";
      this.#drop(at + opening.length - 1);
    } else if (this.#text.length > maxHead) this.#state = "stopped";
  }

  #readItems(): void {
    let at = 0;
    for (;;) {
      item.lastIndex = at;
      if (!item.test(this.#text)) break; // the rest of it has not come, or it is no log
      const end = item.lastIndex;
      if (end === this.#text.length) break;
      const next = this.#text[end];
      const isFirst = this.#starts.length === 0;
      if ((next !== "," && next !== "]") || (isFirst && !topics.test(this.#text.slice(at, end)))) {
        this.#state = "stopped";
        return;
      }
      this.#starts.push(this.#offset + at);
      at = end + 1;
      if (next === "]") {
        this.#state = "after";
        this.#listEnd = this.#offset + end;
        return;
      }
    }
    this.#drop(at);
    if (this.#text.length > maxItem) this.#state = "stopped";
  }

  #drop(count: number): void {
    this.#text = this.#text.slice(count);
    this.#offset += count;
  }
}
