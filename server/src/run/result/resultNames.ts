import { plural, shortHex } from "../../base/text.ts";
import type { CellRef } from "../../notebook/cell.ts";
import type { LookUpNamesResult } from "../../protocol/lookup.ts";
import type { CellOutput } from "../../report/report.ts";
import type { WorkspaceHost } from "../../workspace/host.ts";
import type { KnownContracts } from "../../workspace/knownContracts.ts";
import type { LookupHost, Routes } from "../../workspace/routes.ts";
import { LookupQuestions, notLookedUp, type WantedContract, withoutSources } from "../observe/lookupQuestions.ts";

/** A result that shows contracts without names. */
interface Unnamed {
  readonly cell: CellRef;
  /** Contracts without names. */
  readonly missing: ReadonlySet<string>;
  /** Bytes of the answers. */
  readonly answerSize: number;
  /** `undefined` if it would have the same words. */
  drawnAgain(): CellOutput | undefined;
  /** Learns about the missing contracts. Returns those that are still not known. */
  learn(questions: LookupQuestions | undefined): Promise<readonly WantedContract[]>;
}

/** Lookups after the runs of a document. */
interface UnderWay {
  /** Since they began. */
  endedRuns: number;
  readonly stopped: AbortController;
  /** They are not asked again. */
  readonly failedHosts: Set<string>;
}

/** Bytes of the answers of a result that can be drawn again. */
export const maxRedrawnBytes = 20_000_000;
/** Results of a document. */
const maxResults = 500;

/** Draws results again when the contracts in them have names. */
export class ResultNames {
  readonly #redrawn: NonNullable<WorkspaceHost["redrawn"]>;
  readonly #host: Pick<WorkspaceHost, "notify" | "clock" | "log">;
  readonly #routes: Routes;
  readonly #knownContracts: KnownContracts;
  /** Failures that a person knows. */
  readonly #failing = new Set<string>();
  readonly #byUri = new Map<string, Map<string, Unnamed>>();
  /** Documents whose results are being looked at. */
  readonly #underWay = new Map<string, UnderWay>();

  constructor(
    redrawn: NonNullable<WorkspaceHost["redrawn"]>,
    host: Pick<WorkspaceHost, "notify" | "clock" | "log">,
    { routes, knownContracts }: { readonly routes: Routes; readonly knownContracts: KnownContracts },
  ) {
    [this.#redrawn, this.#host, this.#routes, this.#knownContracts] = [redrawn, host, routes, knownContracts];
  }

  /** Remembers the result of a cell in place of its last one, as long as it lacks names. */
  keep(uri: string, key: string, unnamed: Unnamed): void {
    const ofUri = this.#byUri.get(uri) ?? new Map<string, Unnamed>();
    this.#byUri.set(uri, ofUri);
    ofUri.delete(key);
    const isSmall = unnamed.answerSize <= maxRedrawnBytes && ofUri.size < maxResults;
    if (unnamed.missing.size > 0 && isSmall) ofUri.set(key, unnamed);
  }
  /**
   * Draws again what earlier answers of the host name and, if a person has said "always", asks it: after the results are out, and
   * for one run of a document at a time. Runs that end meanwhile are looked at together.
   */
  runEnded(uri: string): void {
    if (!this.#byUri.get(uri)?.size) return;
    const last = this.#underWay.get(uri);
    if (last) last.endedRuns++;
    if (last) return;
    const now: UnderWay = { endedRuns: 1, stopped: new AbortController(), failedHosts: new Set() };
    this.#underWay.set(uri, now);
    this.#afterRuns(uri, now).catch((bug: unknown) => this.#host.log.error("Names were not looked up.", bug));
  }
  /** Looks up what the results of a document lack, after a question. */
  async lookUp(uri: string, signal: AbortSignal): Promise<LookUpNamesResult> {
    if (!this.#byUri.get(uri)?.size) return { note: "Run the cell again to look up its names." };
    const missing = await this.#learn(uri, undefined);
    if (missing.length === 0) return {};
    const allowed = await this.#allowedHosts(missing, signal);
    if (allowed.size === 0) {
      for (const [key, unnamed] of this.#byUri.get(uri) ?? []) this.#redraw(uri, key, unnamed);
      return {};
    }
    const questions = this.#questions(({ api }) => allowed.has(api), signal);
    await this.#learn(uri, questions);
    const counts = [...allowed].map((api) => {
      const ofHost = missing.filter(({ host }) => host.api === api);
      const found = ofHost.filter((one) => this.#knownContracts.at(api, one)?.abis).length;
      const none = new Set(
        ofHost.flatMap((one) => (this.#knownContracts.at(api, one)?.isUnverified ? one.address : [])),
      );
      return { api, found, none };
    });
    const notes = [
      ...counts.flatMap(({ api, found }) =>
        found > 0 ? `${plural(found, "contract")} looked up at ${new URL(api).host}.` : [],
      ),
      ...notLookedUp(questions.faults),
      ...counts.flatMap(({ api, none }) =>
        none.size > 0
          ? `${withoutSources(api, none, shortHex)}. Look Up Contract… at an address offers to guess from its code.`
          : [],
      ),
    ];
    return notes.length > 0 ? { note: notes.join(" "), canSave: counts.some(({ found }) => found > 0) } : {};
  }
  forget(uri: string): void {
    this.#byUri.delete(uri);
    this.#underWay.get(uri)?.stopped.abort();
    this.#underWay.delete(uri);
  }
  /** Ends all lookups. */
  stop(): void {
    for (const uri of [...this.#byUri.keys()]) this.forget(uri);
  }

  async #afterRuns(uri: string, now: UnderWay): Promise<void> {
    const { signal } = now.stopped;
    try {
      for (let seen = 0; seen !== now.endedRuns && !signal.aborted; ) {
        await this.#host.clock.sleep(0, signal);
        seen = now.endedRuns;
        if (!signal.aborted) await this.#learnByItself(uri, now);
      }
    } finally {
      if (this.#underWay.get(uri) === now) this.#underWay.delete(uri);
    }
  }
  async #learnByItself(uri: string, { stopped: { signal }, failedHosts }: UnderWay): Promise<void> {
    const isAllowed = ({ verdict, api }: LookupHost): boolean => verdict === "always" && !failedHosts.has(api);
    const questions = this.#questions(isAllowed, signal);
    await this.#learn(uri, questions);
    if (signal.aborted) return;
    for (const note of notLookedUp(questions.faults.filter((fault) => !this.#failing.has(fault))))
      this.#host.notify?.(note);
    for (const fault of questions.faults) this.#failing.add(fault);
    for (const api of questions.failedHosts) failedHosts.add(api);
  }
  #questions(isAllowed: (host: LookupHost) => boolean, signal: AbortSignal): LookupQuestions {
    return new LookupQuestions(isAllowed, this.#knownContracts, this.#host.clock, signal);
  }
  /** Returns the contracts that are still not known, each once. */
  async #learn(uri: string, questions: LookupQuestions | undefined): Promise<readonly WantedContract[]> {
    const all = [...(this.#byUri.get(uri) ?? [])].map(async ([key, unnamed]) => {
      const left = await unnamed.learn(questions);
      this.#redraw(uri, key, unnamed);
      return left;
    });
    const left = (await Promise.all(all)).flat();
    return [...new Map(left.map((place) => [`${place.host.api} ${place.chainId} ${place.address}`, place])).values()];
  }
  /** Draws a result again if it would have other words, and is still the last one of its cell. */
  #redraw(uri: string, key: string, unnamed: Unnamed): void {
    const ofUri = this.#byUri.get(uri);
    if (ofUri?.get(key) !== unnamed) return;
    const output = unnamed.drawnAgain();
    if (output) this.#redrawn({ cell: unnamed.cell, output });
    if (unnamed.missing.size === 0) ofUri.delete(key);
  }
  /** Asks a person about each host of these contracts. Returns those that may be asked. */
  async #allowedHosts(wanted: readonly WantedContract[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const allowed = new Set<string>();
    for (const [api, host] of new Map(wanted.map((one) => [one.host.api, one.host]))) {
      const ofHost = wanted.filter((one) => one.host.api === api);
      if (host.verdict === "always" || (await this.#routes.allowLookup(api, ofHost, signal))) allowed.add(api);
    }
    return allowed;
  }
}
