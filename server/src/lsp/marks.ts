import type {
  CodeLensParams,
  InlayHintParams,
  CodeLens as LspCodeLens,
  InlayHint as LspInlayHint,
  Position,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensEdit,
  SemanticTokensParams,
  SemanticTokensRangeParams,
} from "vscode-languageserver";
import type { CodeLens, LensAction } from "../features/codeLens.ts";
import type { SemanticToken } from "../features/semanticTokens.ts";
import { tokenModifiers, tokenTypes } from "../features/tokenLegend.ts";
import { lensCommand } from "./commandNames.ts";
import { toRange } from "./convert.ts";
import { type OpenText, spanOf } from "./positions.ts";
import { about, type Session } from "./session.ts";

/** What an editor shows in and between the lines of a text. */
export function answerMarks(session: Session): void {
  const { connection, client, service } = session;
  connection.languages.inlayHint.on(
    about<InlayHintParams, LspInlayHint[]>(
      session,
      "inlay hints",
      (text, { range }) => {
        const hints = service.inlayHints(text.uri, spanOf(text, range));
        // An editor that runs cells says what came of one above it, or below.
        const shown = client.options.runsCells === true ? hints.filter(({ kind }) => kind !== "result") : hints;
        return shown.map(({ span, label }) => ({
          position: text.positionAt(span.start),
          label,
          paddingLeft: true,
        }));
      },
      () => "cells",
    ),
  );
  answerLenses(session);
  answerTokens(session);
}

/** What a notebook has no buttons for. */
const inCells: ReadonlySet<LensAction> = new Set(["wire-form", "copy-as", "update-snapshot"]);

/** Of more lenses than these an editor asks for what the further ones say when it shows them. */
const mostWhole = 500;

interface ToldLenses {
  readonly list: number;
  readonly lenses: readonly CodeLens[];
}

function answerLenses(session: Session): void {
  const { connection, client, service, texts, notebookOf, guard } = session;
  const told = new Map<string, ToldLenses>();
  let list = 0;
  const commandOf = (uri: string, { title, action, index }: CodeLens): Pick<LspCodeLens, "command"> => {
    const command = lensCommand(action, client);
    return command === undefined ? {} : { command: { title, command, arguments: [uri, index] } };
  };
  connection.onCodeLens(
    about<CodeLensParams, LspCodeLens[]>(session, "code lens", (text) => {
      const { uri } = text;
      // An editor that runs cells has buttons for that on each cell of a notebook, and shows results there.
      const isCell = client.options.runsCells === true && notebookOf(uri) !== undefined;
      const lenses = service
        .codeLenses(uri)
        .filter(({ action }) => (!isCell || inCells.has(action)) && lensCommand(action, client) !== undefined);
      list++;
      for (const known of told.keys()) if (!texts.has(known)) told.delete(known);
      if (lenses.length > mostWhole) told.set(uri, { list, lenses });
      else told.delete(uri);
      return lenses.map((lens, at) => ({
        range: toRange(text, lens.span),
        ...(at < mostWhole ? commandOf(uri, lens) : { data: [list, at] }),
      }));
    }),
  );
  connection.onCodeLensResolve((lens) =>
    guard("code lens resolve", lens, () => {
      const [of, at]: readonly (number | undefined)[] = lens.data;
      for (const [uri, { list, lenses }] of told) {
        const found = list === of ? lenses[at ?? -1] : undefined;
        if (found) return { ...lens, ...commandOf(uri, found) };
      }
      return lens;
    })(),
  );
}

/** Tokens are told once, and then only where they have changed. */
function answerTokens(session: Session): void {
  const { connection, service } = session;
  const told = new WeakMap<OpenText, { readonly id: string; readonly data: readonly number[] }>();
  let results = 0;
  const tell = (text: OpenText): { resultId: string; data: number[] } => {
    const result = { resultId: String(++results), data: encoded(text, service.semanticTokens(text.uri)) };
    told.set(text, { id: result.resultId, data: result.data });
    return result;
  };
  const { semanticTokens } = connection.languages;
  semanticTokens.on(about<SemanticTokensParams, SemanticTokens>(session, "tokens", tell));
  semanticTokens.onDelta(
    about<SemanticTokensDeltaParams, SemanticTokens | SemanticTokensDelta>(
      session,
      "changed tokens",
      (text, { previousResultId }) => {
        const before = told.get(text);
        const now = tell(text);
        if (before?.id !== previousResultId) return now;
        return { resultId: now.resultId, edits: changes(before.data, now.data) };
      },
    ),
  );
  semanticTokens.onRange(
    about<SemanticTokensRangeParams, SemanticTokens>(session, "tokens of a range", (text, { range }) => ({
      data: encoded(text, service.semanticTokens(text.uri, spanOf(text, range))),
    })),
  );
}

/**
 * Five numbers a token: lines and characters from the one before, length, type, modifiers.
 * @see https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_semanticTokens
 */
function encoded(text: OpenText, tokens: readonly SemanticToken[]): number[] {
  const data: number[] = [];
  let last: Position = { line: 0, character: 0 };
  for (const { span, type, modifiers } of tokens) {
    const start = text.positionAt(span.start);
    const end = text.positionAt(span.end);
    if (start.line !== end.line || start.character >= end.character) continue; // editors take none that wrap
    const lines = start.line - last.line;
    let bits = 0;
    for (const modifier of modifiers) bits |= 1 << tokenModifiers.indexOf(modifier);
    const character = lines === 0 ? start.character - last.character : start.character;
    data.push(lines, character, end.character - start.character, tokenTypes.indexOf(type), bits);
    last = start;
  }
  return data;
}

/** The one edit between what two lists begin and end with alike. */
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
