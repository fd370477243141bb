import type { DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit } from "vscode-languageserver";
import type { FormattingOptions } from "../features/formatting.ts";
import { toEdit } from "./edits.ts";
import { spanOf } from "./positions.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the edits that format a text, or the cells that a range touches. */
export function answerFormatting(session: Session): void {
  const { connection, service } = session;
  connection.onDocumentFormatting(
    textRequest<DocumentFormattingParams, TextEdit[]>(session, "formatting", (text, { options }) =>
      service.formatting(text.uri, indentOf(options)).map((edit) => toEdit(text, edit)),
    ),
  );
  connection.onDocumentRangeFormatting(
    textRequest<DocumentRangeFormattingParams, TextEdit[]>(session, "range formatting", (text, { options, range }) =>
      service.formatting(text.uri, indentOf(options), spanOf(text, range)).map((edit) => toEdit(text, edit)),
    ),
  );
}

function indentOf({ tabSize, insertSpaces }: DocumentFormattingParams["options"]): FormattingOptions {
  const spaces = Number.isInteger(tabSize) ? Math.min(Math.max(tabSize, 1), 16) : 2;
  return { indent: insertSpaces === false ? "\t" : " ".repeat(spaces) };
}
