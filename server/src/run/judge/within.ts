import type { Clock } from "../../base/ports.ts";
import { brief, oneLine, plural } from "../../base/text.ts";
import { formatDuration } from "../../base/units.ts";
import type { Within } from "../../evaluate/within.ts";
import type { RefusalReason } from "../../rpc/outcome.ts";
import type { CellRun } from "../cellRun.ts";
import type { Step } from "../plan.ts";
import type { Dispatcher } from "../send/dispatcher.ts";
import { isUncheckable } from "./checkExpectation.ts";

interface PollHost {
  readonly clock: Clock;
  readonly dispatcher: Pick<Dispatcher, "pollIntervalMs" | "head">;
  waiting(step: Step, why: string): void;
}

/** Milliseconds before the first repetition; later waits grow to the cadence of the chain. */
const firstWait = 200;
/** The longest time for one block: a chain that has stopped ends the wait too. */
const patienceForBlock = 60_000;

/**
 * Repeats a cell until its expectations hold, the time is over, or they can never hold. A cell that writes is never sent
 * twice.
 *
 * @param first - The first answers.
 * @param again - Sends the requests once more.
 * @returns The last comparison.
 */
export async function poll(
  first: CellRun,
  within: Within,
  again: () => Promise<CellRun>,
  { clock, dispatcher, waiting }: PollHost,
  signal: AbortSignal,
): Promise<CellRun> {
  const { step, durationMs } = first;
  const cadence = dispatcher.pollIntervalMs(step.cell);
  if (cadence === undefined || isHopeless(first)) return first;
  const deadline = clock.now() - durationMs + ("ms" in within ? within.ms : within.blocks * patienceForBlock);
  const begun = "blocks" in within ? await dispatcher.head(step.cell) : undefined;
  let last = first;
  let times = 1;
  let isLast = false;
  const ended = (end: NonNullable<CellRun["polled"]>["end"]): CellRun => ({ ...last, polled: { times, end } });
  for (let wait = Math.min(firstWait, cadence); ; wait = Math.min(wait * 1.5, cadence)) {
    if (last.ok) return ended("held");
    if (signal.aborted) return ended("cancelled");
    if (isHopeless(last)) return ended("hopeless");
    const left = deadline - clock.now();
    if (isLast || left <= 0) return ended("time");
    waiting(step, sentence(last, times, left, within));
    await clock.sleep(Math.min(wait, left), signal);
    if (signal.aborted) continue;
    // The head is read first, so that the answer can include its block.
    const head = begun === undefined ? undefined : await dispatcher.head(step.cell);
    isLast = "blocks" in within && begun !== undefined && head !== undefined && head >= begun + BigInt(within.blocks);
    const next = await again();
    if (signal.aborted && isCancelled(next)) continue; // keep the answer before
    last = next;
    times++;
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

function isHopeless({ answers, verdicts, batch }: CellRun): boolean {
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
