import type { Clock } from "../base/ports.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Asker, Question } from "./asker.ts";

/** Something that is looked at again and again. */
export interface Watch {
  readonly id: string;
  readonly questions: readonly Question[];
  /** @param outcomes - Of `questions`, in order. */
  read(outcomes: readonly Outcome[]): Reading;
}

/** What a watch says at one moment. */
export interface Reading {
  /** Plain text, safe to show. */
  readonly value: string;
  /** Beside the value: the difference to `latest`. */
  readonly detail?: string;
  readonly ok: boolean;
  /** For the line of values; absent where the value is no number. */
  readonly amount?: bigint;
}

/** What came of one round of questions. */
export interface Tick {
  /** Milliseconds since 1970, when the answers had come. */
  readonly at: number;
  /** Number of the latest block; `undefined` where that was not answered. */
  readonly head: bigint | undefined;
  /** Milliseconds between this round and the one before. */
  readonly sinceLast: number | undefined;
  /** Those that say something else than the last time. */
  readonly changed: readonly { readonly id: string; readonly reading: Reading }[];
}

/** Looks at everything that is watched at one endpoint: one batch a tick, whatever their number. */
export interface Watcher {
  add(watch: Watch): void;
  remove(id: string): void;
  readonly size: number;
  /** While nobody looks nothing is asked. */
  show(visible: boolean): void;
  stop(): void;
}

/** @param ticked - After each round. */
export function openWatcher(asker: Asker, clock: Clock, ticked: (tick: Tick) => void): Watcher {
  const watches = new Map<string, Watch>();
  const said = new Map<string, string>();
  let visible = true;
  let going: AbortController | undefined;
  let last: number | undefined;

  const round = async (signal: AbortSignal): Promise<void> => {
    const asked = [...watches.values()];
    const outcomes = await asker.ask([headQuestion, ...asked.flatMap(({ questions }) => questions)], signal);
    if (signal.aborted) return;
    const [head, ...rest] = outcomes;
    const at = clock.now();
    const changed: { id: string; reading: Reading }[] = [];
    let from = 0;
    for (const watch of asked) {
      const reading = watch.read(rest.slice(from, from + watch.questions.length));
      from += watch.questions.length;
      const text = `${reading.ok} ${reading.value} ${reading.detail ?? ""}`;
      if (!watches.has(watch.id) || said.get(watch.id) === text) continue;
      said.set(watch.id, text);
      changed.push({ id: watch.id, reading });
    }
    ticked({ at, head: numberOf(head), sinceLast: last === undefined ? undefined : at - last, changed });
    last = at;
  };
  const loop = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const startedAt = clock.now();
      await round(signal);
      // an endpoint that is slower than the cadence is asked again when it has answered, and not twice at once
      const pause = Math.max(minPauseMs, intervalOf(asker) - (clock.now() - startedAt));
      if (!signal.aborted) await clock.sleep(pause, signal);
    }
  };
  const start = (): void => {
    if (going || !visible || watches.size === 0) return;
    going = new AbortController();
    void loop(going.signal);
  };
  const halt = (): void => {
    going?.abort();
    going = undefined;
    last = undefined;
  };
  return {
    add(watch) {
      watches.set(watch.id, watch);
      said.delete(watch.id);
      start();
    },
    remove(id) {
      watches.delete(id);
      said.delete(id);
      if (watches.size === 0) halt();
    },
    get size() {
      return watches.size;
    },
    show(now) {
      visible = now;
      if (visible) start();
      else halt();
    },
    stop: halt,
  };
}

const minPauseMs = 20;
const headQuestion: Question = { method: "eth_blockNumber", params: [] };

/** Milliseconds between rounds. Where requests are counted, half of what is allowed is left to people. */
function intervalOf({ endpoint, cadenceMs }: Asker): number {
  return endpoint.rate === undefined ? cadenceMs : Math.max(cadenceMs, 2000 / endpoint.rate);
}

function numberOf(outcome: Outcome | undefined): bigint | undefined {
  const value = outcome?.kind === "answered" ? outcome.result.value : undefined;
  return typeof value === "string" && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : undefined;
}
