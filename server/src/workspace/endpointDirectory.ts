import type { Mask } from "../base/mask.ts";
import type { Files } from "../base/ports.ts";
import { hideKeys } from "../endpoints/hideKeys.ts";
import { type HostNames, labelOf, type ValueOf } from "../endpoints/hostValue.ts";
import { knownEndpoints } from "../endpoints/known.ts";
import type { EndpointProblem, KnownEndpoint } from "../endpoints/named.ts";
import { hostValues } from "../endpoints/readValues.ts";
import type { Replays } from "../recording/replays.ts";
import { DocumentCache } from "./documentCache.ts";
import type { WorkspaceHost } from "./host.ts";
import { filesAround, projectOf } from "./projectFiles.ts";
import { type EndpointNeeds, withRecordings } from "./recordedEndpoints.ts";

/** The endpoints that a document can use, as its files and settings were when they were read. */
export interface EndpointListing {
  readonly endpoints: readonly KnownEndpoint[];
  /** What picking one gives, if that is not the same: a picked endpoint is asked instead of a recording. */
  readonly pickable?: readonly KnownEndpoint[];
  /** Used for every other name and address, if a recording answers everything. */
  readonly fallback?: KnownEndpoint | undefined;
  readonly problems: readonly EndpointProblem[];
  /** Returns a value that the endpoints name. */
  readonly hostValue: ValueOf;
  /** `undefined` until they were read. */
  readonly hostNames: HostNames | undefined;
}

/** Reads which endpoints there are: in files beside a document, in settings, and built in. */
export class EndpointDirectory {
  readonly #host: WorkspaceHost;
  readonly #filesAround: ReturnType<typeof filesAround>;
  readonly #mask: Mask;
  readonly #replays: Replays;
  readonly #listings: DocumentCache<EndpointListing>;

  /** @param mask - Hides every value that is read. */
  constructor(host: WorkspaceHost, mask: Mask, replays: Replays) {
    this.#host = host;
    this.#filesAround = filesAround(host);
    this.#mask = mask;
    this.#replays = replays;
    this.#listings = new DocumentCache(emptyListing, { changed: host.changed, isSame: () => false });
  }

  /** Reads for a newly opened document, in the background. */
  follow(uri: string, needs: EndpointNeeds): void {
    if (!this.#listings.has(uri) && !this.#listings.firstReading(uri)) void this.refresh(uri, needs);
  }
  /** Reads everything again. */
  refresh(uri: string, needs: EndpointNeeds): Promise<EndpointListing> {
    return this.#listings.refresh(uri, () =>
      this.#read(uri, needs).catch((error: unknown) => {
        this.#host.log.error("The files of endpoints could not be read", error);
        return emptyListing;
      }),
    );
  }
  /** Reads again for the open documents, and forgets all other files, which are never closed. */
  refreshAll(needsByUri: ReadonlyMap<string, EndpointNeeds>): void {
    this.#listings.forgetOthers(new Set(needsByUri.keys()));
    for (const [uri, needs] of needsByUri) void this.refresh(uri, needs);
  }
  /** Returns what was read last. */
  of(uri: string): EndpointListing {
    return this.#listings.of(uri);
  }
  /** Reads only if this was not done. */
  async ready(uri: string, needs: EndpointNeeds): Promise<EndpointListing> {
    if (this.#listings.has(uri)) return this.#listings.of(uri);
    return this.#listings.firstReading(uri) ?? this.refresh(uri, needs);
  }
  /** URIs of the documents that were read for. */
  uris(): Iterable<string> {
    return this.#listings.uris();
  }
  firstReading(uri: string): Promise<unknown> | undefined {
    return this.#listings.firstReading(uri);
  }
  settled(uri: string): Promise<void> {
    return this.#listings.settled(uri);
  }
  forget(uri: string): void {
    this.#listings.forget(uri);
  }
  /** Returns the problems of the files beside all documents, each once. */
  problems(): readonly EndpointProblem[] {
    const all = [...this.#listings.values()].flatMap(({ problems }) => problems);
    return [...new Map(all.map((problem) => [JSON.stringify(problem), problem])).values()];
  }

  /** Reads no files beside the document and no values of the host if the workspace is not trusted. */
  async #read(uri: string, needs: EndpointNeeds): Promise<EndpointListing> {
    const { roots, trusted, settings } = this.#host;
    const files: Files = trusted ? this.#filesAround(uri) : { read: async () => undefined };
    const values = trusted ? hostValues({ ...this.#host, files }, uri, roots) : undefined;
    const known = await knownEndpoints(files, uri, roots, {
      setting: settings.rpcNotebook?.endpoints,
      workspaceSetting: trusted ? settings.workspace?.endpoints : undefined,
      also: needs.texts,
      read: async (references) => {
        const value = (await (await values)?.read(references)) ?? (() => undefined);
        for (const reference of references) this.#mask.add(value(reference) ?? "", labelOf(reference));
        return value;
      },
    });
    const { problems, hostValue } = known;
    for (const { endpoint } of known.endpoints)
      if ("url" in endpoint && endpoint.url !== "") hideKeys(endpoint, this.#mask);
    const whole = this.#host.replay;
    const context = { files, replays: this.#replays, whole, tops: projectOf(uri, this.#host).tops, trusted };
    const { endpoints, fallback } = await withRecordings(known.endpoints, uri, needs, context);
    if (fallback) {
      const picked = trusted && whole === undefined ? { texts: needs.texts } : needs;
      const { endpoints: pickable } = await withRecordings(known.endpoints, uri, picked, context);
      // A recording has labels where values were sent, so it needs none of them.
      return { endpoints, pickable, fallback, problems, hostValue: labelOf, hostNames: undefined };
    }
    return { endpoints, problems, hostValue, hostNames: (await values)?.names };
  }
}

const emptyListing: EndpointListing = {
  endpoints: [],
  problems: [],
  hostValue: () => undefined,
  hostNames: undefined,
};
