import { type Scope, servesAhead } from "../analysis/scope.ts";
import { formatDuration } from "../base/units.ts";
import { fallbackAddresses } from "../catalog/contracts.ts";
import { likelyChainId, localChain, namedAddresses } from "./addresses.ts";

/** Values for a new request: those that the notebook names, else those that the chain of its endpoint is likely to have. */
export interface RequestDefaults {
  readonly account: string;
  readonly recipient: string;
  readonly contract: string;
  /** The newest state that the endpoint serves. */
  readonly tag: "pending" | "latest";
  /** Blocks that are a usual range back from the newest one. */
  readonly blocks: number;
  /** The start of a range of logs: the first block on a local chain, which is short. */
  readonly fromBlock: string;
}

/** @param count - Blocks that a person asks for, such as the 50 of `last 50`. */
export function requestDefaults(scope: Scope, count?: number): RequestDefaults {
  const chainId = likelyChainId(scope);
  const fallback = fallbackAddresses(chainId);
  const { accounts, contracts } = namedAddresses(scope);
  const text = ({ placeholder, address }: (typeof accounts)[number]): string => placeholder ?? address;
  const [account = fallback.account, recipient = fallback.recipient] = accounts.map(text);
  const [contract = fallback.contract] = contracts.map(text);
  const blocks = count ?? blocksBack(scope);
  return {
    account,
    recipient,
    contract,
    tag: servesAhead(scope) ? "pending" : "latest",
    blocks,
    fromBlock: chainId === localChain && count === undefined ? "earliest" : `latest - ${blocks}`,
  };
}

/** The number of blocks in what a person types: `last 50`, `1000 blocks`, `latest - 50`. */
export function countIn(typed = ""): number | undefined {
  const digits = /(?<![\w.])\d{1,15}(?![\w.])/.exec(typed)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Milliseconds that a range of logs goes back, where blocks come so fast that a hundred are too few. */
const backMs = 200_000;

function blocksBack({ endpoint }: Scope): number {
  const blockMs = endpoint?.cadence.blockMs;
  const blocks = blockMs === undefined ? 100 : Math.max(100, 10 ** Math.round(Math.log10(backMs / blockMs)));
  return endpoint?.logRange === undefined ? blocks : Math.min(blocks, Number(endpoint.logRange));
}

/** Returns the time in which so many blocks come; `undefined` if the block time is unknown. */
export function durationOf(blocks: number, { endpoint }: Scope): string | undefined {
  const blockMs = endpoint?.cadence.blockMs;
  return blockMs === undefined ? undefined : formatDuration(blocks * blockMs);
}
