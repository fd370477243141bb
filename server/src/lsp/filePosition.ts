import type { Position } from "vscode-languageserver";
import type { LineColumn } from "../base/text.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { openText } from "./positions.ts";
import type { Session } from "./session.ts";

/**
 * Places in a file that is not open, as the editor counts: only its text says where they are for one that does not count
 * code units. It is read once for all of them.
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
  const given = { uri, languageId: "", version: 0, text: file.text };
  const [here, there] = [openText(given, "utf-16"), openText(given, client.encoding)];
  return (place) => there.positionAt(here.offsetAt(plain(place)));
}
