import type { Endpoint } from "./endpoint.ts";

/** Where an endpoint takes subscriptions. */
export interface SocketAddress {
  /** May hold a key: never shown, never logged. */
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  /** Somebody has written it down; else it is the endpoint's own address by the other scheme. */
  readonly named: boolean;
}

/** The WebSocket of an endpoint: the one it names, else its own address by the other scheme. */
export function socketAddress({ ws, url }: Pick<Endpoint, "ws" | "url">): SocketAddress {
  const address = ws ?? url.replace(/^http/i, "ws");
  return { url: address, host: new URL(address).host, named: ws !== undefined || address === url };
}
