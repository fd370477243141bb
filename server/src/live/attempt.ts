import { decimalsCall, symbolCall, tokenDecimals, tokenSymbol } from "../abi/token.ts";
import { quantity } from "../base/hex.ts";
import { type Markdown, prose } from "../base/markdown.ts";
import { grouped } from "../base/units.ts";
import { dataFeeFrom, dataFeeQuestions } from "../evaluate/dataFee.ts";
import type { Tokens } from "../report/tokens.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf } from "./answer.ts";
import type { Asker, Question } from "./asker.ts";
import { hasNone, type Simulation, whyLacking } from "./simulation.ts";

/** What was asked in the end, and what came of it. */
export interface Attempt {
  readonly question: Question;
  readonly outcome: Outcome;
  /** What was tried in place of the whole simulation, and what that does not tell. */
  readonly instead: Markdown | undefined;
  /** What the contract that was called says of itself as a token. */
  readonly tokens: Tokens;
  /** What its data would cost on layer 1, in wei; `undefined` where that is not known. */
  readonly dataFee: bigint | undefined;
}

/**
 * Tries a simulation; where the endpoint does not do that, as much of it as other methods tell. Whether the contract that
 * is called is a token travels along, where requests are not counted.
 */
export async function attempt(simulation: Simulation, asker: Asker, signal: AbortSignal): Promise<Attempt> {
  const { full, plain, called } = simulation;
  const cannot = asker.endpoint.refuses.includes(full.method);
  const uncounted = asker.endpoint.rate === undefined;
  const about = uncounted && called !== undefined ? tokenQuestions(called) : [];
  const fees = uncounted ? dataFeeQuestions(full.method, full.params, asker.chainId) : [];
  const [outcome, ...more] = cannot ? [] : await asker.ask([full, ...about, ...fees], signal);
  const [decimals, symbol] = about.length > 0 ? more : [];
  const tokens = tokensFrom(called, decimals, symbol);
  const dataFee = dataFeeFrom(more.slice(about.length).map(answerOf));
  const why = outcome ? whyLacking(outcome, simulation) : hasNone;
  if (outcome && (why === undefined || !plain)) return { question: full, outcome, instead: undefined, tokens, dataFee };
  const asked = plain ?? [full];
  const [answer, estimate, ...costs] = await asker.ask(
    [...asked, ...(asked.length === 2 && dataFee === undefined ? fees : [])],
    signal,
  );
  const [question] = asked;
  if (!question || !answer) throw new RangeError("A question got no outcome."); // there is one a question
  if (!plain) return { question, outcome: answer, instead: undefined, tokens, dataFee };
  const gas = quantity(answerOf(estimate));
  const instead = `${why}: \`eth_call\` was tried, which tells no events or movements${gas === undefined ? ", and no gas" : ""}.`;
  const estimated = gas === undefined ? "" : ` \`eth_estimateGas\` says ${grouped(gas)} gas.`;
  return {
    question,
    outcome: answer,
    instead: prose(instead + estimated),
    tokens,
    dataFee: dataFee ?? dataFeeFrom(costs.map(answerOf)),
  };
}

function tokenQuestions(to: string): readonly Question[] {
  return [decimalsCall, symbolCall].map((data) => ({ method: "eth_call", params: [{ to, data }, "latest"] }));
}

function tokensFrom(address: string | undefined, decimals?: Outcome, symbol?: Outcome): Tokens {
  const places = tokenDecimals(answerOf(decimals));
  if (address === undefined || places === undefined) return new Map();
  const token = { symbol: tokenSymbol(answerOf(symbol)) ?? "", decimals: places, source: "its contract" };
  return new Map([[address.toLowerCase(), token]]);
}
