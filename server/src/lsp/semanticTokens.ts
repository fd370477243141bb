import type {
  Position,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensEdit,
  SemanticTokensParams,
  SemanticTokensRangeParams,
} from "vscode-languageserver";
import type { Placed } from "../editor/cellQueries.ts";
import type { SemanticToken } from "../features/semanticTokens.ts";
import { tokenModifiers, tokenTypes } from "../features/tokenLegend.ts";
import { pieceBy, type RangeOf } from "./pieces.ts";
import { type OpenText, spanOf } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Answers with all tokens once, and after that with what has changed. */
export function answerSemanticTokens(session: Session): void {
  const { connection, service } = session;
  const sent = new WeakMap<OpenText, { readonly id: string; readonly data: readonly number[] }>();
  const encode = pieceBy(encoded);
  const data = (text: OpenText, placed: readonly Placed<SemanticToken>[]): number[] =>
    linked(placed.map((one) => encode(text, one)));
  let lastId = 0;
  const answer = (text: OpenText): { resultId: string; data: number[] } => {
    const result = { resultId: String(++lastId), data: data(text, service.semanticTokens(text.uri)) };
    sent.set(text, { id: result.resultId, data: result.data });
    return result;
  };
  const { semanticTokens } = connection.languages;
  semanticTokens.on(textRequest<SemanticTokensParams, SemanticTokens>(session, "tokens", answer));
  semanticTokens.onDelta(
    textRequest<SemanticTokensDeltaParams, SemanticTokens | SemanticTokensDelta>(
      session,
      "changed tokens",
      (text, { previousResultId }) => {
        const before = sent.get(text);
        const now = answer(text);
        if (before?.id !== previousResultId) return now;
        return { resultId: now.resultId, edits: changes(before.data, now.data) };
      },
    ),
  );
  semanticTokens.onRange(
    textRequest<SemanticTokensRangeParams, SemanticTokens>(session, "tokens of a range", (text, { range }) => ({
      data: data(text, service.semanticTokens(text.uri, spanOf(text, range))),
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

/** Puts the tokens of cells one after the other. */
function linked(pieces: readonly Encoded[]): number[] {
  const all: number[] = [];
  let before: Position = { line: 0, character: 0 };
  for (const { data, last } of pieces) {
    const [line, character] = data;
    if (line === undefined || character === undefined) continue;
    all.push(...between(before, { line, character }));
    for (let at = 2; at < data.length; at++) all.push(data[at] ?? 0);
    before = last;
  }
  return all;
}

/** Returns one edit: from the first to the last number that differs. */
function changes(before: readonly number[], after: readonly number[]): SemanticTokensEdit[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const deleteCount = before.length - start - tail;
  const data = after.slice(start, after.length - tail);
  return deleteCount === 0 && data.length === 0 ? [] : [{ start, deleteCount, data }];
}
