import { checksummed } from "../abi/address.ts";
import type { ChainAddress } from "../abi/verifiedContract.ts";
import type { Mask } from "../base/mask.ts";
import { memoByObject } from "../base/memo.ts";
import type { Consent, CostQuestion, Wording, WriteItem } from "../base/ports.ts";
import { brief, listed, plural } from "../base/text.ts";
import { formatBytes, formatDuration, grouped } from "../base/units.ts";
import { originSentence } from "../endpoints/named.ts";
import type { Resolved } from "../endpoints/resolveEndpoint.ts";
import { isInClear, shownSite, siteOf } from "../endpoints/site.ts";
import { type Intent, methodShown } from "../report/intent.ts";
import { Limiter } from "../rpc/limiter.ts";
import type { Grants } from "./grants.ts";
import { lookupGrant, methodGrant, siteGrants, type Verdict } from "./verdict.ts";

/** A request that signs, broadcasts or changes the node. */
export interface PlannedWrite {
  readonly resolved: Resolved;
  readonly method: string;
  readonly intent: Intent;
}

/** What many requests of one cell cost, with their number only or by a sample. */
export type Cost = Pick<CostQuestion, "requests" | "bytes" | "seconds">;

/** The cost of requests by a sample, in words. */
export function costText({ requests, bytes = 0, seconds = 0 }: Cost): string {
  return `about ${grouped(requests)} requests, ${formatBytes(bytes)} and ${formatDuration(seconds * 1000)}`;
}

/**
 * Asks a person, one question at a time. A question lists everything that a yes grants. A name that cannot be shown
 * whole is not asked about, and so not allowed. No question comes twice in a run: its signal identifies it.
 */
export class Questions {
  readonly #consent: Consent;
  readonly #mask: Mask;
  readonly #grants: Grants;
  readonly #queue = new Limiter(1);
  /** Answers of each run, by what was asked about. */
  readonly #answersIn = memoByObject((_run: AbortSignal) => new Map<string, boolean>());

  constructor(consent: Consent, mask: Mask, grants: Grants) {
    this.#consent = consent;
    this.#mask = mask;
    this.#grants = grants;
  }

  /** @param verdict - Returns the current verdict: the answer to another question may have changed it. */
  allowSite(resolved: Resolved, verdict: () => Verdict, signal: AbortSignal, asks: () => void): Promise<void> {
    return this.#queue.run(() => this.#askForSite(resolved, verdict, signal, asks), signal);
  }
  /** @returns The methods that may be sent. */
  allowMethods(
    resolved: Resolved,
    methods: readonly string[],
    signal: AbortSignal,
    asks: () => void,
  ): Promise<ReadonlySet<string>> {
    return this.#queue.run(() => this.#askForMethods(resolved, methods, signal, asks), signal);
  }
  allowWrites(writes: readonly PlannedWrite[], signal: AbortSignal, asks: () => void): Promise<boolean> {
    return this.#queue.run(() => this.#askForWrites(writes, signal, asks), signal);
  }

  /** Asks about many requests of one cell. */
  allowCost(resolved: Resolved, cost: Cost, signal: AbortSignal, asks: () => void): Promise<boolean> {
    return this.#queue.run(() => {
      if (!this.#consent.byOptions) asks();
      const { rate } = resolved.endpoint;
      const about = {
        ...destination(resolved, this.#mask),
        ...(rate !== undefined && { seconds: cost.requests / rate }),
        ...cost,
      };
      return this.#consent.allowCost({ words: costWords(about, rate), ...about }, signal);
    }, signal);
  }

  /** Asks about contracts in results. */
  allowLookup(api: string, contracts: readonly ChainAddress[], signal: AbortSignal): Promise<boolean> {
    return this.#queue.run(async () => {
      const site = siteOf(api);
      const [always, never] = [lookupGrant(site, "always"), lookupGrant(site, "never")];
      const question = { words: lookupWords(site, contracts), site, always, never };
      const answer = (await this.#consent.allowLookup?.(question, signal)) ?? "no";
      if (answer === "never") this.#grants.add([never]);
      if (answer === "workspace" || answer === "always") this.#grants.add([always]);
      return answer !== "no" && answer !== "never";
    }, signal);
  }

  async #askForSite(resolved: Resolved, verdict: () => Verdict, signal: AbortSignal, asks: () => void): Promise<void> {
    const { url } = resolved.endpoint;
    const answers = this.#answersIn(signal);
    for (let now = verdict(); now.verdict === "ask"; now = verdict()) {
      const values = now.values.filter(canBeShown).slice(0, maxNames);
      const grants = siteGrants(siteOf(url), values);
      const key = grants.join("\n");
      if (answers.has(key) || this.#grants.hasAll(grants)) return;
      const inClear = values.length > 0 && isInClear(url);
      const { site, endpoint } = destination(resolved, this.#mask);
      const source = originSentence(`The endpoint "${endpoint}"`, shownName(resolved.origin, this.#mask));
      if (!this.#consent.byOptions) asks();
      const words = hostWords(site, values, source, inClear);
      const isAllowed = await this.#consent.allowHost({ words, site, source, inClear, values, grants }, signal);
      answers.set(key, isAllowed);
      if (!isAllowed) return;
      this.#grants.add(grants);
    }
  }
  async #askForMethods(
    resolved: Resolved,
    methods: readonly string[],
    signal: AbortSignal,
    asks: () => void,
  ): Promise<ReadonlySet<string>> {
    const site = siteOf(resolved.endpoint.url);
    const answers = this.#answersIn(signal);
    const answerOn = (method: string): boolean | undefined =>
      this.#grants.allowsMethod(site, method) || answers.get(methodGrant(site, method));
    for (const some of portions(methods.filter((one) => canBeShown(one) && answerOn(one) === undefined))) {
      // "always" for a method named `acme_*` would allow others
      const grants = some.filter((method) => !method.includes("*")).map((method) => methodGrant(site, method));
      const question = { ...destination(resolved, this.#mask), methods: some.map(methodShown), grants };
      if (!this.#consent.byOptions) asks();
      const answer = await this.#consent.allowMethods({ words: methodWords(question), ...question }, signal);
      for (const method of some) answers.set(methodGrant(site, method), answer !== "no");
      if (answer === "no") break;
      if (answer === "always") this.#grants.add(grants);
    }
    return new Set(methods.filter(answerOn));
  }
  async #askForWrites(writes: readonly PlannedWrite[], signal: AbortSignal, asks: () => void): Promise<boolean> {
    const answers = this.#answersIn(signal);
    const items = writes.map((write) => this.#itemOf(write));
    if (!writes.every(({ method }) => canBeShown(method))) return false;
    for (const some of portions(items)) {
      if (answers.get(anyWrite) === false) return false;
      if (!this.#consent.byOptions) asks();
      answers.set(anyWrite, await this.#consent.allowWrites({ words: writeWords(some), writes: some }, signal));
    }
    return answers.get(anyWrite) === true;
  }
  #itemOf({ resolved, method, intent: { what, names } }: PlannedWrite): WriteItem {
    const masked = names.map((name) => this.#mask.text(name));
    return {
      ...destination(resolved, this.#mask),
      what: this.#mask.text(what),
      method: methodShown(method),
      names: masked,
    };
  }
}

/** The key of the last answer about writes. A no holds for the rest of the run. */
const anyWrite = "writes";

/** Names that one question lists. */
const maxNames = 10;
/** Characters of a name in a question. */
const maxNameLength = 100;

/** Splits what questions are about into one list for each question. */
function portions<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / maxNames);
  return Array.from({ length: count }, (_, at) => items.slice(at * maxNames, (at + 1) * maxNames));
}

function canBeShown(name: string): boolean {
  return methodShown(name).length <= maxNameLength;
}

// Names could be written to look like part of a question, so those of endpoints are only in its last sentences.

function hostWords(site: string, values: readonly string[], source: string, inClear: boolean): Wording {
  const risk = "They would be sent without encryption, so anyone on the network can read them.";
  return {
    question: `Send requests to ${site}${values.length === 0 ? "" : ` with ${listed(values)}`}?`,
    detail: inClear ? [risk, source] : [source],
    more: "You are asked once for each host in this workspace.",
    yes: ["Allow"],
    no: "Don't Allow",
  };
}

/** Says in words what each waiting request of a run will do. */
function writeWords(writes: readonly WriteItem[]): Wording {
  const [only] = writes.length === 1 ? writes : [];
  const list = writes.map(({ what, site, method }, at) => `${at + 1}. ${what} on ${site} (${method}).`);
  const names = [...new Set(writes.flatMap((write) => write.names))].map((name) => `${name}.`);
  return {
    question: only ? `${only.what} on ${only.site}?` : `Send these ${writes.length} requests?`,
    detail: [...(only ? [`The method is ${only.method}.`] : list), ...names],
    more: `${endpointsSentence(writes.map(({ endpoint }) => endpoint))} You are asked in every run.`,
    yes: ["Send"],
    no: "Don't Send",
  };
}

function methodWords({
  site,
  endpoint,
  methods,
}: {
  site: string;
  endpoint: string;
  methods: readonly string[];
}): Wording {
  const isOne = methods.length === 1;
  return {
    question: `Send to ${site}: ${listed(methods)}?`,
    detail: [`RPC Notebook does not know whether ${isOne ? "this method only reads" : "these methods only read"}.`],
    more: `${isOne ? "It is" : "They are"} never repeated automatically. ${endpointsSentence([endpoint])}`,
    yes: ["Send", "Always Allow at This Host"],
    no: "Don't Send",
  };
}

function costWords(cost: Omit<CostQuestion, "words">, rate?: number): Wording {
  const { site, endpoint, requests, bytes, seconds } = cost;
  const answer = { more: endpointsSentence([endpoint]), yes: ["Send"], no: "Don't Send" };
  if (bytes !== undefined)
    return {
      question: `Read all logs from ${site}?`,
      detail: [`That takes ${costText(cost)}, by a sample.`],
      ...answer,
    };
  const time = seconds === undefined ? "" : ` They take about ${formatDuration(seconds * 1000)} at ${rate} per second.`;
  return {
    question: `Send ${grouped(requests)} requests to ${site}?`,
    detail: [`The cell sends one for each of its rows.${time}`],
    ...answer,
  };
}

function endpointsSentence(names: readonly string[]): string {
  const quoted = [...new Set(names)].map((name) => `"${name}"`);
  return quoted.length === 1 ? `The endpoint is called ${quoted[0]}.` : `The endpoints are called ${listed(quoted)}.`;
}

/** Shows text from any source on one line, without quotes, which could end those around it. */
function shownName(text: string, mask: Mask): string {
  return brief(mask.text(text).replace(/["\u201c-\u201f\u00ab\u00bb\uff02]/g, "'"), 80);
}

/** Returns where requests go, for a question. The site is exact, never masked. */
function destination(
  { endpoint: { url, name } }: Resolved,
  mask: Mask,
): { readonly site: string; readonly endpoint: string } {
  return { site: shownSite(url), endpoint: shownName(name, mask) };
}

/** Addresses that a question lists. */
const maxAddresses = 10;

function lookupWords(site: string, contracts: readonly ChainAddress[]): Wording {
  const chains = [...new Set(contracts.map(({ chainId }) => chainId))];
  const learned = chains.map((chainId) => {
    const addresses = contracts.filter((one) => one.chainId === chainId).map(({ address }) => checksummed(address));
    const more = addresses.length - maxAddresses;
    const shown = more > 0 ? [...addresses.slice(0, maxAddresses), `${more} more`] : addresses;
    const what = addresses.length === 1 ? "this address" : "these addresses";
    return `It learns ${what} on chain ${chainId}: ${listed(shown)}.`;
  });
  return {
    question: `Look up ${plural(contracts.length, "contract")} at ${site}?`,
    detail: [
      ...learned,
      "It also learns the implementation of a proxy. If you open the sources of these contracts in this session, it is asked for them without another question. Its answers are kept on this machine.",
    ],
    more: "With Always, contracts in later results are looked up without a question.",
    yes: ["This Time", "Always in This Workspace", "Always", "Never"],
    no: "Cancel",
  };
}
