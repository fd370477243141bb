import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";

/** Remembers the logs that a stream has passed on, so that logs that are read again are not passed on twice. */
export type LogDeduplicator = ReturnType<typeof openLogDeduplicator>;

interface SeenLog {
  /** The block's hash; `undefined` before it is sealed. */
  readonly hash: string | undefined;
  readonly block: bigint;
  readonly log: JsonObject;
}

/** Blocks that are read again, to notice a small reorganization. */
const overlap = 3n;
/** Logs that are remembered; older blocks are not read again. */
const maxSeen = 50_000;

export function openLogDeduplicator() {
  const seen = new Map<string, SeenLog>();
  let start: bigint | undefined;
  let last: bigint | undefined;

  const forget = (): void => {
    for (const [key, { block }] of seen) {
      if (seen.size <= maxSeen) return;
      seen.delete(key);
      if (last !== undefined && block < last && (start === undefined || start <= block)) start = block + 1n;
    }
  };
  return {
    /** Returns whether a log is new: not passed on before, or passed on and `removed` now. */
    isNews(log: JsonValue): boolean {
      const identified = readLog(log);
      if (!identified) return true; // nothing to tell it by
      const { key, ...now } = identified;
      const before = seen.get(key);
      if (now.log.removed === true) {
        const isPassedOn = before !== undefined && isSame(before, now);
        if (isPassedOn) seen.delete(key);
        return isPassedOn || before === undefined;
      }
      if (before && isSame(before, now)) {
        if (before.hash === undefined) seen.set(key, now);
        return false;
      }
      seen.delete(key); // the order is that of arrival
      seen.set(key, now);
      if (last === undefined || now.block > last) last = now.block;
      forget();
      return true;
    },
    /** Records that everything before this block has been passed on. */
    reached(block: bigint): void {
      start ??= block;
      if (last === undefined || block > last) last = block;
    },
    /** Returns the first block whose logs may have been missed; `undefined` at the beginning. */
    from(): bigint | undefined {
      if (last === undefined) return start;
      const wanted = last - overlap;
      return start !== undefined && start > wanted ? start : wanted > 0n ? wanted : 0n;
    },
    /** Returns logs passed on earlier whose blocks were replaced, given the logs of the chain now from a block on. */
    gone(now: readonly JsonValue[], from: bigint): readonly JsonObject[] {
      const read = now.flatMap((log) => readLog(log) ?? []);
      const top = highest(read);
      const kept = new Set(read.map(({ key, hash }) => `${key} ${hash}`));
      return [...seen].flatMap(([key, { hash, block, log }]) =>
        hash === undefined || block < from || block > top || kept.has(`${key} ${hash}`)
          ? []
          : [{ ...log, removed: true }],
      );
    },
  };
}

/** Returns whether two logs are the same; one of a pending block equals the sealed one. */
function isSame(a: SeenLog, b: SeenLog): boolean {
  return a.hash === b.hash || a.hash === undefined || b.hash === undefined;
}

function highest(logs: readonly SeenLog[]): bigint {
  let top = -1n;
  for (const { block } of logs) if (block > top) top = block;
  return top;
}

/** Reads a log that has an identity: a transaction and an index in the block. */
function readLog(log: JsonValue): (SeenLog & { readonly key: string }) | undefined {
  if (!isObject(log)) return undefined;
  const [block, index] = [quantity(log.blockNumber), quantity(log.logIndex)];
  const { transactionHash, blockHash } = log;
  if (typeof transactionHash !== "string" || block === undefined || index === undefined) return undefined;
  const sealed = typeof blockHash === "string" && !/^0x0*$/.test(blockHash);
  return {
    key: `${transactionHash.toLowerCase()} ${index}`,
    hash: sealed ? blockHash.toLowerCase() : undefined,
    block,
    log,
  };
}
