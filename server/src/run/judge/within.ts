import type { Clock } from "../../base/ports.ts";
import { brief, oneLine, plural } from "../../base/text.ts";
import { formatDuration } from "../../base/units.ts";
import type { Within } from "../../evaluate/operators.ts";
import type { EndpointQueues } from "../../gate/endpointQueues.ts";
import type { RefusalReason } from "../../rpc/outcome.ts";
import type { CellRun, Ready } from "../cellRun.ts";
import type { Step } from "../plan.ts";
import { pollWindowOf } from "../prepare/expectations.ts";
import { isUncheckable } from "./checkExpectation.ts";

interface Given {
  readonly clock: Clock;
  readonly queues: EndpointQueues;
  readonly signal: AbortSignal;
  /** Called with the reason why a cell is still open, in a sentence. */
  waiting(step: Step, why: string): void;
}

/** Milliseconds before the first repetition; later waits grow to the cadence of the chain. */
const firstWait = 200;
/** The longest time for one block: a chain that has stopped ends the wait too. */
const patienceForBlock = 60_000;

/**
 * The repetitions of a run: of cells with `within` until their expectations hold, the time is over, or they can never hold. A
 * cell that writes is never sent twice.
 */
export class Repetitions {
  readonly #given: Given;
  readonly #open = new Map<Step, Repetition>();

  constructor(given: Given) {
    this.#given = given;
  }

  /**
   * Waits, and returns the cell to be sent once more, or its last comparison.
   *
   * @param judged - The last answers.
   * @returns `undefined` for a cell that is not repeated.
   */
  after(judged: CellRun, ready: Ready): Promise<Ready | CellRun> | undefined {
    if (judged.ok && this.#open.size === 0) return undefined;
    const { step } = judged;
    const known = this.#open.get(step);
    if (known) return this.#next(known, judged, ready);
    const within = judged.ok ? undefined : pollWindowOf(step.cell);
    const cadence = within && this.#given.queues.pollIntervalMs(step.cell);
    if (!within || cadence === undefined || isHopeless(judged)) return undefined;
    const repetition = new Repetition(judged, within, cadence, this.#given);
    this.#open.set(step, repetition);
    return this.#next(repetition, judged, ready);
  }

  async #next(repetition: Repetition, judged: CellRun, ready: Ready): Promise<Ready | CellRun> {
    const next = await repetition.after(judged, ready);
    if (!("requests" in next)) this.#open.delete(judged.step);
    return next;
  }
}

/** The repetitions of one cell. */
class Repetition {
  readonly #given: Given;
  readonly #within: Within;
  readonly #cadence: number;
  readonly #deadline: number;
  /** The head before the first repetition, if blocks are counted. */
  #begun: bigint | undefined;
  #last: CellRun;
  #times = 0;
  #wait: number;
  #isLast = false;

  constructor(first: CellRun, within: Within, cadence: number, given: Given) {
    this.#given = given;
    this.#within = within;
    this.#cadence = cadence;
    this.#last = first;
    this.#wait = Math.min(firstWait, cadence);
    const patience = "ms" in within ? within.ms : within.blocks * patienceForBlock;
    this.#deadline = given.clock.now() - first.durationMs + patience;
  }

  async after(judged: CellRun, ready: Ready): Promise<Ready | CellRun> {
    const { clock, signal, waiting } = this.#given;
    if (this.#times === 0) this.#begun = await this.#head();
    if (this.#times === 0 || !signal.aborted || !isCancelled(judged)) {
      this.#last = judged; // else the answer before it stays
      this.#times++;
    }
    const left = this.#deadline - clock.now();
    const end = this.#endOf(left);
    if (end) return { ...this.#last, polled: { times: this.#times, end } };
    waiting(this.#last.step, sentence(this.#last, this.#times, left, this.#within));
    await clock.sleep(Math.min(this.#wait, left), signal);
    if (signal.aborted) return { ...this.#last, polled: { times: this.#times, end: "cancelled" } };
    this.#wait = Math.min(this.#wait * 1.5, this.#cadence);
    // The head is read first, so that the answer can include its block.
    const head = this.#begun === undefined ? undefined : await this.#head();
    if ("blocks" in this.#within && this.#begun !== undefined && head !== undefined)
      this.#isLast = head >= this.#begun + BigInt(this.#within.blocks);
    return ready;
  }

  async #head(): Promise<bigint | undefined> {
    return "blocks" in this.#within ? this.#given.queues.head(this.#last.step.cell) : undefined;
  }
  #endOf(left: number): NonNullable<CellRun["polled"]>["end"] | undefined {
    if (this.#last.ok) return "held";
    if (this.#given.signal.aborted) return "cancelled";
    if (isHopeless(this.#last)) return "hopeless";
    return this.#isLast || left <= 0 ? "time" : undefined;
  }
}

/** Refusals that stay the same when a request is repeated. */
const hopeless: ReadonlySet<RefusalReason> = new Set([
  "bad-params",
  "bad-request",
  "unauthorized",
  "not-allowed",
  "plan-limit",
  "quota",
  "unknown-method",
  "not-recorded",
  "range-limit",
  "result-limit",
  "too-large",
]);

/** Whether a repetition cannot change what failed. */
export function isHopeless({ answers, verdicts, batch }: CellRun): boolean {
  return (
    answers.some(({ outcome }) => outcome.kind === "refused" && hopeless.has(outcome.reason)) ||
    [batch, ...verdicts].some((verdict) => verdict?.misses.some(isUncheckable))
  );
}

function isCancelled({ answers }: CellRun): boolean {
  return answers.some(({ outcome }) => outcome.kind === "unreachable" && outcome.reason === "cancelled");
}

function sentence(last: CellRun, times: number, left: number, within: Within): string {
  const [miss] = [...(last.batch?.misses ?? []), ...last.verdicts.flatMap(({ misses }) => misses)];
  const why = miss ? `Expected ${oneLine(miss.path)} ${miss.expected}. ${oneLine(miss.found)}` : "No result yet.";
  const until = "ms" in within ? `${formatDuration(left)} left` : `up to ${plural(within.blocks, "block")}`;
  return `${brief(why, 200)} Asked ${times === 1 ? "once" : plural(times, "time")}, ${until}.`;
}
