import { memoByObject } from "../base/memo.ts";

/** The part of an answer that is about one cell. */
type Piece = readonly unknown[];

const piecesOf = new WeakMap<Piece, readonly Piece[]>();

/** Returns an answer that is made of pieces. */
export function joined<Item>(pieces: readonly (readonly Item[])[]): Item[] {
  const all: Item[] = [];
  for (const piece of pieces) for (const item of piece) all.push(item); // `flat` takes ten times as long
  piecesOf.set(all, pieces);
  return all;
}

/** Prints a message as JSON. A piece of an answer is printed once. */
export function printed(message: object): string {
  const pieces = "result" in message && Array.isArray(message.result) ? piecesOf.get(message.result) : undefined;
  if (!pieces) return JSON.stringify(message);
  const result = pieces.filter((piece) => piece.length > 0).map(jsonOf);
  return `${JSON.stringify({ ...message, result: undefined }).slice(0, -1)},"result":[${result.join()}]}`;
}

/** The elements of a list without its brackets. */
const jsonOf = memoByObject((piece: Piece) => JSON.stringify(piece).slice(1, -1));
