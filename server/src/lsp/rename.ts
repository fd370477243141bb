import {
  LSPErrorCodes,
  type PrepareRenameParams,
  type Range,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { toRange } from "./convert.ts";
import { toWorkspaceEdit } from "./edits.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the edits of a rename, or with an error that says why it is refused. */
export function answerRename(session: Session): void {
  const { connection, service } = session;
  connection.onPrepareRename(
    textRequest<PrepareRenameParams, { range: Range; placeholder: string } | null>(
      session,
      "prepare rename",
      (text, { position }) => {
        const renameable = service.renameable(text.uri, text.offsetAt(position));
        return renameable ? { range: toRange(text, renameable.span), placeholder: renameable.name } : null;
      },
    ),
  );
  connection.onRenameRequest(
    textRequest<RenameParams, WorkspaceEdit | ResponseError<void>>(session, "rename", (text, { position, newName }) => {
      if (typeof newName !== "string") throw new TypeError("The new name is not a string.");
      const renamed = service.rename(text.uri, text.offsetAt(position), newName);
      if ("refused" in renamed) return new ResponseError(LSPErrorCodes.RequestFailed, renamed.refused);
      return toWorkspaceEdit(session, renamed);
    }),
  );
}
