import type { ChainAddress } from "../abi/verifiedContract.ts";
import type { Mask } from "../base/mask.ts";
import { memoOfLast } from "../base/memo.ts";
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
import { Grants, methodNames } from "./grants.ts";
import { type Cost, type PlannedWrite, Questions } from "./questions.ts";
import type { UnsentReason } from "./unsentReason.ts";
import { lookupGrant, type Verdict, verdictOn } from "./verdict.ts";

/** The part of the host that approvals need, as it is now. */
interface ApprovalHost {
  readonly consent: Consent;
  /** Whether the workspace is trusted. */
  readonly trusted: boolean;
  readonly settings: Settings;
  /** Grants of earlier sessions, and hosts. */
  readonly approvedHosts: readonly string[];
}

/**
 * Permission to send requests to one endpoint. Only {@link Approvals} creates it. It is checked before each message.
 */
class Permit {
  readonly resolved: Resolved;
  readonly #verdict: (values: readonly HostReference[]) => Verdict;
  #values: readonly HostReference[];

  constructor(resolved: Resolved, verdict: (values: readonly HostReference[]) => Verdict) {
    this.resolved = resolved;
    this.#verdict = verdict;
    this.#values = resolved.values;
  }

  get isOpen(): boolean {
    return this.#verdict(this.#values).verdict === "open";
  }
  /** Depends on these values of the host too: they are sent with requests. */
  dependOn(values: readonly HostReference[]): void {
    if (values.length > 0) this.#values = [...this.#values, ...values];
  }
}

export type { Permit };

/** Decides whether requests may be sent, and asks a person if it must. */
export class Approvals {
  readonly byOptions: Consent["byOptions"];
  readonly #host: ApprovalHost;
  readonly #grants: Grants;
  readonly #questions: Questions;
  /** The site that each endpoint named on the command line had at first, by its use. */
  readonly #chosenSites = new Map<string, string>();

  /** Sites at which a person has run cells in this session. */
  readonly #usedSites = new Set<string>();

  /** Contracts about which a lookup host may be asked in this session. */
  readonly #lookups = new Set<string>();

  constructor(host: ApprovalHost, mask: Mask) {
    this.byOptions = host.consent.byOptions;
    this.#host = host;
    this.#grants = new Grants(host.approvedHosts);
    this.#questions = new Questions(host.consent, mask, this.#grants);
  }

  /**
   * Returns the permission to send there, which may be closed. Never asks.
   *
   * @param use - In the background it also matters whether a person has chosen the endpoint, or run a cell there.
   */
  permit(resolved: Resolved, use: "run" | "background"): Permit {
    const { chosenBy, endpoint } = resolved;
    const isChosen = use === "run" || chosenBy === "picker" || chosenBy === "setting";
    return new Permit(resolved, (values) =>
      this.#verdictOn({ ...resolved, values }, isChosen || this.#usedSites.has(siteOf(endpoint.url))),
    );
  }
  /**
   * Asks for all cells together. After a no, cells that need nothing more are still sent.
   *
   * @param permit - From then on it depends on what the other cells send.
   * @param valuesOf - Finds the values of the host that are sent with cells.
   * @param asks - Called before the person is asked.
   * @returns The cells that may not be sent.
   */
  async admit(
    permit: Permit,
    cells: readonly Cell[],
    valuesOf: (cells: readonly Cell[]) => readonly HostReference[],
    signal: AbortSignal,
    asks = (): void => {},
  ): Promise<ReadonlyMap<Cell, UnsentReason>> {
    const { resolved } = permit;
    const verdictFor = (some: readonly Cell[]): Verdict =>
      this.#verdictOn({ ...resolved, values: [...resolved.values, ...valuesOf(some)] }, true);
    if (verdictFor(cells).verdict === "ask")
      await this.#questions.allowSite(resolved, () => verdictFor(cells), signal, asks);
    if (verdictFor([]).verdict === "open") this.#usedSites.add(siteOf(resolved.endpoint.url));
    const refused = new Map<Cell, UnsentReason>();
    const isOpen = verdictFor(cells).verdict === "open"; // for all of them is for each
    for (const cell of isOpen ? [] : cells) {
      const own = verdictFor([cell]);
      if (own.verdict === "closed") refused.set(cell, { kind: "untrusted" });
      else if (own.verdict === "ask") refused.set(cell, this.#notApproved(resolved, own.values));
    }
    permit.dependOn(valuesOf(isOpen ? cells : cells.filter((cell) => !refused.has(cell))));
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
  /** Returns the effect of a method, as the catalogue or the user's settings say. */
  effectOf(method: string): Effect {
    const documented = methodNamed(method)?.effect;
    if (documented !== undefined) return documented;
    const readMethods = this.#host.settings.rpcNotebook?.readMethods ?? [];
    const byName = effectByName(method);
    if (readMethods.includes(method)) return "reads";
    return byName === "unknown" && methodNames(method).some((name) => readMethods.includes(name)) ? "reads" : byName;
  }
  /**
   * Returns which of these methods with an unknown effect may be sent there; asks the user once.
   *
   * @param asks - Called before the user is asked.
   */
  allowMethods(
    resolved: Resolved,
    methods: readonly string[],
    signal: AbortSignal,
    asks: () => void,
  ): Promise<ReadonlySet<string>> {
    if (isReplay(resolved.endpoint.url)) return Promise.resolve(new Set(methods));
    return this.#questions.allowMethods(resolved, methods, signal, asks);
  }
  /** Returns whether a lookup host may be asked about contracts in results. */
  lookupVerdict(api: string): "always" | "never" | "ask" {
    const { always, never } = lookupGrants(api);
    if (!this.#host.trusted || this.#grants.hasAll(never)) return "never";
    return this.#grants.hasAll(always) ? "always" : "ask";
  }
  /** Asks the user whether a lookup host may be asked about these contracts. */
  async allowLookup(api: string, contracts: readonly ChainAddress[], signal: AbortSignal): Promise<boolean> {
    const isAllowed = await this.#questions.allowLookup(api, contracts, signal);
    if (isAllowed && this.lookupVerdict(api) === "ask") this.rememberLookup(api, contracts);
    return isAllowed;
  }
  /** Remembers for this session that the user allowed lookups of these contracts, including the contracts that they call. */
  rememberLookup(api: string, contracts: readonly ChainAddress[]): void {
    for (const contract of contracts) this.#lookups.add(lookupKey(api, contract));
  }
  /** Whether a user has said yes in this session to asking a lookup host about a contract. */
  hasAllowedLookup(api: string, contract: ChainAddress): boolean {
    return this.#lookups.has(lookupKey(api, contract));
  }
  /** Asks the user whether these requests may be sent. If the user declines once, returns false for the rest of the run. */
  allowWrites(writes: readonly PlannedWrite[], signal: AbortSignal, asks: () => void): Promise<boolean> {
    const sent = writes.filter(({ resolved }) => !isReplay(resolved.endpoint.url));
    return sent.length === 0 ? Promise.resolve(true) : this.#questions.allowWrites(sent, signal, asks);
  }
  /** Asks the user whether one cell may send so many requests. */
  allowCost(resolved: Resolved, cost: Cost, signal: AbortSignal, asks: () => void): Promise<boolean> {
    if (isReplay(resolved.endpoint.url)) return Promise.resolve(true);
    return this.#questions.allowCost(resolved, cost, signal, asks);
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

/** Called for every result of a run. */
const lookupGrants = memoOfLast((api: string) => {
  const site = siteOf(api);
  return { always: [lookupGrant(site, "always")], never: [lookupGrant(site, "never")] };
});

function lookupKey(api: string, { chainId, address }: ChainAddress): string {
  return `${siteOf(api)} ${chainId} ${address}`;
}
