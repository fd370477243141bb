import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporaryFolder.ts";

/** A program that a script started, as the program sees it. */
export interface Call {
  readonly args: readonly string[];
  readonly stdin: string;
}

type Environment = Readonly<Record<string, string>>;

/** A script did something beside starting programs with arguments: a text has left its place in it. */
export class LeftError extends Error {}

/**
 * Runs a script in a shell in which `curl`, `curl.exe` and `cast` only say how they were called.
 *
 * @param typed - Each line as a person types it: with history, and without comments, as zsh does it.
 */
export function runBash(script: string, env: Environment, typed: boolean): readonly Call[] {
  const folder = temporaryFolder();
  const say = `curl() { printf '%s\\0' "$@" >> calls; printf '\\1\\0' >> calls; }\ncast() { curl "$@"; }\n`;
  const begin = typed ? "set -o history\nset -o histexpand\n: before\n" : "";
  const [shell, args] = typed
    ? ["bash", ["--norc", "--noprofile", "-i", "+O", "interactive_comments"]]
    : ["sh", ["-s"]];
  const input = `: > calls\n${say}${begin}${script}\n`;
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, HISTFILE: "", ...env }, input };
  const { stdout } = spawnSync(shell, args, { ...options, encoding: "utf8" });
  const [files, said] = [readdirSync(folder).join(), readFileSync(join(folder, "calls"), "utf8")];
  rmSync(folder, { recursive: true });
  if (files !== "calls" || stdout !== "") throw new LeftError(`files or output: ${files} ${stdout}`);
  const calls = said.split("\u0001\0").slice(0, -1);
  return calls.map((call) => ({ args: call.split("\0").slice(0, -1), stdin: "" }));
}

/**
 * Splits the line that Windows gives to a program into its arguments.
 *
 * @see https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
export function programArguments(line: string): readonly string[] {
  const args: string[] = [];
  let [arg, isQuoted]: [string | undefined, boolean] = [undefined, false];
  for (let at = 0; at < line.length; at++) {
    const [all = "", slashes = "", quote] = /^(\\*)("?)/.exec(line.slice(at)) ?? [];
    if (quote) {
      arg = (arg ?? "") + "\\".repeat(slashes.length >> 1);
      if (slashes.length % 2 === 1) arg += '"';
      else if (isQuoted && line[at + all.length] === '"') {
        arg += '"';
        at++;
      } else isQuoted = !isQuoted;
      at += all.length - 1;
    } else if (slashes !== "") {
      arg = (arg ?? "") + slashes;
      at += slashes.length - 1;
    } else if (/[ \t]/.test(line[at] ?? "") && !isQuoted) {
      if (arg !== undefined) args.push(arg);
      arg = undefined;
    } else arg = (arg ?? "") + line[at];
  }
  return arg === undefined ? args : [...args, arg];
}

/**
 * Does what cmd does with lines: variables first, then quotes and operators, and all of it again for each side of a pipe.
 * Everything with a meaning that none of our lines needs is an error.
 *
 * @param typed - As a person types them; otherwise in a batch file. In both, variables are also written with `!`.
 * @see https://stackoverflow.com/questions/4094699 (how the command interpreter parses)
 */
export function runCmd(script: string, env: Environment, typed: boolean): readonly Call[] {
  return script.split("\n").flatMap((line): readonly Call[] => {
    const filled = withVariables(line, env, typed);
    if (filled.trim() === "") return [];
    if (/^rem(?: |$)/.test(filled)) {
      if (/[&|<>^"!%\r]/.test(filled)) throw new LeftError(`a comment: ${filled}`);
      return [];
    }
    const sides = pipeSides(filled);
    const [first = "", second] = sides.length === 2 ? sides.map((side) => only(withVariables(side, env, true))) : sides;
    if (second === undefined) return [started(first, "")];
    if (!first.startsWith("echo ") || /(?:^|[ ,;=])\/\?/.test(first)) throw new LeftError(`not an echo: ${first}`);
    return [started(second, `${first.slice("echo ".length)}\r\n`)];
  });
}

function only(side: string): string {
  const [command = "", ...more] = pipeSides(side);
  if (more.length > 0) throw new LeftError(`a second pipe: ${side}`);
  return command.trim();
}

function started(line: string, stdin: string): Call {
  const [program, ...args] = programArguments(line);
  if (program !== "curl.exe" && program !== "cast") throw new LeftError(`another program: ${line}`);
  return { args, stdin };
}

function withVariables(line: string, env: Environment, typed: boolean): string {
  const found = (name: string): string | undefined =>
    Object.entries(env).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  return line.replace(
    typed ? /%([^%:]+)(:[^%]*)?%/g : /%%|%[\d*]|%([^%:]*)(:[^%]*)?%|%/g,
    (all, name: string = "", part) => {
      if (all === "%%") return "%";
      const value = found(name);
      if (value !== undefined && part !== undefined) throw new LeftError(`a part of a variable: ${all}`);
      return value ?? (typed ? all : "");
    },
  );
}

/** Splits a line at its pipes. */
function pipeSides(line: string): readonly string[] {
  if (line.length > 8191) throw new LeftError("The line is too long.");
  if (line.startsWith("@")) throw new LeftError(`a silent command: ${line}`);
  const sides = [""];
  let isQuoted = false;
  for (const mark of line) {
    if (mark === '"') isQuoted = !isQuoted;
    if (mark === "!") throw new LeftError(`delayed expansion: ${line}`);
    if (!isQuoted && /[&<>()^]/.test(mark)) throw new LeftError(`an operator: ${line}`);
    if (!isQuoted && mark === "|") sides.push("");
    else sides.push((sides.pop() ?? "") + mark);
  }
  return sides;
}

/** Marks that PowerShell takes for single quotes. */
const singleQuotes = "'\u2018\u2019\u201a\u201b";

/**
 * Does what PowerShell does with a script, as far as it has only strings, variables of the environment, pipes and programs.
 *
 * @param version - Version 5.1 puts quotes around an argument with a space, doubles nothing and drops an empty argument; it
 *   writes ASCII to a program. Version 7 gives arguments as they are, but to a batch file as 5.1 does.
 * @param batch - The program that is a batch file, as npm installs it. cmd reads its arguments again.
 * @see https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_parsing
 */
export function runPowerShell(
  script: string,
  env: Environment,
  version: "5.1" | "7",
  batch: "cast" | undefined = undefined,
): readonly Call[] {
  const calls: Call[] = [];
  const reader = new PowerShellReader(script, env);
  for (;;) {
    reader.skip(/^(?:[ \r\n]|#[^\r\n]*)+/);
    if (reader.isAtEnd) return calls;
    const input = reader.sees(/^['(]/) ? reader.value() : undefined;
    if (input !== undefined) reader.expect(/^ *\|[ \r\n]*/);
    const program = reader.expect(/^(?:curl\.exe|cast)(?= )/);
    const args: string[] = [];
    while (reader.skip(/^ +/) && !reader.sees(/^[\r\n]/)) args.push(reader.value() ?? "");
    if (!reader.isAtEnd) reader.expect(/^[\r\n]/);
    if (reader.stopped) calls.splice(calls.length);
    else {
      const line = lineOf(program, args);
      const given =
        program === batch ? programArguments(readByCmd(line, env)).slice(1) : givenArguments(args, line, version);
      calls.push({ args: given, stdin: written(input, version) });
    }
    reader.stopped = false;
  }
}

function givenArguments(args: readonly string[], line: string, version: "5.1" | "7"): readonly string[] {
  return version === "7" ? args : programArguments(line).slice(1);
}

/** Returns the line that Windows gets for a program. */
function lineOf(program: string, args: readonly string[]): string {
  const words = args.filter((arg) => arg !== "").map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg));
  return [program, ...words].join(" ");
}

/** Once for the line that starts a batch file, and once for `%*` in it. */
function readByCmd(line: string, env: Environment): string {
  return only(withVariables(only(withVariables(line, env, true)), env, false));
}

function written(input: string | undefined, version: "5.1" | "7"): string {
  if (input === undefined) return "";
  return `${version === "7" ? input : input.replace(/[^\0-\x7f]/g, "?")}\r\n`;
}

class PowerShellReader {
  #rest: string;
  readonly #env: Environment;
  /** A `throw` was reached. */
  stopped = false;

  constructor(script: string, env: Environment) {
    this.#rest = script;
    this.#env = env;
  }

  get isAtEnd(): boolean {
    return this.#rest === "";
  }

  sees(pattern: RegExp): boolean {
    return pattern.test(this.#rest);
  }

  skip(pattern: RegExp): boolean {
    const [found = ""] = pattern.exec(this.#rest) ?? [];
    this.#rest = this.#rest.slice(found.length);
    return found !== "";
  }

  expect(pattern: RegExp): string {
    const [found] = pattern.exec(this.#rest) ?? [];
    if (found === undefined) throw new LeftError(`${pattern} is not here: ${this.#rest.slice(0, 80)}`);
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  value(): string | undefined {
    if (this.sees(new RegExp(`^[${singleQuotes}]`))) return this.#string();
    if (this.skip(/^\((?=['$])/)) return this.#sum();
    if (this.sees(/^\$/)) return this.#variable();
    const word = this.expect(/^[^\s'"`$(){};,|&<>@#\u2018-\u201f]+(?=\s|$)/); // others have a meaning
    if (/[^ -~]/.test(word)) throw new LeftError(`not ASCII: ${word}`);
    return word;
  }

  #sum(): string {
    let sum = this.value() ?? "";
    while (this.skip(/^ \+ /)) sum += this.value() ?? "";
    this.expect(/^\)/);
    return sum;
  }

  #variable(): string {
    const [, required] = /^\$\(if \(\$env:(\w+)\) \{ \$env:\1 \} else \{ throw '\1' \}\)/.exec(this.#rest) ?? [];
    if (required === undefined) return this.#env[this.expect(/^\$env:\w+/).slice("$env:".length)] ?? "";
    this.expect(/^\$\(.*?\}\)/);
    this.stopped ||= !this.#env[required];
    return this.#env[required] ?? "";
  }

  #string(): string {
    const pattern = new RegExp(`^[${singleQuotes}]((?:[^${singleQuotes}]|[${singleQuotes}]{2})*)[${singleQuotes}]`);
    const [, inside = ""] = pattern.exec(this.expect(pattern)) ?? [];
    if (this.sees(/^[^\s|)]/)) throw new LeftError(`behind a string: ${this.#rest.slice(0, 80)}`);
    return inside.replace(new RegExp(`[${singleQuotes}]([${singleQuotes}])`, "g"), "$1");
  }
}

/** Splits one command into words as fish does, which has escapes in single quotes. */
export function fishWords(command: string): readonly string[] {
  const words = [...command.matchAll(/(?:'(?:\\[\s\S]|[^'\\])*'|\\[\s\S]|[^\s\\])+/g)].map(([word]) =>
    word.replaceAll("\\\n", ""),
  );
  const bare = words.map((word) => word.replace(/'(?:\\[\s\S]|[^'\\])*'|\\[\s\S]/g, ""));
  const active = bare.find((word) => !/^[\w@%+=:,./-]*$/.test(word));
  if (active !== undefined) throw new LeftError(`${active} in ${command}`);
  return words.filter((word) => word !== "");
}
