import type {
  DocumentFormattingParams,
  DocumentRangeFormattingParams,
  TextEdit as LspTextEdit,
  WorkspaceEdit,
} from "vscode-languageserver";
import type { FormattingOptions } from "../features/formatting.ts";
import type { TextEdit } from "../workspace/documents.ts";
import { toRange } from "./convert.ts";
import { type OpenText, spanOf } from "./positions.ts";
import { about, type Session } from "./session.ts";

/** Lays texts out afresh. */
export function answerFormatting(session: Session): void {
  const { connection, service } = session;
  const toEdits = (text: OpenText, edits: readonly TextEdit[]): LspTextEdit[] =>
    edits.map((edit) => toEdit(text, edit));
  connection.onDocumentFormatting(
    about<DocumentFormattingParams, LspTextEdit[]>(session, "formatting", (text, { options }) =>
      toEdits(text, service.formatting(text.uri, indentOf(options))),
    ),
  );
  connection.onDocumentRangeFormatting(
    about<DocumentRangeFormattingParams, LspTextEdit[]>(session, "range formatting", (text, { options, range }) =>
      toEdits(text, service.formatting(text.uri, indentOf(options), spanOf(text, range))),
    ),
  );
}

/** Edits of several documents, with their versions where the editor takes those. */
export function toWorkspaceEdit({ texts, client }: Session, edits: readonly TextEdit[]): WorkspaceEdit {
  const byText = new Map<OpenText, LspTextEdit[]>();
  for (const edit of edits) {
    const text = texts.get(edit.uri);
    if (text) byText.set(text, [...(byText.get(text) ?? []), toEdit(text, edit)]);
  }
  if (!client.takesVersionedEdits) {
    return { changes: Object.fromEntries([...byText].map(([{ uri }, edits]) => [uri, edits])) };
  }
  return {
    documentChanges: [...byText].map(([{ uri, version }, edits]) => ({ textDocument: { uri, version }, edits })),
  };
}

function toEdit(text: OpenText, { span, insert }: TextEdit): LspTextEdit {
  return { range: toRange(text, span), newText: insert };
}

function indentOf({ tabSize, insertSpaces }: DocumentFormattingParams["options"]): FormattingOptions {
  const spaces = Number.isInteger(tabSize) ? Math.min(Math.max(tabSize, 1), 16) : 2;
  return { indent: insertSpaces === false ? "\t" : " ".repeat(spaces) };
}
