import { cut, itemEnd, memberTexts, unreadable } from "./itemScan.ts";
import { closeBracket, comma } from "./jsonScan.ts";

/** Escapes, spaces, control characters and everything beyond ASCII: a list with them is read as a whole. */
const special = /[^\x21-\x5b\x5d-\x7e]/;
/** How the list begins. */
const opening = '"result":[{';
/** Characters in front of the list. */
const maxHead = 100_000;
/** Characters of an item. */
const maxItem = 1_000_000;

/** Where the items of a list are in a body. */
export interface ScannedList {
  /** Where each item begins. */
  readonly starts: readonly number[];
  /** Of the bracket behind the last item. */
  readonly listEnd: number;
}

/**
 * Finds the items of the first list of logs that is a `result`, while the body arrives. Checks that they are JSON; what is around
 * the list is checked by who reads it. The items of other lists are looked at so often that they are better read at once.
 */
export class ListScanner {
  readonly #starts: number[] = [];
  #state: "head" | "items" | "behind" | "given up" = "head";
  /** Text that is not scanned yet, and where it begins in the body. */
  #text = "";
  #offset = 0;
  #listEnd = 0;

  /** Whether the rest of the body matters. */
  get isOpen(): boolean {
    return this.#state === "head" || this.#state === "items";
  }

  push(text: string): void {
    if (this.#state === "behind") return;
    if (special.test(text)) this.#giveUp();
    else this.#text += text;
    if (this.#state === "head") this.#readHead();
    if (this.#state === "items") this.#readItems();
  }

  found(): ScannedList | undefined {
    return this.#state === "behind" ? { starts: this.#starts, listEnd: this.#listEnd } : undefined;
  }

  #readHead(): void {
    const at = this.#text.indexOf(opening);
    if (at >= 0) {
      this.#state = "items";
      this.#drop(at + opening.length - 1);
    } else if (this.#text.length > maxHead) this.#giveUp();
  }

  #readItems(): void {
    let at = 0;
    for (;;) {
      const end = itemEnd(this.#text, at);
      const next = this.#text.charCodeAt(end);
      if (end === cut || end === this.#text.length) break;
      const isLast = next === closeBracket;
      const isBroken = end === unreadable || (next !== comma && !isLast);
      if (isBroken || (this.#starts.length === 0 && !isLog(this.#text.slice(at, end)))) {
        this.#giveUp();
        return;
      }
      this.#starts.push(this.#offset + at);
      at = end + 1;
      if (isLast) {
        this.#state = "behind";
        this.#listEnd = this.#offset + end;
        this.#text = "";
        return;
      }
    }
    this.#drop(at);
    if (this.#text.length > maxItem) this.#giveUp();
  }

  #giveUp(): void {
    this.#state = "given up";
    this.#text = "";
  }

  #drop(count: number): void {
    this.#text = this.#text.slice(count);
    this.#offset += count;
  }
}

function isLog(item: string): boolean {
  return memberTexts(item, ["topics"])[0] !== undefined;
}
