import type { ParseError } from "jsonc-parser";
import { span } from "../base/span.ts";
import { brief, visible } from "../base/text.ts";
import type { SyntaxFault } from "./cell.ts";
import type { JsonNode } from "./json.ts";

/** More than these in one cell say nothing new. */
const maxFaults = 50;

// const enums do not survive `isolatedModules`: these are jsonc-parser's ParseErrorCode
const invalidSymbol = 1;
const nameExpected = 3;
const valueExpected = 4;
const colonExpected = 5;
const commaExpected = 6;
const braceExpected = 7;
const bracketExpected = 8;
const endExpected = 9;
const comment = 10;
const openComment = 11;
const openString = 12;
const cutNumber = 13;
const badUnicode = 14;
const badEscape = 15;
const badCharacter = 16;

/** Says in people's words what the parser found, without what only follows from an earlier fault. */
export function syntaxFaults(text: string, errors: readonly ParseError[]): readonly SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  let end = -1; // of the last fault's text
  let dropped = false;
  for (const error of errors.slice(0, maxFaults)) {
    const follows: boolean = /^[\s:]*$/.test(text.slice(Math.max(0, end), error.offset)) && (end >= 0 || dropped);
    const vague = error.error === nameExpected || error.error === valueExpected || error.error === colonExpected;
    const pair: boolean = dropped && error.error === valueExpected;
    dropped = pair || (follows && (vague || error.error === invalidSymbol)) || error.offset < end;
    if (dropped || (error.offset >= text.length && error.error < braceExpected)) continue;
    if (isClosing(error.error) && faults.some(({ what }) => what.includes("is missing"))) continue;
    const fault = faultOf(text, error);
    faults.push(fault);
    end = error.error === invalidSymbol || fault.span.end > error.offset ? fault.span.end : error.offset;
    dropped = error.error === nameExpected;
  }
  return faults;
}

/** A value that is JSON, and yet no cell. White space alone is none: nothing has been typed. */
export function rootFaults(text: string, root: JsonNode | undefined): readonly SyntaxFault[] {
  if (root === undefined || root.type === "object" || root.type === "array") return [];
  return [{ ...fault(text, root.offset, root.length, "a request is an object, `{ … }`"), isJson: true }];
}

function isClosing(code: number): boolean {
  return code === braceExpected || code === bracketExpected;
}

function faultOf(text: string, { error, offset, length }: ParseError): SyntaxFault {
  const token = text.slice(offset, offset + length);
  switch (error) {
    case invalidSymbol:
      return symbolFault(text, offset, token);
    case nameExpected:
    case valueExpected:
      return missingFault(text, offset, length, error === nameExpected ? "a key in double quotes" : "a value");
    case colonExpected:
      return fault(text, offset, length, "a colon is missing before this");
    case commaExpected:
      return commaFault(text, offset, token);
    case braceExpected:
    case bracketExpected:
      return atEnd(text, error === braceExpected ? "`}` is missing at the end" : "`]` is missing at the end");
    case endExpected:
      return fault(text, offset, text.length - offset, "nothing may follow the end");
    case comment:
    case openComment:
      return fault(text, offset, length, "JSON has no comments");
    case openString:
      return fault(text, offset, length, "the string has no closing quote");
    case cutNumber:
      return fault(text, offset, length, "the number is cut short");
    case badUnicode:
    case badEscape:
      return escapeFault(text, offset, token);
    case badCharacter: {
      const at = token.search(/[\0-\x1f]/);
      return fault(text, offset + at, 1, `a control character is written \`${escaped(token.charAt(at))}\``);
    }
    default:
      return fault(text, offset, length, "unexpected text");
  }
}

function symbolFault(text: string, offset: number, token: string): SyntaxFault {
  if (token.startsWith("'")) {
    const whole = /^'[^'\r\n]*'?/.exec(text.slice(offset, offset + 1000))?.[0] ?? token;
    return fault(text, offset, whole.length, "strings need double quotes");
  }
  if (/^[xX][0-9a-fA-F]*$/.test(token) && text[offset - 1] === "0") {
    return fault(text, offset - 1, token.length + 1, "hex values need double quotes");
  }
  const key = /^\s*:/.test(text.slice(offset + token.length, offset + token.length + 100));
  return fault(
    text,
    offset,
    token.length,
    key ? "keys need double quotes" : `\`${brief(token, 40)}\` is not a JSON value`,
  );
}

function missingFault(text: string, offset: number, length: number, what: string): SyntaxFault {
  const before = text.slice(0, offset).trimEnd();
  const last = before.at(-1);
  const next = text[offset];
  if (last === "[" && next === "}") return fault(text, offset, length, "`]` is missing before this");
  if (last === "," && (next === "]" || next === "}")) return fault(text, before.length - 1, 1, "one comma too many");
  if (next === ",")
    return fault(text, offset, 1, last === ":" ? "a value is missing before this" : "one comma too many");
  return fault(text, offset, length, `${what} is missing before this`);
}

function commaFault(text: string, offset: number, token: string): SyntaxFault {
  if (token === "}" || token === "]") {
    return fault(text, offset, 1, `\`${token === "}" ? "]" : "}"}\` is missing before this`);
  }
  if (/\d/.test(token) && /(?<![\d.eE+-])-?0$/.test(text.slice(Math.max(0, offset - 3), offset))) {
    return fault(text, offset - 1, token.length + 1, "numbers have no leading zeros");
  }
  return fault(text, offset, token.length, "a comma is missing before this");
}

function escapeFault(text: string, offset: number, token: string): SyntaxFault {
  for (let i = token.indexOf("\\"); i >= 0; i = token.indexOf("\\", i + 2)) {
    const next = token.charAt(i + 1);
    const digits = next === "u" ? (/^[0-9a-fA-F]{0,4}/.exec(token.slice(i + 2, i + 6))?.[0].length ?? 0) : 4;
    if (digits < 4) return fault(text, offset + i, 2 + digits, "`\\u` takes four hex digits");
    if (!'"\\/bfnrtu'.includes(next))
      return fault(text, offset + i, 2, `\`\\${visible(next)}\` is not an escape sequence`);
  }
  return fault(text, offset, token.length, "an escape in this string is broken");
}

function escaped(control: string): string {
  return JSON.stringify(control).slice(1, -1);
}

function atEnd(text: string, what: string): SyntaxFault {
  const end = text.trimEnd().length;
  return fault(text, Math.max(0, end - 1), 1, what);
}

/** Kept to one line, and at least one character wide, so that a caret can be under it. */
function fault(text: string, start: number, length: number, what: string): SyntaxFault {
  const line = text.slice(start, start + length).search(/[\r\n]/);
  const width = line > 0 ? line : line === 0 ? 1 : length;
  return { code: "json-syntax", span: span(start, Math.min(text.length, start + Math.max(1, width))), what };
}
