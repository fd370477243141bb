import type { ChainAddress } from "../abi/verifiedContract.ts";
import type { Mask } from "../base/mask.ts";
import type { Downloads } from "../base/ports.ts";
import { formatDuration } from "../base/units.ts";
import { defaultLookupHost } from "../catalog/lookupHost.ts";
import { hideKeys } from "../endpoints/hideKeys.ts";
import { builtIn, chosenSentence, type EndpointProblem, originSentence } from "../endpoints/named.ts";
import {
  type Choices,
  type EndpointFault,
  otherNetwork,
  type Resolved,
  resolveEndpoint,
} from "../endpoints/resolveEndpoint.ts";
import { lookupApi } from "../endpoints/site.ts";
import { Approvals } from "../gate/approvals.ts";
import type { BackgroundClient, BackgroundFailure } from "../gate/backgroundClient.ts";
import type { UnsentReason } from "../gate/unsentReason.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import type { EndpointsResult } from "../protocol/endpoints.ts";
import type { Replays } from "../recording/replays.ts";
import { BackgroundClients, type Prober } from "./backgroundClients.ts";
import {
  DocumentEndpointCache,
  type DocumentEndpoints,
  EndpointMemories,
  EndpointSelection,
} from "./documentEndpoints.ts";
import type { Document } from "./documents.ts";
import { EndpointDirectory, type EndpointListing } from "./endpointDirectory.ts";
import { choiceOf, probeWords, unusableEndpoint } from "./endpointFacts.ts";
import type { WorkspaceHost } from "./host.ts";
import { admission, endpointResolver, type RunRoutes, textsWithReferences } from "./runRoutes.ts";

/** Where contracts are looked up. */
export interface ContractHost {
  /** URL without a slash at the end. */
  readonly api: string;
  readonly downloads: Downloads;
}

export interface LookupHost extends ContractHost {
  readonly verdict: ReturnType<Approvals["lookupVerdict"]>;
  /** Why a command does not ask it, in a sentence. */
  readonly refusal?: string;
}

/** Used if there is no setting. */
const defaultTimeoutSeconds = 30;
const defaultMaxResponseMegabytes = 100;

/**
 * Decides where requests go: which endpoints there are ({@link EndpointDirectory}), which one a document uses
 * ({@link EndpointSelection}), and whether requests may go there ({@link Approvals}).
 */
export class Routes {
  readonly #host: WorkspaceHost;
  readonly #mask: Mask;
  readonly #approvals: Approvals;
  readonly #directory: EndpointDirectory;
  readonly #selection: EndpointSelection;
  readonly #memories: EndpointMemories;
  readonly #clients: BackgroundClients;
  readonly #documentEndpoints: DocumentEndpointCache;

  /** @param mask - Hides every value that is read. */
  constructor(host: WorkspaceHost, mask: Mask, replays: Replays) {
    this.#host = host;
    this.#mask = mask;
    const approvals = new Approvals(host, mask);
    const directory = new EndpointDirectory(host, mask, replays);
    const selection = new EndpointSelection(host);
    const memories = new EndpointMemories(() => {
      for (const uri of directory.uris()) host.changed(uri);
    });
    this.#approvals = approvals;
    this.#directory = directory;
    this.#selection = selection;
    this.#memories = memories;
    this.#clients = new BackgroundClients(host, approvals, memories, mask);
    this.#documentEndpoints = new DocumentEndpointCache({ directory, selection, memories, mask, clock: host.clock });
  }

  /** Returns what was read last. The same object for as long as nothing changes. */
  of(document: Document): DocumentEndpoints {
    return this.#documentEndpoints.of(document);
  }
  /**
   * Returns where the cells of a run go.
   *
   * @param override - The endpoint that wins over every other choice.
   * @param cells - All that the run may send.
   * @param gate - Another one than that of the host.
   */
  async forRun(
    document: Document,
    override: string | undefined,
    cells: readonly Cell[],
    gate = this.#host.gate,
  ): Promise<RunRoutes> {
    const texts = [...(override === undefined ? [] : [override]), textsWithReferences(cells)];
    const listing = await this.#refresh(document, document.uri, texts, override);
    const choices = { ...this.#selection.choices(document, document.uri), cli: override };
    const [host, approvals, memories] = [this.#host, this.#approvals, this.#memories];
    const { hostValue } = listing;
    const { timeout, maxResponseSize, tokenLookup } = host.settings.rpcNotebook ?? {};
    return {
      hostValue,
      names: listing.endpoints.map(({ name }) => name),
      gate,
      clock: host.clock,
      approvals,
      timeoutMs: (timeout ?? defaultTimeoutSeconds) * 1000,
      // an editor also gives the default
      givenMs: timeout === undefined || timeout === defaultTimeoutSeconds ? undefined : timeout * 1000,
      maxBytes: (maxResponseSize ?? defaultMaxResponseMegabytes) * 1_000_000,
      endpointOf: endpointResolver(choices, listing, this.#mask),
      refusalsOf: admission(cells, hostValue, approvals),
      memoryOf: (endpoint) => memories.of(endpoint),
      onHead(endpoint, head) {
        if (memories.setHead(endpoint, head)) host.changed(document.uri);
      },
      tokenLookup: tokenLookup ?? true,
      header: headerValues(document.header),
      logRetry: ({ reason, waitMs }) => host.log.info(`${reason} Trying again in ${formatDuration(waitMs)}.`),
    };
  }
  /** Returns a client that sends without a run for a document, or for a file that is not a notebook. Never prompts. */
  async backgroundClient(
    document: Document | undefined,
    uri: string,
    cell?: Cell,
  ): Promise<BackgroundClient | BackgroundFailure> {
    if (!this.#host.trusted) return { silent: "untrusted" };
    const listing = await this.#directory.ready(uri, this.#selection.needs(document, uri));
    const resolved = this.#selection.resolve(document, uri, listing, cell);
    return "code" in resolved ? { silent: "no-endpoint" } : this.#clients.of(resolved);
  }
  /** Returns a client that sends without a run to an endpoint of a run. Never prompts. */
  clientOf(resolved: Resolved): BackgroundClient | BackgroundFailure {
    return this.#host.trusted ? this.#clients.of(resolved) : { silent: "untrusted" };
  }
  /** Returns what measures the endpoint of a document's header. Asks a person, as a run does. */
  async prober(document: Document, override: string | undefined, signal: AbortSignal): Promise<Prober | UnsentReason> {
    const resolved = await this.#resolve(document, {
      ...this.#selection.choices(document, document.uri),
      cli: override,
    });
    if ("code" in resolved) return { kind: "endpoint", fault: resolved };
    hideKeys(resolved.endpoint, this.#mask);
    return this.#clients.prober(resolved, signal);
  }
  /** Reads everything again and returns what a picker shows. */
  async choices(document: Document | undefined, uri: string): Promise<EndpointsResult> {
    const listing = await this.#refresh(document, uri);
    const resolved = this.#selection.resolve(document, uri, listing);
    const current = "endpoint" in resolved ? resolved : undefined;
    const choices = (listing.pickable ?? listing.endpoints).map((one) => choiceOf(one, current?.endpoint));
    const unusable = "code" in resolved ? unusableEndpoint(resolved) : undefined;
    const usual = unusable ? undefined : this.#selection.usual(listing);
    const other = otherNetwork(
      choices.flatMap(({ name, broken }) => (broken === undefined ? name : [])),
      current?.endpoint.name,
    );
    return this.#mask.value({
      endpoints: choices,
      configured: listing.endpoints.some(({ origin }) => origin !== builtIn),
      ...(usual !== undefined && { usual }),
      ...(unusable && { unusable }),
      ...(other !== undefined && { other }),
      ...(current && {
        current: {
          name: current.endpoint.name,
          host: current.endpoint.host,
          origin: current.origin,
          source: originSentence("The endpoint", current.origin),
          why: chosenSentence(current.why),
          ...(current.endpoint.replay === undefined ? { probe: probeWords(current.endpoint) } : { badge: "recorded" }),
        },
      }),
    });
  }
  /** Returns the name of an endpoint of a document that has this address already. */
  async nameOf(address: string, uri: string): Promise<string | undefined> {
    const { href } = new URL(address);
    const { endpoints } = await this.#refresh(undefined, uri);
    return endpoints.find(({ endpoint }) => "url" in endpoint && endpoint.url === href)?.name;
  }
  pick(uri: string, name: string | undefined): void {
    this.#selection.pick(uri, name);
    this.#host.changed(uri);
  }
  /** Lets requests of a document go to the endpoint that the command line names, or says what is wrong with it. */
  async choose(document: Document, name: string): Promise<EndpointFault | undefined> {
    const resolved = await this.#resolve(document, { cli: name });
    if ("code" in resolved) return resolved;
    this.#approvals.choose(`${document.uri} ${name}`, resolved);
    return undefined;
  }
  /**
   * Returns the lookup host, and whether it may be asked about contracts in results; `undefined` if none can be.
   *
   * @param named - By the entry of the endpoint: it counts in an editor, which asks about it. A command asks only hosts of its options.
   */
  lookupHost(named?: string): LookupHost | undefined {
    const { downloads, settings, consent } = this.#host;
    const own = lookupApi(settings.rpcNotebook?.lookupHost ?? defaultLookupHost);
    const isOption = consent.byOptions === true && own !== defaultLookupHost;
    const api = (isOption ? undefined : named) ?? own;
    if (!downloads || api === undefined) return undefined;
    if (consent.byOptions === true && api !== own)
      return {
        ...{ api, downloads },
        verdict: "ask",
        refusal: `${new URL(api).host} was not asked for names. To ask it, set --lookup to the \`contracts\` URL of its endpoint.`,
      };
    return { api, downloads, verdict: this.#approvals.lookupVerdict(api) };
  }
  /** Asks a person whether a lookup host may be asked about these contracts. */
  allowLookup(api: string, contracts: readonly ChainAddress[], signal: AbortSignal): Promise<boolean> {
    return this.#approvals.allowLookup(api, contracts, signal);
  }
  /** Remembers that a person has agreed to look these contracts up, for what is asked about them later in this session. */
  rememberLookup(api: string, contracts: readonly ChainAddress[]): void {
    this.#approvals.rememberLookup(api, contracts);
  }
  hasAllowedLookup(api: string, contract: ChainAddress): boolean {
    return this.#approvals.hasAllowedLookup(api, contract);
  }
  /** Says what a method does to the chain or the node, by the catalogue or the person's settings. */
  effectOf(method: string): ReturnType<Approvals["effectOf"]> {
    return this.#approvals.effectOf(method);
  }
  /** Returns the problems of the files beside all documents, each once. */
  problems(): readonly EndpointProblem[] {
    return this.#directory.problems();
  }

  /** Reads what is beside a newly opened document, in the background. */
  follow(document: Document): void {
    this.#directory.follow(document.uri, this.#selection.needs(document, document.uri));
  }
  forget(uri: string): void {
    for (const part of [this.#directory, this.#selection, this.#documentEndpoints]) part.forget(uri);
  }
  /** Returns the first reading for a document while it is under way: until then it has no endpoints. */
  firstReading(uri: string): Promise<unknown> | undefined {
    return this.#directory.firstReading(uri);
  }
  /** Resolves when nothing is being read for the document. */
  settled(uri: string): Promise<void> {
    return this.#directory.settled(uri);
  }
  /** Reads again for the open documents. */
  refreshAll(documents: Iterable<Document>): void {
    const needs = [...documents].map((one) => [one.uri, this.#selection.needs(one, one.uri)] as const);
    this.#directory.refreshAll(new Map(needs));
  }

  /** Reads everything again, and resolves these choices. */
  async #resolve(document: Document, choices: Choices): Promise<Resolved | EndpointFault> {
    const named = choices.cli === undefined ? [] : [choices.cli];
    const { endpoints, hostValue, fallback } = await this.#refresh(document, document.uri, named, choices.cli);
    return resolveEndpoint(choices, endpoints, hostValue, fallback);
  }
  /**
   * @param texts - May name values of the host, beside those that choose the endpoint.
   * @param typed - The endpoint that a person named for this: it counts instead of a recording in the header.
   */
  #refresh(
    document: Document | undefined,
    uri: string,
    texts: readonly string[] = [],
    typed?: string,
  ): Promise<EndpointListing> {
    const needs = this.#selection.needs(document, uri);
    const recording = typed === undefined ? needs.recording : undefined;
    return this.#directory.refresh(uri, { texts: [...needs.texts, ...texts], recording });
  }
}
