import { blockFacts, findHead, seemsUnserved } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf } from "./answered.ts";
import type { BackgroundClient } from "./backgroundClient.ts";

/**
 * The number of the newest block, from what came of the question for it. An endpoint that does not serve that is asked in
 * other ways once, and its memory keeps which one tells.
 */
export async function headFrom(
  outcome: Outcome | undefined,
  asker: BackgroundClient,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const facts = blockFacts(answerOf(outcome));
  if (facts || !seemsUnserved(outcome)) return facts?.number;
  const found = await findHead((questions) => asker.ask(questions, signal), asker.memory);
  return found.facts?.number;
}
