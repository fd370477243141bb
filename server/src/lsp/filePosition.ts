import type { Position } from "vscode-languageserver";
import type { LineColumn } from "../base/text.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { openText } from "./positions.ts";
import type { Session } from "./session.ts";

/** A place in a file that is not open: only its text says where that is for an editor that does not count code units. */
export async function positionInFile(
  { client, files }: Pick<Session, "client" | "files">,
  uri: string,
  { line, column }: LineColumn,
): Promise<Position> {
  const place = { line: line - 1, character: column - 1 };
  if (client.encoding === "utf-16") return place;
  const bytes = await files.read(uri);
  const file = bytes && decodeFile(bytes);
  if (!file || !("text" in file)) return place;
  const given = { uri, languageId: "", version: 0, text: file.text };
  return openText(given, client.encoding).positionAt(openText(given, "utf-16").offsetAt(place));
}
