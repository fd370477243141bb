import { toQuantity } from "../base/hex.ts";
import type { Outcome, Refused } from "../rpc/outcome.ts";
import { answerOf } from "./answered.ts";
import type { BackgroundClient } from "./backgroundClient.ts";
import { nobody } from "./observer.ts";

/** How many blocks `eth_getLogs` takes at once. */
export interface LogReach {
  /** Greatest toBlock − fromBlock that it states, or that it took where it refused more. */
  readonly limit: bigint | undefined;
  /** Greatest toBlock − fromBlock that it took. */
  readonly took: bigint | undefined;
  /** What it said of a greater one. */
  readonly refusal: string | undefined;
}

export const unknownReach: LogReach = { limit: undefined, took: undefined, refusal: undefined };

/** toBlock − fromBlock, the greatest first. */
const spans = [100_000n, 10_000n, 1_999n];

/**
 * Asks for logs of a contract that is none, so that a node without a limit has nothing to send. Each range travels alone:
 * a gateway that refuses one would refuse all of them together.
 */
export async function logReach(asker: BackgroundClient, head: bigint, signal: AbortSignal): Promise<LogReach> {
  const asked = [...new Set(spans.map((span) => (span > head ? head : span)))];
  const outcomes = await Promise.all(
    asked.map(async (span) => {
      const range = { fromBlock: toQuantity(head - span), toBlock: toQuantity(head), address: nobody };
      const [outcome] = await asker.ask([{ method: "eth_getLogs", params: [range] }], signal);
      return outcome;
    }),
  );
  const first = outcomes.findIndex((outcome) => answerOf(outcome) !== undefined);
  const took = asked[first];
  const wider = outcomes.slice(0, first === -1 ? undefined : first);
  const refused = wider.findLast((outcome) => isAboutRange(outcome, took !== undefined));
  if (refused?.kind === "unreachable") return { limit: took, took, refusal: refused.message };
  if (refused?.kind !== "refused") return { limit: undefined, took, refusal: undefined };
  const stated = wider.find((outcome): outcome is Refused => outcome?.kind === "refused" && !!outcome.rangeLimit);
  return { limit: stated?.rangeLimit ?? took, took, refusal: (stated ?? refused).message };
}

/** @param isNarrowTaken - A narrower range was answered: then it is the width that is refused, whatever the words. */
function isAboutRange(outcome: Outcome | undefined, isNarrowTaken: boolean): boolean {
  if (outcome?.kind === "unreachable") return isNarrowTaken && outcome.reason === "timeout";
  if (outcome?.kind !== "refused" || outcome.reason === "rate-limit" || outcome.reason === "unknown-block")
    return false;
  return outcome.reason === "range-limit" || isNarrowTaken;
}
