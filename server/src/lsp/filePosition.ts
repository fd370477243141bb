import type { Position } from "vscode-languageserver";
import type { LineColumn } from "../base/text.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { openText } from "./positions.ts";
import type { Session } from "./session.ts";

/**
 * Converts places in a file that is not open. The file is read, once for all places, if the editor does not count UTF-16
 * code units.
 */
export async function positionsIn(
  { client, files }: Pick<Session, "client" | "files">,
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
