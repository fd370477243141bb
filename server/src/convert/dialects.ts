import { type Dialect, type Filling, type Quoted, quoted, replacedIn } from "./words.ts";

const { raw } = String;
const newline = raw`(?:\r\n|\n|\r)`;
const hereDocument = raw`[ \t]*cat[ \t]*<<-?[ \t]*(?<mark>['"]?)(?<end>\w+)\k<mark>[ \t]*\r?\n[\s\S]{0,20000}?\n[ \t]*\k<end>[ \t]*\r?\n[ \t]*`;
/** A command in brackets, with quotes and one more level of brackets in it. */
const inBrackets = raw`(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|\([^()]*\)|[^()'"\\])*`;
/** `$NAME`, `${NAME:-fallback}`, `${NAME%suffix}`, `$1`, `$(command)`, and the same in backticks. */
const posixExpansion = raw`\$(?<name>[A-Za-z_]\w*)|\$\{(?<braced>[A-Za-z_]\w*)(?::?-(?<fallback>[^{}\n]*))?\}|\$\{(?<other>[^{}\n]*)\}|\$(?<argument>\d)|\$\((?<command>${hereDocument}|${inBrackets})\)|\x60(?<old>[^\x60\n]*)\x60`;

const escapedOrExpansion = (escaped: string): Filling => ({
  special: new RegExp(raw`\\(?:(?<escaped>${escaped})|${newline})|${posixExpansion}`, "g"),
  meaning: ({ 0: all, groups }) => groups?.escaped ?? (all.startsWith("\\") ? "" : undefined),
});

/** The text of a here document whose mark has no quotes. */
export const hereText: Filling = escapedOrExpansion(raw`[\\$\x60]`);

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

function ansiMeaning([, x, u, long, octal, letter = ""]: RegExpExecArray): string {
  const hex = x ?? u ?? long;
  if (hex === undefined && octal === undefined)
    return ansiEscapes[letter] ?? (/['"\\?]/.test(letter) ? letter : `\\${letter}`);
  const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

/** @see https://www.gnu.org/software/bash/manual/html_node/Quoting.html */
export const posix: Dialect = {
  continued: new RegExp(raw`[\\\x60][ \t]*${newline}`, "y"), // with a backtick, as in PowerShell
  quotes: [
    { pattern: /'(?<text>[^']*)(?<close>'?)/y },
    // straight quotes become these in pages of documentation
    { pattern: /(?<!\S)“(?<text>[^”]*)(?<close>”?)/y },
    { pattern: /(?<!\S)‘(?<text>[^’]*)(?<close>’?)/y },
    {
      pattern: /\$'(?<text>(?:[^'\\]+|\\[\s\S]?)*)(?<close>'?)/y,
      special: /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g,
      meaning: ansiMeaning,
    },
    {
      pattern: new RegExp(raw`\$?"(?<text>(?:[^"\\$\x60]+|${posixExpansion}|\\[\s\S]?|[$\x60])*)(?<close>"?)`, "y"),
      ...escapedOrExpansion(raw`["\\$\x60]`),
    },
  ],
  escaped: /\\([\s\S]?)/y,
  expansion: new RegExp(posixExpansion, "y"),
  end: /[\s|;&<>()\x60]/y,
};

/** `%NAME%`, `%%i` of a loop, and `%%`, which is `%` in a batch file. */
const cmdExpansion = raw`%(?<name>[A-Za-z_]\w*)%|%%?(?<letter>[A-Za-z])|%(?<percent>%)`;

/**
 * Words of a line for `cmd` without its carets, as the started programs read them.
 *
 * @see https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
export const cmd: Dialect = {
  continued: /(?!)/y,
  quotes: [
    {
      pattern: /"(?<text>(?:\\[\s\S]?|""|[^"\\])*)(?<close>"?)/y,
      special: new RegExp(raw`(?<slashes>\\+)(?<quote>"|$)|"(?<doubled>")|\^(?<operator>[|&<>])|${cmdExpansion}`, "g"),
      meaning: ({ groups = {} }) => {
        const { slashes, quote = "", doubled, operator } = groups;
        return slashes === undefined ? (doubled ?? operator) : "\\".repeat(slashes.length >> 1) + quote;
      },
    },
  ],
  escaped: /[\\^]((?<=\\)"|(?<=\^)[|&<>])/y,
  expansion: new RegExp(cmdExpansion, "y"),
  end: /[\s|&<>]/y,
};

/** Tells commands for `cmd`: lines that end in a caret, quotes behind one, its variables and its loops. */
export function isForCmd(text: string): boolean {
  return /\^[ \t]*(?:\r?\n|")|%(?![0-9A-Fa-f]{2}%)[A-Za-z_]\w*%|\bfor\b[^\r\n]{0,200}%[A-Za-z][ \t]+in[ \t]*\(/i.test(
    text,
  );
}

/** Returns whether a text is a batch file, in which `%%` is one `%`. It has commands that are only used in files. */
export function isBatchFile(text: string): boolean {
  const line = /^[ \t]*(?:@(?:echo|curl|rem|set)\b|echo[ \t]+off\b|setlocal\b|rem[ \t]|set[ \t]+"?[A-Za-z_]\w*=)/im;
  return line.test(text) || /\bfor\b[^\r\n]{0,200}%%[A-Za-z][ \t]+in[ \t]*\(/i.test(text);
}

/**
 * Returns a line of `cmd` without the carets, which continue it and take the meaning off the next character. Those
 * before operators stay.
 *
 * @param start - Of the line in the text.
 */
export function cmdLine(text: string, start: number): Quoted {
  const isCopied = text.slice(start, start + maxLineLength).includes('^\\^"'); // browsers write carets within quotes too
  const caret = raw`\^[ \t]*\r?\n(?<empty>\r?\n)?|\^(?:(?<escaped>[^\r\n|&<>])|$)`;
  const string = isCopied ? "(?!)" : raw`"(?:\\[\s\S]|[^"\\])*"?`;
  const whole = new RegExp(raw`(?:${string}|${caret}|[^\r\n"^]+|["^])*`, "y");
  whole.lastIndex = start;
  const line = quoted(whole.exec(text)?.[0] ?? "", start);
  return replacedIn(line, new RegExp(`${string}|${caret}`, "g"), ({ 0: all, groups: { empty, escaped } = {} }) =>
    all.startsWith("^") ? (escaped ?? (empty === undefined ? "" : "\n")) : all,
  );
}

/** In UTF-16 code units. */
const maxLineLength = 100_000;

const powershellExpansion = raw`\$\{(?<braced>(?:env:)?\w+)\}|\$(?<name>(?:env:)?\w+)|\$\((?<command>[^()\r\n]*)\)`;

function backtickMeaning({ 0: all, groups: { escaped } = {} }: RegExpExecArray): string | undefined {
  if (all === '""') return '"';
  return escaped === undefined ? undefined : ({ n: "\n", t: "\t", r: "\r", "0": "\0" }[escaped] ?? escaped);
}

/** @see https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_quoting_rules */
export const powershell: Dialect = {
  continued: /(?!)/y,
  quotes: [
    { pattern: /@'[ \t]*\r?\n(?<text>[\s\S]*?)(?<close>(?:\n|(?<=\n))'@|$)/y },
    {
      pattern: /@"[ \t]*\r?\n(?<text>[\s\S]*?)(?<close>(?:\n|(?<=\n))"@|$)/y,
      special: new RegExp(raw`\x60(?<escaped>[^\r\n])|${powershellExpansion}`, "gi"),
      meaning: backtickMeaning,
    },
    { pattern: /['‘](?<text>(?:''|[^'’])*)(?<close>['’]?)/y, special: /''/g, meaning: () => "'" },
    {
      pattern: /["“](?<text>(?:""|`[\s\S]?|[^"”`])*)(?<close>["”]?)/y,
      special: new RegExp(raw`""|\x60(?<escaped>[\s\S]?)|${powershellExpansion}`, "gi"),
      meaning: backtickMeaning,
    },
  ],
  escaped: /`(?![ \t]*\r?\n)([\s\S]?)/y,
  expansion: new RegExp(powershellExpansion, "iy"),
  end: /[\s|;)},`]/y,
};
