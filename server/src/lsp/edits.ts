import type { TextEdit as LspTextEdit, WorkspaceEdit } from "vscode-languageserver";
import type { TextEdit } from "../workspace/documents.ts";
import { toRange } from "./convert.ts";
import type { OpenText } from "./positions.ts";
import type { Session } from "./session.ts";

/** Converts edits of several documents, with their versions if the editor takes those. */
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

export function toEdit(text: OpenText, { span, insert }: TextEdit): LspTextEdit {
  return { range: toRange(text, span), newText: insert };
}
