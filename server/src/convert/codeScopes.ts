import type { Language, Token } from "./codeTokens.ts";

/** A part of code in which names are declared: a file, a function or a block. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly isFunction: boolean;
  /** In the order of the text. */
  readonly bindings: Map<string, Binding[]>;
}

/** A place where a name gets a value. */
export interface Binding {
  readonly name: string;
  /** The token of the name. */
  readonly index: number;
  /** The block that it is in, which may be deeper than the scope that declares the name. */
  readonly block: Scope;
  /** The token where the value begins; `undefined` if the value is not known. */
  readonly value: number | undefined;
  /** The member that gets the value. */
  readonly key?: string;
}

/** The partner of each bracket, by its token. */
export type Partners = ReadonlyMap<number, number>;

/** Pairs the brackets. Those without a partner are left out. */
export function partnersOf(tokens: readonly Token[]): Partners {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "sign") continue;
    if ("([{".includes(token.text)) open.push(index);
    else if (")]}".includes(token.text)) {
      const partner = open.at(-1);
      if (partner === undefined || signAt(tokens, partner) !== opening[token.text]) continue;
      open.pop();
      partners.set(partner, index);
      partners.set(index, partner);
    }
  }
  return partners;
}

const opening: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

export function signAt(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  return token?.kind === "sign" ? token.text : undefined;
}

export function nameAt(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  return token?.kind === "name" ? token.text : undefined;
}

/** Finds the scope of each token, and what each name is given. */
export function scopesOf(
  tokens: readonly Token[],
  partners: Partners,
  ends: ExpressionEnds,
  language: Language,
): readonly Scope[] {
  const isPython = language === "python";
  return (isPython ? new PythonScopes(tokens, partners) : new JavaScriptScopes(tokens, partners, ends)).scopes();
}

/** Longer lists of parameters and deeper scopes are read in part. */
const maxSearch = 300;
const mutating =
  /^(?:push|unshift|splice|pop|shift|sort|reverse|fill|append|extend|insert|update|remove|clear|setdefault|set|delete)$/;

abstract class Scopes {
  protected readonly tokens: readonly Token[];
  protected readonly partners: Partners;
  protected scope: Scope = { parent: undefined, isFunction: true, bindings: new Map() };

  constructor(tokens: readonly Token[], partners: Partners) {
    this.tokens = tokens;
    this.partners = partners;
  }

  scopes(): readonly Scope[] {
    return this.tokens.map((token, index) => {
      this.enter(index);
      if (token.kind === "name" && !/^\??\.$/.test(this.sign(index - 1) ?? "")) this.#name(token.text, index);
      return this.scope;
    });
  }

  /** Opens and closes the scopes before a token. */
  protected abstract enter(index: number): void;
  /** Reads a declaration that begins with a name. @returns Whether it is one. */
  protected abstract declares(name: string, index: number): boolean;
  /** Whether `name =` sets a variable here. */
  protected abstract assigns(): "once" | "perhaps" | "never";

  #name(name: string, index: number): void {
    if (this.declares(name, index)) return;
    const next = this.sign(index + 1);
    if (next === "=") {
      const how = this.assigns();
      if (how !== "never") this.assign(name, index, how === "once" ? index + 2 : undefined);
    } else if (/^(?:[+\-*/%|&^]=|\*\*=|\/\/=|\?\?=|\|\|=|&&=|:=|\+\+|--)$/.test(next ?? "") || this.#isChanged(index))
      this.assign(name, index, undefined);
    else if (next === "." || next === "[") this.#member(name, index);
  }

  #isChanged(index: number): boolean {
    const before = this.tokens[index - 1];
    if (before?.kind === "sign") {
      const isAssigned = before.text === "(" && nameAt(this.tokens, index - 2) === "assign";
      return isAssigned || /^(?:\+\+|--)$/.test(before.text);
    }
    return before?.kind === "name" && /^(?:delete|del)$/.test(before.text);
  }

  /** `name.key = …`, `name["key"] = …`, `name.push(…)` */
  #member(name: string, index: number): void {
    let at = index + 1;
    let key: string | undefined;
    let count = 0;
    for (; count < 20; count++) {
      const sign = this.sign(at);
      const end = sign === "[" ? this.partners.get(at) : undefined;
      if (sign === "." && this.tokens[at + 1]?.kind === "name") {
        key = nameAt(this.tokens, at + 1);
        at += 2;
      } else if (end !== undefined) {
        key = end === at + 2 ? plainText(this.tokens[at + 1]) : undefined;
        at = end + 1;
      } else break;
    }
    const sign = this.sign(at) ?? "";
    if (sign === "(" && key !== undefined && mutating.test(key)) this.assign(name, index, undefined);
    else if (sign === "=" && count === 1 && key !== undefined) this.assign(name, index, at + 1, key);
    else if (/^(?:[+\-*/%|&^]?=|\+\+|--)$/.test(sign)) this.assign(name, index, undefined);
  }

  protected declare(name: string, index: number, value: number | undefined, scope = this.scope): void {
    const binding = { name, index, block: this.scope, value };
    const all = scope.bindings.get(name);
    if (all) all.push(binding);
    else scope.bindings.set(name, [binding]);
  }

  /** Gives a name a new value, where it is declared. */
  protected assign(name: string, index: number, value: number | undefined, key?: string): void {
    const scope = this.#declaring(name) ?? this.scope;
    const binding = { name, index, block: this.scope, value, ...(key !== undefined && { key }) };
    const all = scope.bindings.get(name);
    if (all) all.push(binding);
    else if (key === undefined) scope.bindings.set(name, [binding]);
  }

  #declaring(name: string): Scope | undefined {
    let scope: Scope | undefined = this.scope;
    for (let depth = 0; scope && depth < maxSearch; depth++, scope = scope.parent)
      if (scope.bindings.has(name)) return scope;
    return undefined;
  }

  /** Declares the names in brackets, whose values are not known. */
  protected declareNames(open: number): void {
    const end = Math.min(this.partners.get(open) ?? open, open + maxSearch);
    for (let at = open + 1; at < end; at++) {
      const name = nameAt(this.tokens, at);
      if (name !== undefined) this.declare(name, at, undefined);
    }
  }

  protected sign(index: number): string | undefined {
    return signAt(this.tokens, index);
  }
}

/** Returns the text of a string without code in it. */
export function plainText(token: Token | undefined): string | undefined {
  const [text] = token?.kind === "string" && token.parts.length === 1 ? token.parts : [];
  return typeof text === "string" ? text : undefined;
}

class JavaScriptScopes extends Scopes {
  /** The tokens where scopes end, the innermost last. */
  readonly #ends: number[] = [];
  readonly #brackets: string[] = [];
  /** The brackets with the parameters of the function whose body comes next. */
  #parameters: number | undefined;
  readonly #expressionEnds: ExpressionEnds;

  constructor(tokens: readonly Token[], partners: Partners, ends: ExpressionEnds) {
    super(tokens, partners);
    this.#expressionEnds = ends;
  }

  protected enter(index: number): void {
    while ((this.#ends.at(-1) ?? Number.POSITIVE_INFINITY) <= index) {
      this.#ends.pop();
      this.scope = this.scope.parent ?? this.scope;
    }
    const sign = this.sign(index);
    if (sign === undefined) return;
    if (sign === "{") this.#open(this.partners.get(index), index);
    else if (sign === "=>") this.#arrow(index);
    if ("([{".includes(sign)) this.#brackets.push(sign);
    else if (")]}".includes(sign)) this.#brackets.pop();
  }

  #open(end: number | undefined, index: number): void {
    const parameters = this.#parameters ?? this.#parametersBefore(index);
    this.#parameters = undefined;
    this.#push(end ?? Number.POSITIVE_INFINITY, parameters);
  }

  #push(end: number, parameters: number | undefined): void {
    this.scope = { parent: this.scope, isFunction: parameters !== undefined, bindings: new Map() };
    this.#ends.push(end);
    if (parameters === undefined) return;
    const name = nameAt(this.tokens, parameters);
    if (name !== undefined) this.declare(name, parameters, undefined);
    else this.declareNames(parameters);
  }

  #arrow(index: number): void {
    const parameters = this.partners.get(index - 1) ?? this.#parametersBefore(index) ?? index - 1;
    if (this.sign(index + 1) === "{") this.#parameters = parameters;
    else this.#push(this.#expressionEnds.from(index + 1), parameters);
  }

  /** Finds the parameters of a function before its body, with the type that it returns between them. */
  #parametersBefore(index: number): number | undefined {
    for (let at = index - 1; at > index - 30; at--) {
      const sign = this.sign(at);
      const open = sign === ")" ? this.partners.get(at) : undefined;
      if (open !== undefined) {
        const isDirect = at === index - 1;
        const isControl = /^(?:if|for|while|switch|with)$/.test(nameAt(this.tokens, open - 1) ?? "");
        return isControl || !(isDirect || this.sign(at + 1) === ":") ? undefined : open;
      }
      if (sign !== undefined && !/^[<>.|[\],:]$/.test(sign)) return undefined;
    }
    return undefined;
  }

  protected declares(name: string, index: number): boolean {
    if (/^(?:function|class)$/.test(name)) {
      const own = nameAt(this.tokens, index + 1);
      if (own !== undefined) this.declare(own, index + 1, undefined);
      return true;
    }
    if (/^(?:const|let|var)$/.test(name)) {
      const own = nameAt(this.tokens, index + 1);
      if (own === undefined) this.declareNames(index + 1);
      else this.declare(own, index + 1, this.#valueOf(index + 2));
      return true;
    }
    return /^(?:const|let|var|function|class)$/.test(nameAt(this.tokens, index - 1) ?? "");
  }

  /** Returns the token behind `=`, which a type may come before. */
  #valueOf(index: number): number | undefined {
    if (this.sign(index) === "=") return index + 1;
    if (this.sign(index) !== ":") return undefined;
    for (let at = index + 1; at < index + 60; at = (this.partners.get(at) ?? at) + 1) {
      const sign = this.sign(at);
      if (sign === "=") return at + 1;
      if (sign === ";" || this.tokens[at] === undefined) return undefined;
    }
    return undefined;
  }

  protected assigns(): "once" | "perhaps" {
    return this.#brackets.at(-1) === "(" ? "perhaps" : "once";
  }
}

class PythonScopes extends Scopes {
  readonly #indents: number[] = [0];
  #brackets = 0;
  /** The definition in whose lines the next block begins. */
  #definition: { readonly parameters: number | undefined } | undefined;
  #isStart = true;

  protected enter(index: number): void {
    const token = this.tokens[index];
    this.#isStart = this.#brackets === 0 && (token?.indent !== undefined || this.sign(index - 1) === ";");
    if (this.#brackets === 0 && token?.indent !== undefined) this.#line(token.indent, index);
    const sign = this.sign(index) ?? "";
    if (/^[([{]$/.test(sign)) this.#brackets++;
    else if (/^[)\]}]$/.test(sign)) this.#brackets = Math.max(0, this.#brackets - 1);
  }

  #line(indent: number, index: number): void {
    while (indent < (this.#indents.at(-1) ?? 0)) {
      this.#indents.pop();
      this.scope = this.scope.parent ?? this.scope;
    }
    if (indent > (this.#indents.at(-1) ?? 0) && this.sign(index - 1) === ":") {
      this.#indents.push(indent);
      this.scope = { parent: this.scope, isFunction: this.#definition !== undefined, bindings: new Map() };
      if (this.#definition?.parameters !== undefined) this.declareNames(this.#definition.parameters);
    }
    this.#definition = undefined;
  }

  protected declares(name: string, index: number): boolean {
    if (this.#isStart && /^(?:def|class|async)$/.test(name)) {
      const at = name === "async" ? index + 1 : index;
      const isFunction = nameAt(this.tokens, at) === "def";
      if (isFunction || name === "class")
        this.#definition = { parameters: isFunction && this.sign(at + 2) === "(" ? at + 2 : undefined };
      return true;
    }
    if (/^(?:for|as|lambda)$/.test(name)) {
      for (let at = index + 1; at < index + 20; at++) {
        const own = nameAt(this.tokens, at);
        if (own === "in" || /^[:=]$/.test(this.sign(at) ?? "")) break;
        if (own !== undefined) this.#set(own, at, undefined);
      }
      return true;
    }
    if (this.#isStart && this.sign(index + 1) === ":") {
      for (let at = index + 2; at < index + 30 && this.tokens[at]?.indent === undefined; at++)
        if (this.sign(at) === "=") {
          this.#set(name, index, at + 1);
          return true;
        }
    }
    return false;
  }

  protected assigns(): "once" | "perhaps" | "never" {
    if (this.#brackets > 0) return "never";
    return this.#isStart ? "once" : "perhaps";
  }

  protected override assign(name: string, index: number, value: number | undefined, key?: string): void {
    if (key === undefined) this.#set(name, index, value);
    else super.assign(name, index, value, key);
  }

  /** Blocks have no names of their own, only functions have. */
  #set(name: string, index: number, value: number | undefined): void {
    let scope = this.scope;
    for (let depth = 0; !scope.isFunction && scope.parent && depth < maxSearch; depth++) scope = scope.parent;
    this.declare(name, index, value, scope);
  }
}

/** Where expressions end: at a comma, a bracket that closes, a semicolon, or the next statement. */
export class ExpressionEnds {
  readonly #tokens: readonly Token[];
  /** The token behind each token, or behind the brackets that it opens. */
  readonly #next: readonly number[];
  /** The end of an expression that goes on with each token. */
  readonly #ends: readonly number[];

  constructor(tokens: readonly Token[], partners: Partners) {
    this.#tokens = tokens;
    this.#next = tokens.map((_, index) => Math.max(index, partners.get(index) ?? index) + 1);
    const ends = new Array<number>(tokens.length);
    for (let at = tokens.length - 1; at >= 0; at--)
      ends[at] = endsExpression(tokens, at, true) ? at : (ends[this.#next[at] ?? tokens.length] ?? tokens.length);
    this.#ends = ends;
  }

  /** Returns the token behind a token, or behind the brackets that it opens. */
  behind(index: number): number {
    return this.#next[index] ?? index + 1;
  }

  /** Returns the token behind the expression that begins with a token. */
  from(start: number): number {
    if (endsExpression(this.#tokens, start, false)) return start;
    const next = this.#next[start] ?? start;
    return this.#ends[next] ?? next;
  }
}

/** Whether a token is behind an expression. @param mayBeLine - Whether a new line may end it. */
export function endsExpression(tokens: readonly Token[], index: number, mayBeLine: boolean): boolean {
  const token = tokens[index];
  if (!token) return true;
  if (token.kind === "sign" && /^[,;)\]}]$/.test(token.text)) return true;
  if (!mayBeLine || token.indent === undefined || token.kind === "sign") return false;
  const before = tokens[index - 1];
  return before?.kind !== "sign" || /^[)\]}?]$/.test(before.text);
}
