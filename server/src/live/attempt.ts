import { quantity } from "../base/hex.ts";
import { grouped } from "../base/units.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf } from "./answer.ts";
import type { Asker, Question } from "./asker.ts";
import { hasNone, type Simulation, whyLacking } from "./simulation.ts";

/** What was asked in the end, and what came of it. */
export interface Attempt {
  readonly question: Question;
  readonly outcome: Outcome;
  /** What was tried in place of the whole simulation, and what that does not tell; Markdown. */
  readonly instead: string | undefined;
}

/** Tries a simulation; where the endpoint does not do that, as much of it as other methods tell. */
export async function attempt(simulation: Simulation, asker: Asker, signal: AbortSignal): Promise<Attempt> {
  const { full, plain } = simulation;
  const cannot = asker.endpoint.refuses.includes(full.method);
  const [outcome] = cannot ? [] : await asker.ask([full], signal);
  const why = outcome ? whyLacking(outcome, simulation) : hasNone;
  if (outcome && (why === undefined || !plain)) return { question: full, outcome, instead: undefined };
  const asked = plain ?? [full];
  const [answer, estimate] = await asker.ask(asked, signal);
  const [question] = asked;
  if (!question || !answer) throw new RangeError("A question got no outcome."); // there is one a question
  if (!plain) return { question, outcome: answer, instead: undefined };
  const gas = quantity(answerOf(estimate));
  const instead = `${why}: \`eth_call\` was tried, which tells no events or movements${gas === undefined ? ", and no gas" : ""}.`;
  return {
    question,
    outcome: answer,
    instead: gas === undefined ? instead : `${instead} \`eth_estimateGas\` says ${grouped(gas)} gas.`,
  };
}
