import { deeperThan } from "../base/jsonScan.ts";
import { isJson } from "../notebook/json.ts";
import { readFile } from "../notebook/readFile.ts";
import { readBody } from "./body.ts";
import type { Entry, Imported } from "./importModel.ts";
import { quoted } from "./quoted.ts";

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
