/** A literal in JavaScript, as far as requests need it. */
export type ScriptValue =
  | { readonly kind: "string"; readonly text: string; readonly at: number }
  | { readonly kind: "object"; readonly members: readonly (readonly [key: string, value: ScriptValue])[] }
  | { readonly kind: "array"; readonly items: readonly ScriptValue[] }
  /** A number or a literal, as JSON. */
  | { readonly kind: "plain"; readonly text: string }
  /** `JSON.stringify` of a value. */
  | { readonly kind: "json"; readonly value: ScriptValue; readonly at: number }
  /** Anything that has to run: a variable, a call. */
  | { readonly kind: "code"; readonly at: number };

/** Deeper values are not read. */
const maxDepth = 200;

/**
 * Reads the arguments of a call in JavaScript. Nothing runs.
 *
 * @param start - Behind the opening bracket.
 * @returns The arguments, and the place behind the closing bracket or the end of the text.
 */
export function readArguments(
  text: string,
  start: number,
): { readonly values: readonly ScriptValue[]; readonly end: number } {
  const reader = new ScriptReader(text, start);
  return { values: reader.list(")", 0), end: reader.at };
}

/** Writes a value as JSON; `undefined` if a part of it has to run. */
export function jsonOf(value: ScriptValue): string | undefined {
  switch (value.kind) {
    case "string":
      return JSON.stringify(value.text);
    case "plain":
      return value.text;
    case "array":
      return enclosed("[", value.items.map(jsonOf), "]");
    case "object": {
      const members = value.members.map(([key, member]) => {
        const json = jsonOf(member);
        return json === undefined ? undefined : `${JSON.stringify(key)}: ${json}`;
      });
      return enclosed("{", members, "}");
    }
    case "json":
    case "code":
      return undefined;
  }
}

function enclosed(open: string, parts: readonly (string | undefined)[], close: string): string | undefined {
  return parts.every((part) => part !== undefined) ? `${open}${parts.join(", ")}${close}` : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };

class ScriptReader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Reads values up to a closing bracket, and the bracket. */
  list(close: string, depth: number): readonly ScriptValue[] {
    const values: ScriptValue[] = [];
    while (!this.#takes(close) && this.at < this.#text.length) {
      const before = this.at;
      values.push(this.#value(depth + 1));
      if (!this.#takes(",") && this.at === before) this.at++; // a bracket that opens nothing
    }
    return values;
  }

  #value(depth: number): ScriptValue {
    this.#space();
    const at = this.at;
    const value = depth > maxDepth ? undefined : this.#written(depth);
    this.#space();
    if (value !== undefined && /[,)\]}]|^$/.test(this.#text.charAt(this.at))) return value;
    this.#skip();
    return { kind: "code", at };
  }

  #written(depth: number): ScriptValue | undefined {
    const at = this.at;
    const character = this.#text.charAt(at);
    if (character === '"' || character === "'" || character === "`") {
      const text = this.#string(character);
      return text === undefined ? undefined : { kind: "string", text, at };
    }
    if (this.#takes("[")) return { kind: "array", items: this.list("]", depth) };
    if (this.#takes("{")) return this.#object(depth);
    if (this.#match(/JSON\s*\.\s*stringify\s*\(/y)) {
      const [value] = this.list(")", depth);
      return value && { kind: "json", value, at };
    }
    const text = this.#match(/(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w$.])/y);
    return text === undefined ? undefined : { kind: "plain", text };
  }

  #object(depth: number): ScriptValue {
    const members: (readonly [string, ScriptValue])[] = [];
    while (!this.#takes("}") && this.at < this.#text.length) {
      const at = this.at;
      const quote = this.#text.charAt(at);
      const key = quote === '"' || quote === "'" ? this.#string(quote) : this.#match(/[\p{L}_$][\p{L}\p{N}_$]*/uy);
      if (key !== undefined && this.#takes(":")) members.push([key, this.#value(depth + 1)]);
      else {
        // a spread, a method, or a name that is its own value
        members.push([key ?? "", { kind: "code", at }]);
        this.#skip();
      }
      if (!this.#takes(",") && this.at === at) this.at++;
    }
    return { kind: "object", members };
  }

  /** @returns `undefined` for a template that contains code. */
  #string(quote: string): string | undefined {
    let text = "";
    let hasCode = false;
    for (this.at++; this.at < this.#text.length; this.at++) {
      const character = this.#text.charAt(this.at);
      if (character === quote) {
        this.at++;
        return hasCode ? undefined : text;
      }
      if (quote === "`" && character === "$" && this.#text.charAt(this.at + 1) === "{") hasCode = true;
      text += character === "\\" ? this.#escape() : character;
    }
    return undefined;
  }

  /** Reads an escape, and stays at its last character. */
  #escape(): string {
    const code = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2}))/y;
    code.lastIndex = this.at;
    const match = code.exec(this.#text);
    if (match) {
      this.at += match[0].length - 1;
      const point = Number.parseInt(match[1] ?? match[2] ?? match[3] ?? "", 16);
      return match[1] === undefined ? String.fromCharCode(point) : String.fromCodePoint(Math.min(point, 0x10ffff));
    }
    const character = this.#text.charAt(++this.at);
    return character === "\n" ? "" : (escapes[character] ?? character);
  }

  /** Passes over code up to a comma or a closing bracket of its own level. */
  #skip(): void {
    let level = 0;
    for (; this.at < this.#text.length; this.at++) {
      const character = this.#text.charAt(this.at);
      if (character === '"' || character === "'" || character === "`") {
        this.#string(character);
        this.at--;
      } else if ("([{".includes(character)) level++;
      else if (level === 0 && ",)]}".includes(character)) return;
      else if (")]}".includes(character)) level--;
    }
  }

  #space(): void {
    this.#match(/(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y);
  }

  #takes(character: string): boolean {
    this.#space();
    if (this.#text.charAt(this.at) !== character) return false;
    this.at++;
    this.#space();
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [text] = pattern.exec(this.#text) ?? [];
    if (text !== undefined) this.at += text.length;
    return text;
  }
}
