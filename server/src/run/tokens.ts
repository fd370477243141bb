import { decimalsCall, symbolCall, tokenDecimals, tokenSymbol } from "../abi/token.ts";
import { withinTime } from "../base/deadline.ts";
import type { JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Token, Tokens } from "../report/tokens.ts";
import { tokensIn } from "../report/tokensIn.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { ownRequest } from "../rpc/requestIds.ts";
import type { Answer } from "./cellRun.ts";

/** What contracts at one endpoint said or are about to say: `undefined` for those that have no decimals. */
type TokenCache = Map<string, { readonly told: Promise<Token | undefined>; readonly askedAt: number }>;

/** Milliseconds for which an answer counts: a development chain may have another contract there soon. */
const keptMs = 5 * 60_000;
/** Milliseconds that a result waits for the names of its tokens. */
const patienceMs = 2000;
/** Contracts that are asked about after one answer. */
const mostAsked = 20;

/** What a lookup goes by. */
export interface Lookup {
  /** The header's, which win. */
  readonly stated: Tokens;
  /** Stands for the endpoint and the chain; `undefined` where contracts may not be asked. */
  readonly place: { readonly endpoint: object; readonly chainId: bigint | undefined } | undefined;
  /** Sends requests the way of the cell's own: to its endpoint, which was admitted. */
  ask(requests: readonly EvaluatedRequest[]): Promise<readonly Outcome[]>;
}

export interface TokenNames {
  /** The tokens in the answers of a cell. Asks for those that are not known yet, all at once. Never rejects. */
  of(answers: readonly Answer[], lookup: Lookup, signal: AbortSignal): Promise<Tokens>;
}

/** Remembers what tokens are called, by endpoint and chain. */
export function openTokenNames(clock: Clock): TokenNames {
  const books = new WeakMap<object, Map<bigint | undefined, TokenCache>>();
  const bookOf = ({ endpoint, chainId }: NonNullable<Lookup["place"]>): TokenCache => {
    const ofEndpoint = books.get(endpoint) ?? new Map<bigint | undefined, TokenCache>();
    books.set(endpoint, ofEndpoint);
    const book: TokenCache = ofEndpoint.get(chainId) ?? new Map();
    ofEndpoint.set(chainId, book);
    return book;
  };
  const ask = (addresses: readonly string[], book: TokenCache, lookup: Lookup): void => {
    const answers = lookup.ask(addresses.flatMap(questions));
    for (const [at, address] of addresses.entries()) {
      const told = answers.then((all) => {
        const [decimals, symbol] = all.slice(at * 2, at * 2 + 2);
        if (decimals?.kind !== "answered" && !isRevert(decimals)) book.delete(address); // it may answer later
        return tokenFrom(decimals, symbol);
      });
      book.set(address, { told, askedAt: clock.now() });
    }
  };
  return {
    async of(answers, lookup, signal) {
      const { stated, place } = lookup;
      const wanted = wantedBy(answers).filter((address) => !stated.has(address));
      if (wanted.length === 0 || !place) return stated;
      const book = bookOf(place);
      const isOld = (address: string): boolean =>
        (book.get(address)?.askedAt ?? Number.NEGATIVE_INFINITY) + keptMs <= clock.now();
      const unknown = wanted.filter(isOld).slice(0, mostAsked);
      if (unknown.length > 0) ask(unknown, book, lookup);
      const found = new Map<string, Token>();
      const told = wanted.map(async (address) => {
        const token = await book.get(address)?.told;
        if (token) found.set(address, token);
      });
      await withinTime(Promise.all(told), patienceMs, clock, signal);
      return new Map([...found, ...stated]);
    },
  };
}

function wantedBy(answers: readonly Answer[]): readonly string[] {
  const wanted = new Set<string>();
  for (const { request, outcome, scope } of answers) {
    if (outcome.kind !== "answered") continue;
    for (const address of tokensIn(request, outcome.result.value, scope)) wanted.add(address);
  }
  return [...wanted];
}

function isRevert(outcome: Outcome | undefined): boolean {
  return outcome?.kind === "refused" && outcome.reason === "revert";
}

/** `decimals()` and `symbol()`. */
function questions(to: string): readonly EvaluatedRequest[] {
  return [decimalsCall, symbolCall].map((data) => ({
    ...ownRequest("eth_call", [{ to, data }, "latest"]),
    returns: undefined,
  }));
}

function tokenFrom(decimals: Outcome | undefined, symbol: Outcome | undefined): Token | undefined {
  const places = tokenDecimals(resultOf(decimals));
  return places === undefined
    ? undefined
    : { symbol: tokenSymbol(resultOf(symbol)) ?? "", decimals: places, source: "its contract" };
}

function resultOf(outcome: Outcome | undefined): JsonValue | undefined {
  return outcome?.kind === "answered" ? outcome.result.value : undefined;
}
