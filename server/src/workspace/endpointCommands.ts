import { checkAddress } from "../endpoints/addEndpoint.ts";
import type { EndpointFault } from "../endpoints/resolveEndpoint.ts";
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
import { saveEndpoint } from "./saveEndpoint.ts";

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
