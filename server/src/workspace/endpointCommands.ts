import { homeFolder } from "../base/uri.ts";
import { addEndpoint, addIgnored, checkAddress } from "../endpoints/addEndpoint.ts";
import { endpointsFile, privateEndpointsFile } from "../endpoints/readFiles.ts";
import type { EndpointFault } from "../endpoints/resolveEndpoint.ts";
import { type Update, updateFile } from "../files/updateFile.ts";
import type {
  AddEndpointParams,
  AddEndpointResult,
  CheckAddressParams,
  CheckAddressResult,
  EndpointsResult,
  LocalPortParams,
  LocalPortResult,
} from "../protocol/endpoints.ts";
import type { WorkspaceHost } from "./host.ts";
import type { OpenDocuments } from "./openDocuments.ts";
import type { Routes } from "./routes.ts";

/** Choosing the endpoint of a document. */
export type EndpointCommands = ReturnType<typeof endpointCommands>;

export function endpointCommands(documents: OpenDocuments, routes: Routes, host: WorkspaceHost) {
  return {
    async endpoints(uri: string): Promise<EndpointsResult> {
      const isOther = documents.of(uri) === undefined && !/\.json$/i.test(uri);
      const document = isOther ? undefined : await documents.read(uri);
      const choices = await routes.choices(document, document?.uri ?? uri);
      const hasNone = choices.current === undefined && choices.unusable === undefined;
      const notebook = isOther && hasNone ? documents.lastOpened() : undefined;
      const { current } = notebook ? await routes.choices(notebook, notebook.uri) : choices;
      return current === undefined ? choices : { ...choices, current };
    },
    /** Checks an address that a person types, and finds out whether an endpoint of a document has it. */
    async checkAddress({ text, uri }: CheckAddressParams): Promise<CheckAddressResult> {
      const checked = checkAddress(text);
      const known = "fault" in checked || uri === undefined ? undefined : await routes.nameOf(text, uri);
      return known === undefined ? checked : { ...checked, known };
    },
    /** Lets requests of a document go to an endpoint that the command line names, or says what is wrong with it. */
    async chooseEndpoint(uri: string, name: string): Promise<EndpointFault | undefined> {
      const document = documents.of(uri);
      return document && routes.choose(document, name);
    },
    /** Gives an endpoint a name in the project of a document. */
    addEndpoint: (params: AddEndpointParams): Promise<AddEndpointResult> => saveEndpoint(params, host),
    localPort: (params: LocalPortParams, signal: AbortSignal): Promise<LocalPortResult> =>
      host.gate.localPort(params, host.trusted, signal),
    /** @param name - `null` takes the last pick back. */
    pickEndpoint: (uri: string, name: string | null): void => routes.pick(documents.ownerOf(uri), name ?? undefined),
  };
}

/** Adds an endpoint to a file in the project of a document. Private ones go into a file that git ignores. */
async function saveEndpoint(
  { uri, name, address, isPrivate }: AddEndpointParams,
  { files, roots }: WorkspaceHost,
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
