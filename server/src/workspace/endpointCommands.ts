import type { EndpointFault } from "../endpoints/resolveEndpoint.ts";
import type { AddEndpointParams, AddEndpointResult, EndpointsResult } from "../protocol/endpoints.ts";
import type { Host } from "./host.ts";
import type { OpenDocuments } from "./openDocuments.ts";
import type { Routes } from "./routes.ts";
import { saveEndpoint } from "./saveEndpoint.ts";

/** Choosing the endpoint of a document. */
export interface EndpointCommands {
  endpoints(uri: string): Promise<EndpointsResult>;
  /** Lets requests of a document go to an endpoint that the command line names, or says what is wrong with it. */
  chooseEndpoint(uri: string, name: string): Promise<EndpointFault | undefined>;
  /** Gives an endpoint a name in the project of a document. */
  addEndpoint(params: AddEndpointParams): Promise<AddEndpointResult>;
  /** @param name - `null` takes the last pick back. */
  pickEndpoint(uri: string, name: string | null): void;
}

export function endpointCommands(documents: OpenDocuments, routes: Routes, host: Host): EndpointCommands {
  return {
    async endpoints(uri) {
      const document = await documents.read(uri);
      return routes.choices(document, document?.uri ?? uri);
    },
    async chooseEndpoint(uri, name) {
      const document = documents.of(uri);
      return document && routes.choose(document, name);
    },
    addEndpoint: (params) => saveEndpoint(params, host),
    pickEndpoint: (uri, name) => routes.pick(documents.ownerOf(uri), name ?? undefined),
  };
}
