import { unicodeEscape, visible } from "../base/text.ts";

/** A kind of shell that commands are written for. `bash` is any POSIX shell. */
export type ShellName = "bash" | "powershell" | "cmd";

/** A piece of a text: as it is, or an environment variable that is filled in when the command runs. */
export type Part =
  | string
  | { readonly variable: string /** Without a value, nothing runs. */; readonly isRequired: boolean };

/** JSON for a command: as an argument, or written to its standard input by what comes before it. */
interface CarriedJson {
  readonly before: string;
  /** `undefined` if it is on standard input. */
  readonly argument: string | undefined;
}

/** How a shell takes text from a notebook, so that no part of it can become a command or another argument. */
export interface Shell {
  readonly label: string;
  /** Windows PowerShell has another command that is called `curl`. */
  readonly curl: string;
  /** Between the options of a command. */
  readonly separator: string;
  /** Characters of a command. */
  readonly maxLength: number;
  /** Whether a command can be kept from running while a variable has no value. */
  readonly stopsWithoutValue: boolean;
  /** Writes one line as a comment. It does nothing even where comments are off, as in an interactive zsh. */
  comment(line: string): string;
  /** Writes one argument of a program. `undefined` if the shell cannot pass it on as it is. */
  word(parts: readonly Part[]): string | undefined;
  /** The same for a program that may be a batch file, as npm installs them on Windows: cmd reads its arguments again. */
  batchWord(parts: readonly Part[]): string | undefined;
  /** Writes JSON. Characters that the shell cannot pass on become escapes of JSON. */
  json(parts: readonly Part[]): CarriedJson;
}

const bash: Shell = {
  label: "bash",
  curl: "curl",
  separator: " \\\n  ",
  maxLength: Number.POSITIVE_INFINITY,
  stopsWithoutValue: true,
  comment: (line) => `# ${/^[\w .,:/-]*$/.test(line) ? line : singleQuoted(line)}`,
  word(parts) {
    const text = parts.map(partText).join("");
    // fish has escapes in single quotes, and JSON only pairs; Nushell and Elvish have none for a quote
    const isUnfit = oneLine(text) !== text || /\\(?!\w)|'/.test(text);
    return isUnfit ? undefined : posixWord(parts);
  },
  batchWord: (parts) => bash.word(parts), // it starts no batch file under a name without `.cmd`
  json: (parts) => ({
    before: "",
    argument: posixWord(mapped(parts, (text) => oneLine(text).replace(/'/g, unicodeEscape))),
  }),
};

function partText(part: Part): string {
  return typeof part === "string" ? part : "";
}

/** In a line that is pasted, a tab completes names and a line break can be the end of the command. */
function oneLine(text: string): string {
  return visible(text).replace(/[\t\r\n]/g, " ");
}

function posixWord(parts: readonly Part[]): string {
  const words = parts.map((part) => {
    if (typeof part !== "string") return part.isRequired ? `"\${${part.variable}:?}"` : `"$${part.variable}"`;
    return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(part) ? part : singleQuoted(part); // zsh takes `=ls` for a program
  });
  return words.join("") || "''";
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The rules of Windows PowerShell 5.1 and of PowerShell 7 at the same time. Both lose or double quotes in arguments,
 * and 5.1 writes only ASCII to a program's standard input.
 *
 * @see https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_parsing
 */
const powershell: Shell = {
  label: "PowerShell",
  curl: "curl.exe",
  separator: " ",
  maxLength: Number.POSITIVE_INFINITY,
  stopsWithoutValue: true,
  comment: (line) => `# ${line}`,
  word(parts) {
    const literal = parts.map(partText).join("");
    const isUnfit = parts.length === 0 || /[^ -~]|"|\\$/.test(literal);
    return isUnfit ? undefined : expression(parts);
  },
  batchWord: (parts) => (/[&|<>^%!()]/.test(parts.map(partText).join("")) ? undefined : powershell.word(parts)),
  json: (parts) => ({
    before: `${expression(mapped(parts, (text) => escaped(text, /[^ -~]/g)))} |\n  `,
    argument: undefined,
  }),
};

function expression(parts: readonly Part[]): string {
  const terms = parts.map((part) => {
    if (typeof part === "string")
      return /^[A-Za-z][\w-]*$/.test(part) && parts.length === 1 ? part : `'${part.replaceAll("'", "''")}'`;
    const value = `$env:${part.variable}`;
    return part.isRequired ? `$(if (${value}) { ${value} } else { throw '${part.variable}' })` : value;
  });
  return terms.length === 1 ? (terms[0] ?? "") : `(${terms.join(" + ")})`;
}

/**
 * Nothing that has a meaning for cmd is written at all, since quotes do not protect from it: each `"` switches them,
 * variables are filled in everywhere, and a line with a pipe is read twice.
 *
 * @see https://ss64.com/nt/syntax-esc.html
 */
const cmd: Shell = {
  label: "cmd",
  curl: "curl.exe",
  separator: " ",
  maxLength: 8000, // of 8,191, with what cmd adds for each side of a pipe
  stopsWithoutValue: false,
  comment: (line) => `rem ${escaped(line, /[^\w .,:/{}[\]'-]/g)}`,
  word(parts) {
    const isFit = parts.every((part) => typeof part !== "string" || /^(?:[\w .:/@=+,[\]{}'-]|\\(?=\w))+$/.test(part));
    if (!isFit || parts.length === 0) return undefined;
    const text = parts.map(cmdText).join("");
    return /^[\w.:/@-]+$/.test(text) ? text : `"${text}"`;
  },
  batchWord: (parts) => cmd.word(parts),
  json(parts) {
    const texts = mapped(parts, (text) => escaped(text, /[^\w ".,:/{}[\]+\\-]/g));
    return { before: `echo ${texts.map(cmdText).join("")}| `, argument: undefined };
  },
};

function cmdText(part: Part): string {
  return typeof part === "string" ? part : `%${part.variable}%`;
}

function mapped(parts: readonly Part[], change: (text: string) => string): readonly Part[] {
  return parts.map((part) => (typeof part === "string" ? change(part) : part));
}

/** Writes characters of JSON as escapes, and also its escaped quotes. */
function escaped(text: string, unfit: RegExp): string {
  const withoutQuotes = text.replace(/\\./g, (pair) => (pair === '\\"' ? "\\u0022" : pair));
  return oneLine(withoutQuotes).replace(unfit, unicodeEscape);
}

export const shells: Readonly<Record<ShellName, Shell>> = { bash, powershell, cmd };

/** Where a command will be pasted, as far as the editor or the system knows. */
export interface ShellHost {
  /** The path of the shell of terminals, such as `/bin/zsh`; empty if there is none. */
  readonly shell?: string | undefined;
  /** Of Node, or of a browser: a name of a system that begins with `Win` is Windows. */
  readonly system?: string | undefined;
}

/** Returns all shells, the one of the host first. */
export function shellsFor({ shell = "", system = "" }: ShellHost): readonly ShellName[] {
  const isWindows = /^win/i.test(system) || /\.exe$/i.test(shell);
  const usual: readonly ShellName[] = isWindows ? ["powershell", "cmd", "bash"] : ["bash", "powershell", "cmd"];
  const [, name = ""] = /([^\\/]*?)(?:\.exe)?$/i.exec(shell) ?? [];
  const own = /^(?:pwsh|powershell)/i.test(name)
    ? "powershell"
    : /^cmd$/i.test(name)
      ? "cmd"
      : name === ""
        ? usual[0]
        : "bash";
  return [...usual].sort((one, other) => Number(other === own) - Number(one === own));
}
