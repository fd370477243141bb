import type { FaultReason, TransportFault } from "./ports.ts";
import { percentDecoded } from "./text.ts";

/** Makes a fault. `progress` says how far the exchange came. */
export function transportFault(
  reason: FaultReason,
  detail = "",
  { status, sent }: { readonly status?: number | undefined; readonly sent?: boolean | undefined } = {},
): TransportFault {
  return {
    kind: "fault",
    reason,
    detail,
    ...(status !== undefined && { status }),
    ...(sent !== undefined && { sent }),
  };
}

/**
 * Parses the address of a request.
 *
 * @param scheme - The scheme without TLS; the one with TLS is allowed as well.
 */
export function parseAddress(address: string, scheme: "http" | "ws"): URL | TransportFault {
  const progress = { sent: false };
  if (!URL.canParse(address)) return transportFault("unsendable", "the address is not valid", progress);
  const url = new URL(address);
  if (url.protocol === `${scheme}:` || url.protocol === `${scheme}s:`) return url;
  return transportFault("unsendable", `the address is neither ${scheme} nor ${scheme}s`, progress);
}

/**
 * Makes the headers of a request, with names in lower case. Credentials of the address become a header: as part of the
 * address they would appear in logs.
 *
 * @param defaults - Headers that the endpoint's own replace.
 */
export function requestHeaders(
  defaults: Readonly<Record<string, string>>,
  url: URL,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const named = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  const authorization = basicCredentials(url);
  return { ...defaults, ...(authorization !== undefined && { authorization }), ...Object.fromEntries(named) };
}

/** Returns the credentials of an address for an `Authorization` or `Proxy-Authorization` header. */
export function basicCredentials({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const bytes = new TextEncoder().encode(`${percentDecoded(username)}:${percentDecoded(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
