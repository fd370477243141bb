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
import type { Settings } from "../protocol.ts";
import type { NotSent } from "../run/notSent.ts";
import type { Permissions } from "../run/parcels.ts";
import { openQuestions } from "./questions.ts";

/** What a person has allowed, and the questions that ask for more. Nothing is sent anywhere without a word from here. */
export interface Approvals extends Permissions {
  /** Whether requests without values of the host may go where this resolves to. Asks nobody. */
  isOpen(resolved: Resolved): boolean;
  /**
   * Asks for all cells together; after a no, those that need nothing more go all the same.
   *
   * @param valuesOf - Values of the host that go out with cells.
   */
  admit(
    resolved: Resolved,
    cells: readonly Cell[],
    valuesOf: (cells: readonly Cell[]) => readonly HostReference[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Cell, NotSent>>;
  /**
   * Allows the site of an endpoint that the command line names: as it is the first time, not what a file makes of it
   * later. Of what is built in, a file can only change the place on this machine.
   *
   * @param use - Tells one use of a name from another.
   */
  choose(use: string, resolved: Resolved): void;
  trust(): void;
  configure(settings: Settings): void;
}

/** What the host of the service says of its person. */
interface Person {
  readonly consent: Consent;
  /** The workspace. */
  readonly trusted: boolean;
  readonly settings: Settings;
  /** Grants of earlier sessions, and hosts. */
  readonly approvedHosts: readonly string[];
}

export function openApprovals(host: Person, mask: Mask): Approvals {
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
    isOpen: (resolved) => verdictOn(resolved).verdict === "open",
    async admit(resolved, cells, valuesOf, signal) {
      const verdictFor = (some: readonly Cell[]): Verdict =>
        verdictOn({ ...resolved, values: [...resolved.values, ...valuesOf(some)] });
      if (verdictFor(cells).verdict === "ask") await questions.allowSite(resolved, () => verdictFor(cells), signal);
      if (verdictFor(cells).verdict === "open") return new Map(); // what may be sent for all of them may be sent for each
      return new Map(
        cells.flatMap((cell): readonly (readonly [Cell, NotSent])[] => {
          const own = verdictFor([cell]);
          if (own.verdict === "open") return [];
          return [[cell, own.verdict === "closed" ? { kind: "untrusted" } : notApproved(resolved, own.values)]];
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

/** A method goes by its name, or with all others of its namespace: `zks_*`. */
function namesOf(method: string): readonly string[] {
  const end = method.indexOf("_") + 1;
  return end > 1 ? [method, `${method.slice(0, end)}*`] : [method];
}

/** A grant as it was remembered. Those of earlier versions name a host only, which stands for HTTPS there. */
function grantsNamed(grant: string): readonly string[] {
  const [where = "", ...rest] = grant.split(" ");
  if (where === "*" || where.includes("://")) return [grant];
  return sitesNamed(where).map((site) => [site, ...rest].join(" "));
}

function notApproved({ endpoint: { url }, origin }: Resolved, values: readonly string[]): NotSent {
  return { kind: "host-not-approved", url, origin, values };
}
