/** What decides on a proxy: VS Code's settings, and the environment. */
export interface ProxyRules {
  /** `http.proxy`; wins over the environment. */
  readonly proxy?: string | undefined;
  /** `http.noProxy`. */
  readonly noProxy?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The proxy for a URL. Settings are read as VS Code reads them: loopback goes direct. The environment is read as curl
 * reads it: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` hold for every host; in capitals `HTTP_PROXY` is
 * taken too, but not for loopback, so that a node on this machine stays within reach.
 *
 * @returns `undefined` for a direct way.
 * @see https://curl.se/docs/manpage.html (ENVIRONMENT)
 */
export function proxyFor(url: URL, { proxy, noProxy, environment }: ProxyRules): string | undefined {
  const local = isLoopback(url.hostname);
  if (proxy) return local || isExcepted(url, noProxy ?? []) ? undefined : withScheme(proxy);
  const exceptions = [...(noProxy ?? []), ...list(environment.no_proxy ?? environment.NO_PROXY)];
  if (isExcepted(url, exceptions)) return undefined;
  const { http_proxy, https_proxy, HTTPS_PROXY, all_proxy, ALL_PROXY, HTTP_PROXY } = environment;
  const own = url.protocol === "https:" ? https_proxy || HTTPS_PROXY : http_proxy || (local ? undefined : HTTP_PROXY);
  const found = own || all_proxy || ALL_PROXY;
  return found ? withScheme(found) : undefined;
}

function list(text: string | undefined): readonly string[] {
  return (text ?? "").split(/[\s,]+/).filter((item) => item !== "");
}

function withScheme(proxy: string): string {
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(?:\.\d+){3}$/.test(hostname)
  );
}

/** `*`, or a host with everything below it: `example.com`, `.example.com`, `*.example.com`, `example.com:8545`. */
function isExcepted(url: URL, exceptions: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return exceptions.some((exception) => {
    if (exception === "*") return true;
    const [, name = "", wanted] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(exception.toLowerCase().replace(/^\*?\./, "")) ?? [];
    // A bare IPv6 address ends in what looks like a port
    const names = wanted !== undefined && name.includes(":") && !exception.includes("]") ? `${name}:${wanted}` : name;
    if (wanted !== undefined && names === name && wanted !== port) return false;
    return host === names || host.endsWith(`.${names}`);
  });
}
