import type { HostNamer } from "./known.ts";

export interface Passage {
  /** The workspace. */
  readonly trusted: boolean;
  /** Hosts with ports that a person has approved. */
  readonly approvedHosts: ReadonlySet<string>;
  readonly host: string;
  readonly namedBy: HostNamer;
}

/**
 * - `open`: requests may go out.
 * - `ask`: a person has to approve the host first; what works in the background stays silent.
 * - `closed`: nothing is sent.
 */
export type Verdict =
  | { readonly verdict: "open" }
  | { readonly verdict: "ask"; readonly reason: "host-not-approved" }
  | { readonly verdict: "closed"; readonly reason: "untrusted" };

/**
 * The one gate that every request passes. What a person has written (command line, picker, own settings) goes; a host
 * that the repository names, the built-in `local` among them, is approved once.
 */
export function gate({ trusted, approvedHosts, host, namedBy }: Passage): Verdict {
  if (!trusted) return { verdict: "closed", reason: "untrusted" };
  if (namedBy !== "repository" || approvedHosts.has(host.toLowerCase())) return { verdict: "open" };
  return { verdict: "ask", reason: "host-not-approved" };
}
