import type { InlayHintParams, InlayHint as LspInlayHint } from "vscode-languageserver";
import { spanOf } from "./positions.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the hints in a range. */
export function answerInlayHints(session: Session): void {
  const { connection, client, service } = session;
  connection.languages.inlayHint.on(
    textRequest<InlayHintParams, LspInlayHint[]>(
      session,
      "inlay hints",
      (text, { range }) => {
        const hints = service.inlayHints(text.uri, spanOf(text, range));
        // An editor that runs cells shows the result of each one below or beside it.
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
}
