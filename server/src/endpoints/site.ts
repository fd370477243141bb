import { memoOfLast } from "../base/memo.ts";

/**
 * Returns the site that an approval is for: scheme, host and port, like a web origin. A WebSocket counts as HTTP with the
 * same protection, since it is the same server behind the same port.
 *
 * @param url - `http`, `https`, `ws` or `wss`.
 * @example siteOf("wss://RPC.example:443/v2/key"); //=> "https://rpc.example"
 */
export function siteOf(url: string): string {
  return new URL(url.replace(/^ws/i, "http")).origin;
}

/** Returns the site for people: the scheme as written, the host in ASCII (punycode), never masked or cut. */
export function shownSite(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/**
 * Returns a name as a message repeats it. Of what may be an address, with or without its scheme, that is the host: a path, a
 * query or credentials may be a key.
 *
 * @example shownName("rpc.example/v2/key"); //=> "rpc.example/…"
 */
export function shownName(text: string): string {
  const [, host, rest] = /^(?:.*?\/\/)?(?:[^/?#]*@)?([^/?#]*)([/?#]?)/s.exec(text.trim()) ?? [];
  return rest ? `${host}/…` : (host ?? "");
}

/** Returns whether anyone on the network can read what is sent: no TLS, and not this machine. */
export function isInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (protocol === "http:" || protocol === "ws:") && !isLoopback(hostname);
}

/** Returns whether requests to this address stay on this machine. */
export const staysHere = memoOfLast((url: string): boolean => isLoopback(new URL(url).hostname));

/** Returns the address of a lookup host without a slash at its end; `undefined` if it cannot be one. */
export const lookupApi = memoOfLast((text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.username === "" && !/[?#]/.test(text) && isHostName(url);
  const isSafe = isPlain && (url.protocol === "https:" || (url.protocol === "http:" && staysHere(text)));
  return isSafe ? url.href.replace(/\/+$/, "") : undefined;
});

/**
 * Returns whether an address names only a port of this machine. With a path, a query or credentials, a repository could
 * describe a request to a program that is not a node.
 */
export function isLocalPort(url: string): boolean {
  const { pathname, search, username, password } = new URL(url);
  return staysHere(url) && `${pathname}${search}${username}${password}` === "/";
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

/**
 * Returns whether this host is a valid DNS name. URLs allow more: quotes, `$(…)` and `;`, which could fake a question or, pasted from
 * an error message, run in a shell.
 */
export function isHostName({ hostname }: URL): boolean {
  return hostname.startsWith("[") || /^[\w.-]{1,253}$/.test(hostname);
}

/**
 * Returns the sites that `--allow-host` names. Without a scheme that is HTTPS, and plain HTTP on this machine only.
 *
 * @returns Empty if the text is not a host.
 * @example sitesNamed("rpc.example:8545"); //=> ["https://rpc.example:8545"]
 */
export function sitesNamed(text: string): readonly string[] {
  const hasScheme = /^[a-z][\w+.-]*:\/\//i.test(text);
  const urls = hasScheme ? [text] : [`https://${text}`, `http://${text}`];
  const named = urls.filter((url) => isBare(url) && (hasScheme || !isInClear(url)));
  return [...new Set(named.map(siteOf))];
}

/** Returns whether an address is only a host: a path would suggest a narrower approval than there is. */
function isBare(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname, search, username, password } = new URL(url);
  const isWeb = ["http:", "https:", "ws:", "wss:"].includes(protocol);
  return isWeb && isHostName(new URL(url)) && `${pathname}${search}${username}${password}` === "/";
}

export function allowHostText(url: string): string {
  const { host } = new URL(url);
  return isInClear(url) ? `http://${host}` : host;
}

interface Addresses {
  readonly ws?: string | undefined;
  readonly url: string;
  readonly host: string;
}

/** The address for subscriptions of an endpoint. */
interface SocketAddress {
  /** May hold a key: never shown, never logged. */
  readonly url: string;
  /** Host and port; for a recording, what its endpoint says in place of them. */
  readonly host: string;
  /** It is written in the entry; otherwise it is the endpoint's own address with the other scheme. */
  readonly named: boolean;
}

/** Returns the WebSocket of an endpoint: the one that it names, else its own address with the other scheme. */
export function socketAddress({ ws, url, host }: Addresses): SocketAddress {
  const address = ws ?? url.replace(/^http/i, "ws");
  // the address of a recording has no host
  return { url: address, host: new URL(address).host || host, named: ws !== undefined || address === url };
}

/** The scheme of addresses that only a recording answers. */
const scheme = "replay:";

/** Returns the address of an endpoint that nothing but the recording with this id answers. */
export function replayUrl(id: string): string {
  return `${scheme}${id}`;
}

/** Returns whether requests to this address never leave this program. */
export function isReplay(url: string): boolean {
  return url.startsWith(scheme);
}

/** Returns the id of the recording that answers this address. */
export function replayId(url: string): string | undefined {
  return isReplay(url) ? url.slice(scheme.length) : undefined;
}

/** How the name of a file with a recording ends. */
export const recordingSuffix = ".rpc.recording.json";
