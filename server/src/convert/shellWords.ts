import type { Span } from "../base/span.ts";
import { commandBehind } from "./commandStart.ts";
import type { Note } from "./imported.ts";
import type { Quoted } from "./quoted.ts";
import { WordBuilder } from "./wordBuilder.ts";

/** A word of a command, without its quotes. */
export interface Word extends Quoted {
  readonly span: Span;
}

export interface Command {
  readonly words: readonly Word[];
  /** What is fed to it: `<<EOF` and `<<<`. */
  readonly stdin: Quoted | undefined;
  /** Where its last line ends. */
  readonly end: number;
  /** Where another one begins on that line. */
  readonly next?: number | undefined;
  readonly notes: readonly Note[];
}

/** Values that the shell would fill in, by name. */
export type ShellVariables = ReadonlyMap<string, string>;

/**
 * Splits one command into words, as a POSIX shell does. A variable that nobody has set becomes a placeholder for the
 * environment variable. Never throws.
 *
 * @param start - Of the command in the text.
 */
export function posixCommand(text: string, start: number, variables: ShellVariables): Command {
  return new PosixReader(text, start, variables).command();
}

const ansiEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  E: "\x1b",
};

class PosixReader {
  readonly #text: string;
  readonly #variables: ShellVariables;
  readonly #words: Word[] = [];
  readonly #notes: Note[] = [];
  readonly #word = new WordBuilder();
  #at: number;
  #stdin: Quoted | undefined;
  /** What ends it, as it is written. */
  #heredoc: string | undefined;
  #next: number | undefined;

  constructor(text: string, start: number, variables: ShellVariables) {
    this.#text = text;
    this.#at = start;
    this.#variables = variables;
  }

  command(): Command {
    while (this.#at < this.#text.length && this.#step());
    this.#endWord();
    if (this.#heredoc !== undefined) this.#readHeredoc(this.#heredoc);
    const next = this.#heredoc === undefined || this.#isFeeding() ? this.#next : undefined;
    return { words: this.#words, stdin: this.#stdin, end: this.#at, next, notes: this.#notes };
  }

  /** @returns Whether the command goes on. */
  #step(): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 2);
    const mark = rest.charAt(0);
    const continued = this.#match(/[\\`][ \t]*(?:\r\n|\n|\r)/y);
    if (continued !== undefined) this.#at += continued.length;
    else if ((mark === "“" || mark === "‘") && this.#word.start < 0) this.#curly(mark === "“" ? "”" : "’");
    else if (mark === "\n" || mark === "\r") return false;
    else if (mark === " " || mark === "\t") this.#endWord(1);
    else if (mark === "'") this.#single();
    else if (rest === "$'") this.#ansi();
    else if (mark === '"' || rest === '$"') this.#double(rest === '$"' ? 2 : 1);
    else if (mark === "\\") this.#literal(this.#text.charAt(this.#at + 1), 2);
    else if (mark === "`" && this.#match(/`[^`\n]*`/y) === undefined) return this.#operator();
    else if (mark === "$" || mark === "`") this.#expansion();
    else if (mark === "#" && this.#word.start < 0) return this.#comment();
    else if ("|;&<>()".includes(mark)) return this.#operator();
    else this.#literal(mark, 1);
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #literal(characters: string, length: number): void {
    this.#word.add(characters, this.#at);
    this.#at += length;
  }

  #endWord(skip = 0): void {
    const word = this.#word.end(this.#at);
    if (word) this.#words.push(word);
    this.#at += skip;
  }

  #note(severity: Note["severity"], what: string, at = this.#at): void {
    this.#notes.push({ at, severity, what });
  }

  #single(): void {
    this.#word.begin(this.#at);
    const open = this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "'") this.#literal(this.#text.charAt(this.#at), 1);
    this.#close(open);
  }

  /** Quotes that a page of documentation made of straight ones. */
  #curly(end: string): void {
    this.#word.begin(this.#at);
    const open = this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== end) this.#literal(this.#text.charAt(this.#at), 1);
    this.#close(open);
  }

  #close(open: number): void {
    if (this.#at >= this.#text.length) this.#note("error", "This quote is never closed.", open);
    this.#at++;
  }

  #ansi(): void {
    this.#word.begin(this.#at);
    const open = this.#at;
    this.#at += 2;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "'") {
      const [, hex, octal, letter] =
        /^\\(?:[xuU]([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/.exec(this.#text.slice(this.#at, this.#at + 10)) ?? [];
      const all = this.#match(/\\(?:x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|[\s\S])/y);
      if (all === undefined) this.#literal(this.#text.charAt(this.#at), 1);
      else if (hex !== undefined || octal !== undefined) {
        const code = Number.parseInt(/^\\[xuU]/.test(all) ? all.slice(2) : all.slice(1), /^\\[xuU]/.test(all) ? 16 : 8);
        this.#literal(code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd", all.length);
      } else
        this.#literal(ansiEscapes[letter ?? ""] ?? (/['"\\?]/.test(letter ?? "") ? (letter ?? "") : all), all.length);
    }
    this.#close(open);
  }

  #double(length: number): void {
    this.#word.begin(this.#at);
    const open = this.#at;
    this.#at += length;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const mark = this.#text.charAt(this.#at);
      const next = this.#text.charAt(this.#at + 1);
      const continued = mark === "\\" ? this.#match(/\\(?:\r\n|\n|\r)/y) : undefined;
      if (continued !== undefined) this.#at += continued.length;
      else if (mark === "\\" && /["\\$`]/.test(next)) this.#literal(next, 2);
      else if (mark === "$" || mark === "`") this.#expansion();
      else this.#literal(mark, 1);
    }
    this.#close(open);
  }

  /** `$NAME`, `${NAME:-default}`; what a command prints is not known. */
  #expansion(): void {
    const found = this.#match(/\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*(?:\}|:?-[^{}\n]*\}))/y);
    if (found !== undefined) {
      const [, name = "", fallback] = /^\$\{?(\w+)(?::?-([^}]*))?/.exec(found) ?? [];
      this.#literal(this.#variables.get(name) ?? fallback ?? `{{$env.${name}}}`, found.length);
      return;
    }
    const parameter = this.#match(/\$\d/y);
    if (parameter !== undefined) {
      this.#literal(`{{$env.ARG${parameter.slice(1)}}}`, parameter.length);
      return;
    }
    const document = this.#match(
      /\$\([ \t]*cat[ \t]*<<-?[ \t]*(['"]?)(\w+)\1[ \t]*\r?\n[\s\S]{0,20000}?\n[ \t]*\2[ \t]*\r?\n[ \t]*\)/y,
    );
    if (document !== undefined) {
      const from = document.indexOf("\n") + 1;
      const to = document.lastIndexOf("\n", document.lastIndexOf("\n") - 1);
      const isRaw = /^\$\([ \t]*cat[ \t]*<<-?[ \t]*['"]/.test(document);
      this.#document(this.#at + from, this.#at + to, isRaw);
      this.#at += document.length;
      return;
    }
    const command = this.#match(/\$\([^()\n]*\)|`[^`\n]*`/y);
    if (command !== undefined)
      this.#note("error", "What this command prints is not known here. Write its value in place of it.");
    const text = command ?? this.#text.charAt(this.#at);
    this.#literal(text, text.length);
  }

  #comment(): boolean {
    const comment = this.#match(/[^\r\n]*/y) ?? "";
    this.#note("note", "The comment behind the command is left out.");
    this.#at += comment.length;
    const isWithin = this.#match(/\r?\n(?=[ \t]+--?[A-Za-z])/y); // a slip: the shell ends the command here
    this.#at += isWithin?.length ?? 0;
    return isWithin !== undefined;
  }

  #operator(): boolean {
    const open = this.#match(/<<-?[ \t]*(?:'[\w.-]+'|"[\w.-]+"|\\?[\w.-]+)/y);
    const here = this.#match(/<<<[ \t]*/y);
    if (here !== undefined) return this.#hereString(here);
    this.#endWord();
    if (open !== undefined) {
      this.#heredoc = open.replace(/^<<-?[ \t]*/, "");
      this.#at += open.length;
      return true;
    }
    const line = this.#match(/[^\r\n]*/y) ?? "";
    const again = commandBehind(line, this.#isFeeding());
    const rest = line.slice(0, again);
    this.#next = again === undefined ? undefined : this.#at + again;
    if (!/^[\s;)"'&|]*$/.test(rest)) this.#note("note", "What the shell does with the answer is left out.");
    this.#at += rest.length;
    return false;
  }

  #hereString(operator: string): boolean {
    this.#endWord(operator.length);
    const before = this.#words.length;
    while (this.#at < this.#text.length && !/[\s|;&<>()]/.test(this.#text.charAt(this.#at))) if (!this.#step()) break;
    this.#endWord();
    this.#stdin = this.#words.splice(before)[0];
    return true;
  }

  /** What it prints goes into the next command. */
  #isFeeding(): boolean {
    return isFeeder(this.#words[0]?.text);
  }

  #readHeredoc(written: string): void {
    const delimiter = written.replace(/['"\\]/g, "");
    const lineEnd = this.#match(/[^\n]*\n/y) ?? "";
    this.#at += lineEnd.length;
    const end = new RegExp(`^[ \\t]*${delimiter.replace(/[.-]/g, "\\$&")}[ \\t]*\\r?$`, "my");
    const from = this.#at;
    let to = from;
    for (end.lastIndex = to; to < this.#text.length && !end.test(this.#text); end.lastIndex = to) {
      const next = this.#text.indexOf("\n", to);
      to = next < 0 ? this.#text.length : next + 1;
    }
    this.#document(from, to, delimiter !== written);
    this.#stdin = this.#word.end(to);
    if (to >= this.#text.length) this.#note("error", `The text up to \`${delimiter}\` has no end.`, from);
    const line = /[^\n]*/y;
    line.lastIndex = to;
    this.#at = to + (line.exec(this.#text)?.[0].length ?? 0);
  }

  /** Lines of a here document; variables in them are filled in unless its mark is in quotes. */
  #document(from: number, to: number, isRaw: boolean): void {
    this.#word.begin(from);
    const text = this.#text.slice(from, to);
    const parts = isRaw ? /[\s\S]/g : /\$\{?([A-Za-z_]\w*)(?::?-([^{}\n]*))?\}?|\\([$`\\])|[\s\S]/g;
    for (const { 0: part, 1: name, 2: fallback, 3: escaped, index } of text.matchAll(parts)) {
      const value = name === undefined ? undefined : (this.#variables.get(name) ?? fallback ?? `{{$env.${name}}}`);
      this.#word.add(value ?? escaped ?? part, from + index);
    }
  }
}

/** Commands whose output is their arguments, or what is fed to them. */
function isFeeder(program: string | undefined): boolean {
  return program === "echo" || program === "printf" || program === "cat";
}
