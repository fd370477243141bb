import type { Scope, ScopedEndpoint } from "./analysis/scope.ts";
import { chain } from "./catalog/catalog.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { KnownEndpoint } from "./endpoints/named.ts";
import type { Resolved } from "./endpoints/resolve.ts";
import { socketAddress } from "./endpoints/socket.ts";
import type { Served } from "./live/asker.ts";
import type { EndpointChoice } from "./protocol.ts";
import type { EndpointMemory } from "./rpc/send.ts";

/** An endpoint for features; one that cannot be used has no host. */
export function scopedChoice(known: KnownEndpoint): Scope["endpoints"][number] {
  const { name, origin, place, endpoint } = known;
  const broken = "broken" in endpoint ? { broken: endpoint.broken } : undefined;
  return choiceOf(known)[0] ?? { name, host: "", origin, ...broken, ...(place && { place }) };
}

/** An endpoint for a person who picks one; none that cannot be used. */
export function choiceOf({ name, origin, endpoint, place }: KnownEndpoint): readonly EndpointChoice[] {
  return "broken" in endpoint ? [] : [{ name, host: endpoint.host, origin, ...(place && { place }) }];
}

/** What features know of the endpoint that was resolved. */
export function scoped({ endpoint, origin, why }: Resolved, memory: EndpointMemory): ScopedEndpoint {
  const { name, host }: Endpoint = endpoint;
  const { probed } = memory;
  const chainId = endpoint.chainId ?? probed?.chainId;
  return {
    name,
    host,
    origin,
    why,
    logRange: endpoint.logRange ?? probed?.logRange,
    refuses: [...new Set([...endpoint.refuses, ...(probed?.refuses ?? [])])],
    preconfirmed: servesAhead(endpoint, memory),
    chainId,
    head: memory.head,
    explorer: explorerOf(endpoint, memory),
  };
}

/** Whether `pending` is ahead of `latest`: as its entry says, as a probe found, or as its chain is known for. */
export function servesAhead({ preconfirmed, chainId }: Endpoint, { probed }: EndpointMemory): boolean {
  const id = chainId ?? probed?.chainId;
  return preconfirmed ?? probed?.preconfirmed ?? (id === undefined ? undefined : chain(id)?.preconfirmed) ?? false;
}

/**
 * What it serves to those who ask in the background.
 *
 * @param mayOpen - Whether its WebSocket may be opened.
 */
export function servedBy(endpoint: Endpoint, memory: EndpointMemory, mayOpen: boolean): Served {
  const { url, host, named } = socketAddress(endpoint);
  const served = named || memory.probed?.subscribes === true;
  return {
    preconfirmed: servesAhead(endpoint, memory),
    explorer: explorerOf(endpoint, memory),
    socket: served && mayOpen ? { name: endpoint.name, url, host, headers: endpoint.headers } : undefined,
  };
}

/** Equal texts for endpoints that one asker can ask. Holds keys: never shown. */
export function sameness({ name, url, headers, batch, rate, refuses }: Endpoint, served: Served): string {
  const { preconfirmed, socket, explorer } = served;
  return JSON.stringify([name, url, headers, batch, rate, refuses, preconfirmed, socket?.url, explorer]);
}

function explorerOf({ explorer, chainId }: Endpoint, { probed }: EndpointMemory): string | undefined {
  const id = chainId ?? probed?.chainId;
  return explorer ?? (id === undefined ? undefined : chain(id)?.explorer);
}
