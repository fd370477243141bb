import { type HostReference, writtenAs } from "./hostValue.ts";
import type { HostNamer } from "./named.ts";
import { siteOf } from "./site.ts";

export interface Passage {
  /** The workspace. */
  readonly trusted: boolean;
  /** What a person has allowed, as {@link Verdict} names it. */
  readonly grants: ReadonlySet<string>;
  /** Where the request goes. */
  readonly url: string;
  readonly namedBy: HostNamer;
  /** Values of the host that would go there, unless a person typed both. */
  readonly values: readonly HostReference[];
}

/**
 * - `open`: requests may go out.
 * - `ask`: a person has to grant something first; what works in the background stays silent.
 * - `closed`: nothing is sent.
 */
export type Verdict =
  | { readonly verdict: "open" }
  | {
      readonly verdict: "ask";
      /** Values that are not yet allowed there, as they are written: `$secret.KEY`. */
      readonly values: readonly string[];
    }
  | { readonly verdict: "closed" };

/**
 * The one gate that every request passes. A site (scheme, host and port) that a person has written (command line, picker,
 * own settings) is open. One that the repository names, or the built-in `local`, is approved once. A secret or an
 * environment value needs an approval of its own for each site.
 */
export function gate({ trusted, grants, url, namedBy, values }: Passage): Verdict {
  if (!trusted) return { verdict: "closed" };
  const site = siteOf(url);
  if (grants.has(everythingTo(site))) return { verdict: "open" };
  const asked = [...new Set(values.map(writtenAs))].filter((value) => !grants.has(valueGrant(site, value)));
  const isKnown = namedBy !== "repository" || grants.has(site);
  if (isKnown && asked.length === 0) return { verdict: "open" };
  return { verdict: "ask", values: asked };
}

/** The grants of a site and of values that go there. */
export function siteGrants(site: string, values: readonly string[]): readonly string[] {
  return [site, ...values.map((value) => valueGrant(site, value))];
}

function valueGrant(site: string, value: string): string {
  return `${site} ${value}`;
}

/** The grant of a site and of every value that goes there, as `--allow-host` gives it. */
export function everythingTo(site: string): string {
  return `${site} *`;
}

/** The grant of a method that is not known to only read, at one site. */
export function methodGrant(site: string, method: string): string {
  return `${site} method ${method}`;
}
