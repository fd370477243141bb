/** The settings of VS Code and the environment, which decide on a proxy. */
export interface ProxyRules {
  /** `http.proxy`, which takes precedence over the environment. */
  readonly proxy?: string | undefined;
  /** `http.noProxy`. */
  readonly noProxy?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the proxy for a URL. Settings are read as VS Code reads them: loopback needs no proxy. The environment is read as
 * curl reads it: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` apply to every host. `HTTP_PROXY` in capitals
 * applies too, but not to loopback, so that a node on this machine stays reachable.
 *
 * @returns `undefined` for a direct connection.
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

/** Matches `*`, and hosts with their subdomains: `example.com`, `.example.com`, `*.example.com`, `example.com:8545`. */
function isExcepted(url: URL, exceptions: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return exceptions.some((exception) => {
    if (exception === "*") return true;
    const [, name = "", wanted] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(exception.toLowerCase().replace(/^\*?\./, "")) ?? [];
    // the end of a bare IPv6 address looks like a port
    const names = wanted !== undefined && name.includes(":") && !exception.includes("]") ? `${name}:${wanted}` : name;
    if (wanted !== undefined && names === name && wanted !== port) return false;
    return host === names || host.endsWith(`.${names}`);
  });
}
