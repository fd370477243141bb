import { type HostReference, writtenAs } from "../endpoints/hostValue.ts";
import type { HostNamer } from "../endpoints/named.ts";
import { isLocalPort, isReplay, siteOf } from "../endpoints/site.ts";

export interface Passage {
  /** The workspace. */
  readonly trusted: boolean;
  /** The user's grants, named as in {@link Verdict}. */
  readonly grants: ReadonlySet<string>;
  /** The address of the request. */
  readonly url: string;
  readonly namedBy: HostNamer;
  /** Values of the host that would be sent there, unless the user typed both. */
  readonly values: readonly HostReference[];
  /** Whether the endpoint sets HTTP headers. */
  readonly hasHeaders: boolean;
  /** Whether a person runs the request, or has run one there, or chose the endpoint: not for a mere hover. */
  readonly byPerson: boolean;
}

/**
 * - `open`: requests may be sent.
 * - `ask`: the user has to grant something first; background requests are not sent.
 * - `closed`: nothing is sent.
 */
export type Verdict =
  | { readonly verdict: "open" }
  | {
      readonly verdict: "ask";
      /** Values that are not allowed there yet, as written: `$secret.KEY`. */
      readonly values: readonly string[];
    }
  | { readonly verdict: "closed" };

/**
 * Decides whether a request may be sent; every request passes here. A site (scheme, host and port) that the user typed (command line, picker,
 * own settings) is open, and so is a recording, which sends nothing. A port of this machine is open to runs if the endpoint
 * has no path and no headers. Any other site that the repository names needs one approval. A secret or an environment value
 * needs its own approval for each site. Methods that may write are asked about apart.
 */
export function verdictOn({ trusted, grants, url, namedBy, values, hasHeaders, byPerson }: Passage): Verdict {
  if (!trusted) return { verdict: "closed" };
  if (isReplay(url)) return { verdict: "open" };
  const site = siteOf(url);
  if (grants.has(everythingTo(site))) return { verdict: "open" };
  const ungranted = [...new Set(values.map(writtenAs))].filter((value) => !grants.has(valueGrant(site, value)));
  const isLocal = byPerson && !hasHeaders && isLocalPort(url);
  const isKnown = isLocal || namedBy !== "repository" || grants.has(site);
  if (isKnown && ungranted.length === 0) return { verdict: "open" };
  return { verdict: "ask", values: ungranted };
}

/** Whether a person may send a request without values and headers to an address that the person chose. */
export function mayRun(trusted: boolean, url: string): boolean {
  const nothing = { grants: new Set<string>(), values: [], hasHeaders: false };
  return verdictOn({ trusted, url, ...nothing, namedBy: "picker", byPerson: true }).verdict === "open";
}

/** Returns the grants of a site and of values for it. */
export function siteGrants(site: string, values: readonly string[]): readonly string[] {
  return [site, ...values.map((value) => valueGrant(site, value))];
}

function valueGrant(site: string, value: string): string {
  return `${site} ${value}`;
}

/** Returns the grant of a site and of every value for it, as `--allow-host` gives it. */
export function everythingTo(site: string): string {
  return `${site} *`;
}

/** Returns the grant of a method with an unknown effect, at one site. */
export function methodGrant(site: string, method: string): string {
  return `${site} method ${method}`;
}

/** Returns the grant to ask a lookup host about contracts in results, or the person's wish never to be asked. */
export function lookupGrant(site: string, wish: "always" | "never"): string {
  return `${site} ${wish === "always" ? "lookup" : "no-lookup"}`;
}
