import type { Clock } from "../base/ports.ts";
import { ownRequest } from "../rpc/requestIds.ts";
import type { Target } from "../rpc/send.ts";
import type { SocketPool } from "../rpc/socketPool.ts";
import { subscribe } from "../rpc/subscription.ts";
import type { BackgroundClient } from "./backgroundClient.ts";

/** Says when there may be something new, by a subscription instead of a timer. */
export interface HeadTicker {
  /** The subscription tells of all that is new, so that silence means that nothing is. */
  readonly standing: boolean;
  /** The kind of subscription that is not believed any more: it stayed silent while blocks came. */
  readonly silent: string | undefined;
  /** Milliseconds without a beat, after which to look all the same. */
  readonly patienceMs: number;
  /** Waits for a beat that came since the last call; at most so many milliseconds. */
  next(mostMs: number, signal: AbortSignal): Promise<void>;
  /** A head was seen by asking. Silence meanwhile counts against the subscription. */
  seen(head: bigint | undefined): void;
}

export interface HeadTickerHost {
  readonly lines: SocketPool;
  readonly clock: Clock;
}

/** What tells of pre-confirmed state, and of sealed blocks. */
const kinds = { preconfirmed: ["newFlashblocks", "newHeads"], sealed: ["newHeads"] } as const;
/** Milliseconds for one exchange, and bytes of one notification: a block with its transactions. */
const bounds = { timeoutMs: 4000, maxBytes: 20_000_000 };
/** Milliseconds of silence in which no new head was seen. */
const lookMs = 1000;
/** Milliseconds for which a subscription may stay silent after a new head was seen by asking. */
const graceMs = 500;

/**
 * Follows the blocks of an endpoint until the signal aborts. Where it serves no flashblocks it says so, and new blocks
 * are followed; where it serves neither, or cannot be reached, no beat ever comes. It begins anew when the endpoint turns
 * out to be of another kind.
 */
export function openHeadTicker(
  target: Target,
  { cadence }: Pick<BackgroundClient, "cadence">,
  { lines, clock }: HeadTickerHost,
  signal: AbortSignal,
): HeadTicker {
  const state: State = { standing: false, silent: undefined, following: undefined, due: false, wake: () => {} };
  const ear: TickerSubscription = { lastHead: undefined, unheardSince: undefined };
  const follow = async (kind: string, isPreconfirmed: boolean, gone: AbortSignal): Promise<boolean> => {
    const tellsAll = !isPreconfirmed || kind === "newFlashblocks";
    let heardAt: number | undefined;
    const params = [kind];
    const request = ownRequest("eth_subscribe", params);
    const subscription = subscribe(lines, target, request, { ...bounds, clock }, gone);
    let isRefused = false;
    for (let events = await subscription.next(); events.length > 0; events = await subscription.next()) {
      if (gone.aborted) return false;
      for (const event of events) {
        if (event.kind === "open" || event.kind === "back") {
          [state.standing, state.following, ear.unheardSince] = [tellsAll, kind, undefined];
        }
        if (event.kind === "lost" || event.kind === "end") [state.standing, state.following] = [false, undefined];
        if (event.kind === "end") isRefused = event.outcome.kind === "refused";
        if (event.kind !== "row") continue;
        // some servers tell of a head with every flashblock, others with every block only
        state.standing = tellsAll || (heardAt !== undefined && clock.now() - heardAt <= 2 * cadence().periodMs);
        heardAt = clock.now();
        [state.silent, ear.unheardSince] = [undefined, undefined];
      }
      state.due = true;
      state.wake();
    }
    [state.standing, state.following] = [false, undefined];
    return isRefused;
  };
  let wasPreconfirmed: boolean | undefined;
  let going = new AbortController();
  const begin = (): void => {
    const isPreconfirmed = cadence().kind === "pre-confirmed";
    if (isPreconfirmed === wasPreconfirmed || signal.aborted) return;
    going.abort();
    going = new AbortController();
    [wasPreconfirmed, state.standing, state.silent] = [isPreconfirmed, false, undefined];
    void followOne(isPreconfirmed, AbortSignal.any([signal, going.signal]));
  };
  const followOne = async (isPreconfirmed: boolean, gone: AbortSignal): Promise<void> => {
    for (const kind of kinds[isPreconfirmed ? "preconfirmed" : "sealed"])
      if (gone.aborted || !(await follow(kind, isPreconfirmed, gone))) return;
  };
  begin();
  return {
    get standing() {
      return state.standing;
    },
    get patienceMs() {
      return ear.unheardSince === undefined ? lookMs : graceMs;
    },
    get silent() {
      return state.silent;
    },
    seen(head) {
      begin();
      if (head === undefined) return;
      const isNew = ear.lastHead !== undefined && head > ear.lastHead;
      ear.lastHead = head;
      const { unheardSince } = ear;
      if (isNew && unheardSince === undefined) ear.unheardSince = clock.now();
      if (state.following === undefined || unheardSince === undefined || clock.now() - unheardSince < graceMs) return;
      [state.standing, state.silent] = [false, state.following];
    },
    next: (mostMs, given) => nextTick(state, mostMs, given, clock),
  };
}

interface State {
  standing: boolean;
  silent: string | undefined;
  /** The kind of subscription that the endpoint has taken. */
  following: string | undefined;
  /** A beat came that was not waited for. */
  due: boolean;
  wake: () => void;
}

/** What was seen by asking, and not told. */
interface TickerSubscription {
  lastHead: bigint | undefined;
  /** Since when a head is known of which the subscription says nothing. */
  unheardSince: number | undefined;
}

async function nextTick(state: State, mostMs: number, given: AbortSignal, clock: Clock): Promise<void> {
  if (!state.due && mostMs > 0 && !given.aborted) {
    const over = new AbortController();
    state.wake = () => over.abort();
    given.addEventListener("abort", state.wake, { once: true });
    await clock.sleep(mostMs, over.signal);
    given.removeEventListener("abort", state.wake);
  }
  state.due = false;
}
