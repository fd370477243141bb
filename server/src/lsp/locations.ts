import type { Location as LspLocation, TextEdit as LspTextEdit, Position, WorkspaceEdit } from "vscode-languageserver";
import type { LineColumn } from "../base/text.ts";
import type { Location } from "../editor/nameFeatures.ts";
import { decodeFile } from "../notebook/bytes.ts";
import type { TextEdit } from "../workspace/documents.ts";
import { type OpenText, openText, toRange } from "./positions.ts";
import type { FileSession, Session } from "./session.ts";

/** Converts locations in open texts and in files. Reads the files, unless positions count UTF-16 code units. */
export async function toLocations(session: Session, locations: readonly Location[]): Promise<LspLocation[]> {
  const converted = await Promise.all(locations.map((location) => toLocation(session, location)));
  return converted.flat();
}

async function toLocation(session: Session, location: Location): Promise<readonly LspLocation[]> {
  const { uri } = location;
  if ("place" in location) {
    const position = (await positionsIn(session, uri))(location.place);
    return [{ uri, range: { start: position, end: position } }];
  }
  const text = session.documents.texts.get(uri);
  return text ? [{ uri, range: toRange(text, location.span) }] : [];
}

/**
 * Converts places in a file that is not open. The file is read, once for all places, if the editor does not count UTF-16
 * code units.
 */
export async function positionsIn(
  { client, files }: FileSession,
  uri: string,
): Promise<(place: LineColumn) => Position> {
  const plain = ({ line, column }: LineColumn): Position => ({ line: line - 1, character: column - 1 });
  if (client.encoding === "utf-16") return plain;
  const bytes = await files.read(uri);
  const file = bytes && decodeFile(bytes);
  if (!file || !("text" in file)) return plain;
  const item = { uri, languageId: "", version: 0, text: file.text };
  const [codeUnits, editorUnits] = [openText(item, "utf-16"), openText(item, client.encoding)];
  return (place) => editorUnits.positionAt(codeUnits.offsetAt(plain(place)));
}

/** Converts edits of several documents, with their versions if the editor takes those. */
export function toWorkspaceEdit({ documents: { texts }, client }: Session, edits: readonly TextEdit[]): WorkspaceEdit {
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
