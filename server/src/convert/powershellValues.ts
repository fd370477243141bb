import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import type { Note } from "./imported.ts";
import type { Quoted, Word } from "./quoted.ts";
import { WordBuilder } from "./wordBuilder.ts";

/** A value of PowerShell: text, a number, a list or a hash table. */
export interface PowerShellValue {
  readonly json: JsonValue;
  /** Text, with its places. */
  readonly quoted?: Quoted;
}

/** An argument of a command; a value that is not text has its JSON as text. */
export interface Argument extends Word {
  readonly value?: PowerShellValue;
  /** `@name`: its members are arguments. */
  readonly isSplat?: boolean;
}

type Command = (
  words: readonly Argument[],
  input: PowerShellValue | undefined,
  name: string | undefined,
) => PowerShellValue | undefined;

export interface Expressions {
  /** @returns Where the statement ends that begins there. */
  statement(at: number): number;
  /** Variables that hold text, by name. */
  texts(): ReadonlyMap<string, string>;
}

/** Levels of parentheses and braces that are read. */
const mostDepth = 50;

/** @param run - Is given each command with what is piped into it. */
export function openExpressions(text: string, notes: Note[], run: Command): Expressions {
  return new Reader(text, notes, run);
}

class Reader implements Expressions {
  readonly #text: string;
  readonly #notes: Note[];
  readonly #run: Command;
  /** By their names in lower case; of the environment with `env:` in front. */
  readonly #variables = new Map<string, PowerShellValue>();
  #at = 0;
  #depth = 0;

  constructor(text: string, notes: Note[], run: Command) {
    this.#text = text;
    this.#notes = notes;
    this.#run = run;
  }

  texts(): ReadonlyMap<string, string> {
    const texts = [...this.#variables].flatMap(([name, { json }]) =>
      typeof json === "string" ? [[name.replace(/^env:/, ""), json] as const] : [],
    );
    return new Map(texts);
  }

  statement(at: number): number {
    this.#at = at;
    const [all, name = ""] = this.#take(/(?:\[[\w.[\]]+\][ \t]*)?\$((?:env:|script:|global:)?\w+)[ \t]*=[ \t]*/y) ?? [];
    if (all !== undefined) {
      const key = name.toLowerCase().replace(/^(?:script|global):/, "");
      const value = this.#pipeline(name);
      if (value) this.#variables.set(key, value);
      else this.#variables.delete(key);
    } else if (this.#isCommand()) this.#pipeline(undefined);
    this.#take(/[^\r\n;}]*/y);
    return this.#at;
  }

  /** Other lines may be sentences, whose apostrophes are not quotes. */
  #isCommand(): boolean {
    return this.#sees(
      /[&(@'"]|\$[\w:]+[ \t]*\||(?:echo|write-output|invoke-restmethod|invoke-webrequest|irm|iwr|cast)\b|(?:[^\s'"]{0,200}[\\/])?curl(?:\.exe)?[ \t`]/iy,
    );
  }

  #sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #space(): void {
    this.#take(/(?:[ \t]|`[ \t]*\r?\n(?:>>)?)+/y);
  }

  #pipeline(name: string | undefined): PowerShellValue | undefined {
    if (this.#depth >= mostDepth) return undefined;
    this.#depth++;
    let value = this.#element(name, undefined);
    this.#space();
    while (this.#take(/\|[ \t]*(?:\r?\n[ \t]*)?/y)) {
      value = this.#element(name, value);
      this.#space();
    }
    this.#depth--;
    return value;
  }

  #element(name: string | undefined, input: PowerShellValue | undefined): PowerShellValue | undefined {
    this.#space();
    const isCalled = this.#take(/&[ \t]*/y) !== undefined;
    if (!isCalled && this.#sees(/[('"$@]|\[\w+\]@|-?\d/y)) return this.#list(name);
    return this.#run(this.#arguments(), input, name);
  }

  /** A value, or several with commas between them. */
  #list(name?: string): PowerShellValue | undefined {
    const first = this.#value(name);
    const all = [first];
    while (this.#take(/[ \t]*,\s*/y)) all.push(this.#value());
    return all.length === 1 ? first : { json: all.map((one) => one?.json ?? null) };
  }

  #value(name?: string): PowerShellValue | undefined {
    this.#take(/(?:\[[\w.[\]]+\][ \t]*)+/y); // a type
    const mark = this.#text.slice(this.#at, this.#at + 2);
    if (mark === "@{") return { json: this.#hashTable() };
    if (mark === "@(") return { json: this.#array() };
    if (mark.startsWith("(")) {
      this.#at++;
      const value = this.#pipeline(name);
      this.#take(/[^()\r\n]*\)(?:\.\w+|\[\d+\])*/y);
      return value;
    }
    const [number] = this.#take(/-?\d+(?:\.\d+)?(?![\w.])/y) ?? [];
    if (number !== undefined) return { json: parseJson(number) ?? number };
    const [constant] = this.#take(/\$(?:true|false|null)\b/iy) ?? [];
    if (constant !== undefined) return { json: parseJson(constant.slice(1).toLowerCase()) ?? null };
    const [all, variable = ""] = this.#take(/\$((?:env:)?\w+)(?=\.replace\(|(?![\w:.]))/iy) ?? [];
    if (all !== undefined) {
      const value = this.#variables.get(variable.toLowerCase()) ?? this.#unknown(variable, all);
      this.#take(/\.replace\([^()\r\n]*\)/iy); // escapes quotes for PowerShell before 7.3
      return value;
    }
    const word = this.#word();
    return word && { json: word.text, quoted: word };
  }

  #unknown(name: string, written: string): PowerShellValue {
    const json = `{{$env.${name.replace(/^env:/i, "")}}}`;
    const start = this.#at - written.length;
    return { json, quoted: { text: json, places: new Array(json.length + 1).fill(start) } };
  }

  #hashTable(): JsonObject {
    this.#at += 2;
    const members: Record<string, JsonValue> = {};
    while (this.#at < this.#text.length && this.#depth < mostDepth) {
      this.#take(/(?:[\s;]|#[^\r\n]*)+/y);
      if (this.#take(/\}/y)) break;
      const [all, bare, single, double] = this.#take(/(?:([\w-]+)|'([^']*)'|"([^"]*)")\s*=\s*/y) ?? [];
      if (all === undefined) break;
      this.#depth++;
      const value = this.#list();
      this.#depth--;
      Object.defineProperty(members, bare ?? single ?? double ?? "", {
        value: value?.json ?? null,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return members;
  }

  #array(): readonly JsonValue[] {
    this.#at += 2;
    const all: JsonValue[] = [];
    while (this.#at < this.#text.length && this.#depth < mostDepth) {
      this.#take(/[\s;,]+/y);
      if (this.#take(/\)/y)) break;
      const before = this.#at;
      this.#depth++;
      const value = this.#value();
      this.#depth--;
      if (this.#at === before) break;
      all.push(value?.json ?? null);
    }
    return all;
  }

  #arguments(): readonly Argument[] {
    const words: Argument[] = [];
    for (;;) {
      this.#space();
      if (this.#at >= this.#text.length || this.#sees(/[|;)}\r\n#]/y)) return words;
      if (this.#take(/\d?>{1,2}(?:&\d|[ \t]*\S+)?/y)) continue;
      const start = this.#at;
      const [splat, name = ""] = this.#take(/@(\w+)(?=[\s`;|)]|$)/y) ?? [];
      const known = this.#variables.get(name.toLowerCase());
      if (splat !== undefined && isObject(known?.json)) words.push(this.#argument(start, known, true));
      else {
        this.#at = start;
        const isValue = this.#sees(/[(]|@[{(]|\$(?!env:)\w+(?=\.replace\(|[\s`;|),]|$)|\$(?:true|false|null)\b/iy);
        const value = isValue ? this.#list() : undefined;
        const word = isValue ? undefined : this.#word();
        if (value) words.push(this.#argument(start, value, false));
        else if (word) words.push(word);
        if (this.#at === start) return words;
      }
      if (words.at(-1)?.text === "--%") return words;
    }
  }

  #argument(start: number, value: PowerShellValue, isSplat: boolean): Argument {
    const text = textOf(value.json);
    const places = value.quoted?.places ?? new Array<number>(text.length + 1).fill(start);
    return { text, places, span: { start, end: this.#at }, value, isSplat };
  }

  /** Quotes and bare characters up to the next space. */
  #word(): Argument | undefined {
    const word = new WordBuilder();
    const here = this.#take(/@(['"])[ \t]*\r?\n/y);
    if (here) return this.#hereString(word, here[1] ?? "'");
    while (this.#at < this.#text.length && !this.#sees(/[\s|;)},]|`[ \t]*\r?\n/y)) {
      const mark = this.#text.charAt(this.#at);
      if (mark === "'" || mark === "‘") this.#single(word);
      else if (mark === '"' || mark === "“") this.#double(word);
      else if (mark === "`") {
        word.add(this.#text.charAt(this.#at + 1), this.#at);
        this.#at += 2;
      } else if (!this.#expansion(word)) word.add(mark, this.#at++);
    }
    return word.end(this.#at);
  }

  #single(word: WordBuilder): void {
    const open = this.#at++;
    word.begin(open);
    for (;;) {
      const [part] = this.#take(/''|[^'’]/y) ?? [];
      if (part === undefined) break;
      word.add(part === "''" ? "'" : part, this.#at - part.length);
    }
    this.#close(open);
  }

  #double(word: WordBuilder): void {
    const open = this.#at++;
    word.begin(open);
    while (this.#at < this.#text.length && !this.#sees(/["”](?!")/y)) {
      const [part] = this.#take(/""|`[\s\S]/y) ?? [];
      if (part !== undefined) word.add(part === '""' ? '"' : escapeOf(part.charAt(1)), this.#at - part.length);
      else if (!this.#expansion(word)) word.add(this.#text.charAt(this.#at), this.#at++);
    }
    this.#close(open);
  }

  #close(open: number): void {
    if (this.#at >= this.#text.length)
      this.#notes.push({ at: open, severity: "error", what: "This quote is never closed." });
    this.#at++;
  }

  /** `@'` and `@"` up to a line that begins with the same marks the other way round. */
  #hereString(word: WordBuilder, mark: string): Argument | undefined {
    word.begin(this.#at);
    const end = this.#text.indexOf(`\n${mark}@`, this.#at - 1);
    const to = end < 0 ? this.#text.length : end;
    while (this.#at < to) {
      const [part] = (mark === '"' ? this.#take(/`[^\r\n]/y) : undefined) ?? [];
      if (part !== undefined) word.add(escapeOf(part.charAt(1)), this.#at - 2);
      else if (mark === "'" || !this.#expansion(word)) word.add(this.#text.charAt(this.#at), this.#at++);
    }
    this.#at = end < 0 ? to : end + 3;
    return word.end(this.#at);
  }

  /** `$name`, `${name}`, `$env:NAME`; what `$(…)` gives is not known. */
  #expansion(word: WordBuilder): boolean {
    if (this.#text[this.#at] !== "$") return false;
    const start = this.#at;
    const [all, braced, bare] = this.#take(/\$(?:\{((?:env:)?\w+)\}|((?:env:)?\w+))/iy) ?? [];
    if (all !== undefined) {
      const name = braced ?? bare ?? "";
      const value = this.#variables.get(name.toLowerCase()) ?? this.#unknown(name, all);
      word.add(textOf(value.json), start);
      return true;
    }
    const [command] = this.#take(/\$\([^()\r\n]*\)/y) ?? [];
    if (command === undefined) return false;
    const what = "What this command prints is not known here. Write its value in place of it.";
    this.#notes.push({ at: start, severity: "error", what });
    word.add(command, start);
    return true;
  }
}

function escapeOf(mark: string): string {
  return { n: "\n", t: "\t", r: "\r", "0": "\0" }[mark] ?? mark;
}

/** As it stands in a string. */
export function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : isObject(value) || isArray(value) ? printJson(value) : String(value);
}
