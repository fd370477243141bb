import type { Mask } from "../base/mask.ts";
import { memoByObject } from "../base/memo.ts";
import type { Consent } from "../base/ports.ts";
import { brief, unicodeEscape } from "../base/text.ts";
import { methodGrant, siteGrants, type Verdict } from "../endpoints/gate.ts";
import type { Resolved } from "../endpoints/resolveEndpoint.ts";
import { isInClear, shownSite, siteOf } from "../endpoints/site.ts";
import { Limiter } from "../rpc/limiter.ts";
import type { Grants } from "./grants.ts";

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
  allowSite(resolved: Resolved, verdict: () => Verdict, signal: AbortSignal): Promise<void> {
    return this.#queue.run(() => this.#askForSite(resolved, verdict, signal), signal);
  }
  /** @returns The methods that may be sent. */
  allowMethods(resolved: Resolved, methods: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.#queue.run(() => this.#askForMethods(resolved, methods, signal), signal);
  }
  allowWrites(resolved: Resolved, methods: readonly string[], signal: AbortSignal): Promise<boolean> {
    return this.#queue.run(() => this.#askForWrites(resolved, methods, signal), signal);
  }

  async #askForSite(resolved: Resolved, verdict: () => Verdict, signal: AbortSignal): Promise<void> {
    const { url } = resolved.endpoint;
    const answers = this.#answersIn(signal);
    for (let now = verdict(); now.verdict === "ask"; now = verdict()) {
      const values = portions(now.values)[0] ?? [];
      const grants = siteGrants(siteOf(url), values);
      const key = grants.join("\n");
      if (answers.has(key) || this.#grants.hasAll(grants)) return;
      const inClear = values.length > 0 && isInClear(url);
      const origin = shownName(resolved.origin, this.#mask);
      const question = { ...destination(resolved, this.#mask), origin, inClear, values, grants };
      const isAllowed = await this.#consent.allowHost(question, signal);
      answers.set(key, isAllowed);
      if (!isAllowed) return;
      this.#grants.add(grants);
    }
  }
  async #askForMethods(
    resolved: Resolved,
    methods: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const site = siteOf(resolved.endpoint.url);
    const answers = this.#answersIn(signal);
    const answerOn = (method: string): boolean | undefined =>
      this.#grants.allowsMethod(site, method) || answers.get(methodGrant(site, method));
    for (const some of portions(methods.filter((method) => answerOn(method) === undefined))) {
      // "always" for a method named `acme_*` would allow others
      const grants = some.filter((method) => !method.includes("*")).map((method) => methodGrant(site, method));
      const question = { ...destination(resolved, this.#mask), methods: some.map(shownMethod), grants };
      const answer = await this.#consent.allowMethods(question, signal);
      for (const method of some) answers.set(methodGrant(site, method), answer !== "no");
      if (answer === "no") break;
      if (answer === "always") this.#grants.add(grants);
    }
    return new Set(methods.filter(answerOn));
  }
  async #askForWrites(resolved: Resolved, methods: readonly string[], signal: AbortSignal): Promise<boolean> {
    const site = siteOf(resolved.endpoint.url);
    const answers = this.#answersIn(signal);
    const answerOn = (method: string): boolean | undefined => answers.get(`${site} write ${method}`);
    if (methods.some((method) => answerOn(method) === false)) return false;
    for (const some of portions(methods.filter((method) => answerOn(method) === undefined))) {
      const question = { ...destination(resolved, this.#mask), methods: some.map(shownMethod) };
      const isAllowed = await this.#consent.allowWrites(question, signal);
      for (const method of some) answers.set(`${site} write ${method}`, isAllowed);
      if (!isAllowed) return false;
    }
    return methods.every(answerOn);
  }
}

/** Names that one question lists. */
const maxNames = 10;
/** Characters of a name in a question. */
const maxNameLength = 100;

/** Splits names into one list for each question, without those that are too long to be shown. */
function portions(names: readonly string[]): readonly (readonly string[])[] {
  const whole = names.filter((name) => shownMethod(name).length <= maxNameLength);
  const count = Math.ceil(whole.length / maxNames);
  return Array.from({ length: count }, (_, at) => whole.slice(at * maxNames, (at + 1) * maxNames));
}

/** Quotes a name that does not look like a method or a value, in ASCII, so that it cannot imitate a sentence or another method. */
function shownMethod(name: string): string {
  if (/^[\w.:$/-]+$/.test(name)) return name;
  return JSON.stringify(name).replace(/[^ -~]/g, unicodeEscape);
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
