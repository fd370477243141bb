import { toQuantity } from "../base/hex.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import type { Outcome, Refused } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";
import { unusedAddress } from "./observer.ts";

/** The widest range that `eth_getLogs` accepts. */
export interface LogReach {
  /** Greatest toBlock − fromBlock that it states, or that it accepted if it refused a wider one. */
  readonly limit: bigint | undefined;
  /** Greatest toBlock − fromBlock that it accepted. */
  readonly took: bigint | undefined;
  /** Its message about a wider range. */
  readonly refusal: string | undefined;
}

export const unknownReach: LogReach = { limit: undefined, took: undefined, refusal: undefined };

/** Values of toBlock − fromBlock, the greatest first. */
const spans = [100_000n, 10_000n, 1_999n];

/**
 * Asks for logs of an address that is not a contract, so that a node without a limit has nothing to send. Each range is a
 * request of its own: a gateway that refuses one range would refuse the batch.
 */
export async function logReach(client: BackgroundClient, head: bigint, signal: AbortSignal): Promise<LogReach> {
  const ranges = [...new Set(spans.map((span) => (span > head ? head : span)))];
  const outcomes = await Promise.all(
    ranges.map(async (span) => {
      const range = { fromBlock: toQuantity(head - span), toBlock: toQuantity(head), address: unusedAddress };
      const [outcome] = await client.ask([{ method: "eth_getLogs", params: [range] }], signal);
      return outcome;
    }),
  );
  const first = outcomes.findIndex((outcome) => resultOf(outcome) !== undefined);
  const took = ranges[first];
  const wider = outcomes.slice(0, first === -1 ? undefined : first);
  const refused = wider.findLast((outcome) => isAboutRange(outcome, took !== undefined));
  if (refused?.kind === "unreachable") return { limit: took, took, refusal: refused.message };
  if (refused?.kind !== "refused") return { limit: undefined, took, refusal: undefined };
  const stated = wider.find((outcome): outcome is Refused => outcome?.kind === "refused" && !!outcome.rangeLimit);
  return { limit: stated?.rangeLimit ?? took, took, refusal: (stated ?? refused).message };
}

/** @param isNarrowTaken - A narrower range was answered, so the width is refused, whatever the message says. */
function isAboutRange(outcome: Outcome | undefined, isNarrowTaken: boolean): boolean {
  if (outcome?.kind === "unreachable") return isNarrowTaken && outcome.reason === "timeout";
  if (outcome?.kind !== "refused" || outcome.reason === "rate-limit" || outcome.reason === "unknown-block")
    return false;
  return outcome.reason === "range-limit" || isNarrowTaken;
}
