import { type SlotFormula, slotBy } from "../../abi/token.ts";
import { quantity, shortQuantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../../base/json.ts";
import { memoByObject } from "../../base/memo.ts";
import type { Clock } from "../../base/ports.ts";
import {
  type ChainQuestion,
  discovery,
  discoveryQuestions,
  isEndpointFailure,
  overrideQuestion,
  questionsOfDiscovery,
  questionsOfVerification,
  type SlotPlace,
  severalFit,
  takesOverrides,
  verification,
  verificationQuestions,
  wordQuestion,
} from "../../evaluate/assume/findSlot.ts";
import {
  type BlockTimeQuestion,
  type Decimals,
  type KnownState,
  type OverrideQuestion,
  questionKey,
  type SlotQuestion,
  type StateAnswer,
  type StateQuestion,
  type WordQuestion,
} from "../../evaluate/assume/stateQuestion.ts";
import { blockFacts, questionOf } from "../../rpc/head.ts";
import { type Outcome, resultOf, seemsUnserved } from "../../rpc/outcome.ts";
import type { EndpointMemory } from "../../rpc/send.ts";

/** The endpoint that questions are asked. */
export interface StatePlace {
  /** What is remembered of it. */
  readonly endpoint: EndpointMemory;
  /** Shown in messages. */
  readonly host: string;
}

/** Sends requests in one message. */
export type AskChain = (questions: readonly ChainQuestion[]) => Promise<readonly Outcome[]>;

/** How long a verified place is used: a development chain may change its contract, which each request checks. */
const maxAgeMs = 5 * 60_000;
/** How long everything else is used that the next block may change. */
const maxShortAgeMs = 5000;

interface Remembered {
  readonly question: StateQuestion;
  readonly answer: StateAnswer;
  /** Milliseconds of the clock. */
  readonly at: number;
}

/** What is known of the chain of one endpoint. */
interface ChainMemory {
  readonly answers: Map<string, Remembered>;
  /** The layouts of tokens, which are verified again for every account. */
  readonly layouts: Map<string, Layout>;
}

interface Layout {
  readonly formula: SlotFormula;
  /** The contract whose storage it is. */
  readonly address: string;
  readonly decimals: Decimals;
}

export type AssumedState = ReturnType<typeof openAssumedState>;

/** Opens the memory of what assumptions need to know, by endpoint. */
export function openAssumedState(clock: Clock) {
  const memoryOf = memoByObject((_endpoint: object): ChainMemory => ({ answers: new Map(), layouts: new Map() }));
  return {
    /** Returns what is known about a place. */
    at:
      (place: StatePlace): KnownState =>
      (question) => {
        const found = memoryOf(place.endpoint).answers.get(questionKey(question));
        return found && current(found, clock.now());
      },
    /** Forgets what is known about a place: it is another chain now, or its contracts have changed. */
    forget(place: StatePlace): void {
      const { answers, layouts } = memoryOf(place.endpoint);
      answers.clear();
      layouts.clear();
      place.endpoint.changed?.();
    },
    /** Forgets what a request may have changed: everything that the next block may change too. */
    outdate(place: StatePlace): void {
      const { answers } = memoryOf(place.endpoint);
      for (const [key, { answer, question }] of answers) if (isBrief(answer, question)) answers.delete(key);
      place.endpoint.changed?.();
    },
    /**
     * Asks a chain, in three messages at most, and remembers the answers.
     *
     * @returns The outcome that prevented it; `undefined` if every question has an answer now.
     */
    async find(questions: readonly StateQuestion[], place: StatePlace, ask: AskChain): Promise<Outcome | undefined> {
      const failure = await new Finder(memoryOf(place.endpoint), place, ask, clock).find(questions);
      place.endpoint.changed?.();
      return failure;
    },
  };
}

/** The answer, unless it is too old. */
function current({ question, answer, at }: Remembered, now: number): StateAnswer | undefined {
  return now - at > (isBrief(answer, question) ? maxShortAgeMs : maxAgeMs) ? undefined : answer;
}

/** Whether the next block may change an answer: a refusal, a word of any contract, the time of a block that moves. */
function isBrief({ kind }: StateAnswer, question: StateQuestion): boolean {
  return kind === "no" || kind === "word" || (question.kind === "time" && moves(question.block));
}

/** Whether a block is named by a tag, of which only one always names the same block. */
function moves(block: JsonValue): boolean {
  return typeof block === "string" && /^[a-z]+$/.test(block) && block !== "earliest";
}

class Finder {
  readonly #memory: ChainMemory;
  readonly #place: StatePlace;
  readonly #ask: AskChain;
  readonly #clock: Clock;

  constructor(memory: ChainMemory, place: StatePlace, ask: AskChain, clock: Clock) {
    this.#memory = memory;
    this.#place = place;
    this.#ask = ask;
    this.#clock = clock;
  }

  /** @param isFirst - Whether the layouts that are known may be used. */
  async find(questions: readonly StateQuestion[], isFirst = true): Promise<Outcome | undefined> {
    const slots = questions.filter((one): one is SlotQuestion => one.kind === "balance" || one.kind === "allowance");
    const times = questions.filter((one): one is BlockTimeQuestion => one.kind === "time");
    const words = questions.filter((one): one is WordQuestion => one.kind === "word");
    const overrides = this.#overrideQuestions(questions, slots.length > 0);
    const known = isFirst ? slots.flatMap((slot) => this.#knownPlace(slot) ?? []) : [];
    const unknown = slots.filter((slot) => !known.some((one) => one.slot === slot));
    const first = [
      ...overrides.map((one) => overrideQuestion(one)),
      ...times.map(({ block }) => blockQuestion(block)),
      ...words.map(({ address, slot, block }) => wordQuestion(address, slot, block)),
      ...unknown.flatMap(discoveryQuestions),
      ...known.flatMap(({ slot, place }) => verificationQuestions(slot, place)),
    ];
    const outcomes = [...(await this.#ask(first))];
    const take = (count: number): readonly Outcome[] => outcomes.splice(0, count);
    const failures: (Outcome | undefined)[] = [
      ...overrides.map((one) => this.#override(one, take(1))),
      ...(await this.#findTimes(times, take(times.length))),
      ...words.map((one) => this.#word(one, take(1))),
    ];
    await this.#findTimeNames(overrides);
    const found = unknown.map((slot) => ({ slot, found: discovery(slot, take(questionsOfDiscovery)) }));
    const verified = known.map((one) => this.#verifyKnown(one, take(questionsOfVerification)));
    failures.push(...verified.map(({ failure }) => failure));
    if (this.#takesNone()) {
      for (const slot of slots) this.#remember(slot, { kind: "no", why: this.#noOverrides() });
      return failures.find((one) => one !== undefined);
    }
    const tried = found.flatMap(({ slot, found: result }) => {
      if (result.kind === "failed") failures.push(result.outcome);
      if (result.kind === "refused") this.#remember(slot, { kind: "no", why: result.why });
      return result.kind === "candidates" ? [{ slot, ...result }] : [];
    });
    if (tried.length > 0) failures.push(...(await this.#verifyAll(tried)));
    const changed = verified.flatMap(({ changed: slot }) => slot ?? []);
    if (changed.length > 0) failures.push(await this.find(changed, false));
    return failures.find((one) => one !== undefined);
  }

  /** Verifies a place by the layout of its token. Returns the question if another layout is to be looked for. */
  #verifyKnown(
    { slot, place, decimals }: KnownPlace,
    outcomes: readonly Outcome[],
  ): { readonly failure?: Outcome | undefined; readonly changed?: SlotQuestion } {
    const failure = this.#verify(slot, [place], outcomes, decimals);
    return failure || this.#known(slot)?.kind === "slot" ? { failure } : { changed: slot };
  }

  async #verifyAll(
    tried: readonly {
      readonly slot: SlotQuestion;
      readonly places: readonly SlotPlace[];
      readonly decimals: Decimals;
    }[],
  ): Promise<readonly (Outcome | undefined)[]> {
    const questions = tried.flatMap(({ slot, places }) =>
      places.flatMap((place) => verificationQuestions(slot, place)),
    );
    const outcomes = [...(await this.#ask(questions))];
    return tried.map(({ slot, places, decimals }) =>
      this.#verify(slot, places, outcomes.splice(0, places.length * questionsOfVerification), decimals),
    );
  }

  /** Remembers the only place that every written word reads back from. Returns the outcome that left it open. */
  #verify(
    question: SlotQuestion,
    places: readonly SlotPlace[],
    outcomes: readonly Outcome[],
    decimals: Decimals,
  ): Outcome | undefined {
    const tried = places.map((place, at) => {
      const own = outcomes.slice(at * questionsOfVerification, (at + 1) * questionsOfVerification);
      return { place, slot: verification(question, place, own) };
    });
    const fitting = tried.flatMap(({ place, slot }) => (typeof slot === "string" ? [] : [{ place, slot }]));
    const refusals = tried.flatMap(({ slot }) => (typeof slot === "string" ? [slot] : []));
    const [found] = fitting;
    const isClear = fitting.length === 1 && !refusals.includes(severalFit);
    if (found && isClear) {
      const { formula, address } = found.place;
      if (formula) this.#memory.layouts.set(layoutKey(question), { formula, address, decimals });
      this.#remember(question, { kind: "slot", slot: found.slot, decimals });
      return undefined;
    }
    const failure = outcomes.find(isEndpointFailure);
    if (failure) return failure;
    this.#memory.layouts.delete(layoutKey(question));
    const why = refusals.find((one) => !one.includes("depend")) ?? refusals[0] ?? "no word of its storage was read";
    this.#remember(question, { kind: "no", why: found ? severalFit : why });
    return undefined;
  }

  #overrideQuestions(questions: readonly StateQuestion[], hasSlots: boolean): readonly OverrideQuestion[] {
    const asked = questions.filter((one): one is OverrideQuestion => one.kind === "overrides");
    const state: OverrideQuestion = { kind: "overrides", of: "state", by: "eth_call" };
    const isOpen =
      hasSlots && !asked.some(({ of, by }) => of === "state" && by === "eth_call") && this.#known(state) === undefined;
    return isOpen ? [...asked, state] : asked;
  }

  #override(question: OverrideQuestion, [outcome]: readonly Outcome[]): Outcome | undefined {
    const takes = outcome && takesOverrides(outcome, question.by);
    if (takes === undefined) return outcome;
    this.#remember(
      question,
      takes ? { kind: "yes" } : { kind: "no", why: this.#noOverrides(question.of, question.by) },
    );
    return undefined;
  }

  /** Remembers the times of blocks. An endpoint that serves no blocks shows them in logs and simulations. */
  async #findTimes(times: readonly BlockTimeQuestion[], outcomes: readonly Outcome[]) {
    const unserved = times.filter((_, at) => seemsUnserved(outcomes[at]));
    const others = unserved.length === 0 ? [] : [...(await this.#ask(unserved.flatMap(otherTimeQuestions)))];
    return times.map((question, at) => {
      const [outcome] = outcomes.slice(at);
      const block = resultOf(outcome);
      const own = isObject(block) ? quantity(block.timestamp) : undefined;
      const seconds = unserved.includes(question) ? secondsIn(others.splice(0, 2)) : own;
      if (seconds !== undefined) this.#remember(question, { kind: "seconds", seconds });
      else if (outcome?.kind === "answered")
        this.#remember(question, { kind: "no", why: "the endpoint does not have its block" });
      else return outcome;
      return undefined;
    });
  }

  /** Asks again whether simulations take a time, under its other name. */
  async #findTimeNames(asked: readonly OverrideQuestion[]): Promise<void> {
    const unknown = asked.filter(
      (one) => one.of === "block" && one.by === "eth_simulateV1" && this.#known(one)?.kind === "no",
    );
    if (unknown.length === 0) return;
    const outcomes = await this.#ask(unknown.map((one) => overrideQuestion(one, "timestamp")));
    for (const [at, one] of unknown.entries()) {
      const [outcome] = outcomes.slice(at);
      if (outcome && takesOverrides(outcome, one.by)) this.#remember(one, { kind: "yes", timeAs: "timestamp" });
    }
  }

  #word(question: WordQuestion, [outcome]: readonly Outcome[]): Outcome | undefined {
    const word = quantity(resultOf(outcome));
    if (word === undefined) return outcome;
    this.#remember(question, { kind: "word", word });
    return undefined;
  }

  #takesNone(): boolean {
    return this.#known({ kind: "overrides", of: "state", by: "eth_call" })?.kind === "no";
  }

  #noOverrides(of: OverrideQuestion["of"] = "state", by: OverrideQuestion["by"] = "eth_call"): string {
    const isOther = of === "state" || by === "eth_simulateV1";
    const instead = isOther ? "an endpoint of geth, reth, Nethermind or anvil" : "`eth_simulateV1`";
    return `${this.#place.host} does not accept ${of} overrides in \`${by}\`. Use ${instead}`;
  }

  #known(question: StateQuestion): StateAnswer | undefined {
    const found = this.#memory.answers.get(questionKey(question));
    return found && current(found, this.#clock.now());
  }

  #remember(question: StateQuestion, answer: StateAnswer): void {
    const { answers } = this.#memory;
    answers.delete(questionKey(question));
    answers.set(questionKey(question), { question, answer, at: this.#clock.now() });
    const [oldest] = answers.keys();
    if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
  }

  #knownPlace(slot: SlotQuestion): KnownPlace | undefined {
    const layout = this.#memory.layouts.get(layoutKey(slot));
    if (!layout) return undefined;
    const { address, formula, decimals } = layout;
    return { slot, place: { address, slot: slotBy(formula, slot.accounts), formula }, decimals };
  }
}

/** The place that the layout of its token gives a number. */
interface KnownPlace {
  readonly slot: SlotQuestion;
  readonly place: SlotPlace;
  readonly decimals: Decimals;
}

/** Answers that are kept for one chain. */
const maxAnswers = 5000;

function layoutKey({ kind, token }: SlotQuestion): string {
  return `${kind} ${token}`;
}

function blockQuestion(block: JsonValue): ChainQuestion {
  const named = nameOf(block);
  const isHash = typeof named === "string" && named.length === 66;
  return { method: isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber", params: [named, false] };
}

/** Returns questions for the time of a block, for an endpoint that serves no blocks. */
function otherTimeQuestions({ block }: BlockTimeQuestion): readonly ChainQuestion[] {
  const named = String(nameOf(block));
  const byHash = { method: "eth_getLogs", params: [{ blockHash: named }] };
  const logs = named.length === 66 ? byHash : questionOf(named, { headBy: "eth_getLogs" });
  return [logs, questionOf(named, { headBy: "eth_simulateV1" })];
}

/** Returns seconds since 1970. Without logs, the time of the block that a simulation puts on top of it. */
function secondsIn([logs, simulated]: readonly Outcome[]): bigint | undefined {
  const timeMs = blockFacts(resultOf(logs))?.timeMs;
  if (timeMs !== undefined) return BigInt(Math.floor(timeMs / 1000));
  const result = resultOf(simulated);
  const [next] = isArray(result) ? result : [];
  return isObject(next) ? shortQuantity(next.timestamp) : undefined;
}

/** Returns the tag, the number or the hash that a block is named by. */
function nameOf(block: JsonValue): JsonValue {
  if (isObject(block)) return block.blockHash ?? block.blockNumber ?? "latest";
  return isArray(block) ? "latest" : block;
}
