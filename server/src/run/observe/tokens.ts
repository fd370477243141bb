import { decimalsCall, shownSymbol, symbolCall, tokenDecimals } from "../../abi/token.ts";
import { withinTime } from "../../base/deadline.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import { memoByObject } from "../../base/memo.ts";
import type { Clock } from "../../base/ports.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Token, Tokens } from "../../report/tokens.ts";
import { tokensIn } from "../../report/tokensIn.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";
import type { Answer } from "../cellRun.ts";

/** Tokens of one endpoint by address: `undefined` for contracts without decimals. */
type TokenCache = Map<string, { readonly token: Promise<Token | undefined>; readonly readAt: number }>;

/** How long an answer is kept: a development chain may soon have another contract there. */
const maxAgeMs = 5 * 60_000;
/** How long a result waits for its tokens. */
const maxWaitMs = 2000;
/** Contracts that are looked up after one answer. */
const maxLookups = 20;

/** The context for looking up tokens. */
export interface Lookup {
  /** The tokens of the header, which win. */
  readonly stated: Tokens;
  /** Identifies the endpoint and the chain; `undefined` if contracts may not be called. */
  readonly place: { readonly endpoint: object; readonly chainId: bigint | undefined } | undefined;
  /** Sends requests to the cell's endpoint, which is approved. */
  ask(requests: readonly EvaluatedRequest[]): Promise<readonly Outcome[]>;
}

export type TokenNames = ReturnType<typeof openTokenNames>;

/** Opens a cache of tokens by endpoint and chain. */
export function openTokenNames(clock: Clock, mask: Mask) {
  const caches = memoByObject((_endpoint: object) => new Map<bigint | undefined, TokenCache>());
  const cacheOf = ({ endpoint, chainId }: NonNullable<Lookup["place"]>): TokenCache => {
    const byChain = caches(endpoint);
    const cache: TokenCache = byChain.get(chainId) ?? new Map();
    byChain.set(chainId, cache);
    return cache;
  };
  const ask = (addresses: readonly string[], cache: TokenCache, lookup: Lookup): void => {
    const answers = lookup.ask(addresses.flatMap(questions));
    for (const [at, address] of addresses.entries()) {
      const token = answers.then((all) => {
        const [decimals, symbol] = all.slice(at * 2, at * 2 + 2);
        if (decimals?.kind !== "answered" && !isRevert(decimals)) cache.delete(address); // it may answer later
        return tokenFrom(decimals, symbol, mask);
      });
      cache.set(address, { token, readAt: clock.now() });
    }
  };
  return {
    /** Returns the tokens in the answers of a cell. Looks up outdated ones, all at once. Never rejects. */
    async of(answers: readonly Answer[], lookup: Lookup, signal: AbortSignal): Promise<Tokens> {
      const { stated, place } = lookup;
      const addresses = tokenAddresses(answers).filter((address) => !stated.has(address));
      if (addresses.length === 0 || !place) return stated;
      const cache = cacheOf(place);
      const isOutdated = (address: string): boolean =>
        (cache.get(address)?.readAt ?? Number.NEGATIVE_INFINITY) + maxAgeMs <= clock.now();
      const outdated = addresses.filter(isOutdated).slice(0, maxLookups);
      if (outdated.length > 0) ask(outdated, cache, lookup);
      const tokens = new Map<string, Token>();
      const lookups = addresses.map(async (address) => {
        const token = await cache.get(address)?.token;
        if (token) tokens.set(address, token);
      });
      await withinTime(Promise.all(lookups), maxWaitMs, clock, signal);
      return new Map([...tokens, ...stated]);
    },
  };
}

function tokenAddresses(answers: readonly Answer[]): readonly string[] {
  const addresses = new Set<string>();
  for (const { request, outcome, scope } of answers) {
    const result = outcome.kind === "answered" ? outcome.result.value : revertsIn(outcome);
    if (result === undefined) continue;
    for (const address of tokensIn(request, result, scope)) addresses.add(address);
  }
  return [...addresses];
}

/** Treats a revert as a call that returned nothing: it may contain amounts of the token that was called. */
function revertsIn(outcome: Outcome): JsonValue | undefined {
  return outcome.kind === "refused" && outcome.revertData !== undefined ? "0x" : undefined;
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

function tokenFrom(decimals: Outcome | undefined, symbol: Outcome | undefined, mask: Mask): Token | undefined {
  const places = tokenDecimals(resultOf(decimals));
  return places === undefined
    ? undefined
    : { symbol: shownSymbol(resultOf(symbol), mask) ?? "", decimals: places, source: "its contract" };
}
