import { homeFolder } from "../base/uri.ts";
import { addEndpoint, addIgnored } from "../endpoints/addEndpoint.ts";
import { endpointsFile, privateEndpointsFile } from "../endpoints/readFiles.ts";
import { type Update, updateFile } from "../files/updateFile.ts";
import type { AddEndpointParams, AddEndpointResult } from "../protocol/endpoints.ts";
import type { WorkspaceHost } from "./host.ts";

/** Adds an endpoint to a file in the project of a document. Private ones go into a file that git ignores. */
export async function saveEndpoint(
  { uri, name, address, isPrivate }: AddEndpointParams,
  { files, roots }: Pick<WorkspaceHost, "files" | "roots">,
): Promise<AddEndpointResult> {
  const within = homeFolder(uri, roots, files);
  if (within === undefined) return { inSettings: true };
  const file = isPrivate ? privateEndpointsFile : endpointsFile;
  if (isPrivate) {
    // First: git must ignore a file with a key before it exists.
    const refused = await update(".gitignore", (text) => {
      const extended = addIgnored(text ?? "", file);
      return extended === undefined ? "unchanged" : { text: extended };
    });
    if (refused) return refused;
  }
  const fault = {
    what: `Nothing was added to ${file}: it is not a JSON object, or already has “${name}”.`,
    todo: "Add the address there.",
  };
  const refused = await update(file, (text) => {
    const extended = addEndpoint(text, name, address);
    return extended === undefined ? fault : { text: extended };
  });
  return refused ?? { added: true };

  /** @returns `undefined` if the file has the new content. */
  async function update(
    file: string,
    change: (before: string | undefined) => Update,
  ): Promise<{ readonly refused: string; readonly uri: string } | undefined> {
    const uri = `${within}/${file}`;
    const updated = await updateFile(files, { uri, name: file, within: within ?? "" }, change);
    return typeof updated === "string" ? undefined : { refused: `${updated.what} ${updated.todo}`, uri };
  }
}
