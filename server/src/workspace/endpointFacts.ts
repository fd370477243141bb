import type { Scope, ScopedEndpoint } from "../analysis/scope.ts";
import type { Wording } from "../base/ports.ts";
import { chain } from "../catalog/catalog.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { KnownEndpoint } from "../endpoints/named.ts";
import { type EndpointFault, explainEndpoint, missingSecret, type Resolved } from "../endpoints/resolveEndpoint.ts";
import { socketAddress } from "../endpoints/site.ts";
import type { Permit } from "../gate/approvals.ts";
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

/** Returns an endpoint for a picker. @param current - The endpoint that a run would use now. */
export function choiceOf({ name, origin, endpoint, place }: KnownEndpoint, current?: Endpoint): EndpointChoice {
  const choice = { name, origin, ...(place && { place }) };
  if ("url" in endpoint) {
    const isCurrent = name === current?.name && endpoint.host === current.host; // a recording answers instead of its node
    return { ...choice, host: endpoint.host, ...(isCurrent && { isCurrent }) };
  }
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
    cadence: cadenceOf(endpoint, memory, date),
    chainId,
    head: memory.head,
    explorer: explorerOf(endpoint, memory),
    contracts: endpoint.contracts,
  };
}

/**
 * Returns what the background needs of an endpoint, beside its address.
 *
 * @param socket - The permission for its WebSocket.
 */
export function backgroundFacts(endpoint: Endpoint, memory: EndpointMemory, socket: Permit): BackgroundFacts {
  const hasSocket = socketAddress(endpoint).named || memory.probed?.subscribes === true;
  return { explorer: explorerOf(endpoint, memory), socket: hasSocket && socket.isOpen ? socket : undefined };
}

/** Returns equal texts for endpoints that can share a client. Contains keys: never show it. */
export function endpointKey(
  { name, url, headers, batch, rate, refuses, preconfirmed, chainId }: Endpoint,
  facts: BackgroundFacts,
): string {
  const { socket, explorer } = facts;
  const socketUrl = socket?.resolved.endpoint.url;
  return JSON.stringify([name, url, headers, batch, rate, refuses, preconfirmed, `${chainId}`, socketUrl, explorer]);
}

function explorerOf({ explorer, chainId }: Endpoint, { probed }: EndpointMemory): string | undefined {
  const id = chainId ?? probed?.chainId;
  return explorer ?? (id === undefined ? undefined : chain(id)?.explorer);
}

/** Asks whether to probe an endpoint: says about how many requests that sends. */
export function probeWords({ name, host, rate }: Endpoint): Wording {
  const requests = probesLess(rate) ? 60 : 200;
  return {
    question: `Probe ${name}?`,
    detail: [`This sends about ${requests} requests to ${host} to find out what it supports. They only read.`],
    yes: ["Probe"],
    no: "Don't Probe",
  };
}

/** Whether an endpoint takes so few requests a second that a probe does not measure everything. */
export function probesLess(rate: number | undefined): boolean {
  return rate !== undefined && rate < 50;
}
