import type { DocumentLink, DocumentLinkParams } from "vscode-languageserver";
import { toRange } from "./convert.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the links of a text: addresses at explorers, and files of the project. */
export function answerLinks(session: Session): void {
  const { connection, service } = session;
  connection.onDocumentLinks(
    textRequest<DocumentLinkParams, DocumentLink[]>(session, "links", (text) =>
      service
        .links(text.uri)
        .map(({ span, target, tooltip }) => ({ range: toRange(text, span), target, ...(tooltip && { tooltip }) })),
    ),
  );
}
