import { type SlotFormula, slotBy } from "../abi/tokenSlots.ts";
import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import type { Clock } from "../base/ports.ts";
import {
  type ChainQuestion,
  discovery,
  discoveryQuestions,
  overrideQuestion,
  questionsOfDiscovery,
  questionsOfVerification,
  type SlotPlace,
  takesOverrides,
  verification,
  verificationQuestions,
} from "../evaluate/assume/findSlot.ts";
import {
  type BlockTimeQuestion,
  type KnownState,
  type OverrideQuestion,
  questionKey,
  type SlotQuestion,
  type StateAnswer,
  type StateQuestion,
  type WordQuestion,
} from "../evaluate/assume/stateQuestion.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import type { EndpointMemory } from "../rpc/send.ts";

/** The endpoint that questions are asked. */
export interface StatePlace {
  /** What is remembered of it. */
  readonly endpoint: Pick<EndpointMemory, "changed">;
  /** Shown in messages. */
  readonly host: string;
}

/** Sends requests in one message. */
export type AskChain = (questions: readonly ChainQuestion[]) => Promise<readonly Outcome[]>;

/** How long a verified word is used: another transaction may change its other bits, a development chain its contract. */
const maxAgeMs = 5 * 60_000;
/** How long a refusal is, and a word of any contract: the next transaction may deploy the contract, or change the word. */
const maxShortAgeMs = 5000;

interface Remembered {
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
  readonly decimals: number | undefined;
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
        return found && current(found, question, clock.now());
      },
    /** Forgets what is known about a place: it is another chain now, or its contracts have changed. */
    forget(place: StatePlace): void {
      const { answers, layouts } = memoryOf(place.endpoint);
      answers.clear();
      layouts.clear();
      place.endpoint.changed?.();
    },
    /**
     * Asks a chain, in two messages at most, and remembers the answers.
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

/** The answer as of now: the time of a moving block moves too. */
function current({ answer, at }: Remembered, question: StateQuestion, now: number): StateAnswer | undefined {
  const age = now - at;
  if (age > (answer.kind === "no" || answer.kind === "word" ? maxShortAgeMs : maxAgeMs)) return undefined;
  if (answer.kind !== "seconds" || question.kind !== "time" || !moves(question.block)) return answer;
  return { kind: "seconds", seconds: answer.seconds + BigInt(Math.floor(age / 1000)) };
}

function moves(block: JsonValue): boolean {
  return typeof block === "string" && /^[a-z]+$/.test(block);
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

  async find(questions: readonly StateQuestion[]): Promise<Outcome | undefined> {
    const slots = questions.filter((one): one is SlotQuestion => one.kind === "balance" || one.kind === "allowance");
    const times = questions.filter((one): one is BlockTimeQuestion => one.kind === "time");
    const words = questions.filter((one): one is WordQuestion => one.kind === "word");
    const overrides = this.#overrideQuestions(questions, slots.length > 0);
    const known = slots.filter((slot) => this.#layoutOf(slot));
    const unknown = slots.filter((slot) => !known.includes(slot));
    const first = [
      ...overrides.map(({ of }) => overrideQuestion(of)),
      ...times.map(({ block }) => blockQuestion(block)),
      ...words.map(({ address, slot }) => ({ method: "eth_getStorageAt", params: [address, slot, "latest"] })),
      ...unknown.flatMap(discoveryQuestions),
      ...known.flatMap((slot) => verificationQuestions(slot, this.#placeOf(slot))),
    ];
    const outcomes = [...(await this.#ask(first))];
    const take = (count: number): readonly Outcome[] => outcomes.splice(0, count);
    const failures: (Outcome | undefined)[] = [
      ...overrides.map((one) => this.#override(one, take(1))),
      ...times.map((one) => this.#time(one, take(1))),
      ...words.map((one) => this.#word(one, take(1))),
    ];
    const found = unknown.map((slot) => ({ slot, found: discovery(slot, take(questionsOfDiscovery)) }));
    for (const slot of known) this.#verify(slot, [this.#placeOf(slot)], take(questionsOfVerification));
    if (this.#takesNone()) {
      for (const slot of slots) this.#remember(slot, { kind: "no", why: this.#noOverrides() });
      return failures.find((one) => one !== undefined);
    }
    const tried = found.flatMap(({ slot, found: result }) => {
      if (result.kind === "failed") failures.push(result.outcome);
      if (result.kind === "refused") this.#remember(slot, { kind: "no", why: result.why });
      return result.kind === "candidates" ? [{ slot, ...result }] : [];
    });
    if (tried.length > 0) await this.#verifyAll(tried);
    return failures.find((one) => one !== undefined);
  }

  async #verifyAll(
    tried: readonly {
      readonly slot: SlotQuestion;
      readonly places: readonly SlotPlace[];
      readonly decimals: number | undefined;
    }[],
  ): Promise<void> {
    const questions = tried.flatMap(({ slot, places }) =>
      places.flatMap((place) => verificationQuestions(slot, place)),
    );
    const outcomes = [...(await this.#ask(questions))];
    for (const { slot, places, decimals } of tried)
      this.#verify(slot, places, outcomes.splice(0, places.length * questionsOfVerification), decimals);
  }

  /** Remembers the first place that every written word reads back from. */
  #verify(
    question: SlotQuestion,
    places: readonly SlotPlace[],
    outcomes: readonly Outcome[],
    decimals = this.#layoutOf(question)?.decimals,
  ): void {
    let refusal: string | undefined;
    for (const [at, place] of places.entries()) {
      const own = outcomes.slice(at * questionsOfVerification, (at + 1) * questionsOfVerification);
      const slot = verification(question, place, own);
      if (typeof slot === "string") {
        if (refusal === undefined || refusal.includes("depend")) refusal = slot;
        continue;
      }
      const { formula, address } = place;
      if (formula) this.#memory.layouts.set(layoutKey(question), { formula, address, decimals });
      this.#remember(question, { kind: "slot", slot, decimals });
      return;
    }
    this.#memory.layouts.delete(layoutKey(question));
    this.#remember(question, { kind: "no", why: refusal ?? "no word of its storage was read" });
  }

  #overrideQuestions(questions: readonly StateQuestion[], hasSlots: boolean): readonly OverrideQuestion[] {
    const asked = questions.filter((one): one is OverrideQuestion => one.kind === "overrides");
    const state: OverrideQuestion = { kind: "overrides", of: "state" };
    const isOpen = hasSlots && !asked.some(({ of }) => of === "state") && this.#known(state) === undefined;
    return isOpen ? [...asked, state] : asked;
  }

  #override(question: OverrideQuestion, [outcome]: readonly Outcome[]): Outcome | undefined {
    const takes = outcome && takesOverrides(outcome);
    if (takes === undefined) return outcome;
    this.#remember(question, takes ? { kind: "yes" } : { kind: "no", why: this.#noOverrides(question.of) });
    return undefined;
  }

  #time(question: BlockTimeQuestion, [outcome]: readonly Outcome[]): Outcome | undefined {
    const block = resultOf(outcome);
    const seconds = isObject(block) ? quantity(block.timestamp) : undefined;
    if (seconds !== undefined) this.#remember(question, { kind: "seconds", seconds });
    else if (outcome?.kind === "answered")
      this.#remember(question, { kind: "no", why: "the endpoint does not have its block" });
    else return outcome;
    return undefined;
  }

  #word(question: WordQuestion, [outcome]: readonly Outcome[]): Outcome | undefined {
    const word = quantity(resultOf(outcome));
    if (word === undefined) return outcome;
    this.#remember(question, { kind: "word", word });
    return undefined;
  }

  #takesNone(): boolean {
    return this.#known({ kind: "overrides", of: "state" })?.kind === "no";
  }

  #noOverrides(of: OverrideQuestion["of"] = "state"): string {
    const instead = of === "state" ? "an endpoint of geth, reth, Nethermind or anvil" : "`eth_simulateV1`";
    return `${this.#place.host} takes no ${of} overrides in \`eth_call\`, so use ${instead}`;
  }

  #known(question: StateQuestion): StateAnswer | undefined {
    const found = this.#memory.answers.get(questionKey(question));
    return found && current(found, question, this.#clock.now());
  }

  #remember(question: StateQuestion, answer: StateAnswer): void {
    const { answers } = this.#memory;
    answers.delete(questionKey(question));
    answers.set(questionKey(question), { answer, at: this.#clock.now() });
    const [oldest] = answers.keys();
    if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
  }

  #layoutOf(question: SlotQuestion): Layout | undefined {
    return this.#memory.layouts.get(layoutKey(question));
  }

  #placeOf(question: SlotQuestion): SlotPlace {
    const layout = this.#layoutOf(question);
    if (!layout) throw new RangeError("A layout was used that is not known."); // only known ones are asked for
    return { address: layout.address, slot: slotBy(layout.formula, question.accounts), formula: layout.formula };
  }
}

/** Answers that are kept for one chain. */
const maxAnswers = 5000;

function layoutKey({ kind, token }: SlotQuestion): string {
  return `${kind} ${token}`;
}

function blockQuestion(block: JsonValue): ChainQuestion {
  const named = isObject(block)
    ? (block.blockHash ?? block.blockNumber ?? "latest")
    : isArray(block)
      ? "latest"
      : block;
  const isHash = typeof named === "string" && named.length === 66;
  return { method: isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber", params: [named, false] };
}
