import type {
  Position,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensEdit,
  SemanticTokensParams,
  SemanticTokensRangeParams,
} from "vscode-languageserver";
import type { Span } from "../base/span.ts";
import type { SemanticToken } from "../features/semanticTokens.ts";
import { tokenModifiers, tokenTypes } from "../features/tokenLegend.ts";
import { piecesBy, type RangeOf } from "./pieces.ts";
import { type OpenText, spanOf } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Answers with all tokens once, and after that with what has changed. */
export function answerSemanticTokens(session: Session): void {
  const { connection, service } = session;
  const sent = new WeakMap<OpenText, { readonly id: string; readonly pieces: readonly Encoded[] }>();
  const [encode, encodePart] = [piecesBy(encoded), piecesBy(encoded)];
  const piecesIn = (text: OpenText, span?: Span): readonly Encoded[] => {
    const pieces = (span ? encodePart : encode)(text, service.semanticTokens(text.uri, span));
    return pieces.filter(({ data }) => data.length > 0);
  };
  let lastId = 0;
  const begin = (text: OpenText): { readonly id: string; readonly pieces: readonly Encoded[] } => {
    const answer = { id: String(++lastId), pieces: piecesIn(text) };
    sent.set(text, answer);
    return answer;
  };
  const { semanticTokens } = connection.languages;
  semanticTokens.on(
    textRequest<SemanticTokensParams, SemanticTokens>(session, "tokens", (text) => {
      const { id, pieces } = begin(text);
      return { resultId: id, data: linked(pieces) };
    }),
  );
  semanticTokens.onDelta(
    textRequest<SemanticTokensDeltaParams, SemanticTokens | SemanticTokensDelta>(
      session,
      "changed tokens",
      (text, { previousResultId }) => {
        const before = sent.get(text);
        const { id, pieces } = begin(text);
        if (before?.id !== previousResultId) return { resultId: id, data: linked(pieces) };
        return { resultId: id, edits: changes(before.pieces, pieces) };
      },
    ),
  );
  semanticTokens.onRange(
    textRequest<SemanticTokensRangeParams, SemanticTokens>(session, "tokens of a range", (text, { range }) => ({
      data: linked(piecesIn(text, spanOf(text, range))),
    })),
  );
}

/** Tokens as numbers, the first as if none came before it. */
interface Encoded {
  readonly data: readonly number[];
  /** Where the last token begins. */
  readonly last: Position;
}

/**
 * Encodes tokens as the protocol does. Five numbers a token: lines and characters from the one before, length, type, modifiers.
 * @see https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_semanticTokens
 */
function encoded(tokens: readonly SemanticToken[], rangeOf: RangeOf): Encoded {
  const data: number[] = [];
  let last: Position = { line: 0, character: 0 };
  for (const { span, type, modifiers } of tokens) {
    const { start, end } = rangeOf(span);
    if (start.line !== end.line || start.character >= end.character) continue; // editors do not take tokens of several lines
    let bits = 0;
    for (const modifier of modifiers) bits |= 1 << tokenModifiers.indexOf(modifier);
    data.push(...between(last, start), end.character - start.character, tokenTypes.indexOf(type), bits);
    last = start;
  }
  return { data, last };
}

function between(last: Position, { line, character }: Position): readonly [lines: number, characters: number] {
  return line === last.line ? [0, character - last.character] : [line - last.line, character];
}

const textStart: Position = { line: 0, character: 0 };

/** Puts the tokens of cells one after the other. @param from - Where the last token before them begins. */
function linked(pieces: readonly Encoded[], from = textStart): number[] {
  const all: number[] = [];
  let before = from;
  for (const { data, last } of pieces) {
    const [line, character] = data;
    if (line === undefined || character === undefined) continue;
    all.push(...between(before, { line, character }));
    for (let at = 2; at < data.length; at++) all.push(data[at] ?? 0);
    before = last;
  }
  return all;
}

/** Returns one edit: from the first to the last number that differs. Only the cells between those that stay are compared. */
function changes(before: readonly Encoded[], after: readonly Encoded[]): SemanticTokensEdit[] {
  const cells = sameEnds(before, after, isSame);
  const same = before.slice(0, cells.head);
  const tail = Math.max(0, cells.tail - 1); // the first token after a change counts from the last one before it
  const inMiddle = (all: readonly Encoded[]): readonly number[] =>
    linked(all.slice(cells.head, all.length - tail), same.at(-1)?.last);
  const [old, now] = [inMiddle(before), inMiddle(after)];
  const numbers = sameEnds(old, now, Object.is);
  const start = same.reduce((sum, { data }) => sum + data.length, numbers.head);
  const deleteCount = old.length - numbers.head - numbers.tail;
  const data = now.slice(numbers.head, now.length - numbers.tail);
  return deleteCount === 0 && data.length === 0 ? [] : [{ start, deleteCount, data }];
}

/** How many elements two lists have in common at their starts and, after those, at their ends. */
function sameEnds<Item>(
  one: readonly Item[],
  other: readonly Item[],
  same: (one: Item | undefined, other: Item | undefined) => boolean,
): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && same(one[head], other[head])) head++;
  let tail = 0;
  while (tail < shorter - head && same(one[one.length - 1 - tail], other[other.length - 1 - tail])) tail++;
  return { head, tail };
}

/** The header, which is around the cells, is encoded each time. */
function isSame(one: Encoded | undefined, other: Encoded | undefined): boolean {
  if (one === other || !one || !other) return one === other;
  const { line, character } = one.last;
  const isSameEnd = line === other.last.line && character === other.last.character;
  return isSameEnd && one.data.length === other.data.length && one.data.every((each, at) => each === other.data[at]);
}
