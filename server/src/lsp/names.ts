import {
  type DefinitionParams,
  DocumentHighlightKind,
  type DocumentHighlightParams,
  LSPErrorCodes,
  type DocumentHighlight as LspDocumentHighlight,
  type Location as LspLocation,
  type PrepareRenameParams,
  type Range,
  type ReferenceParams,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { Location } from "../editor/languageFeatures.ts";
import { toRange } from "./convert.ts";
import { toWorkspaceEdit } from "./edits.ts";
import { positionsIn } from "./filePosition.ts";
import { about, type Session } from "./session.ts";

/** What goes by the names of variables, cells, labels and endpoints. */
export function answerNames(session: Session): void {
  const { connection, service } = session;
  connection.onDefinition(
    about<DefinitionParams, LspLocation[]>(session, "definition", (text, { position }) =>
      toLocations(session, service.definition(text.uri, text.offsetAt(position))),
    ),
  );
  connection.onReferences(
    about<ReferenceParams, LspLocation[]>(session, "references", (text, { position, context }) =>
      toLocations(
        session,
        service.references(text.uri, text.offsetAt(position), context?.includeDeclaration !== false),
      ),
    ),
  );
  connection.onDocumentHighlight(
    about<DocumentHighlightParams, LspDocumentHighlight[]>(session, "highlights", (text, { position }) =>
      service.highlights(text.uri, text.offsetAt(position)).map(({ span, kind }) => ({
        range: toRange(text, span),
        kind: kind === "declaration" ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
    ),
  );
  connection.onPrepareRename(
    about<PrepareRenameParams, { range: Range; placeholder: string } | null>(
      session,
      "rename",
      (text, { position }) => {
        const found = service.renameable(text.uri, text.offsetAt(position));
        return found ? { range: toRange(text, found.span), placeholder: found.name } : null;
      },
    ),
  );
  connection.onRenameRequest(
    about<RenameParams, WorkspaceEdit | ResponseError<void>>(session, "rename", (text, { position, newName }) => {
      if (typeof newName !== "string") throw new TypeError("That is no name.");
      const renamed = service.rename(text.uri, text.offsetAt(position), newName);
      if ("refused" in renamed) return new ResponseError(LSPErrorCodes.RequestFailed, renamed.refused);
      return toWorkspaceEdit(session, renamed);
    }),
  );
}

async function toLocations(session: Session, found: readonly Location[]): Promise<LspLocation[]> {
  const locations = await Promise.all(found.map((location) => toLocation(session, location)));
  return locations.flat();
}

async function toLocation(session: Session, location: Location): Promise<readonly LspLocation[]> {
  const { uri } = location;
  if ("place" in location) {
    const position = (await positionsIn(session, uri))(location.place);
    return [{ uri, range: { start: position, end: position } }];
  }
  const text = session.texts.get(uri);
  return text ? [{ uri, range: toRange(text, location.span) }] : [];
}
