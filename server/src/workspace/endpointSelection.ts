import { endpointDirective } from "../analysis/cellEndpoint.ts";
import { builtIn } from "../endpoints/named.ts";
import { type Choices, type EndpointFault, type Resolved, resolveEndpoint } from "../endpoints/resolveEndpoint.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues, includedRecording } from "../notebook/header.ts";
import type { Document } from "./documents.ts";
import type { EndpointListing } from "./endpointDirectory.ts";
import type { WorkspaceHost } from "./host.ts";
import type { EndpointNeeds } from "./recordedEndpoints.ts";

/** The document of a choice for all files that are not notebooks. */
const otherFiles = "rpc-notebook:files";

/** Decides which endpoint a document uses: by the picker, its header, and settings. */
export class EndpointSelection {
  readonly #host: WorkspaceHost;
  /** The endpoint that a person picked, by document. */
  readonly #picks = new Map<string, string>();
  #lastPick: string | undefined;

  constructor(host: WorkspaceHost) {
    this.#host = host;
  }

  /** Returns the names or addresses that are chosen for a document, or for a file that is not open. */
  choices(document: Document | undefined, uri: string): Choices {
    const { workspace, rpcNotebook } = this.#host.settings;
    return {
      picker: this.#picks.get(uri) ?? (document ? undefined : this.#picks.get(otherFiles)),
      header: headerValues(document?.header).endpoint,
      workspaceSetting: workspace?.endpoint || undefined,
      setting: rpcNotebook?.endpoint || undefined,
    };
  }
  /** Returns what has to be read for them. */
  needs(document: Document | undefined, uri: string): EndpointNeeds {
    const texts = Object.values(this.choices(document, uri)).filter((text) => text !== undefined);
    const { recording } = headerValues(document?.header);
    // a person who picks an endpoint wants that one
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
  /** Returns the endpoint that a new notebook takes: the one that a person picked last, else the only configured one. */
  usual({ endpoints }: EndpointListing): string | undefined {
    const usable = endpoints.filter(({ endpoint }) => "url" in endpoint);
    const last = usable.find(({ name }) => name === this.#lastPick);
    const configured = usable.filter(({ origin }) => origin !== builtIn);
    return (last ?? (configured.length === 1 ? configured[0] : undefined))?.name;
  }
  picked(uri: string): string | undefined {
    return this.#picks.get(uri);
  }
  /** @param name - `undefined` takes the last pick back. */
  pick(uri: string, name: string | undefined): void {
    if (name === undefined) this.#picks.delete(uri);
    else this.#picks.set(uri, name);
    this.#lastPick = name ?? this.#lastPick;
  }
  forget(uri: string): void {
    this.#picks.delete(uri);
  }
}
