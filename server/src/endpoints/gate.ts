import { type HostReference, writtenAs } from "./hostValue.ts";
import type { HostNamer } from "./named.ts";

export interface Passage {
  /** The workspace. */
  readonly trusted: boolean;
  /** What a person has allowed, as {@link Verdict} names it. */
  readonly grants: ReadonlySet<string>;
  /** With its port. */
  readonly host: string;
  readonly namedBy: HostNamer;
  /** Values of the host that would go there, which nobody has sent there by writing both down. */
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
      /** To be remembered as they are. */
      readonly grants: readonly string[];
      /** Values that are not yet allowed there, as they are written: `$secret.KEY`. */
      readonly values: readonly string[];
    }
  | { readonly verdict: "closed" };

/**
 * The one gate that every request passes. What a person has written (command line, picker, own settings) goes; a host
 * that the repository names, the built-in `local` among them, is approved once; a secret or a value of the environment
 * goes to each host only by leave.
 */
export function gate({ trusted, grants, host, namedBy, values }: Passage): Verdict {
  if (!trusted) return { verdict: "closed" };
  const place = host.toLowerCase();
  if (grants.has(everythingTo(place))) return { verdict: "open" };
  const asked = [...new Set(values.map(writtenAs))].filter((value) => !grants.has(`${place} ${value}`));
  const isKnown = namedBy !== "repository" || grants.has(place);
  if (isKnown && asked.length === 0) return { verdict: "open" };
  return { verdict: "ask", grants: [place, ...asked.map((value) => `${place} ${value}`)], values: asked };
}

/** The grant of a host and of every value that goes there, as `--allow-host` gives it. */
export function everythingTo(host: string): string {
  return `${host.toLowerCase()} *`;
}
