import { addEndpoint, addIgnored } from "./endpoints/addEndpoint.ts";
import { homeFolder } from "./endpoints/known.ts";
import { endpointsFile, privateEndpointsFile } from "./endpoints/readFiles.ts";
import type { Host } from "./host.ts";
import { decodeFile } from "./notebook/bytes.ts";
import type { AddEndpointParams, AddEndpointResult, FileChange } from "./protocol.ts";

/** What to write so that an endpoint has a name in the project of a document; `.gitignore` keeps private ones out of git. */
export async function addedEndpoint(
  { uri, name, address, isPrivate }: AddEndpointParams,
  { files, roots }: Pick<Host, "files" | "roots">,
): Promise<AddEndpointResult> {
  const folder = homeFolder(uri, roots);
  if (folder === undefined) return { inSettings: true };
  const file = isPrivate ? privateEndpointsFile : endpointsFile;
  const extended = await changed(`${folder}/${file}`, (text) => addEndpoint(text, name, address));
  if (extended === "same" || extended === "unreadable") {
    const why = `${file} could not be extended: it is no JSON object, or has “${name}” already. Add the address there.`;
    return { refused: why, uri: `${folder}/${file}` };
  }
  // First: a file with a key must not be there before git is told
  const ignored = isPrivate ? await changed(`${folder}/.gitignore`, (text) => addIgnored(text ?? "", file)) : "same";
  if (ignored === "unreadable") {
    const why = `.gitignore is not UTF-8, so nothing was written: git is to leave ${file} out. Mend .gitignore first.`;
    return { refused: why, uri: `${folder}/.gitignore` };
  }
  return { files: ignored === "same" ? [extended] : [ignored, extended] };

  async function changed(
    uri: string,
    change: (before: string | undefined) => string | undefined,
  ): Promise<FileChange | "same" | "unreadable"> {
    const bytes = await files.read(uri);
    const decoded = bytes && decodeFile(bytes);
    if (decoded && !("text" in decoded)) return "unreadable";
    const text = change(decoded?.text);
    return text === undefined ? "same" : { uri, before: decoded?.text ?? null, text };
  }
}
