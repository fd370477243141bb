import { blockFacts, findHead, seemsUnserved } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";
import type { BackgroundClient } from "./backgroundClient.ts";

/**
 * Returns the number of the newest block from the outcome of the question for it. If the endpoint does not serve that
 * method, asks others once, and remembers which one works.
 */
export async function headFrom(
  outcome: Outcome | undefined,
  client: BackgroundClient,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const facts = blockFacts(resultOf(outcome));
  if (facts || !seemsUnserved(outcome)) return facts?.number;
  const head = await findHead((questions) => client.ask(questions, signal), client.memory);
  return head.facts?.number;
}
