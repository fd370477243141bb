import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { powershell } from "./dialects.ts";
import type { Note } from "./importModel.ts";
import { maxValueLength, type Quoted, type Word, WordReader, wordAt } from "./words.ts";

/** A value of PowerShell: text, a number, a list or a hash table. */
export interface PowerShellValue {
  readonly json: JsonValue;
  /** Text, with its places. */
  readonly quoted?: Quoted;
}

/** An argument of a command. The text of a list or a hash table is its JSON. */
export interface Argument extends Word {
  readonly value?: PowerShellValue;
  /** Whether it is written `@name`: then its members are arguments. */
  readonly isSplat?: boolean;
}

/**
 * Runs a command.
 *
 * @param input - The value that is piped into it.
 * @param name - The variable that gets its output.
 * @returns Its output, if it is known.
 */
type RunCommand = (
  words: readonly Argument[],
  input: PowerShellValue | undefined,
  name: string | undefined,
) => PowerShellValue | undefined;

/** Replaces a value that has to be computed: a private-use character, which people do not type. */
export const computed = "\u{f1003}";

/** Parentheses and braces that are read within each other. */
const maxDepth = 50;

/** Reads statements of PowerShell as far as they make requests. */
export class StatementReader {
  readonly #reader: WordReader;
  readonly #run: RunCommand;
  /** By names in lower case; those of the environment begin with `env:`. */
  readonly #variables = new Map<string, PowerShellValue>();
  #depth = 0;

  constructor(text: string, run: RunCommand) {
    this.#run = run;
    for (const name of changing(text)) this.#variables.set(name.toLowerCase(), { json: computed });
    this.#reader = new WordReader(text, 0, powershell, (match, at) => this.#expand(match, at));
  }

  get notes(): readonly Note[] {
    return this.#reader.notes;
  }

  /** Returns the variables that hold text, by name. */
  texts(): ReadonlyMap<string, string> {
    const texts = [...this.#variables].flatMap(([name, { json }]) =>
      typeof json === "string" ? [[name.replace(/^env:/, ""), json] as const] : [],
    );
    return new Map(texts);
  }

  /** @returns Whether a statement that is read begins there, and where it ends. */
  statement(at: number): { readonly isRead: boolean; readonly end: number } {
    const reader = this.#reader;
    reader.at = at;
    const [, variable] = reader.take(/(?:\[[\w.[\]]+\][ \t]*)?\$((?:env:|script:|global:)?\w+)[ \t]*=[ \t]*/y) ?? [];
    const isRead = variable !== undefined || reader.sees(command);
    const value = isRead ? this.#pipeline(variable) : undefined;
    const key = variable?.toLowerCase().replace(/^(?:script|global):/, "");
    const isKnown = value !== undefined && textOf(value.json).length <= maxValueLength;
    if (key !== undefined && isKnown) this.#variables.set(key, value);
    else if (key !== undefined) this.#variables.delete(key);
    reader.take(/[^\r\n;}]*/y);
    return { isRead, end: reader.at };
  }

  #space(): void {
    this.#reader.take(/(?:[ \t]|`[ \t]*\r?\n(?:>>)?)*/y);
  }

  #pipeline(name: string | undefined): PowerShellValue | undefined {
    if (this.#depth >= maxDepth) return undefined;
    this.#depth++;
    let value = this.#element(name, undefined);
    while (this.#reader.take(/\|[ \t]*(?:\r?\n[ \t]*)?/y)) value = this.#element(name, value);
    this.#depth--;
    return value;
  }

  #element(name: string | undefined, input: PowerShellValue | undefined): PowerShellValue | undefined {
    this.#space();
    const isCalled = this.#reader.take(/&[ \t]*/y) !== undefined;
    const isValue = !isCalled && this.#reader.sees(/[('"$@]|\[\w+\]@|-?\d/y);
    const value = isValue ? this.#list(name) : this.#run(this.#arguments(), input, name);
    this.#space();
    return value;
  }

  /** A value, or several with commas between them. */
  #list(name?: string, value = (variable?: string) => this.#operation(variable)): PowerShellValue | undefined {
    const first = value(name);
    const all = [first];
    while (this.#reader.take(/[ \t]*,\s*/y)) all.push(value());
    return all.length === 1 ? first : { json: all.map((one) => one?.json ?? null) };
  }

  /** A value, which is not known if operators or members make another one of it. */
  #operation(name?: string): PowerShellValue | undefined {
    const isMember = this.#reader.sees(/\$\w+(?:\.(?!replace\()\w|\[)/iy);
    const value = isMember ? undefined : this.#value(name);
    if (!isMember && !this.#reader.sees(operator)) return value;
    this.#passOperation();
    return { json: computed };
  }

  #passOperation(): void {
    const reader = this.#reader;
    for (let depth = 0; reader.at < reader.text.length; ) {
      if (reader.take(/(?:"(?:`[\s\S]|""|[^"`])*"|'[^']*'|[^()[\]{}"'\r\n,;|])+/y)) continue;
      if (reader.take(/[([{]/y)) depth++;
      else if (depth === 0) return;
      else if (reader.take(/[)\]}]/y)) depth--;
      else reader.take(/[\s\S]/y);
    }
  }

  #value(name?: string): PowerShellValue | undefined {
    const reader = this.#reader;
    reader.take(/(?:\[[\w.[\]]+\][ \t]*)+/y); // a type
    if (reader.take(/@\{/y)) return { json: this.#hashTable() };
    if (reader.take(/@\(/y)) return { json: this.#array() };
    if (reader.take(/\(/y)) {
      const value = this.#pipeline(name);
      reader.take(/[^()\r\n]*\)(?:\.\w+|\[\d+\])*/y);
      return value;
    }
    const [number] = reader.take(/-?\d+(?:\.\d+)?(?![\w.])/y) ?? [];
    if (number !== undefined) return { json: parseJson(number) ?? number };
    const [, constant] = reader.take(/\$(true|false|null)\b/iy) ?? [];
    if (constant !== undefined) return { json: parseJson(constant.toLowerCase()) ?? null };
    const start = reader.at;
    const [, variable] = reader.take(/\$((?:env:)?\w+)(?=\.replace\(|(?![\w:.]))/iy) ?? [];
    if (variable !== undefined) {
      reader.take(/\.replace\([^()\r\n]*\)/iy); // escapes quotes for PowerShell before 7.3
      return this.#variable(variable, start);
    }
    const word = reader.word();
    return word && { json: word.text, quoted: word };
  }

  /** The value of a variable; one that is not set becomes a placeholder for the environment variable. */
  #variable(name: string, at: number): PowerShellValue {
    const known = this.#variables.get(name.toLowerCase());
    if (known) return known;
    const json = `{{$env.${name.replace(/^env:/i, "")}}}`;
    return { json, quoted: wordAt(json, at) };
  }

  #hashTable(): JsonObject {
    const members: [string, JsonValue][] = [];
    this.#members(/(?:[\s;]|#[^\r\n]*)*/y, /\}/y, () => {
      const [all, bare, single, double] = this.#reader.take(/(?:([\w-]+)|'([^']*)'|"([^"]*)")\s*=\s*/y) ?? [];
      if (all !== undefined) members.push([bare ?? single ?? double ?? "", this.#list()?.json ?? null]);
    });
    return Object.fromEntries(members);
  }

  #array(): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.#members(/[\s;,]*/y, /\)/y, () => {
      const before = this.#reader.at;
      const value = this.#operation();
      if (this.#reader.at > before) items.push(value?.json ?? null);
    });
    return items;
  }

  /** Reads members until their end, or until one takes nothing. */
  #members(between: RegExp, end: RegExp, member: () => void): void {
    const reader = this.#reader;
    this.#depth++;
    while (reader.at < reader.text.length && this.#depth <= maxDepth) {
      reader.take(between);
      const before = reader.at;
      if (reader.take(end)) break;
      member();
      if (reader.at === before) break;
    }
    this.#depth--;
  }

  #arguments(): readonly Argument[] {
    const reader = this.#reader;
    const words: Argument[] = [];
    for (;;) {
      this.#space();
      if (reader.at >= reader.text.length || reader.sees(/[|;)}\r\n#]/y)) return words;
      if (reader.take(/\d?>{1,2}(?:&\d|[ \t]*\S+)?/y)) continue;
      const start = reader.at;
      const argument = this.#argument();
      if (argument) words.push(argument);
      if (reader.at === start || argument?.text === "--%") return words;
    }
  }

  #argument(): Argument | undefined {
    const reader = this.#reader;
    const start = reader.at;
    const [, splat = ""] = reader.take(/@(\w+)(?=[\s`;|)]|$)/y) ?? [];
    const table = this.#variables.get(splat.toLowerCase());
    const isSplat = isObject(table?.json);
    if (!isSplat) reader.at = start;
    const isValue = reader.sees(/[(]|@[{(]|\$(?!env:)\w+(?=\.replace\(|[\s`;|),]|$)|\$(?:true|false|null)\b/iy);
    const value = isSplat ? table : isValue ? this.#list(undefined, () => this.#value()) : undefined;
    if (!value) return isValue ? undefined : reader.word();
    const written = wordAt(textOf(value.json), start, reader.at);
    return { ...written, places: value.quoted?.places ?? written.places, value, isSplat };
  }

  #expand({ 0: all, groups = {} }: RegExpExecArray, at: number): string {
    const name = groups.name ?? groups.braced;
    if (name !== undefined) return textOf(this.#variable(name, at).json);
    this.#reader.note("error", "The output of this command is not known here. Write its value instead.", at);
    return all;
  }
}

/** Behind a value. Quotes are only escaped for older versions of PowerShell. */
const operator = /[ \t]*(?:-(?!replace[ \t]+(?:'"'|"[\x60"]""))[a-z]+\b|[+*/%])/iy;

/** Returns the variables that loops and calls of functions set. */
function changing(text: string): readonly string[] {
  const loops = /\bfor(?:each)?\s*\(\s*(\$\w+)\s*(?:in\b|=)|\bfunction\s+[\w:-]+\s*\(([^()]*)\)/gi;
  const declared = [...text.matchAll(loops)].map(([, name, parameters]) => name ?? parameters ?? "");
  return ["_", ...declared.flatMap((one) => [...one.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name))];
}

/** How a statement begins that may make a request. Other lines may be sentences, whose apostrophes are not quotes. */
const command =
  /[&(@'"]|\$[\w:]+[ \t]*\||(?:echo|write-output|invoke-restmethod|invoke-webrequest|irm|iwr|cast)\b|(?:[^\s'"]{0,200}[\\/])?curl(?:\.exe)?[ \t`]/iy;

/** Returns a value as it is written in a string. */
export function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : isObject(value) || isArray(value) ? printJson(value) : String(value);
}
