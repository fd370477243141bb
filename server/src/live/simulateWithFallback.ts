import type { AbiScope } from "../abi/abiScope.ts";
import { decimalsCall, symbolCall, tokenDecimals, tokenSymbol } from "../abi/token.ts";
import { quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { type Markdown, prose } from "../base/markdown.ts";
import { grouped } from "../base/units.ts";
import { dataFeeFrom, dataFeeQuestions } from "../evaluate/dataFee.ts";
import type { Token, Tokens } from "../report/tokens.ts";
import { amountsIn } from "../report/tokensIn.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf } from "./answered.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";
import { hasNone, type Simulation, whyLacking } from "./simulation.ts";

/** What was asked in the end, and what came of it. */
export interface SimulationAttempt {
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
export async function simulateWithFallback(
  simulation: Simulation,
  asker: BackgroundClient,
  signal: AbortSignal,
): Promise<SimulationAttempt> {
  const { full, plain, called } = simulation;
  const cannot = asker.endpoint.refuses.includes(full.method);
  const uncounted = asker.endpoint.rate === undefined;
  const about = uncounted && called !== undefined ? [called] : [];
  const named = about.flatMap(tokenQuestions);
  const fees = uncounted ? dataFeeQuestions(full.method, full.params, asker.chainId) : [];
  const [outcome, ...told] = cannot ? [] : await asker.ask([full, ...named, ...fees], signal);
  const tokens = tokensFrom(about, told.slice(0, named.length));
  const dataFee = dataFeeFrom(told.slice(named.length).map(answerOf));
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

/** Contracts that are asked about at once. */
const mostAsked = 4;

/**
 * The tokens whose amounts a call may return, as their contracts say it. Asks where requests are not counted.
 *
 * @param stated - The header's, which win.
 */
export async function tokensCalled(
  params: JsonValue | undefined,
  { scope, tokens: stated }: { readonly scope: AbiScope; readonly tokens: Tokens },
  asker: BackgroundClient,
  signal: AbortSignal,
): Promise<Tokens> {
  const called = new Set<string>();
  for (const { token, amount } of amountsIn({ method: "eth_call", params }, "0x", scope))
    if (amount === undefined && !stated.has(token)) called.add(token); // it is what the call returns
  if (called.size === 0 || asker.endpoint.rate !== undefined) return stated;
  const asked = [...called].slice(0, mostAsked);
  return new Map([...tokensFrom(asked, await asker.ask(asked.flatMap(tokenQuestions), signal)), ...stated]);
}

function tokenQuestions(to: string): readonly Question[] {
  return [decimalsCall, symbolCall].map((data) => ({ method: "eth_call", params: [{ to, data }, "latest"] }));
}

/** @param told - Of each address, the answers to its two questions. */
function tokensFrom(addresses: readonly string[], told: readonly Outcome[]): Tokens {
  const tokens = new Map<string, Token>();
  for (const [at, address] of addresses.entries()) {
    const [decimals, symbol] = told.slice(at * 2, at * 2 + 2).map(answerOf);
    const places = tokenDecimals(decimals);
    if (places === undefined) continue;
    tokens.set(address.toLowerCase(), { symbol: tokenSymbol(symbol) ?? "", decimals: places, source: "its contract" });
  }
  return tokens;
}
