import type { Scope, ScopedEndpoint } from "../analysis/scope.ts";
import { chain } from "../catalog/catalog.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { KnownEndpoint } from "../endpoints/named.ts";
import { type EndpointFault, explainEndpoint, missingSecret, type Resolved } from "../endpoints/resolveEndpoint.ts";
import { socketAddress } from "../endpoints/socket.ts";
import type { BackgroundFacts } from "../gate/backgroundClient.ts";
import type { EndpointChoice, UnusableEndpoint } from "../protocol/endpoints.ts";
import { cadenceOf } from "../rpc/cadence.ts";
import type { EndpointMemory } from "../rpc/send.ts";

/** Returns an endpoint for features. One that cannot be used has no host. */
export function scopedChoice(choice: KnownEndpoint): Scope["endpoints"][number] {
  const { name, origin, place, endpoint } = choice;
  const state = "url" in endpoint ? { host: endpoint.host } : { host: "", broken: endpoint.broken };
  return { name, origin, ...state, ...(place && { place }) };
}

/** Returns an endpoint for a picker. */
export function choiceOf({ name, origin, endpoint, place }: KnownEndpoint): EndpointChoice {
  const choice = { name, origin, ...(place && { place }) };
  if ("url" in endpoint) return { ...choice, host: endpoint.host };
  const secret = missingSecret(endpoint.broken);
  const broken = `It cannot be used: ${endpoint.broken}.`;
  return { ...choice, host: "", broken, ...(secret !== undefined && { secret }) };
}

/** Returns what a client shows of an endpoint that is named but cannot be used; `undefined` if none is named. */
export function unusableEndpoint(fault: EndpointFault): UnusableEndpoint | undefined {
  if (fault.code === "no-endpoint") return undefined;
  return { name: fault.name, ...explainEndpoint(fault), isPicked: fault.chosenBy === "picker" };
}

/**
 * Returns what features need of the endpoint of a document.
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
 * Returns what the background needs of an endpoint, beside its address.
 *
 * @param mayOpen - Whether its WebSocket may be opened.
 */
export function backgroundFacts(endpoint: Endpoint, memory: EndpointMemory, mayOpen: boolean): BackgroundFacts {
  const { url, host, named } = socketAddress(endpoint);
  const hasSocket = named || memory.probed?.subscribes === true;
  return {
    explorer: explorerOf(endpoint, memory),
    socket: hasSocket && mayOpen ? { name: endpoint.name, url, host, headers: endpoint.headers } : undefined,
  };
}

/** Returns equal texts for endpoints that can share a client. Contains keys: never show it. */
export function endpointKey(
  { name, url, headers, batch, rate, refuses, preconfirmed, chainId }: Endpoint,
  facts: BackgroundFacts,
): string {
  const { socket, explorer } = facts;
  return JSON.stringify([name, url, headers, batch, rate, refuses, preconfirmed, `${chainId}`, socket?.url, explorer]);
}

function explorerOf({ explorer, chainId }: Endpoint, { probed }: EndpointMemory): string | undefined {
  const id = chainId ?? probed?.chainId;
  return explorer ?? (id === undefined ? undefined : chain(id)?.explorer);
}

/** Returns about how many requests a probe sends, for a person to know before. @param rate - Of the endpoint. */
export function expectedRequests(rate: number | undefined): number {
  return probesLess(rate) ? 60 : 200;
}

/** Whether an endpoint takes so few requests a second that a probe does not measure everything. */
export function probesLess(rate: number | undefined): boolean {
  return rate !== undefined && rate < 50;
}
