import { deeperThan } from "../base/jsonScan.ts";
import { brief } from "../base/text.ts";
import { isJson } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Entry, Imported, Note } from "./importModel.ts";
import { placeIn, type Quoted, quoted, replacedIn, trimmed } from "./words.ts";

export interface Body {
  readonly text: string;
  readonly notes: readonly Note[];
}

/**
 * Reads the body of a request. Every number, key and space stays as it is. Only placeholders without quotes, which
 * Postman and shells fill in, get quotes, and lines end as in notebooks. Comments, which Postman and editors remove before
 * they send, are left out.
 */
export function readBody(written: Quoted): Body {
  const whole = tidied(trimmed(written), false);
  const bare = readCell(whole.text).faults.length > 0 ? trimmed(tidied(trimmed(written), true)) : whole;
  const isCommented = bare !== whole && bare.text !== whole.text && readCell(bare.text).faults.length === 0;
  const body = isCommented ? bare : whole;
  const { text } = body;
  const { faults, requests, root, kind } = readCell(text);
  const note = (offset: number, what: string): Note => ({ at: placeIn(body, offset), severity: "error", what });
  const [fault] = faults;
  if (fault) return { text, notes: [note(fault.span.start, `The body is not JSON: ${brief(fault.what)}.`)] };
  if (kind === "opaque") return { text, notes: [note(0, "The body nests deeper than 512 levels.")] };
  if (text === "" || !root) return { text, notes: [note(0, "The request has no body.")] };
  if (requests.some(({ method }) => method === undefined) || requests.length === 0)
    return { text, notes: [note(root.offset, "The body is not a JSON-RPC request: it has no `method`.")] };
  if (requests.some(({ method }) => method?.includes("{{")))
    return { text, notes: [note(root.offset, "The method is not known here. Write its name instead.")] };
  const left: Note = { at: placeIn(body, 0), severity: "note", what: "Comments in the body are left out." };
  return { text, notes: isCommented ? [left] : [] };
}

/** Makes a string of each placeholder outside of strings, which keeps the type of its value. */
function tidied(body: Quoted, withoutComments: boolean): Quoted {
  const tokens =
    /"(?:[^"\\]|\\[\s\S])*"?|(?<placeholder>\{\{[^{}"\r\n]{1,200}\}\})|(?<comment>\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$))|\r\n?/g;
  return replacedIn(body, tokens, ({ 0: token, groups: { placeholder, comment } = {} }) => {
    if (placeholder !== undefined) return `"${token}"`;
    if (comment !== undefined && withoutComments) return "";
    return token.startsWith("\r") ? "\n" : token;
  });
}

/** Reads requests in the form that is sent: one, an array of them, or one a line. */
export function readRequests(text: string): Imported {
  const pieces = piecesOf(text).map(({ text: piece, start }) => readBody(quoted(piece, start)));
  const entries = pieces.map(
    ({ text: body }): Entry => ({ kind: "request", body, name: undefined, target: undefined }),
  );
  return { entries, variables: new Map(), notes: pieces.flatMap(({ notes }) => notes) };
}

interface Piece {
  readonly text: string;
  readonly start: number;
}

function piecesOf(text: string): readonly Piece[] {
  const lines = linesOf(text);
  if (lines.length > 1 && lines.every((line) => isJson(line.text))) return lines;
  const { form, spans, faults } = readFile(text);
  const isList = form === "array" && faults.length === 0 && !deeperThan(text, 512);
  return isList ? spans.map(({ start, end }) => ({ text: text.slice(start, end), start })) : [{ text, start: 0 }];
}

function linesOf(text: string): readonly Piece[] {
  return [...text.matchAll(/[^\r\n]*\S[^\r\n]*/g)].map(({ 0: line, index }) => ({ text: line, start: index }));
}
