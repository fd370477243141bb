import type { ScopedEndpoint } from "./analysis/scope.ts";
import type { Files } from "./base/ports.ts";
import { visible } from "./base/text.ts";
import { chain } from "./catalog/catalog.ts";
import type { Document } from "./documents.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { gate } from "./endpoints/gate.ts";
import { type KnownEndpoint, knownEndpoints } from "./endpoints/known.ts";
import { type Choices, type Resolved, resolveEndpoint } from "./endpoints/resolve.ts";
import type { Host } from "./host.ts";
import { headerValues } from "./notebook/header.ts";
import type { EndpointChoice, EndpointsResult, Settings } from "./protocol.ts";
import type { EndpointMemory } from "./rpc/send.ts";
import { type CourierHost, endpointDirective } from "./run/courier.ts";

/** Which endpoints there are, which one a document uses, and whether requests may go there. */
export interface Routes {
  /** Reads what stands beside a newly opened document, in the background. */
  follow(document: Document): void;
  forget(uri: string): void;
  /** Resolves when nothing is being read for the document any more. */
  settled(uri: string): Promise<void>;
  /** What was read last. */
  known(document: Document): Known;
  /** Looks everything up anew. */
  choices(document: Document | undefined, uri: string): Promise<EndpointsResult>;
  pick(uri: string, name: string | undefined): void;
  trust(documents: Iterable<Document>): void;
  configure(settings: Settings, documents: Iterable<Document>): void;
  courierHost(document: Document, override: string | undefined): Promise<CourierHost>;
}

export interface Known {
  readonly endpoint: ScopedEndpoint | undefined;
  readonly endpoints: readonly EndpointChoice[];
}

/** What is known, with what it was made from. */
interface KnownFrom {
  readonly header: Document["header"];
  readonly from: readonly KnownEndpoint[];
  readonly pick: string | undefined;
  readonly known: Known;
}

/** Seconds for one exchange, and megabytes of one answer, where no setting says otherwise. */
const defaults = { timeout: 30, maxResponseSize: 100 };

export function openRoutes(host: Host): Routes {
  let { trusted, settings } = host;
  const approved = new Set(host.approvedHosts.map((each) => each.toLowerCase()));
  const picks = new Map<string, string>();
  const memories = new Map<string, EndpointMemory>();
  const read = new Map<string, readonly KnownEndpoint[]>();
  const reading = new Map<string, Promise<readonly KnownEndpoint[]>>();

  const said = new Set<string>();
  /** In a workspace that is not trusted no file beside the document is read. */
  const look = async (uri: string): Promise<readonly KnownEndpoint[]> => {
    const files: Files = trusted ? host.files : { read: async () => undefined };
    const { endpoints, problems } = await knownEndpoints(files, uri, host.roots, settings.rpcNotebook?.endpoints);
    for (const { uri: file, place, what } of problems) {
      const warning = `${fileName(file)}:${place.line}:${place.column}: ${visible(what)}.`;
      if (!said.has(warning)) host.log.warn(warning);
      said.add(warning);
    }
    return endpoints;
  };
  const refresh = (uri: string): Promise<readonly KnownEndpoint[]> => {
    const looking = look(uri)
      .catch((error: unknown) => {
        host.log.error("The files of endpoints could not be read", error);
        return none;
      })
      .then((endpoints) => {
        if (reading.get(uri) !== looking) return endpoints; // a later look knows more
        reading.delete(uri);
        read.set(uri, endpoints);
        host.changed(uri);
        return endpoints;
      });
    reading.set(uri, looking);
    return looking;
  };
  const choicesOf = (document: Document | undefined, uri: string): Choices => ({
    picker: picks.get(uri),
    header: headerValues(document?.header).endpoint,
    setting: settings.rpcNotebook?.endpoint || undefined,
  });

  const knownBy = new Map<string, KnownFrom>();
  /** The same object for as long as nothing that it comes from changes. */
  const known = (document: Document): Known => {
    const { uri, header } = document;
    const from = read.get(uri) ?? none;
    const pick = picks.get(uri);
    const before = knownBy.get(uri);
    if (before?.from === from && before.pick === pick && before.header === header) return before.known;
    const resolved = resolveEndpoint(choicesOf(document, uri), from);
    const made = { endpoint: "endpoint" in resolved ? scoped(resolved) : undefined, endpoints: from.flatMap(choiceOf) };
    knownBy.set(uri, { header, from, pick, known: made });
    return made;
  };

  const admits: CourierHost["admits"] = async ({ endpoint, origin, namedBy }, signal) => {
    const { verdict } = gate({ trusted, approvedHosts: approved, host: endpoint.host, namedBy });
    if (verdict === "open") return undefined;
    if (verdict === "closed") return { kind: "untrusted" };
    if (await host.consent.allowHost({ host: endpoint.host, endpoint: endpoint.name, origin }, signal)) {
      approved.add(endpoint.host.toLowerCase());
      return undefined;
    }
    return { kind: "host-not-approved", host: endpoint.host, origin };
  };

  return {
    follow({ uri }) {
      if (!read.has(uri) && !reading.has(uri)) void refresh(uri);
    },
    forget(uri) {
      read.delete(uri);
      reading.delete(uri);
      picks.delete(uri);
      knownBy.delete(uri);
    },
    async settled(uri) {
      while (reading.has(uri)) await reading.get(uri);
    },
    known,
    async choices(document, uri) {
      const endpoints = await refresh(uri);
      const resolved = resolveEndpoint(choicesOf(document, uri), endpoints);
      const choices = endpoints.flatMap(choiceOf);
      if (!("endpoint" in resolved)) return { endpoints: choices };
      const { endpoint, origin, why } = resolved;
      return { endpoints: choices, current: { name: endpoint.name, host: endpoint.host, origin, why } };
    },
    pick(uri, name) {
      if (name === undefined) picks.delete(uri);
      else picks.set(uri, name);
      host.changed(uri);
    },
    trust(documents) {
      trusted = true;
      for (const { uri } of documents) void refresh(uri);
    },
    configure(changed, documents) {
      settings = changed;
      for (const { uri } of documents) void refresh(uri);
    },
    async courierHost(document, override) {
      const endpoints = await refresh(document.uri);
      const choices = { ...choicesOf(document, document.uri), cli: override };
      const byDirective = new Map<string | undefined, ReturnType<CourierHost["endpointOf"]>>();
      const { timeout = defaults.timeout, maxResponseSize = defaults.maxResponseSize } = settings.rpcNotebook ?? {};
      return {
        transport: host.transport,
        clock: host.clock,
        consent: host.consent,
        timeoutMs: timeout * 1000,
        maxBytes: maxResponseSize * 1_000_000,
        endpointOf(cell) {
          const directive = endpointDirective(cell);
          const found = byDirective.get(directive) ?? resolveEndpoint({ ...choices, cell: directive }, endpoints);
          byDirective.set(directive, found);
          return found;
        },
        admits,
        memoryOf({ name, url }) {
          const key = `${name} ${url}`;
          const memory = memories.get(key) ?? {};
          memories.set(key, memory);
          return memory;
        },
        tokenLookup: settings.rpcNotebook?.tokenLookup ?? true,
        chainId: headerValues(document.header).chainId,
        retrying: ({ reason, waitMs }) => host.log.info(`${reason} Trying again in ${Math.round(waitMs)} ms.`),
      };
    },
  };
}

const none: readonly KnownEndpoint[] = [];

function choiceOf({ name, origin, endpoint, place }: KnownEndpoint): readonly EndpointChoice[] {
  return "broken" in endpoint ? [] : [{ name, host: endpoint.host, origin, ...(place && { place }) }];
}

function scoped({ endpoint, origin, why }: Resolved): ScopedEndpoint {
  const { name, host, logRange, refuses, chainId }: Endpoint = endpoint;
  const spec = chainId === undefined ? undefined : chain(chainId);
  return {
    name,
    host,
    origin,
    why,
    logRange,
    refuses,
    preconfirmed: endpoint.preconfirmed ?? spec?.preconfirmed ?? false,
    chainId,
    explorer: endpoint.explorer ?? spec?.explorer,
  };
}

function fileName(uri: string): string {
  return uri.slice(uri.lastIndexOf("/") + 1);
}
