import { endpointDirective } from "../analysis/cellEndpoint.ts";
import type { Scope, ScopedEndpoint } from "../analysis/scope.ts";
import type { Mask } from "../base/mask.ts";
import type { Clock } from "../base/ports.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { HostNames } from "../endpoints/hostValue.ts";
import { builtIn } from "../endpoints/named.ts";
import { type Choices, type EndpointFault, type Resolved, resolveEndpoint } from "../endpoints/resolveEndpoint.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues, includedRecording } from "../notebook/header.ts";
import type { EndpointMemory } from "../rpc/send.ts";
import type { Document } from "./documents.ts";
import type { EndpointDirectory, EndpointListing } from "./endpointDirectory.ts";
import { scopedChoice, scopedEndpoint } from "./endpointFacts.ts";
import type { WorkspaceHost } from "./host.ts";
import type { EndpointNeeds } from "./recordedEndpoints.ts";

/** The endpoints of a document, as features see them. */
export interface DocumentEndpoints {
  /** The one that is used; `undefined` if none is. */
  readonly endpoint: ScopedEndpoint | undefined;
  /** All of them, also those that cannot be used. */
  readonly endpoints: Scope["endpoints"];
  /** What is remembered of the one that is used. */
  readonly memory: EndpointMemory | undefined;
  /** `undefined` until they were read. */
  readonly hostNames: HostNames | undefined;
}

/** The sources of {@link DocumentEndpoints}. */
interface EndpointParts {
  readonly directory: EndpointDirectory;
  readonly selection: EndpointSelection;
  readonly memories: EndpointMemories;
  readonly mask: Mask;
  readonly clock: Clock;
}

/** Makes the endpoints of documents for features. The same object for as long as nothing that it comes from changes. */
export class DocumentEndpointCache {
  readonly #parts: EndpointParts;
  readonly #entries = new Map<string, CacheEntry>();

  constructor(parts: EndpointParts) {
    this.#parts = parts;
  }

  of(document: Document): DocumentEndpoints {
    const { directory, selection, memories } = this.#parts;
    const { uri, header } = document;
    const listing = directory.of(uri);
    const picked = selection.picked(uri);
    const { version } = memories;
    const last = this.#entries.get(uri);
    const isSame = last?.listing === listing && last.picked === picked && last.header === header;
    if (isSame && last.version === version) return last.endpoints;
    const endpoints = this.#make(document, listing);
    this.#entries.set(uri, { header, listing, picked, version, endpoints });
    return endpoints;
  }
  forget(uri: string): void {
    this.#entries.delete(uri);
  }

  #make(document: Document, listing: EndpointListing): DocumentEndpoints {
    const { selection, memories, mask, clock } = this.#parts;
    const resolved = selection.resolve(document, document.uri, listing);
    const memory = "endpoint" in resolved ? memories.of(resolved.endpoint) : undefined;
    const endpoint =
      "endpoint" in resolved && memory ? mask.value(scopedEndpoint(resolved, memory, clock.date())) : undefined;
    const endpoints = mask.value(listing.endpoints.map(scopedChoice));
    return { endpoint, endpoints, memory, hostNames: listing.hostNames };
  }
}

interface CacheEntry {
  readonly header: Document["header"];
  readonly listing: EndpointListing;
  readonly picked: string | undefined;
  /** The version of {@link EndpointMemories}. */
  readonly version: number;
  readonly endpoints: DocumentEndpoints;
}

/** Facts that were learned about each endpoint in this session. */
export class EndpointMemories {
  readonly #memories = new Map<string, EndpointMemory>();
  /** The same by the endpoint itself: a run asks several times for each cell. */
  readonly #known = new WeakMap<Endpoint, EndpointMemory>();
  readonly #changed: () => void;
  #version = 0;

  /** @param changed - Called when features can say something new about an endpoint. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  of(endpoint: Endpoint): EndpointMemory {
    const known = this.#known.get(endpoint);
    if (known) return known;
    const key = `${endpoint.name} ${endpoint.url}`;
    const memory = this.#memories.get(key) ?? { changed: () => this.noteChange() };
    this.#memories.set(key, memory);
    this.#known.set(endpoint, memory);
    return memory;
  }
  /** Another number after each change that features can show. */
  get version(): number {
    return this.#version;
  }
  noteChange(): void {
    this.#version++;
    this.#changed();
  }
  /**
   * Remembers the newest block.
   *
   * @returns Whether it is the first one of this endpoint. Later ones do not change what features say of a range.
   */
  setHead(endpoint: Endpoint, head: bigint): boolean {
    const memory = this.of(endpoint);
    const isFirst = memory.head === undefined;
    memory.head = head;
    if (isFirst) this.#version++;
    return isFirst;
  }
}

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
