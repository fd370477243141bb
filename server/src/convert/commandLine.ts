import { isJson } from "../notebook/json.ts";
import { cmd, cmdLine, hereText, posix } from "./dialects.ts";
import type { Note } from "./importModel.ts";
import { joinedBy, maxValueLength, type Quoted, quoted, type Word, WordReader } from "./words.ts";

/** A command of a line, up to the operator that ends it. */
export interface Command {
  readonly words: readonly Word[];
  /** The text of `<<EOF` or `<<<`. */
  readonly stdin: Quoted | undefined;
  readonly start: number;
  readonly end: number;
  /** Where a part begins that has no counterpart in a notebook: a redirection. */
  readonly redirectedAt: number | undefined;
  /** The operator after it; empty at the end of the line. */
  readonly operator: string;
  /** Values that are not known: of commands in `$(…)`, one list for each, and of variables of loops. */
  readonly substitutions: readonly Substitution[];
}

interface Substitution {
  readonly at: number;
  readonly commands: readonly Command[];
}

export interface CommandLine {
  readonly commands: readonly Command[];
  /** Variables that the line sets; `undefined` if the value is not known. */
  readonly variables: ReadonlyMap<string, string | undefined>;
  readonly notes: readonly Note[];
  /** Where its last line ends. */
  readonly end: number;
}

/** Values of variables, by name; `undefined` if the value changes while the script runs. */
export type ShellVariables = ReadonlyMap<string, string | undefined>;

/** `batch` is `cmd` that reads a file. */
export type Shell = "posix" | "cmd" | "batch";

/**
 * Splits a line of a shell into commands and words, with the lines that continue it. A variable without a value becomes
 * a placeholder for the environment variable. Never throws.
 */
export function readLine(text: string, start: number, shell: Shell, variables: ShellVariables): CommandLine {
  if (shell === "posix") return new LineReader(text, start, variables).line();
  const line = cmdLine(text, start);
  return new LineReader(line.text, 0, variables, { places: line.places, isFile: shell === "batch" }).line();
}

/** A line for `cmd`: the places of its characters in the text, and whether the text is a batch file. */
interface CmdLine {
  readonly places: readonly number[];
  readonly isFile: boolean;
}

class LineReader {
  readonly #reader: WordReader;
  readonly #variables: ShellVariables;
  readonly #assigned = new Map<string, string | undefined>();
  /** The places in the text of the characters of a line for `cmd`. */
  readonly #places: readonly number[] | undefined;
  readonly #isBatch: boolean;
  #substitutions: Substitution[] = [];
  /** Where the here documents end that were read so far. */
  #documentsEnd: number | undefined;

  constructor(text: string, start: number, variables: ShellVariables, forCmd?: CmdLine) {
    const places = forCmd?.places;
    this.#variables = variables;
    this.#places = places;
    this.#isBatch = forCmd?.isFile === true;
    const placeOf = places && ((at: number): number => places[at] ?? places.at(-1) ?? 0);
    const expand = (match: RegExpExecArray, at: number): string => this.#expand(match, at);
    this.#reader = new WordReader(text, start, places ? cmd : posix, expand, placeOf);
  }

  line(): CommandLine {
    const commands: Command[] = [];
    const reader = this.#reader;
    for (;;) {
      const command = this.#command();
      if (/^;?$/.test(commands.at(-1)?.operator ?? "")) this.#assign(command);
      if (command.words.length > 0 || command.operator !== "") commands.push(command);
      if (command.operator === "") break;
    }
    reader.at = this.#documentsEnd ?? reader.at;
    return { commands, variables: this.#assigned, notes: reader.notes, end: reader.place() };
  }

  #assign(command: Command): void {
    for (const { name, value, substitutions } of assignmentsIn(command) ?? []) {
      const isKnown = substitutions.length === 0 && value.length <= maxValueLength;
      this.#assigned.set(name, isKnown ? value : undefined);
    }
  }

  #command(): Command {
    const reader = this.#reader;
    this.#substitutions = [];
    const words: Word[] = [];
    let stdin: Quoted | undefined;
    let redirectedAt: number | undefined;
    this.#skip();
    const start = reader.place();
    for (; ; this.#skip()) {
      const here = this.#places
        ? undefined
        : reader.take(/<<(?:(?<string><)[ \t]*|-?[ \t]*(?<mark>'[\w.-]+'|"[\w.-]+"|\\?[\w.-]+))/y);
      if (here?.groups?.mark !== undefined) stdin = this.#document(here.groups.mark);
      else if (here) stdin = reader.word();
      else if (reader.sees(/\d?[<>]/y)) {
        redirectedAt ??= reader.place();
        reader.take(/\d?[<>]+&?[ \t]*/y);
        reader.word();
      } else {
        const word = reader.word();
        if (word) words.push(word);
        else break;
      }
    }
    const end = reader.place();
    const operator = reader.take(/&&|\|[|&]?|;+|[&()`]/y)?.[0] ?? "";
    return { words, stdin, start, end, redirectedAt, operator, substitutions: this.#substitutions };
  }

  #skip(): void {
    const reader = this.#reader;
    while (reader.take(/[^\S\r\n]+|[\\`][ \t]*(?:\r\n|\n|\r)/y));
    if (this.#places || !reader.sees(/#/y)) return;
    reader.note("note", "The comment after the command is left out.");
    reader.take(/[^\r\n]*/y);
    if (reader.take(/\r?\n(?=[ \t]+--?[A-Za-z])/y)) this.#skip(); // a mistake: the shell ends the command here
  }

  #expand({ 0: all, groups = {} }: RegExpExecArray, at: number): string {
    const { letter, other, name = groups.braced ?? letter, fallback, argument, command = groups.old } = groups;
    if (name !== undefined) {
      const isSet = this.#assigned.has(name);
      const value = isSet ? this.#assigned.get(name) : this.#variables.get(name);
      const isLoop = !isSet && value === undefined && this.#variables.has(name);
      if (letter !== undefined && !isLoop) return this.#literal(all);
      if (isLoop) this.#substitutions.push({ at, commands: [] });
      return value ?? fallback ?? `{{$env.${name}}}`;
    }
    if (groups.percent !== undefined) return this.#literal(all);
    if (argument !== undefined) return `{{$env.ARG${argument}}}`;
    if (other !== undefined) {
      this.#substitutions.push({ at, commands: [] });
      return all;
    }
    const inside = command ?? "";
    const from = at + all.indexOf(inside, groups.command === undefined ? 1 : 2);
    const commands: Command[] = [];
    for (let next = from; next < from + inside.length; ) {
      const line = new LineReader(this.#reader.text.slice(0, from + inside.length), next, this.#variables).line();
      commands.push(...line.commands);
      next = line.end + 1;
    }
    const [only, ...others] = commands;
    const known = only && others.length === 0 ? printed(only, inside) : undefined;
    if (known) return known.text;
    this.#substitutions.push({ at, commands });
    return all;
  }

  /** Returns the percent signs that `cmd` leaves. */
  #literal(percents: string): string {
    return this.#isBatch ? percents.replace("%%", "%") : percents;
  }

  /** Reads a here document, which begins on the line behind the command, or behind the document before. */
  #document(mark: string): Quoted {
    const reader = this.#reader;
    const back = reader.at;
    reader.at = this.#documentsEnd ?? back;
    reader.take(/[^\n]*\n?/y);
    const from = reader.at;
    const delimiter = mark.replace(/['"\\]/g, "");
    const end = String.raw`([\s\S]*?)^[ \t]*${delimiter.replace(/[.-]/g, "\\$&")}[ \t]*\r?$`;
    const [, text] = reader.take(new RegExp(end, "my")) ?? [];
    this.#documentsEnd = text === undefined ? reader.text.length : reader.at;
    reader.at = back;
    if (text !== undefined) return delimiter === mark ? reader.filled(text, from, hereText) : quoted(text, from);
    reader.note("error", `The text up to \`${delimiter}\` has no end.`, from);
    return quoted(reader.text.slice(from), from);
  }
}

/** `NAME=value` */
interface Assignment {
  readonly name: string;
  readonly value: string;
  readonly at: number;
  /** Those in the value. */
  readonly substitutions: readonly Substitution[];
}

/** Returns the variables that a command sets, if it does nothing else. */
export function assignmentsIn({ words, substitutions }: Command): readonly Assignment[] | undefined {
  const all = /^(?:export|local|readonly|declare)$/.test(words[0]?.text ?? "") ? words.slice(1) : words;
  if (all.length === 0 || !all.every(({ text }) => assignment.test(text))) return undefined;
  return all.map(({ text, span }) => {
    const [name = ""] = text.split("=", 1);
    const own = substitutions.filter(({ at }) => at >= span.start && at < span.end);
    return { name, value: text.slice(name.length + 1), at: span.start, substitutions: own };
  });
}

export const assignment = /^[A-Za-z_]\w*=/;

/**
 * Returns what `echo`, `printf` and `cat` print.
 *
 * @param written - The command in the text: `cmd` prints its arguments with their quotes.
 */
export function printed({ words: [program, ...words], stdin, start }: Command, written: string): Quoted | undefined {
  if (program?.text === "cat") return stdin;
  if (program?.text !== "echo" && program?.text !== "printf") return undefined;
  const args = words.filter(({ text }) => !/^-[neE]+$/.test(text));
  const isFormat = program.text === "printf" && /%|\\/.test(args[0]?.text ?? "");
  if (isFormat && !(args.length === 2 && /^%s(?:\\n)?$/.test(args[0]?.text ?? ""))) return undefined;
  const [first, ...others] = isFormat ? args.slice(1) : args;
  if (!first) return undefined;
  const joined = others.reduce<Quoted>((a, b) => joinedBy(a, b, " "), first);
  const raw = written.replace(/^\w+[ \t]+/, "").trimEnd();
  return isJson(joined.text) || !isJson(raw) ? joined : quoted(raw, start + written.indexOf(raw));
}
