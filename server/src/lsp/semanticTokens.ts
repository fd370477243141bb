import type {
  Position,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensEdit,
  SemanticTokensParams,
  SemanticTokensRangeParams,
} from "vscode-languageserver";
import type { SemanticToken } from "../features/semanticTokens.ts";
import { tokenModifiers, tokenTypes } from "../features/tokenLegend.ts";
import { type OpenText, spanOf } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Answers with all tokens once, and after that with what has changed. */
export function answerSemanticTokens(session: Session): void {
  const { connection, service } = session;
  const sent = new WeakMap<OpenText, { readonly id: string; readonly data: readonly number[] }>();
  let lastId = 0;
  const answer = (text: OpenText): { resultId: string; data: number[] } => {
    const result = { resultId: String(++lastId), data: encoded(text, service.semanticTokens(text.uri)) };
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
      data: encoded(text, service.semanticTokens(text.uri, spanOf(text, range))),
    })),
  );
}

/**
 * Encodes tokens as the protocol does. Five numbers a token: lines and characters from the one before, length, type, modifiers.
 * @see https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_semanticTokens
 */
function encoded(text: OpenText, tokens: readonly SemanticToken[]): number[] {
  const data: number[] = [];
  let last: Position = { line: 0, character: 0 };
  for (const { span, type, modifiers } of tokens) {
    const start = text.positionAt(span.start);
    const end = text.positionAt(span.end);
    if (start.line !== end.line || start.character >= end.character) continue; // editors do not take tokens of several lines
    const lines = start.line - last.line;
    let bits = 0;
    for (const modifier of modifiers) bits |= 1 << tokenModifiers.indexOf(modifier);
    const character = lines === 0 ? start.character - last.character : start.character;
    data.push(lines, character, end.character - start.character, tokenTypes.indexOf(type), bits);
    last = start;
  }
  return data;
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
