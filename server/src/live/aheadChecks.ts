import type { Clock } from "../base/ports.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import { measureAhead } from "../inspect/measureAhead.ts";
import { fastMs } from "../rpc/cadence.ts";

/** Milliseconds between two measurements. */
const checkEveryMs = 5000;

/** Requests a second. An endpoint that allows fewer is not measured. */
const minRate = 10;

/**
 * Returns a function to call in each round. It measures whether `pending` is ahead: the first time, when a subscription
 * falls silent, when blocks come too fast for pre-confirmed state, and every few seconds. It measures nothing if an
 * endpoint file says it.
 */
export function aheadChecks(
  client: BackgroundClient,
  clock: Clock,
): (silent: string | undefined, signal: AbortSignal) => void {
  const { preconfirmed, rate } = client.endpoint;
  if (preconfirmed !== undefined || (rate !== undefined && rate < minRate)) return () => {};
  let checkedAt: number | undefined;
  let lastReason: string | undefined;
  let isBusy = false;
  return (silent, signal) => {
    const { kind, blockMs } = client.cadence();
    const isDoubtful = kind === "pre-confirmed" && blockMs !== undefined && blockMs <= fastMs;
    const reason = `${silent} ${isDoubtful}`;
    const isNeeded = checkedAt === undefined || reason !== lastReason || clock.now() - checkedAt >= checkEveryMs;
    if (isBusy || !isNeeded) return;
    [checkedAt, lastReason, isBusy] = [clock.now(), reason, true];
    void measureAhead(client, clock, signal).finally(() => {
      isBusy = false;
    });
  };
}
