import { printJson } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { Lines } from "../rpc/lines.ts";
import type { Target } from "../rpc/send.ts";
import { subscribe } from "../rpc/subscription.ts";
import type { Asker } from "./asker.ts";

/** Says when there may be something new, by a subscription instead of a timer. */
export interface Beats {
  /** The subscription stands and tells of all that is new, so that silence means that nothing is. */
  readonly standing: boolean;
  /** Waits for a beat that came since the last call; at most so many milliseconds. */
  next(mostMs: number, signal: AbortSignal): Promise<void>;
}

export interface BeatHost {
  readonly lines: Lines;
  readonly clock: Clock;
}

/** What tells of pre-confirmed state, and of sealed blocks. */
const kinds = { preconfirmed: ["newFlashblocks", "newHeads"], sealed: ["newHeads"] } as const;
/** Milliseconds for one exchange, and bytes of one notification: a block with its transactions. */
const bounds = { timeoutMs: 4000, maxBytes: 20_000_000 };

/**
 * Follows the blocks of an endpoint until the signal aborts. Where it serves no flashblocks it says so, and new blocks
 * are followed; where it serves neither, or cannot be reached, no beat ever comes.
 */
export function openBeats(
  target: Target,
  { preconfirmed, cadenceMs }: Pick<Asker, "preconfirmed" | "cadenceMs">,
  { lines, clock }: BeatHost,
  signal: AbortSignal,
): Beats {
  let standing = false;
  let due = false;
  let wake = (): void => {};
  const follow = async (kind: string): Promise<boolean> => {
    const tellsAll = !preconfirmed || kind === "newFlashblocks";
    let heardAt: number | undefined;
    const params = [kind];
    const text = printJson({ jsonrpc: "2.0", id: subscribeId, method: "eth_subscribe", params });
    const request = { text, id: subscribeId, method: "eth_subscribe", params };
    const subscription = subscribe(lines, target, request, { ...bounds, clock }, signal);
    let isRefused = false;
    for (let events = await subscription.next(); events.length > 0; events = await subscription.next()) {
      for (const event of events) {
        if (event.kind === "open" || event.kind === "back") standing = tellsAll;
        if (event.kind === "lost" || event.kind === "end") standing = false;
        if (event.kind === "end") isRefused = event.outcome.kind === "refused";
        if (event.kind !== "row") continue;
        // some servers tell of a head with every flashblock, others with every block only
        standing = tellsAll || (heardAt !== undefined && clock.now() - heardAt <= 2 * cadenceMs);
        heardAt = clock.now();
      }
      due = true;
      wake();
    }
    standing = false;
    return isRefused;
  };
  const followOne = async (): Promise<void> => {
    for (const kind of kinds[preconfirmed ? "preconfirmed" : "sealed"]) if (!(await follow(kind))) return;
  };
  void followOne();
  return {
    get standing() {
      return standing;
    },
    async next(mostMs, given) {
      if (!due && mostMs > 0 && !given.aborted) {
        const over = new AbortController();
        wake = () => over.abort();
        given.addEventListener("abort", wake, { once: true });
        await clock.sleep(mostMs, over.signal);
        given.removeEventListener("abort", wake);
      }
      due = false;
    },
  };
}

/** Beyond the ids of cells, on a connection that they may share. */
const subscribeId = 1_900_000_000;
