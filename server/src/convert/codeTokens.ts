/** The languages of code that requests are read from. */
export type Language = "javascript" | "python";

/** A word, number, string or sign of code. */
export type Token = NameToken | NumberToken | StringToken | SignToken;

interface Place {
  /** In the text, in UTF-16 code units. */
  readonly at: number;
  /** The spaces in front of the first token of a line; `undefined` for the others. */
  readonly indent: number | undefined;
}

export interface NameToken extends Place {
  readonly kind: "name";
  readonly text: string;
}

interface NumberToken extends Place {
  readonly kind: "number";
  /** As JSON. */
  readonly json: string;
}

export interface StringToken extends Place {
  readonly kind: "string";
  /** Text, and the code between it in templates and f-strings. */
  readonly parts: readonly (string | CodePart)[];
}

/** Code inside of a string. */
export interface CodePart {
  readonly tokens: readonly Token[];
}

interface SignToken extends Place {
  readonly kind: "sign";
  readonly text: string;
}

/** Strings within code within strings are read up to this depth. */
const maxDepth = 5;

/** Splits code into tokens. Comments are left out. Takes time in proportion to the text, whatever it is. */
export function tokensOf(text: string, language: Language, depth = 0, start = 0): readonly Token[] {
  return new Tokenizer(text, language, depth, start).tokens();
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };

const comments: Readonly<Record<Language, RegExp>> = {
  javascript: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y,
  python: /#[^\n]*|\\\r?\n/y,
};
const name = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /(?:0[xX][\da-fA-F_]+|0[oObB][\d_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)n?/y;
const sign = /\.\.\.|\?\?=?|\|\|=?|&&=?|===?|!==?|=>|<=|>=|:=|\+\+|--|\*\*=?|\/\/=|[+\-*/%|&^]=|\?\.|[^\s]/uy;
const regularExpression = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,99}\]){1,200}\/[a-z]*/y;
const prefixed = /([rbuf]|rb|br|rf|fr)?("""|'''|"|')/iy;

class Tokenizer {
  readonly #text: string;
  readonly #language: Language;
  readonly #depth: number;
  /** Added to all places. */
  readonly #start: number;
  readonly #tokens: Token[] = [];
  #at = 0;
  #lineStart = 0;
  #isFirst = true;

  constructor(text: string, language: Language, depth: number, start: number) {
    this.#text = text;
    this.#language = language;
    this.#depth = depth;
    this.#start = start;
  }

  tokens(): readonly Token[] {
    for (this.#space(); this.#at < this.#text.length; this.#space()) {
      const place = { at: this.#start + this.#at, indent: this.#isFirst ? this.#at - this.#lineStart : undefined };
      this.#isFirst = false;
      this.#tokens.push(this.#token(place));
    }
    return this.#tokens;
  }

  #space(): void {
    for (;;) {
      const character = this.#text.charAt(this.#at);
      if (character === "\n") {
        this.#lineStart = ++this.#at;
        this.#isFirst = true;
      } else if (character !== "" && /\s/.test(character)) this.#at++;
      else if (this.#take(comments[this.#language]) === undefined) return;
    }
  }

  #token(place: Place): Token {
    const string = this.#string(place);
    if (string) return string;
    const word = this.#take(name);
    if (word !== undefined) return { kind: "name", text: word, ...place };
    const digits = /[\d.]/.test(this.#text.charAt(this.#at)) ? this.#take(number) : undefined;
    const json = digits === undefined ? undefined : jsonNumber(digits);
    if (json !== undefined) return { kind: "number", json, ...place };
    if (digits !== undefined) return { kind: "sign", text: "?", ...place };
    if (this.#language === "javascript" && this.#mayBeExpression() && this.#take(regularExpression) !== undefined)
      return { kind: "sign", text: "?", ...place };
    return { kind: "sign", text: this.#take(sign) ?? this.#text.charAt(this.#at++), ...place };
  }

  /** Whether `/` cannot be a division here. */
  #mayBeExpression(): boolean {
    if (this.#text.charAt(this.#at) !== "/") return false;
    const before = this.#tokens.at(-1);
    if (!before || (before.kind === "name" && /^(?:return|typeof|case|in|of|await)$/.test(before.text))) return true;
    return before.kind === "sign" && !/^[)\]}]$/.test(before.text);
  }

  #string(place: Place): Token | undefined {
    const quote = this.#text.charAt(this.#at);
    if (this.#language === "python") return this.#pythonString(place);
    if (quote !== '"' && quote !== "'" && quote !== "`") return undefined;
    this.#at++;
    return this.#rest(place, { quote, isRaw: false, opens: quote === "`" ? "${" : "", isLong: quote === "`" });
  }

  #pythonString(place: Place): Token | undefined {
    prefixed.lastIndex = this.#at;
    const [all, prefix = "", quote = ""] = prefixed.exec(this.#text) ?? [];
    if (all === undefined) return undefined;
    this.#at += all.length;
    const opens = /f/i.test(prefix) ? "{" : "";
    return this.#rest(place, { quote, isRaw: /r/i.test(prefix), opens, isLong: quote.length === 3 });
  }

  /** Reads a string behind its opening quote. One that is not closed on its line is not a string. */
  #rest(
    place: Place,
    { quote, isRaw, opens, isLong }: { quote: string; isRaw: boolean; opens: string; isLong: boolean },
  ): Token {
    const parts: (string | CodePart)[] = [];
    let text = "";
    const ordinary = /[^\\"'`\n\r${}]+/y;
    while (this.#at < this.#text.length && !this.#text.startsWith(quote, this.#at)) {
      const character = this.#text.charAt(this.#at);
      const plain = this.#take(ordinary);
      if (plain !== undefined) text += plain;
      else if (character === "\\") text += isRaw ? (this.#take(/\\[\s\S]?/y) ?? "") : this.#escape();
      else if (!isLong && character === "\n") return { kind: "sign", text: "?", ...place };
      else if (opens === "{" && /^(?:\{\{|\}\})/.test(this.#text.slice(this.#at, this.#at + 2))) {
        text += character;
        this.#at += 2;
      } else if (opens !== "" && this.#text.startsWith(opens, this.#at)) {
        parts.push(text, this.#code(opens));
        text = "";
      } else {
        text += character;
        this.#at++;
      }
    }
    if (this.#at >= this.#text.length) return { kind: "sign", text: "?", ...place };
    this.#at += quote.length;
    return { kind: "string", parts: [...parts, text], ...place };
  }

  /** Reads `${…}` or `{…}`, with braces and strings in it. */
  #code(opens: string): CodePart {
    this.#at += opens.length;
    const start = this.#at;
    const inner = /[^{}"'`\n]+|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$]*`/y;
    for (let level = 0; this.#at < this.#text.length; ) {
      if (this.#take(inner) !== undefined) continue;
      const character = this.#text.charAt(this.#at++);
      if (character === "{") level++;
      if (character === "}" && level-- === 0) break;
    }
    const end = Math.max(start, this.#at - 1);
    const isDeep = this.#depth >= maxDepth || end - start > 1_000;
    if (isDeep) return { tokens: [] };
    return {
      tokens: tokensOf(this.#text.slice(start, end), this.#language, this.#depth + 1, this.#start + start),
    };
  }

  #escape(): string {
    const code = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|U([\da-fA-F]{8}))/y;
    code.lastIndex = this.#at;
    const [all, ...digits] = code.exec(this.#text) ?? [];
    if (all !== undefined) {
      this.#at += all.length;
      const point = Number.parseInt(digits.find((one) => one !== undefined) ?? "", 16);
      return String.fromCodePoint(Math.min(point, 0x10ffff));
    }
    const character = this.#text.charAt(this.#at + 1);
    this.#at += 2;
    if (character === "\n") return "";
    const isKept = this.#language === "python" && !/[\\'"]/.test(character);
    return escapes[character] ?? (isKept ? `\\${character}` : character);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [text] = pattern.exec(this.#text) ?? [];
    if (text !== undefined) this.#at += text.length;
    return text;
  }
}

/** @returns `undefined` for a number that JSON does not have, such as `1n`. */
function jsonNumber(written: string): string | undefined {
  const digits = written.replaceAll("_", "");
  if (/^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits)) return digits;
  if (/^0[xob][\da-f]+$/i.test(digits)) {
    try {
      return BigInt(digits).toString();
    } catch {
      return undefined;
    }
  }
  return /^(?:\d+\.|\.\d+)$/.test(digits) ? String(Number(digits)) : undefined;
}
