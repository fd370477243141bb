import type { Mask } from "../base/mask.ts";
import type { Consent } from "../base/ports.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { effectByName } from "../catalog/effects.ts";
import type { Effect } from "../catalog/spec.ts";
import type { HostReference } from "../endpoints/hostValue.ts";
import { isBuiltIn } from "../endpoints/known.ts";
import type { Resolved } from "../endpoints/resolveEndpoint.ts";
import { isReplay, siteOf, staysHere } from "../endpoints/site.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Settings } from "../protocol/settings.ts";
import type { Permissions } from "./endpointQueue.ts";
import { Grants, methodNames } from "./grants.ts";
import { Questions } from "./questions.ts";
import type { UnsentReason } from "./unsentReason.ts";
import { type Verdict, verdictOn } from "./verdict.ts";

/** The part of the host that approvals need, as it is now. */
interface ApprovalHost {
  readonly consent: Consent;
  /** Whether the workspace is trusted. */
  readonly trusted: boolean;
  readonly settings: Settings;
  /** Grants of earlier sessions, and hosts. */
  readonly approvedHosts: readonly string[];
}

/** Decides whether requests may be sent, and asks a person if it must. Nothing is sent without a check here. */
export class Approvals implements Permissions {
  readonly byOptions: Consent["byOptions"];
  readonly #host: ApprovalHost;
  readonly #grants: Grants;
  readonly #questions: Questions;
  /** The site that each endpoint named on the command line had at first, by its use. */
  readonly #chosenSites = new Map<string, string>();

  /** Sites at which a person has run cells in this session. */
  readonly #usedSites = new Set<string>();

  constructor(host: ApprovalHost, mask: Mask) {
    this.byOptions = host.consent.byOptions;
    this.#host = host;
    this.#grants = new Grants(host.approvedHosts);
    this.#questions = new Questions(host.consent, mask, this.#grants);
  }

  /** Whether requests without values of the host may be sent there. Never asks. */
  isOpen(resolved: Resolved): boolean {
    const { chosenBy, endpoint } = resolved;
    const byPerson = chosenBy === "picker" || chosenBy === "setting" || this.#usedSites.has(siteOf(endpoint.url));
    return this.#verdictOn(resolved, byPerson).verdict === "open";
  }
  /**
   * Asks for all cells together. After a no, cells that need nothing more are still sent.
   *
   * @param valuesOf - Finds the values of the host that are sent with cells.
   * @param asks - Called before the person is asked.
   * @returns The cells that may not be sent.
   */
  async admit(
    resolved: Resolved,
    cells: readonly Cell[],
    valuesOf: (cells: readonly Cell[]) => readonly HostReference[],
    signal: AbortSignal,
    asks = (): void => {},
  ): Promise<ReadonlyMap<Cell, UnsentReason>> {
    const verdictFor = (some: readonly Cell[]): Verdict =>
      this.#verdictOn({ ...resolved, values: [...resolved.values, ...valuesOf(some)] }, true);
    if (verdictFor(cells).verdict === "ask")
      await this.#questions.allowSite(resolved, () => verdictFor(cells), signal, asks);
    if (verdictFor([]).verdict === "open") this.#usedSites.add(siteOf(resolved.endpoint.url));
    if (verdictFor(cells).verdict === "open") return new Map(); // open for all of them is open for each
    const refused = new Map<Cell, UnsentReason>();
    for (const cell of cells) {
      const own = verdictFor([cell]);
      if (own.verdict === "closed") refused.set(cell, { kind: "untrusted" });
      else if (own.verdict === "ask") refused.set(cell, this.#notApproved(resolved, own.values));
    }
    return refused;
  }
  /**
   * Allows the site that an endpoint named on the command line has at first. If a file changes its address later, the
   * approval stays with the first site. A built-in endpoint is only allowed on this machine.
   *
   * @param use - Identifies the document and the name.
   */
  choose(use: string, { endpoint: { name, url } }: Resolved): void {
    if (isReplay(url) || (isBuiltIn(name) && !staysHere(url))) return;
    const site = siteOf(url);
    const first = this.#chosenSites.get(use) ?? site;
    this.#chosenSites.set(use, first);
    if (site === first) this.#grants.add([site]);
  }
  effectOf(method: string): Effect {
    const documented = methodNamed(method)?.effect;
    if (documented !== undefined) return documented;
    const readMethods = this.#host.settings.rpcNotebook?.readMethods ?? [];
    const byName = effectByName(method);
    if (readMethods.includes(method)) return "reads";
    return byName === "unknown" && methodNames(method).some((name) => readMethods.includes(name)) ? "reads" : byName;
  }
  allowMethods(...question: Parameters<Permissions["allowMethods"]>): ReturnType<Permissions["allowMethods"]> {
    const [{ endpoint }, methods] = question;
    if (isReplay(endpoint.url)) return Promise.resolve(new Set(methods));
    return this.#questions.allowMethods(...question);
  }
  allowWrites(...question: Parameters<Permissions["allowWrites"]>): ReturnType<Permissions["allowWrites"]> {
    const [writes, ...more] = question;
    const sent = writes.filter(({ resolved }) => !isReplay(resolved.endpoint.url));
    return sent.length === 0 ? Promise.resolve(true) : this.#questions.allowWrites(sent, ...more);
  }

  #verdictOn({ endpoint: { url, headers }, namedBy, values }: Resolved, byPerson: boolean): Verdict {
    const hasHeaders = Object.keys(headers).length > 0;
    return verdictOn({
      trusted: this.#host.trusted,
      grants: this.#grants.all,
      url,
      namedBy,
      values,
      hasHeaders,
      byPerson,
    });
  }
  #notApproved({ endpoint: { url }, origin }: Resolved, values: readonly string[]): UnsentReason {
    return { kind: "host-not-approved", url, origin, values, byOptions: this.byOptions };
  }
}
