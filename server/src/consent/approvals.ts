import type { Mask } from "../base/mask.ts";
import type { Consent } from "../base/ports.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { effectByName } from "../catalog/effects.ts";
import { gate, methodGrant, type Verdict } from "../endpoints/gate.ts";
import type { HostReference } from "../endpoints/hostValue.ts";
import { isBuiltIn } from "../endpoints/known.ts";
import type { Resolved } from "../endpoints/resolve.ts";
import { siteOf, sitesNamed, staysHere } from "../endpoints/site.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Settings } from "../protocol/settings.ts";
import type { Permissions } from "../run/endpointQueue.ts";
import type { UnsentReason } from "../run/unsentReason.ts";
import { openQuestions } from "./questions.ts";

/** What a person has allowed, and the questions that ask for more. Nothing is sent without a check here. */
export interface Approvals extends Permissions {
  /** Whether requests without values of the host may go where this resolves to. Never asks. */
  isOpen(resolved: Resolved): boolean;
  /**
   * Asks for all cells together. After a no, cells that need nothing more are still sent.
   *
   * @param valuesOf - Finds the values of the host that go out with cells.
   */
  admit(
    resolved: Resolved,
    cells: readonly Cell[],
    valuesOf: (cells: readonly Cell[]) => readonly HostReference[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Cell, UnsentReason>>;
  /**
   * Allows the site that an endpoint named on the command line has at first; a file that changes its address later does
   * not move the approval. A built-in endpoint is only allowed on this machine.
   *
   * @param use - Identifies the document and the name.
   */
  choose(use: string, resolved: Resolved): void;
  trust(): void;
  configure(settings: Settings): void;
}

/** What approvals need of the host. */
interface ApprovalHost {
  readonly consent: Consent;
  /** The workspace. */
  readonly trusted: boolean;
  readonly settings: Settings;
  /** Grants of earlier sessions, and hosts. */
  readonly approvedHosts: readonly string[];
}

export function openApprovals(host: ApprovalHost, mask: Mask): Approvals {
  let { trusted, settings } = host;
  const granted = new Set(host.approvedHosts.flatMap(grantsNamed));
  const chosen = new Map<string, string>();
  const questions = openQuestions(host.consent, mask, {
    granted,
    allowsMethod: (site, method) =>
      ["*", site].some((where) => namesOf(method).some((name) => granted.has(methodGrant(where, name)))),
    add(grants) {
      for (const grant of grants) granted.add(grant);
    },
  });
  const verdictOn = ({ endpoint: { url }, namedBy, values }: Resolved): Verdict =>
    gate({ trusted, grants: granted, url, namedBy, values });

  return {
    byOptions: host.consent.byOptions,
    isOpen: (resolved) => verdictOn(resolved).verdict === "open",
    async admit(resolved, cells, valuesOf, signal) {
      const verdictFor = (some: readonly Cell[]): Verdict =>
        verdictOn({ ...resolved, values: [...resolved.values, ...valuesOf(some)] });
      if (verdictFor(cells).verdict === "ask") await questions.allowSite(resolved, () => verdictFor(cells), signal);
      if (verdictFor(cells).verdict === "open") return new Map(); // open for all of them is open for each
      return new Map(
        cells.flatMap((cell): readonly (readonly [Cell, UnsentReason])[] => {
          const own = verdictFor([cell]);
          if (own.verdict === "open") return [];
          return [
            [cell, own.verdict === "closed" ? { kind: "untrusted" } : notApproved(resolved, own.values, host.consent)],
          ];
        }),
      );
    },
    choose(use, { endpoint: { name, url } }) {
      if (isBuiltIn(name) && !staysHere(url)) return;
      const site = siteOf(url);
      const first = chosen.get(use) ?? site;
      chosen.set(use, first);
      if (site === first) granted.add(site);
    },
    effectOf(method) {
      const known = methodNamed(method)?.effect;
      if (known !== undefined) return known;
      const declared = settings.rpcNotebook?.readMethods ?? [];
      const byName = effectByName(method);
      if (declared.includes(method)) return "reads";
      return byName === "unknown" && namesOf(method).some((name) => declared.includes(name)) ? "reads" : byName;
    },
    allowMethods: questions.allowMethods,
    allowWrites: questions.allowWrites,
    trust() {
      trusted = true;
    },
    configure(changed) {
      settings = changed;
    },
  };
}

/** The names that allow a method: its own, and that of its namespace, `zks_*`. */
function namesOf(method: string): readonly string[] {
  const end = method.indexOf("_") + 1;
  return end > 1 ? [method, `${method.slice(0, end)}*`] : [method];
}

/** Reads a remembered grant. Earlier versions remembered only a host, which means HTTPS. */
function grantsNamed(grant: string): readonly string[] {
  const [where = "", ...rest] = grant.split(" ");
  if (where === "*" || where.includes("://")) return [grant];
  return sitesNamed(where).map((site) => [site, ...rest].join(" "));
}

function notApproved(
  { endpoint: { url }, origin }: Resolved,
  values: readonly string[],
  { byOptions }: Pick<Consent, "byOptions">,
): UnsentReason {
  return { kind: "host-not-approved", url, origin, values, byOptions };
}
