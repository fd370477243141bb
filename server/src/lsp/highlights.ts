import { type DocumentHighlight, DocumentHighlightKind, type DocumentHighlightParams } from "vscode-languageserver";
import { toRange } from "./convert.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the declaration and the uses of a name in the same text. */
export function answerHighlights(session: Session): void {
  const { connection, service } = session;
  connection.onDocumentHighlight(
    textRequest<DocumentHighlightParams, DocumentHighlight[]>(session, "highlights", (text, { position }) =>
      service.highlights(text.uri, text.offsetAt(position)).map(({ span, kind }) => ({
        range: toRange(text, span),
        kind: kind === "declaration" ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
    ),
  );
}
