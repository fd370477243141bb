import type { Scope, ScopedEndpoint } from "../analysis/scope.ts";
import { chain } from "../catalog/catalog.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { KnownEndpoint } from "../endpoints/named.ts";
import type { Resolved } from "../endpoints/resolve.ts";
import { socketAddress } from "../endpoints/socket.ts";
import type { BackgroundFacts } from "../live/backgroundClient.ts";
import type { EndpointChoice } from "../protocol/endpoints.ts";
import { cadenceOf } from "../rpc/cadence.ts";
import type { EndpointMemory } from "../rpc/send.ts";

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

/**
 * What features know of the endpoint that was resolved.
 *
 * @param date - Milliseconds since 1970.
 */
export function scopedEndpoint(
  { endpoint, origin, why }: Resolved,
  memory: EndpointMemory,
  date: number,
): ScopedEndpoint {
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
    cadence: cadenceOf({ ...endpoint, chainId }, memory, date),
    chainId,
    head: memory.head,
    explorer: explorerOf(endpoint, memory),
  };
}

/**
 * What it serves to those who ask in the background.
 *
 * @param mayOpen - Whether its WebSocket may be opened.
 */
export function backgroundFacts(endpoint: Endpoint, memory: EndpointMemory, mayOpen: boolean): BackgroundFacts {
  const { url, host, named } = socketAddress(endpoint);
  const served = named || memory.probed?.subscribes === true;
  return {
    explorer: explorerOf(endpoint, memory),
    socket: served && mayOpen ? { name: endpoint.name, url, host, headers: endpoint.headers } : undefined,
  };
}

/** Equal texts for endpoints that one asker can ask. Holds keys: never shown. */
export function endpointKey(
  { name, url, headers, batch, rate, refuses, preconfirmed, chainId }: Endpoint,
  served: BackgroundFacts,
): string {
  const { socket, explorer } = served;
  return JSON.stringify([name, url, headers, batch, rate, refuses, preconfirmed, `${chainId}`, socket?.url, explorer]);
}

function explorerOf({ explorer, chainId }: Endpoint, { probed }: EndpointMemory): string | undefined {
  const id = chainId ?? probed?.chainId;
  return explorer ?? (id === undefined ? undefined : chain(id)?.explorer);
}
