import type { AbiScope } from "../abi/abiScope.ts";
import { decimalsCall, shownSymbol, symbolCall, tokenDecimals } from "../abi/token.ts";
import { signedTransaction } from "../abi/transaction.ts";
import { isAddress, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { type Markdown, prose } from "../base/markdown.ts";
import type { Mask } from "../base/mask.ts";
import { grouped } from "../base/units.ts";
import { dataFeeFrom, dataFeeQuestions } from "../evaluate/dataFee.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import type { Token, Tokens } from "../report/tokens.ts";
import { amountsIn, tokensIn } from "../report/tokensIn.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";

/** A request to simulate, as it would be sent. */
export interface SimulationRequest {
  readonly method: string;
  readonly params: JsonValue | undefined;
}

/** Methods whose requests can be simulated. */
export const simulated: ReadonlySet<string> = new Set([
  "eth_call",
  "eth_estimateGas",
  "eth_simulateV1",
  "eth_sendTransaction",
  "eth_sendRawTransaction",
]);

/** The questions that show what a request would do. */
export interface Simulation {
  /** With `eth_simulateV1`: return data, gas, logs and movements of the native currency. */
  readonly full: Question;
  /**
   * For endpoints without that: whether it succeeds and what it returns, and an estimate of its gas if there is no
   * override. Absent for simulations of several calls.
   */
  readonly plain: readonly Question[] | undefined;
  /** The call has no `to`. */
  readonly creates: boolean;
  /** The contract that is called, which may be a token. */
  readonly called: string | undefined;
}

/**
 * Returns the simulation of a request, with the overrides and the block of an `eth_call`. A transaction is simulated at
 * `pending`, also a raw signed one.
 *
 * @returns `undefined` for requests of another shape or method.
 */
export async function simulationOf({ method, params }: SimulationRequest): Promise<Simulation | undefined> {
  const [first, block, state, time] = isArray(params) ? params : [];
  switch (method) {
    case "eth_simulateV1":
      if (!isObject(first)) return undefined;
      return {
        full: questionOf("eth_simulateV1", { ...first, traceTransfers: true }, blockOf(block)),
        plain: undefined,
        creates: false,
        called: undefined,
      };
    case "eth_call":
    case "eth_estimateGas":
      return isObject(first) ? simulationOfCall(first, blockOf(block), state, time) : undefined;
    case "eth_sendTransaction":
      return isObject(first) ? simulationOfCall(first, "pending") : undefined;
    case "eth_sendRawTransaction": {
      const transaction = await signedTransaction(first);
      return transaction && simulationOfCall(transaction, "pending");
    }
    default:
      return undefined;
  }
}

function blockOf(block: JsonValue | undefined): JsonValue {
  return block ?? "pending";
}

function simulationOfCall(call: JsonObject, block: JsonValue, state?: JsonValue, time?: JsonValue): Simulation {
  // without the nonce: the transactions before it may not be sealed yet
  const { nonce: _nonce, ...simulatedCall } = call;
  const overrides = {
    ...(isObject(state) && { stateOverrides: state }),
    ...(isObject(time) && { blockOverrides: time }),
  };
  const payload = {
    blockStateCalls: [{ ...overrides, calls: [simulatedCall] }],
    traceTransfers: true,
    validation: false,
  };
  const more = isObject(state) ? [state, ...(isObject(time) ? [time] : [])] : [];
  return {
    full: questionOf("eth_simulateV1", payload, block),
    plain: [
      questionOf("eth_call", simulatedCall, block, ...more),
      ...(more.length === 0 ? [questionOf("eth_estimateGas", simulatedCall, block)] : []),
    ],
    creates: simulatedCall.to === undefined || simulatedCall.to === null,
    called: isAddress(simulatedCall.to) && hasData(simulatedCall) ? simulatedCall.to : undefined,
  };
}

function hasData({ data, input }: JsonObject): boolean {
  return [data, input].some((bytes) => typeof bytes === "string" && bytes.length > 2);
}

function questionOf(method: string, ...params: readonly JsonValue[]): Question {
  return { method, params };
}

const unsupported = "This endpoint has no `eth_simulateV1`";

/** Returns why the endpoint cannot simulate this, as the beginning of a sentence. */
export function whyUnsupported(outcome: Outcome, { creates }: Simulation): string | undefined {
  if (outcome.kind !== "refused") return undefined;
  if (unsupportedReasons.has(outcome.reason)) return unsupported;
  // some nodes require `to` in the calls of a simulation
  if (creates && outcome.reason === "bad-params" && /missing keys.*"to"|missing field `to`/.test(outcome.message))
    return "This endpoint cannot simulate the creation of a contract";
  return undefined;
}

/** Reasons of a refusal that mean that the endpoint does not serve the method. */
const unsupportedReasons: ReadonlySet<string> = new Set(["unknown-method", "not-allowed", "plan-limit"]);

/** The question that was answered in the end, and its outcome. */
export interface SimulationAttempt {
  readonly question: Question;
  readonly outcome: Outcome;
  /** Explains which request replaced the full simulation, and what it does not show. */
  readonly instead: Markdown | undefined;
  /** The token that the called contract is, if it is one, and those of the amounts in the answer. */
  readonly tokens: Tokens;
  /** The fee for its data on layer 1, in wei; `undefined` if that is not known. */
  readonly dataFee: bigint | undefined;
  /** Outcomes of the other questions that were asked with it. */
  readonly others: readonly Outcome[];
}

/**
 * Simulates a request. If the endpoint cannot, asks other methods for as much of it as they show. In the same batch, asks
 * whether the called contract is a token, unless the endpoint has a rate.
 *
 * @param more - Questions to ask in the same batch.
 */
export async function simulateWithFallback(
  simulation: Simulation,
  client: BackgroundClient,
  signal: AbortSignal,
  more: readonly Question[] = [],
): Promise<SimulationAttempt> {
  const { full, plain, called } = simulation;
  const cannot = client.endpoint.refuses.includes(full.method);
  const hasNoRate = client.endpoint.rate === undefined;
  const contracts = hasNoRate && called !== undefined ? [called] : [];
  const aboutTokens = contracts.flatMap(tokenQuestions);
  const fees = hasNoRate ? dataFeeQuestions(full.method, full.params, client.chainId) : [];
  const [outcome, ...rest] = cannot ? [] : await client.ask([full, ...more, ...aboutTokens, ...fees], signal);
  const others = rest.slice(0, more.length);
  const tokens = tokensFrom(contracts, rest.slice(more.length, more.length + aboutTokens.length), client.mask);
  const dataFee = dataFeeFrom(rest.slice(more.length + aboutTokens.length).map(resultOf));
  const why = outcome ? whyUnsupported(outcome, simulation) : unsupported;
  if (outcome && (why === undefined || !plain))
    return { question: full, outcome, instead: undefined, tokens, dataFee, others };
  const again = {
    questions: plain ?? [full],
    more: cannot ? more : [],
    fees: plain?.length === 2 && dataFee === undefined ? fees : [],
  };
  const answers = await client.ask([...again.questions, ...again.more, ...again.fees], signal);
  const [question] = again.questions;
  const [answer] = answers;
  if (!question || !answer) throw new RangeError("A question got no outcome."); // each question has one
  const behind = answers.slice(again.questions.length);
  const attempt = {
    question,
    outcome: answer,
    tokens,
    dataFee: dataFee ?? dataFeeFrom(behind.slice(again.more.length).map(resultOf)),
    others: cannot ? behind.slice(0, more.length) : others,
  };
  if (!plain) return { ...attempt, instead: undefined };
  const gas = plain.length === 2 ? quantity(resultOf(answers[1])) : undefined;
  const instead = `${why}, so \`eth_call\` was used. It shows no events${gas === undefined ? ", movements or gas" : " or movements"}.`;
  const estimated = gas === undefined ? "" : ` \`eth_estimateGas\` says ${grouped(gas)} gas.`;
  return { ...attempt, instead: prose(instead + estimated) };
}

/** Contracts that one batch asks about. */
const maxContracts = 4;

/**
 * Asks contracts for the tokens whose amounts a call may return. Asks nothing if the endpoint has a rate.
 *
 * @param stated - Those of the header, which have precedence.
 */
export async function tokensCalled(
  params: JsonValue | undefined,
  { scope, tokens: stated }: { readonly scope: AbiScope; readonly tokens: Tokens },
  client: BackgroundClient,
  signal: AbortSignal,
): Promise<Tokens> {
  const called = new Set<string>();
  for (const { token, amount } of amountsIn({ method: "eth_call", params }, "0x", scope))
    if (amount === undefined && !stated.has(token)) called.add(token); // the call returns it
  if (called.size === 0 || client.endpoint.rate !== undefined) return stated;
  const contracts = [...called].slice(0, maxContracts);
  return new Map([...(await tokensAt(contracts, client, signal)), ...stated]);
}

/** Adds the tokens of the amounts in an answer, as a run does. Asks nothing if the endpoint has a rate. */
export async function withMovedTokens(
  attempt: SimulationAttempt,
  { scope, tokens: stated }: { readonly scope: AbiScope; readonly tokens: Tokens },
  client: BackgroundClient,
  signal: AbortSignal,
): Promise<SimulationAttempt> {
  const { question, outcome, tokens } = attempt;
  if (outcome.kind !== "answered" || client.endpoint.rate !== undefined) return attempt;
  const moved = [...tokensIn(question, outcome.result.value, scope)].filter(
    (one) => !stated.has(one) && !tokens.has(one),
  );
  if (moved.length === 0) return attempt;
  const found = await tokensAt(moved.slice(0, maxContracts), client, signal);
  return { ...attempt, tokens: new Map([...found, ...tokens]) };
}

async function tokensAt(contracts: readonly string[], client: BackgroundClient, signal: AbortSignal): Promise<Tokens> {
  return tokensFrom(contracts, await client.ask(contracts.flatMap(tokenQuestions), signal), client.mask);
}

function tokenQuestions(to: string): readonly Question[] {
  return [decimalsCall, symbolCall].map((data) => ({ method: "eth_call", params: [{ to, data }, "latest"] }));
}

/** @param outcomes - Of each address, the answers to its two questions. */
function tokensFrom(addresses: readonly string[], outcomes: readonly Outcome[], mask: Mask): Tokens {
  const tokens = new Map<string, Token>();
  for (const [at, address] of addresses.entries()) {
    const [decimals, symbol] = outcomes.slice(at * 2, at * 2 + 2).map(resultOf);
    const places = tokenDecimals(decimals);
    if (places === undefined) continue;
    tokens.set(address.toLowerCase(), {
      symbol: shownSymbol(symbol, mask) ?? "",
      decimals: places,
      source: "its contract",
    });
  }
  return tokens;
}
