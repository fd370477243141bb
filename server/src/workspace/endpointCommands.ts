import type { EndpointFault } from "../endpoints/resolveEndpoint.ts";
import type { AddEndpointParams, AddEndpointResult, EndpointsResult } from "../protocol/endpoints.ts";
import type { Host } from "./host.ts";
import type { OpenDocuments } from "./openDocuments.ts";
import type { Routes } from "./routes.ts";
import { saveEndpoint } from "./saveEndpoint.ts";

/** Choosing the endpoint of a document. */
export type EndpointCommands = ReturnType<typeof endpointCommands>;

export function endpointCommands(documents: OpenDocuments, routes: Routes, host: Host) {
  return {
    async endpoints(uri: string): Promise<EndpointsResult> {
      const document = await documents.read(uri);
      return routes.choices(document, document?.uri ?? uri);
    },
    /** Lets requests of a document go to an endpoint that the command line names, or says what is wrong with it. */
    async chooseEndpoint(uri: string, name: string): Promise<EndpointFault | undefined> {
      const document = documents.of(uri);
      return document && routes.choose(document, name);
    },
    /** Gives an endpoint a name in the project of a document. */
    addEndpoint: (params: AddEndpointParams): Promise<AddEndpointResult> => saveEndpoint(params, host),
    /** @param name - `null` takes the last pick back. */
    pickEndpoint: (uri: string, name: string | null): void => routes.pick(documents.ownerOf(uri), name ?? undefined),
  };
}
