import {
  type DefinitionParams,
  DocumentHighlightKind,
  type DocumentHighlightParams,
  LSPErrorCodes,
  type DocumentHighlight as LspDocumentHighlight,
  type Location as LspLocation,
  type Position,
  type PrepareRenameParams,
  type Range,
  type ReferenceParams,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { decodeFile } from "../notebook/bytes.ts";
import type { Location } from "../service.ts";
import { toRange } from "./convert.ts";
import { toWorkspaceEdit } from "./edits.ts";
import { openText } from "./positions.ts";
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
    const position = await positionInFile(session, uri, {
      line: location.place.line - 1,
      character: location.place.column - 1,
    });
    return [{ uri, range: { start: position, end: position } }];
  }
  const text = session.texts.get(uri);
  return text ? [{ uri, range: toRange(text, location.span) }] : [];
}

/** A place in a file that is not open: only its text says where that is for an editor that does not count code units. */
async function positionInFile({ client, files }: Session, uri: string, place: Position): Promise<Position> {
  if (client.encoding === "utf-16") return place;
  const bytes = await files.read(uri);
  const file = bytes && decodeFile(bytes);
  if (!file || !("text" in file)) return place;
  const given = { uri, languageId: "", version: 0, text: file.text };
  return openText(given, client.encoding).positionAt(openText(given, "utf-16").offsetAt(place));
}
