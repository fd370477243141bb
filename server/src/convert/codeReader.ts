import {
  type Binding,
  ExpressionEnds,
  endsExpression,
  nameAt,
  type Partners,
  partnersOf,
  plainText,
  type Scope,
  scopesOf,
  signAt,
} from "./codeScopes.ts";
import { type CodePart, type Language, type StringToken, type Token, tokensOf } from "./codeTokens.ts";
import {
  type CallValue,
  type CodeValue,
  fallback,
  itemIn,
  joined,
  type Member,
  maxDepth,
  maxLength,
  memberIn,
  membersOf,
  resultOf,
  text,
  type UnknownValue,
} from "./codeValue.ts";

/** Returns the calls in the order of the text, with their arguments as far as the text says them. Nothing runs. */
export function callsIn(text: string, language: Language): readonly CallValue[] {
  return new Variables(codeOf(tokensOf(text, language), language)).calls();
}

interface Code {
  readonly tokens: readonly Token[];
  readonly partners: Partners;
  readonly ends: ExpressionEnds;
  readonly language: Language;
}

function codeOf(tokens: readonly Token[], language: Language): Code {
  const partners = partnersOf(tokens);
  return { tokens, partners, ends: new ExpressionEnds(tokens, partners), language };
}

class Variables {
  readonly #code: Code;
  readonly #scopes: readonly Scope[];
  readonly #values = new Map<Binding, CodeValue>();
  #depth = 0;

  constructor(code: Code) {
    this.#code = code;
    this.#scopes = scopesOf(code.tokens, code.partners, code.ends, code.language);
  }

  calls(): readonly CallValue[] {
    const reader = this.#reader(undefined);
    const { tokens } = this.#code;
    for (const [index, token] of tokens.entries()) if (beginsOperand(tokens, token, index)) reader.operand(index, 0);
    return [...reader.calls.values()].sort((a, b) => a.at - b.at);
  }

  /** @param limit - The token of the variable whose value is read: it has the value from before. */
  #reader(limit: number | undefined): ExpressionReader {
    const value = (name: string, index: number): CodeValue | undefined => this.#value(name, index, limit ?? index);
    return new ExpressionReader(this.#code, value);
  }

  #value(name: string, index: number, limit: number): CodeValue | undefined {
    let scope = this.#scopes[index];
    let isOutside = false;
    for (let depth = 0; scope && depth < maxDepth; depth++, scope = scope.parent) {
      const bindings = scope.bindings.get(name);
      if (bindings) return this.#chosen(bindings, scope, { index, limit, isOutside });
      if (scope.isFunction) isOutside = true;
    }
    return undefined;
  }

  /** Chooses the value that a name has at a place. A function may run at any time, so a name outside of it has one value. */
  #chosen(
    bindings: readonly Binding[],
    scope: Scope,
    { index, limit, isOutside }: { readonly index: number; readonly limit: number; readonly isOutside: boolean },
  ): CodeValue | undefined {
    const [only] = bindings;
    if (isOutside) return bindings.length === 1 && only?.block === scope ? this.#valueOf(bindings, 0) : undefined;
    const last = firstFrom(bindings, limit) - 1;
    const block = bindings[last]?.block;
    return block && isWithin(this.#scopes[index], block) ? this.#valueOf(bindings, last) : undefined;
  }

  /** @param at - Of the binding. Those before it gave the name the value whose member this one sets. */
  #valueOf(bindings: readonly Binding[], at: number): CodeValue | undefined {
    const binding = bindings[at];
    const known = binding && this.#values.get(binding);
    if (known || binding?.value === undefined || this.#depth >= maxDepth / 4) return known;
    this.#depth++;
    const { value } = this.#reader(binding.index).expression(binding.value, 0);
    const block = bindings[at - 1]?.block;
    const whole = binding.key !== undefined && block && isWithin(binding.block, block);
    const made =
      binding.key === undefined
        ? value
        : withMember(whole ? this.#valueOf(bindings, at - 1) : undefined, binding.key, value);
    this.#depth--;
    this.#values.set(binding, made);
    return made;
  }
}

/** Whether a token is a name that is not a member, or opens brackets that are not those of a call. */
function beginsOperand(tokens: readonly Token[], token: Token, index: number): boolean {
  const before = tokens[index - 1];
  if (token.kind === "name") return !/^\??\.$/.test(signAt(tokens, index - 1) ?? "");
  if (token.kind !== "sign" || token.text !== "(") return false;
  if (before?.kind === "name") return /^(?:await|return|new|void|yield)$/.test(before.text);
  return before?.kind !== "string" && !/^(?:[)\]}>!]|\?\.)$/.test(signAt(tokens, index - 1) ?? "");
}

/** Returns the number of bindings before a token. */
function firstFrom(bindings: readonly Binding[], index: number): number {
  let [low, high] = [0, bindings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bindings[middle]?.index ?? index) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isWithin(inner: Scope | undefined, outer: Scope): boolean {
  let scope = inner;
  for (let depth = 0; scope && depth < maxDepth; depth++, scope = scope.parent) if (scope === outer) return true;
  return false;
}

function withMember(whole: CodeValue | undefined, key: string, value: CodeValue): CodeValue {
  if (whole?.kind !== "object") return { kind: "unknown", at: value.at };
  return { ...whole, members: [...whole.members.filter(([name]) => name !== key), [key, value]] };
}

/** Values in brackets, and those that have a name. */
interface Listed {
  readonly values: readonly CodeValue[];
  readonly named: readonly Member[];
  readonly end: number;
}

interface Read {
  readonly value: CodeValue;
  /** The token behind it. */
  readonly end: number;
}

class ExpressionReader {
  /** By the token of their opening bracket. */
  readonly calls = new Map<number, CallValue>();
  readonly #tokens: readonly Token[];
  readonly #partners: Partners;
  readonly #ends: ExpressionEnds;
  readonly #language: Language;
  readonly #variable: (name: string, index: number) => CodeValue | undefined;
  readonly #operands = new Map<number, Read>();

  constructor(code: Code, variable: (name: string, index: number) => CodeValue | undefined) {
    this.#tokens = code.tokens;
    this.#partners = code.partners;
    this.#ends = code.ends;
    this.#language = code.language;
    this.#variable = variable;
  }

  expression(start: number, depth: number): Read {
    let { value, end } = this.operand(start, depth);
    for (;;) {
      const sign = signAt(this.#tokens, end);
      const name = nameAt(this.#tokens, end);
      const isFallback = sign === "??" || sign === "||" || (sign === undefined && name === "or");
      if (sign !== "+" && !isFallback) break;
      const right = this.operand(end + 1, depth);
      value = isFallback ? fallback(value, right.value) : joined(value, right.value);
      end = right.end;
    }
    if (this.#language === "javascript" && /^(?:as|satisfies)$/.test(nameAt(this.#tokens, end) ?? ""))
      end = this.#ends.from(end + 1);
    if (endsExpression(this.#tokens, end, true)) return { value, end };
    return { value: this.#unknown(start), end: this.#ends.from(end) };
  }

  operand(start: number, depth: number): Read {
    const known = this.#operands.get(start);
    if (known) return known;
    const read = depth > maxDepth ? this.#passed(start) : this.#postfix(start, depth + 1);
    this.#operands.set(start, read);
    return read;
  }

  #passed(start: number): Read {
    return { value: this.#unknown(start), end: this.#ends.behind(start) };
  }

  #unknown(index: number): UnknownValue {
    return { kind: "unknown", at: this.#at(index) };
  }

  #at(index: number): number {
    return (this.#tokens[index] ?? this.#tokens.at(-1))?.at ?? 0;
  }

  #primary(start: number, depth: number): Read {
    const token = this.#tokens[start];
    const at = this.#at(start);
    if (token?.kind === "number") return { value: { kind: "plain", json: token.json, at }, end: start + 1 };
    if (token?.kind === "string") return this.#string(token, start);
    if (token?.kind === "name") return this.#name(token.text, start, depth);
    switch (token?.text) {
      case "(":
        return this.#group(start, depth);
      case "[": {
        const { values, end } = this.#list(start, depth);
        return { value: { kind: "list", items: values, at }, end };
      }
      case "{":
        return this.#object(start, depth);
      case "-": {
        const { value, end } = this.operand(start + 1, depth);
        const isNumber = value.kind === "plain" && /^\d/.test(value.json);
        return { value: isNumber ? { ...value, json: `-${value.json}`, at } : this.#unknown(start), end };
      }
      default:
        return this.#passed(start);
    }
  }

  #string(token: StringToken, start: number): Read {
    let value = this.#textOf(token, start);
    let end = start + 1;
    if (this.#language === "javascript") return { value, end };
    for (let next = this.#tokens[end]; next?.kind === "string"; next = this.#tokens[++end]) {
      if (next.indent !== undefined && signAt(this.#tokens, end + 1) === ":") break; // the next key
      value = joined(value, this.#textOf(next, end));
    }
    return { value, end };
  }

  #textOf({ parts, at }: StringToken, index: number): CodeValue {
    const texts = parts.map((part): CodeValue => (typeof part === "string" ? text(part, at) : this.#code(part, index)));
    return texts.reduce(joined, text("", at));
  }

  #code({ tokens }: CodePart, index: number): CodeValue {
    const variable = (name: string): CodeValue | undefined => this.#variable(name, index);
    const reader = new ExpressionReader(codeOf(tokens, this.#language), variable);
    const { value, end } = reader.expression(0, maxDepth / 2);
    return end < tokens.length || tokens.length === 0 ? this.#unknown(index) : value;
  }

  #name(name: string, start: number, depth: number): Read {
    const at = this.#at(start);
    const json = constants[this.#language].get(name);
    if (json !== undefined) return { value: { kind: "plain", json, at }, end: start + 1 };
    if (/^(?:await|new)$/.test(name) && this.#tokens[start + 1]) return this.operand(start + 1, depth);
    if (name === "undefined") return { value: { kind: "nothing", at }, end: start + 1 };
    const value = this.#variable(name, start);
    const isKnown = value !== undefined && value.kind !== "unknown" && value.kind !== "call";
    return { value: isKnown ? { ...value, at } : { kind: "unknown", at, path: name, root: value }, end: start + 1 };
  }

  #group(start: number, depth: number): Read {
    const { values, end } = this.#list(start, depth);
    const isFunction = signAt(this.#tokens, end) === "=>";
    if (isFunction) return { value: this.#unknown(start), end };
    const isTuple = this.#language === "python" && (values.length !== 1 || signAt(this.#tokens, end - 2) === ",");
    if (isTuple) return { value: { kind: "list", items: values, at: this.#at(start) }, end };
    return { value: values.at(-1) ?? this.#unknown(start), end };
  }

  /** Reads values in brackets. */
  #list(start: number, depth: number): Listed {
    const values: CodeValue[] = [];
    const named: Member[] = [];
    const close = this.#partners.get(start) ?? this.#tokens.length;
    for (let at = start + 1; at < close; ) {
      const key = this.#language === "python" ? nameAt(this.#tokens, at) : undefined;
      const isNamed = key !== undefined && signAt(this.#tokens, at + 1) === "=";
      const spread = /^(?:\.\.\.|\*\*?)$/.exec(signAt(this.#tokens, at) ?? "")?.[0];
      const { value, end } = this.expression(isNamed ? at + 2 : spread === undefined ? at : at + 1, depth);
      if (isNamed) named.push([key, value]);
      else if (spread === "**") named.push(...membersOf(value));
      else if (spread !== undefined) values.push(...(value.kind === "list" ? value.items : [this.#unknown(at)]));
      else values.push(value);
      at = Math.max(at, end) + 1; // the comma
      if (values.length > maxLength) return { values: [this.#unknown(start)], named: [], end: close + 1 };
    }
    return { values, named, end: close + 1 };
  }

  #object(start: number, depth: number): Read {
    const members = new Map<string, CodeValue>();
    const set = (key: string, value: CodeValue): void => {
      members.delete(key);
      members.set(key, value);
    };
    const close = this.#partners.get(start) ?? this.#tokens.length;
    for (let at = start + 1; at < close; ) {
      const isSpread = /^(?:\.\.\.|\*\*)$/.test(signAt(this.#tokens, at) ?? "");
      const { value, end, key } = isSpread
        ? { ...this.expression(at + 1, depth), key: "..." }
        : this.#member(at, depth);
      if (!isSpread) set(key, value);
      else for (const [name, one] of membersOf(value)) set(name, one);
      at = Math.max(at, end) + 1;
      if (members.size > maxLength) return { value: this.#unknown(start), end: close + 1 };
    }
    return { value: { kind: "object", members: [...members], at: this.#at(start) }, end: close + 1 };
  }

  #member(start: number, depth: number): Read & { readonly key: string } {
    const token = this.#tokens[start];
    const isName = token?.kind === "name" && this.#language === "javascript";
    const plain = isName ? token.text : plainText(token);
    if (plain !== undefined && signAt(this.#tokens, start + 1) === ":")
      return { key: plain, ...this.expression(start + 2, depth) };
    if (isName && /^[,}]?$/.test(signAt(this.#tokens, start + 1) ?? ""))
      return { key: token.text, ...this.expression(start, depth) };
    const key = this.operand(start, depth);
    const name = key.value.kind === "list" ? key.value.items[0] : key.value;
    if (name?.kind === "text" && signAt(this.#tokens, key.end) === ":")
      return { key: name.text, ...this.expression(key.end + 1, depth) };
    return {
      key: "...",
      value: this.#unknown(start),
      end: this.#ends.from(start),
    };
  }

  /** Reads a value with its members and calls. */
  #postfix(start: number, depth: number): Read {
    let { value, end } = this.#primary(start, depth);
    for (let count = 0; count < maxDepth; count++) {
      const sign = signAt(this.#tokens, end);
      const name = sign === "." || sign === "?." ? nameAt(this.#tokens, end + 1) : undefined;
      const index = sign === "[" && this.#tokens[end]?.indent === undefined ? this.#list(end, depth) : undefined;
      const open = sign === "?." && name === undefined ? end + 1 : sign === "<" ? this.#behindTypes(end) : end;
      const isCall = signAt(this.#tokens, open) === "(" && value.kind !== "plain";
      if (name !== undefined) {
        value = memberIn(value, name);
        end += 2;
      } else if (index) {
        const [key] = index.values;
        value = key?.kind === "text" ? memberIn(value, key.text) : itemIn(value, key);
        end = index.end;
      } else if (isCall && (this.#tokens[open]?.indent === undefined || this.#language === "javascript")) {
        const list = this.#list(open, depth);
        value = this.#call(value, list, open);
        end = list.end;
      } else if (sign === "!" && this.#language === "javascript") end++;
      else break;
    }
    return { value, end };
  }

  /** Passes over the types of a call: `request<{ … }>(`. */
  #behindTypes(start: number): number {
    let level = 0;
    for (let at = start; at < start + 50; at = (this.#partners.get(at) ?? at) + 1) {
      const sign = signAt(this.#tokens, at);
      if (sign === "<") level++;
      else if (sign === ">" && --level === 0) return at + 1;
      else if (sign !== undefined && !/^[{[(.,|&>]$/.test(sign)) return start;
    }
    return start;
  }

  #call(target: CodeValue, { values, named }: Listed, open: number): CodeValue {
    const at = target.at;
    const path = target.kind === "unknown" ? target.path : undefined;
    if (path === undefined) return { kind: "unknown", at };
    const root = target.kind === "unknown" ? target.root : undefined;
    const call: CallValue = { kind: "call", path, root, values, named, at };
    this.calls.set(open, call);
    return resultOf(call) ?? call;
  }
}

const constants: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  javascript: new Map([
    ["true", "true"],
    ["false", "false"],
    ["null", "null"],
  ]),
  python: new Map([
    ["True", "true"],
    ["False", "false"],
    ["None", "null"],
  ]),
};
