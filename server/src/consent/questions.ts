import type { Mask } from "../base/mask.ts";
import { memoByObject } from "../base/memo.ts";
import type { Consent } from "../base/ports.ts";
import { brief, unicodeEscape } from "../base/text.ts";
import { methodGrant, siteGrants, type Verdict } from "../endpoints/gate.ts";
import type { Resolved } from "../endpoints/resolve.ts";
import { isInClear, shownSite, siteOf } from "../endpoints/site.ts";
import { openLimiter } from "../rpc/limiter.ts";
import type { Permissions } from "../run/endpointQueue.ts";

/**
 * Asks a person, one question at a time. Each lists everything that a yes grants. A name that cannot be shown whole is
 * not asked about, and so not allowed.
 */
export interface Questions extends Pick<Permissions, "allowMethods" | "allowWrites"> {
  /**
   * @param verdict - As it is now: the answer to another question may have changed it.
   * @param signal - Identifies the run: no question comes twice in one.
   */
  allowSite(resolved: Resolved, verdict: () => Verdict, signal: AbortSignal): Promise<void>;
}

/** What a person has granted. */
export interface Grants {
  readonly granted: ReadonlySet<string>;
  allowsMethod(site: string, method: string): boolean;
  add(grants: readonly string[]): void;
}

export function openQuestions(consent: Consent, mask: Mask, grants: Grants): Questions {
  const queue = openLimiter(1);
  /** Answers of each run, by what was asked about. */
  const answersIn = memoByObject((_run: AbortSignal) => new Map<string, boolean>());

  const askForSite: Questions["allowSite"] = async (resolved, verdict, signal) => {
    const { url } = resolved.endpoint;
    const answers = answersIn(signal);
    for (let now = verdict(); now.verdict === "ask"; now = verdict()) {
      const values = portions(now.values)[0] ?? [];
      const asked = siteGrants(siteOf(url), values);
      const key = asked.join("\n");
      if (answers.has(key) || asked.every((grant) => grants.granted.has(grant))) return;
      const inClear = values.length > 0 && isInClear(url);
      const question = { ...placeAsked(resolved, mask), origin: shownName(resolved.origin, mask), inClear, values };
      const isAllowed = await consent.allowHost({ ...question, grants: asked }, signal);
      answers.set(key, isAllowed);
      if (!isAllowed) return;
      grants.add(asked);
    }
  };
  const askForMethods: Questions["allowMethods"] = async (resolved, methods, signal) => {
    const site = siteOf(resolved.endpoint.url);
    const answers = answersIn(signal);
    const answerOn = (method: string): boolean | undefined =>
      grants.allowsMethod(site, method) || answers.get(methodGrant(site, method));
    for (const some of portions(methods.filter((method) => answerOn(method) === undefined))) {
      // "always" for a method named `acme_*` would allow others
      const asked = some.filter((method) => !method.includes("*")).map((method) => methodGrant(site, method));
      const question = { ...placeAsked(resolved, mask), methods: some.map(shownMethod), grants: asked };
      const answer = await consent.allowMethods(question, signal);
      for (const method of some) answers.set(methodGrant(site, method), answer !== "no");
      if (answer === "no") break;
      if (answer === "always") grants.add(asked);
    }
    return new Set(methods.filter(answerOn));
  };
  const askForWrites: Questions["allowWrites"] = async (resolved, methods, signal) => {
    const site = siteOf(resolved.endpoint.url);
    const answers = answersIn(signal);
    const answerOn = (method: string): boolean | undefined => answers.get(`${site} write ${method}`);
    if (methods.some((method) => answerOn(method) === false)) return false;
    for (const some of portions(methods.filter((method) => answerOn(method) === undefined))) {
      const question = { ...placeAsked(resolved, mask), methods: some.map(shownMethod) };
      const isAllowed = await consent.allowWrites(question, signal);
      for (const method of some) answers.set(`${site} write ${method}`, isAllowed);
      if (!isAllowed) return false;
    }
    return methods.every(answerOn);
  };
  return {
    allowSite: (...question) => queue.run(() => askForSite(...question), question[2]),
    allowMethods: (...question) => queue.run(() => askForMethods(...question), question[2]),
    allowWrites: (...question) => queue.run(() => askForWrites(...question), question[2]),
  };
}

/** Names that one question lists. */
const maxListed = 10;
/** Characters of a name in a question. */
const maxLength = 100;

/** Splits names into one list for each question, without those that are too long to be shown. */
function portions(names: readonly string[]): readonly (readonly string[])[] {
  const whole = names.filter((name) => shownMethod(name).length <= maxLength);
  const count = Math.ceil(whole.length / maxListed);
  return Array.from({ length: count }, (_, at) => whole.slice(at * maxListed, (at + 1) * maxListed));
}

/** Quotes a name that does not look like a method or a value, in ASCII, so that it cannot imitate a sentence or another method. */
function shownMethod(name: string): string {
  if (/^[\w.:$/-]+$/.test(name)) return name;
  return JSON.stringify(name).replace(/[^ -~]/g, unicodeEscape);
}

/** Text from any source on one line, without quotes, which could end those around it. */
function shownName(text: string, mask: Mask): string {
  return brief(mask.text(text).replace(/["\u201c-\u201f\u00ab\u00bb\uff02]/g, "'"), 80);
}

/** The site is exact, never masked. */
function placeAsked(
  { endpoint: { url, name } }: Resolved,
  mask: Mask,
): { readonly site: string; readonly endpoint: string } {
  return { site: shownSite(url), endpoint: shownName(name, mask) };
}
