import { hostDependencies } from "../analysis/references.ts";
import type { Scope, ScopedEndpoint } from "../analysis/scope.ts";
import { sentAlong } from "../analysis/sentAlong.ts";
import type { Mask } from "../base/mask.ts";
import type { Files } from "../base/ports.ts";
import { formatDuration } from "../base/units.ts";
import { openApprovals } from "../consent/approvals.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { hideKeys } from "../endpoints/hideKeys.ts";
import { type HostNames, labelOf, type ValueOf } from "../endpoints/hostValue.ts";
import { builtIn, knownEndpoints } from "../endpoints/known.ts";
import type { KnownEndpoint } from "../endpoints/named.ts";
import type { EndpointProblem } from "../endpoints/problem.ts";
import { hostValues } from "../endpoints/readValues.ts";
import { bySocket, type Choices, type EndpointFault, otherNetwork, resolveEndpoint } from "../endpoints/resolve.ts";
import { type BackgroundClient, type BackgroundFailure, openBackgroundClient } from "../live/backgroundClient.ts";
import type { ProbeClients } from "../live/probe.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import { readCell } from "../notebook/readCell.ts";
import type { EndpointsResult } from "../protocol/endpoints.ts";
import type { Settings } from "../protocol/settings.ts";
import type { CadenceMemory } from "../rpc/cadence.ts";
import type { EndpointMemory, Probed } from "../rpc/send.ts";
import { endpointDirective } from "../run/dispatcher.ts";
import type { DispatchHost } from "../run/endpointQueue.ts";
import type { UnsentReason } from "../run/unsentReason.ts";
import type { Document } from "./documents.ts";
import { backgroundFacts, choiceOf, endpointKey, scopedChoice, scopedEndpoint } from "./endpointFacts.ts";
import type { Host } from "./host.ts";

/** Which endpoints there are, which one a document uses, and whether requests may go there. */
export interface Routes {
  /** Reads what stands beside a newly opened document, in the background. */
  follow(document: Document): void;
  forget(uri: string): void;
  /** The first reading for a document, while it goes on: until then no endpoint is known. */
  first(uri: string): Promise<unknown> | undefined;
  /** Resolves when nothing is being read for the document any more. */
  settled(uri: string): Promise<void>;
  /** What was read last. */
  known(document: Document): DocumentEndpoints;
  /** Of the files beside all documents, each once. */
  problems(): readonly EndpointProblem[];
  /** Looks everything up anew. */
  choices(document: Document | undefined, uri: string): Promise<EndpointsResult>;
  pick(uri: string, name: string | undefined): void;
  trust(documents: Iterable<Document>): void;
  configure(settings: Settings, documents: Iterable<Document>): void;
  /** Lets requests of a document go to the endpoint that the command line names, or says what is wrong with it. */
  choose(document: Document, name: string): Promise<EndpointFault | undefined>;
  /** What a method does to the chain or the node, as the catalogue or the person says. */
  effectOf: DispatchHost["approvals"]["effectOf"];
  /** @param cells - That the run may send. */
  courierHost(document: Document, override: string | undefined, cells: readonly Cell[]): Promise<RunRoutes>;
  /** Who asks in the background for a document, or for a file that is none. Troubles nobody: what is not granted is silent. */
  asker(document: Document | undefined, uri: string, cell?: Cell): Promise<BackgroundClient | BackgroundFailure>;
  /** Who probes the endpoint of a document's header; asks a person as a run does. */
  prober(document: Document, override: string | undefined, signal: AbortSignal): Promise<Prober | UnsentReason>;
}

export interface Prober extends ProbeClients {
  /** Counts for this endpoint from now on. */
  learn(found: Probed, cadence: CadenceMemory): void;
}

export interface RunRoutes extends Omit<DispatchHost, "reading" | "heldUp"> {
  /** Values of the host that the cells name. */
  readonly hostValue: ValueOf;
}

export interface DocumentEndpoints {
  readonly endpoint: ScopedEndpoint | undefined;
  /** Those that cannot be used too. */
  readonly endpoints: Scope["endpoints"];
  /** `undefined` until the host has told. */
  readonly hostNames: HostNames | undefined;
}

/** What one look at the surroundings of a document found. */
interface EndpointLookup {
  readonly endpoints: readonly KnownEndpoint[];
  readonly problems: readonly EndpointProblem[];
  readonly hostValue: ValueOf;
  readonly hostNames: HostNames | undefined;
}

/** What is known, with what it was made from. */
interface EndpointsFrom {
  readonly header: Document["header"];
  readonly from: EndpointLookup;
  readonly pick: string | undefined;
  readonly foundOut: number;
  readonly known: DocumentEndpoints;
}

/** Seconds for one exchange, and megabytes of one answer, where no setting says otherwise. */
const defaults = { timeout: 30, maxResponseSize: 100 };

/** @param mask - Is told of every value that is read. */
export function openRoutes(host: Host, mask: Mask): Routes {
  let { trusted, settings } = host;
  const approvals = openApprovals(host, mask);
  const picks = new Map<string, string>();
  const memories = new Map<string, EndpointMemory>();
  const read = new Map<string, EndpointLookup>();
  const reading = new Map<string, Promise<EndpointLookup>>();

  /**
   * In a workspace that is not trusted no file beside the document is read, and no value of the host.
   *
   * @param texts - That may name values.
   */
  const look = async (uri: string, texts: readonly string[]): Promise<EndpointLookup> => {
    const files: Files = trusted ? host.files : { read: async () => undefined };
    const beside = trusted ? hostValues(host, uri, host.roots) : undefined;
    const { endpoints, problems, hostValue } = await knownEndpoints(files, uri, host.roots, {
      setting: settings.rpcNotebook?.endpoints,
      workspaceSetting: trusted ? settings.workspace?.endpoints : undefined,
      also: texts,
      async read(wanted) {
        const values = (await (await beside)?.read(wanted)) ?? (() => undefined);
        for (const reference of wanted) mask.add(values(reference) ?? "", labelOf(reference));
        return values;
      },
    });
    for (const { endpoint } of endpoints) if ("url" in endpoint) hideKeys(endpoint, mask);
    return { endpoints, problems, hostValue, hostNames: (await beside)?.names };
  };
  /** @param texts - Beside those that choose the endpoint. */
  const refresh = (
    document: Document | undefined,
    uri: string,
    texts: readonly string[] = [],
  ): Promise<EndpointLookup> => {
    const chosen = Object.values(choicesOf(document, uri)).filter((text) => text !== undefined);
    const looking = look(uri, [...chosen, ...texts])
      .catch((error: unknown) => {
        host.log.error("The files of endpoints could not be read", error);
        return nothing;
      })
      .then((looked) => {
        if (reading.get(uri) !== looking) return looked; // a later look knows more
        reading.delete(uri);
        read.set(uri, looked);
        host.changed(uri);
        return looked;
      });
    reading.set(uri, looking);
    return looking;
  };
  const choicesOf = (document: Document | undefined, uri: string): Choices => ({
    picker: picks.get(uri),
    header: headerValues(document?.header).endpoint,
    workspaceSetting: settings.workspace?.endpoint || undefined,
    setting: settings.rpcNotebook?.endpoint || undefined,
  });

  /** Reads anew for the open documents; of other files, which nobody closes, at the next look. */
  const refreshAll = (documents: Iterable<Document>): void => {
    const open = new Map([...documents].map((document) => [document.uri, document]));
    for (const looks of [read, reading]) for (const uri of looks.keys()) if (!open.has(uri)) looks.delete(uri);
    for (const [uri, document] of open) void refresh(document, uri);
  };

  const knownBy = new Map<string, EndpointsFrom>();
  /** The same object for as long as nothing that it comes from changes. */
  const known = (document: Document): DocumentEndpoints => {
    const { uri, header } = document;
    const from = read.get(uri) ?? nothing;
    const pick = picks.get(uri);
    const before = knownBy.get(uri);
    const isSame = before?.from === from && before.pick === pick && before.header === header;
    if (isSame && before.foundOut === foundOut) return before.known;
    const { endpoints, hostValue, hostNames } = from;
    const resolved = resolveEndpoint(choicesOf(document, uri), endpoints, hostValue);
    const endpoint =
      "endpoint" in resolved
        ? mask.value(scopedEndpoint(resolved, memoryOf(resolved.endpoint), host.clock.date()))
        : undefined;
    const made = { endpoint, endpoints: mask.value(endpoints.map(scopedChoice)), hostNames };
    knownBy.set(uri, { header, from, pick, foundOut, known: made });
    return made;
  };

  /** How often something was found out about an endpoint that features say. */
  let foundOut = 0;
  const noticed = (): void => {
    foundOut++;
    for (const uri of read.keys()) host.changed(uri);
  };
  const memoryOf = ({ name, url }: Endpoint): EndpointMemory => {
    const key = `${name} ${url}`;
    const memory = memories.get(key) ?? { changed: noticed };
    memories.set(key, memory);
    return memory;
  };
  /** One for all who ask the same endpoint, though it may have been read anew in between. */
  const askers = new Map<string, BackgroundClient>();
  return {
    async asker(document, uri, cell) {
      if (!trusted) return { silent: "untrusted" };
      const { endpoints, hostValue } = read.get(uri) ?? (await (reading.get(uri) ?? refresh(document, uri)));
      const choices = { ...choicesOf(document, uri), cell: cell && endpointDirective(cell) };
      const resolved = resolveEndpoint(choices, endpoints, hostValue);
      if ("code" in resolved) return { silent: "no-endpoint" };
      if (!approvals.isOpen(resolved)) return { silent: "not-approved" };
      const { endpoint } = resolved;
      const memory = memoryOf(endpoint);
      const served = backgroundFacts(endpoint, memory, approvals.isOpen(bySocket(resolved)));
      const key = endpointKey(endpoint, served);
      const made = askers.get(key) ?? openBackgroundClient(endpoint, served, { ...host, memory });
      askers.set(key, made);
      return made;
    },
    follow(document) {
      const { uri } = document;
      if (!read.has(uri) && !reading.has(uri)) void refresh(document, uri);
    },
    forget(uri) {
      read.delete(uri);
      reading.delete(uri);
      picks.delete(uri);
      knownBy.delete(uri);
    },
    first: (uri) => (read.has(uri) ? undefined : reading.get(uri)),
    async settled(uri) {
      while (reading.has(uri)) await reading.get(uri);
    },
    known,
    problems() {
      const all = [...read.values()].flatMap(({ problems }) => problems);
      return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
    },
    async choices(document, uri) {
      const { endpoints, hostValue } = await refresh(document, uri);
      const resolved = resolveEndpoint(choicesOf(document, uri), endpoints, hostValue);
      const choices = endpoints.flatMap(choiceOf);
      const found = "endpoint" in resolved ? resolved : undefined;
      const names = choices.map(({ name }) => name);
      const other = otherNetwork(names, found?.endpoint.name);
      return mask.value({
        endpoints: choices,
        configured: endpoints.some(({ origin }) => origin !== builtIn),
        ...(other !== undefined && { other }),
        ...(found && {
          current: { name: found.endpoint.name, host: found.endpoint.host, origin: found.origin, why: found.why },
        }),
      });
    },
    pick(uri, name) {
      if (name === undefined) picks.delete(uri);
      else picks.set(uri, name);
      host.changed(uri);
    },
    trust(documents) {
      trusted = true;
      approvals.trust();
      refreshAll(documents);
    },
    configure(changed, documents) {
      settings = changed;
      approvals.configure(changed);
      refreshAll(documents);
    },
    async choose(document, name) {
      const { endpoints, hostValue } = await refresh(document, document.uri, [name]);
      const resolved = resolveEndpoint({ cli: name }, endpoints, hostValue);
      if ("code" in resolved) return resolved;
      approvals.choose(`${document.uri} ${name}`, resolved);
      return undefined;
    },
    effectOf: approvals.effectOf,
    async prober(document, override, signal) {
      const { endpoints, hostValue } = await refresh(document, document.uri, override === undefined ? [] : [override]);
      const choices = { ...choicesOf(document, document.uri), cli: override };
      const resolved = resolveEndpoint(choices, endpoints, hostValue);
      if ("code" in resolved) return { kind: "endpoint", fault: resolved };
      const { endpoint } = resolved;
      hideKeys(endpoint, mask);
      const probing = readCell("{}"); // stands for requests that carry no value of the host
      const [refusal] = (await approvals.admit(resolved, [probing], () => [], signal)).values();
      if (refusal) return refusal;
      const memory = memoryOf(endpoint);
      const served = { socket: undefined };
      const socket = bySocket(resolved);
      return {
        asker: openBackgroundClient(endpoint, served, { ...host, memory }),
        socket: approvals.isOpen(socket)
          ? openBackgroundClient({ ...socket.endpoint, batch: false }, served, { ...host, memory: {} })
          : undefined,
        learn(found, cadence) {
          memory.probed = found;
          if (cadence.blockMs !== undefined) memory.blockMs = cadence.blockMs;
          if (cadence.ahead) memory.ahead = cadence.ahead;
          if (found.refuses.includes("eth_getBlockReceipts")) memory.refusesReceipts = true;
          noticed();
        },
      };
    },
    async courierHost(document, override, cells) {
      const { endpoints, hostValue } = await refresh(document, document.uri, [
        ...(override === undefined ? [] : [override]),
        textsWithReferences(cells),
      ]);
      const choices = { ...choicesOf(document, document.uri), cli: override };
      const byDirective = new Map<string | undefined, ReturnType<DispatchHost["endpointOf"]>>();
      const sendsValues = cells.some((cell) => hostDependencies(cell).length > 0);
      const { timeout = defaults.timeout, maxResponseSize = defaults.maxResponseSize } = settings.rpcNotebook ?? {};
      return {
        hostValue,
        transport: host.transport,
        clock: host.clock,
        approvals,
        timeoutMs: timeout * 1000,
        maxBytes: maxResponseSize * 1_000_000,
        endpointOf(cell) {
          const directive = endpointDirective(cell);
          const before = byDirective.get(directive);
          if (before) return before;
          const found = resolveEndpoint({ ...choices, cell: directive }, endpoints, hostValue);
          if ("endpoint" in found) hideKeys(found.endpoint, mask);
          byDirective.set(directive, found);
          return found;
        },
        admits(resolved, some, signal) {
          const valuesOf = (few: readonly Cell[]) =>
            sendsValues ? sentAlong(few, cells).filter((one) => hostValue(one) !== undefined) : [];
          return approvals.admit(resolved, some, valuesOf, signal);
        },
        memoryOf,
        sawHead(endpoint, head) {
          const memory = memoryOf(endpoint);
          const isFirst = memory.head === undefined;
          memory.head = head;
          if (!isFirst) return; // a later one says no more of a range
          knownBy.clear();
          host.changed(document.uri);
        },
        tokenLookup: settings.rpcNotebook?.tokenLookup ?? true,
        chainId: headerValues(document.header).chainId,
        retrying: ({ reason, waitMs }) => host.log.info(`${reason} Trying again in ${formatDuration(waitMs)}.`),
      };
    },
  };
}

/** A loop: a run of thousands of cells has few that may name a value. */
function textsWithReferences(cells: readonly Cell[]): string {
  const texts: string[] = [];
  for (const { literal, text } of cells) if (!literal) texts.push(text);
  return texts.join("\n");
}

const nothing: EndpointLookup = { endpoints: [], problems: [], hostValue: () => undefined, hostNames: undefined };
