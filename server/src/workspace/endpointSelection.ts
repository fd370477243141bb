import { endpointDirective } from "../analysis/cellEndpoint.ts";
import { type Choices, type EndpointFault, type Resolved, resolveEndpoint } from "../endpoints/resolveEndpoint.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues, includedRecording } from "../notebook/header.ts";
import type { Document } from "./documents.ts";
import type { EndpointListing } from "./endpointDirectory.ts";
import type { Host } from "./host.ts";
import type { EndpointNeeds } from "./recordedEndpoints.ts";

/** Decides which endpoint a document uses: by the picker, its header, and settings. */
export class EndpointSelection {
  readonly #host: Pick<Host, "settings">;
  /** The endpoint that a person picked, by document. */
  readonly #picks = new Map<string, string>();

  constructor(host: Pick<Host, "settings">) {
    this.#host = host;
  }

  /** Returns the names or addresses that are chosen for a document, or for a file that is not open. */
  choices(document: Document | undefined, uri: string): Choices {
    const { workspace, rpcNotebook } = this.#host.settings;
    return {
      picker: this.#picks.get(uri),
      header: headerValues(document?.header).endpoint,
      workspaceSetting: workspace?.endpoint || undefined,
      setting: rpcNotebook?.endpoint || undefined,
    };
  }
  /** Returns what has to be read for them. */
  needs(document: Document | undefined, uri: string): EndpointNeeds {
    const texts = Object.values(this.choices(document, uri)).filter((text) => text !== undefined);
    const { recording } = headerValues(document?.header);
    // whoever picks an endpoint wants that one
    if (recording === undefined || this.#picks.has(uri)) return { texts };
    return { texts, recording: recording === includedRecording ? (document?.recordingData ?? "") : recording };
  }
  /** @param cell - Its own choice counts before the document's. */
  resolve(
    document: Document | undefined,
    uri: string,
    listing: EndpointListing,
    cell?: Cell,
  ): Resolved | EndpointFault {
    const choices = { ...this.choices(document, uri), cell: cell && endpointDirective(cell) };
    return resolveEndpoint(choices, listing.endpoints, listing.hostValue, listing.fallback);
  }
  picked(uri: string): string | undefined {
    return this.#picks.get(uri);
  }
  /** @param name - `undefined` takes the last pick back. */
  pick(uri: string, name: string | undefined): void {
    if (name === undefined) this.#picks.delete(uri);
    else this.#picks.set(uri, name);
  }
  forget(uri: string): void {
    this.#picks.delete(uri);
  }
}
