import { abiScope } from "../../analysis/abi.ts";
import type { NamesInScope } from "../../analysis/scope.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { BackgroundClient } from "../../gate/backgroundClient.ts";
import { HeadTicker } from "../../gate/heads.ts";
import type { StreamBounds } from "../../protocol/runs.ts";
import type { CaseFacts, Stage } from "../../report/caseFacts.ts";
import { stageMessage } from "../../report/caseLife.ts";
import type { CellOutput } from "../../report/report.ts";
import { reportText } from "../../report/text.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { Answer, Answered } from "../cellRun.ts";
import type { CaseReader } from "../observe/caseReader.ts";
import type { OpenObservations } from "../observe/list.ts";
import { Observations } from "../observe/observe.ts";
import type { Step } from "../plan.ts";
import { pollWindowOf } from "../prepare/expectations.ts";
import { maskedOutput } from "./maskRun.ts";
import type { RunWithEvents } from "./runEvents.ts";
import { unfinishedOutput } from "./unfinished.ts";

/** A transaction that is older than this is not followed, in milliseconds. */
const youngMs = 20 * 60_000;
/** The longest time that one is followed, so that a forgotten cell stops asking. In milliseconds. */
const maxFollowMs = 60 * 60_000;
/** The shortest time between two rounds of questions about a transaction that has been in a block for {@link settledMs}. */
const sealedPauseMs = 1000;
const settledMs = 10_000;
/** Questions of one round. */
const questionCount = 6;

interface FollowedCell {
  readonly step: Step;
  readonly request: EvaluatedRequest;
  readonly outcome: Outcome;
  readonly reader: CaseReader;
}

/** Keeps the case of a young transaction up to date until it is final, or until a person stops it. */
export class CaseFollower {
  readonly #run: RunWithEvents;
  readonly #project: NamesInScope;
  readonly #observed: OpenObservations;
  /** Those of a case that is not final. */
  readonly #shown: Observations;
  readonly #maxMs: number;

  /** @param run - Of one requested cell, and those that it refers to. */
  constructor(
    run: RunWithEvents,
    project: NamesInScope,
    observed: OpenObservations,
    { forMs = maxFollowMs }: StreamBounds,
  ) {
    this.#run = run;
    this.#project = project;
    this.#observed = observed;
    this.#shown = new Observations([observed.cases, observed.words]);
    this.#maxMs = Math.min(forMs, maxFollowMs);
  }

  /**
   * Follows the transaction of an answered cell.
   *
   * @param observed - What the answer is shown with, when it is there.
   * @returns Resolves when the transaction is final, or a person stops it; `undefined` for cells that are not followed.
   */
  follow({ ready, outcomes }: Answered, observed: () => Promise<unknown> | undefined): Promise<void> | undefined {
    const { step } = ready;
    const [request, outcome] = [ready.requests[0], outcomes[0]];
    if (!request || !outcome || !step.cell.directives.has("explain") || step.cell.kind !== "request") return undefined;
    if (!this.#run.locator.isRequested(step) || pollWindowOf(step.cell)) return undefined;
    const follow = async (): Promise<void> => {
      await observed();
      const reader = this.#observed.cases.readerOf(request);
      if (reader && this.#isYoung(reader)) await this.#follow({ step, request, outcome, reader });
    };
    return follow();
  }

  #isYoung({ facts, isOver }: CaseReader): boolean {
    if (isOver || (!facts.transaction && !facts.receipt)) return false;
    const begun = facts.block?.timeMs;
    return begun === undefined || this.#run.support.clock.date() - begun < youngMs;
  }
  async #follow(followed: FollowedCell): Promise<void> {
    const { routes, support, signal, document, locator } = this.#run;
    const resolved = routes.endpointOf(followed.step.cell);
    const client = "endpoint" in resolved ? support.routes.clientOf(resolved) : undefined;
    if (!client || "silent" in client) return;
    const stop = new AbortController();
    const key = locator.keyOf(followed.step);
    const stopListening = support.streamControls.listen(document.uri, key, (control) => control.stop && stop.abort());
    const until = AbortSignal.any([signal, stop.signal]);
    try {
      await this.#refresh(followed, client, until);
    } finally {
      stop.abort(); // ends the subscription too
      stopListening();
    }
  }
  async #refresh(followed: FollowedCell, client: BackgroundClient, signal: AbortSignal): Promise<void> {
    const { support } = this.#run;
    const { clock } = support;
    const { reader } = followed;
    const ticker = client.subscribe && new HeadTicker(client, clock, signal);
    const place = () => this.#observed.cases.placeOf(followed.step.cell, client.endpoint);
    const begun = clock.now();
    let shown = await this.#show(followed, []);
    while (!signal.aborted && !reader.isOver && clock.now() - begun < this.#maxMs) {
      const pause = pauseOf(client, reader.facts, clock.date());
      const quiet = ticker?.isComplete ? Math.max(pause, ticker.maxSilenceMs) : pause;
      if (ticker && reader.facts.block === undefined) await ticker.next(quiet, signal);
      else await clock.sleep(pause, signal);
      if (signal.aborted) return;
      await reader.again({ client, place, signal });
      ticker?.onHead(reader.facts.heads.latest);
      if (!signal.aborted && textOf(reader.facts) !== textOf(shown)) shown = await this.#show(followed, shown.life);
    }
  }
  /** @param before - The stages at the last time. */
  async #show(followed: FollowedCell, before: readonly Stage[]): Promise<CaseFacts> {
    const { support, events, locator, signal, document } = this.#run;
    const { step, request, outcome, reader } = followed;
    const { facts } = reader;
    const scope = abiScope(step.cell, this.#project);
    const answers: readonly Answer[] = reader.answers.map((one) => ({ ...one, scope }));
    const { tokens: found, words } = this.#observed;
    const tokens = await found.in(step.cell, answers, signal);
    await words.prepare(step.cell, request, answers, tokens);
    const { startedAt, durationMs } = outcome.exchange;
    const part = { step, answers: [{ request, outcome, scope }], startedAt, durationMs };
    const made = unfinishedOutput(this.#run, part, tokens, this.#shown);
    const ref = locator.refOf(step);
    const live = { uri: document.uri, cell: ref, paused: false, filter: "", onlyStop: true } as const;
    const reports = made.reports.map((report) => ({ ...report, live }));
    const output: CellOutput = {
      ok: true,
      reports,
      get text() {
        return reports.map((report) => reportText(report)).join("\n\n");
      },
      json: "",
      startedAt,
      durationMs,
    };
    const kept = support.rowStore.keep(document.uri, locator.keyOf(step), output, { size: 0 });
    events.streamed?.({
      cell: ref,
      index: step.index,
      output: maskedOutput(kept, support.mask),
      rows: [],
      connectionMessages: newStages(facts, before).map((stage) => stageMessage(stage, facts)),
    });
    return facts;
  }
}

/** Milliseconds until the next round. */
function pauseOf({ cadence, endpoint: { rate } }: BackgroundClient, { block }: CaseFacts, date: number): number {
  const cost = rate === undefined ? 0 : (questionCount * 2000) / rate; // half of the rate is left for runs
  const isQuiet = block?.timeMs !== undefined && date - block.timeMs > settledMs;
  return Math.max(cadence().periodMs, isQuiet ? sealedPauseMs : 0, cost);
}

/** Returns a text that changes when the report does. */
function textOf({ life, receipt, replacement, heads, block }: CaseFacts): string {
  const stages = life.map(({ name, how, at }) => `${name} ${how} ${at}`);
  const distance = block ? [heads.safe, heads.finalized] : [];
  return [...stages, receipt?.status, replacement !== undefined, ...distance].join("\n");
}

function newStages({ life }: CaseFacts, before: readonly Stage[]): readonly Stage[] {
  // another time is that of another block, after a reorganisation
  const known = new Set(before.map(({ name, at }) => `${name} ${at}`));
  return life.filter(({ name, at }) => at !== undefined && !known.has(`${name} ${at}`));
}
