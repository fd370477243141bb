import {
  type DefinitionParams,
  type DocumentHighlight,
  DocumentHighlightKind,
  type DocumentHighlightParams,
  type Location,
  LSPErrorCodes,
  type PrepareRenameParams,
  type Range,
  type ReferenceParams,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { toLocations, toWorkspaceEdit } from "./locations.ts";
import { toRange } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Answers with the declaration of the name at a position. */
export function answerDefinition(session: Session): void {
  const { connection, service } = session;
  connection.onDefinition(
    textRequest<DefinitionParams, Location[]>(session, "definition", (text, { position }) =>
      toLocations(session, service.definition(text.uri, text.offsetAt(position))),
    ),
  );
}

/** Answers with the uses of the name at a position. */
export function answerReferences(session: Session): void {
  const { connection, service } = session;
  connection.onReferences(
    textRequest<ReferenceParams, Location[]>(session, "references", (text, { position, context }) => {
      const includeDeclaration = context?.includeDeclaration !== false;
      return toLocations(session, service.references(text.uri, text.offsetAt(position), includeDeclaration));
    }),
  );
}

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
