import type { Endpoint } from "./endpoint.ts";

/** The address for subscriptions of an endpoint. */
export interface SocketAddress {
  /** May hold a key: never shown, never logged. */
  readonly url: string;
  /** Host and port; for a recording, what its endpoint says in place of them. */
  readonly host: string;
  /** It is written in the entry; otherwise it is the endpoint's own address with the other scheme. */
  readonly named: boolean;
}

/** Returns the WebSocket of an endpoint: the one that it names, else its own address with the other scheme. */
export function socketAddress({ ws, url, host }: Pick<Endpoint, "ws" | "url" | "host">): SocketAddress {
  const address = ws ?? url.replace(/^http/i, "ws");
  // the address of a recording has no host
  return { url: address, host: new URL(address).host || host, named: ws !== undefined || address === url };
}
