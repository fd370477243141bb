/** How the list begins. */
const opening = '"result":[{';
/** Characters in front of the list. */
const maxHead = 100_000;
/** Characters of an item. */
const maxItem = 1_000_000;

const character = String.raw`[\x21\x23-\x5b\x5d-\x7e]`;
const string = `"${character}*"`;
/** A literal, or a number that a double holds, in its usual form. */
const word = String.raw`true|false|null|(?:0|[1-9]\d{0,14})(?![\d.eE])`;
const value = `(?:${string}|\\[(?:${string}(?:,${string})*)?\\]|${word})`;
/**
 * An object of plain values and lists of texts as JSON would print it, in ASCII without escapes and spaces. One pattern checks
 * this faster than a walk over its characters.
 */
const item = new RegExp(`\\{"[A-Za-z_]\\w*":${value}(?:,"[A-Za-z_]\\w*":${value})*\\}`, "y");
/** Sorts of items, by the names of their members, and names of one: a pattern is made for each sort. */
const [maxSorts, maxNames] = [8, 100];
/** Kinds of logs that have a pattern of their own, and how many more logs may be of other kinds. */
const [maxKinds, maxOthers] = [8, 100];
/** How a log begins: its contract, its topics, and data. */
const beginning = /(\{"address":"[^"]*","topics":\["[^"]{66}")((?:,"[^"]{66}")*)\],"data":"/y;

/** Where the items of a list are in a body. */
export interface ScannedList {
  /** Where each item begins, in UTF-16 code units of the body. */
  readonly starts: readonly number[];
  /** The kind of each item, -1 if it is not known: items of one kind have the same contract, topic 0, number of topics, and data as text. */
  readonly kinds: readonly number[];
  /** The place of the closing bracket, in the same units. */
  readonly listEnd: number;
  /** All members of the items. */
  readonly names: ReadonlySet<string>;
}

interface Sort {
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/**
 * Finds the items of the first list of logs that is a `result`, while the body arrives. Checks that they are JSON; what is around
 * the list is checked by who reads it. The items of other lists are looked at so often that they are better read at once.
 */
export class ListScanner {
  readonly #starts: number[] = [];
  readonly #kinds: number[] = [];
  /** A pattern for each sort of item that was seen. */
  readonly #sorts: Sort[] = [];
  /** A pattern for each of the first kinds of logs: half of a log is compared as it is. */
  readonly #patterns: RegExp[] = [];
  /** How many more logs were of other kinds than of these. */
  #others = 0;
  readonly #names = new Set<string>();
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
    return this.#state === "after"
      ? { starts: this.#starts, kinds: this.#kinds, listEnd: this.#listEnd, names: this.#names }
      : undefined;
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
      const kind = this.#kindAt(at);
      const end = this.#patterns[kind]?.lastIndex ?? this.#ofKnownSort(at) ?? this.#ofNewSort(at);
      if (!this.isOpen) return;
      if (end === undefined || end === this.#text.length) break; // the rest of it has not come, or it is no log
      const next = this.#text[end];
      if (next !== "," && next !== "]") {
        this.#state = "stopped";
        return;
      }
      this.#starts.push(this.#offset + at);
      this.#kinds.push(kind);
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

  /** Returns the place of a pattern that has found the item, -1 if there is none. If most logs are of other kinds, none is looked for. */
  #kindAt(at: number): number {
    if (this.#others > maxOthers) return -1;
    for (const [kind, pattern] of this.#patterns.entries())
      if (matches(pattern, this.#text, at)) {
        this.#others--;
        return kind;
      }
    this.#others++;
    return -1;
  }

  /** Returns the end of an item. */
  #ofKnownSort(at: number): number | undefined {
    const sort = this.#sorts.find(({ pattern }) => matches(pattern, this.#text, at));
    if (sort && this.#patterns.length < maxKinds) this.#addKind(at, sort.names);
    return sort?.pattern.lastIndex;
  }

  #addKind(at: number, names: readonly string[]): void {
    beginning.lastIndex = at;
    const [, start, more = ""] = beginning.exec(this.#text) ?? [];
    if (start === undefined) return;
    const topics = more.replace(/[^",]+/g, character.repeat(66));
    const members = ["data", ...names.slice(3)].map((name) => `,"${name}":${name === "data" ? string : value}`);
    this.#patterns.push(new RegExp(`${escaped(start)}${topics}\\]${members.join("")}\\}`, "y"));
  }

  /** Gives up at an item that names a member twice: it is not printed as it was written, and what only the text has is not masked. */
  #ofNewSort(at: number): number | undefined {
    item.lastIndex = at;
    if (!item.test(this.#text)) return undefined;
    const end = item.lastIndex;
    const names = namesIn(this.#text.slice(at, end));
    const isUsual = names.length <= maxNames && new Set(names).size === names.length;
    const isLog = this.#sorts.length > 0 || names.includes("topics");
    if (!isUsual || !isLog || this.#sorts.length === maxSorts) this.#state = "stopped";
    else
      this.#sorts.push({
        names,
        pattern: new RegExp(`\\{${names.map((name) => `"${name}":${value}`).join(",")}\\}`, "y"),
      });
    for (const name of names) this.#names.add(name);
    return end;
  }

  #drop(count: number): void {
    this.#text = this.#text.slice(count);
    this.#offset += count;
  }
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** A pattern of exactly this text. */
function escaped(text: string): string {
  return text.replace(/\W/g, "\\$&");
}

/** The names of the members of an {@link item}. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"(:?)/g)].flatMap(([, name = "", colon]) => (colon === ":" ? [name] : []));
}
