import { printJson } from "../base/json.ts";
import { logRange } from "../catalog/limits.ts";
import type { LogLimits } from "../rpc/logMemory.ts";
import type { Refused, Unreachable } from "../rpc/outcome.ts";
import { statedCaps } from "../rpc/range.ts";

/**
 * How many blocks to ask for at once, learnt from what is answered and what is refused. Sizes are toBlock − fromBlock.
 */
export interface LogSizes {
  /**
   * The size of the next request.
   *
   * @param left - The size of all that is left to ask for.
   */
  next(left: bigint): bigint;
  /** Requests of that size are known to be answered, so several may go out at once. */
  isSure(size: bigint): boolean;
  answered(size: bigint, logs: number, bytes: number): void;
  /**
   * @returns The size of a first part, after which the refused blocks are to be cut: these lie denser than the rest.
   * `undefined` where all that is left is to be asked for in smaller pieces.
   */
  refused(size: bigint, refusal: TooBig): bigint | undefined;
  /** For the next reading. */
  readonly limits: LogLimits;
}

/** Fewer blocks may well be answered: the endpoint sends no more, sends more than may be received, or nothing in time. */
export type TooBig = Refused | (Unreachable & { readonly reason: "too-large" | "timeout" });

/** The share of the bytes that may be received which a request aims at, if answers were larger than that. */
const byteShare = 1 / 8;

/** The share of the stated number of logs that a request aims at: logs lie unevenly. */
const share = 0.9;
/** A limit that is not stated is looked for until it is known this well: that costs fewer requests than it saves. */
const precision = { of: 4n, to: 5n };
/** Answers that tell how densely logs lie. */
const remembered = 6;
/** Refusals in a row after which logs lie denser everywhere, not in one place only. */
const tries = 4;
/** With fewer requests than this to go, it is not worth looking. */
const worthwhile = 8n;

/**
 * @param configured - Wins over what was learnt before.
 * @param maxBytes - Of an answer that can be received.
 */
export function logSizes(configured: bigint | undefined, learnt: LogLimits, maxBytes: number): LogSizes {
  /** As stated; never exceeded. */
  let cap = configured ?? learnt.range;
  /** The greatest size that was answered, and the least that was refused for its blocks. */
  let good = cap;
  let bad: bigint | undefined;
  let current = cap;
  /** Answers were larger than what may be received. */
  let isTight = learnt.fits !== undefined;
  if (learnt.fits !== undefined && (cap === undefined || learnt.fits < cap)) {
    current = learnt.fits;
    good = current;
  }
  let isCounting = isTight;
  /** Logs that a request is to bring where the endpoint limits those, and the number that it stated. */
  let aim: number | undefined;
  let most = learnt.results;
  /** A size that an endpoint which limits logs takes whatever they are. */
  let floor = 0n;
  let recent: readonly { readonly blocks: number; readonly logs: number }[] = [];
  /** Refusals since an answer. */
  let refusals = 0;
  /** The size of the last range that the endpoint suggested; where it refuses that too, it is not asked again. */
  let advised: bigint | undefined;
  let isTrusted = true;

  const bounded = (size: bigint): bigint => {
    const high = size < floor ? floor : size;
    const below = bad !== undefined && high >= bad ? (good ?? bad / 2n) : high;
    return cap !== undefined && below > cap ? cap : below;
  };
  const between = (low: bigint): bigint => {
    if (bad === undefined) return bounded(low * 2n + 1n);
    if (bad * precision.of <= low * precision.to || bad <= low + 1n) return low;
    return bounded(low * 2n < (low + bad) / 2n ? low * 2n : (low + bad) / 2n);
  };
  const byDensity = (size: bigint): bigint => {
    const [logs, blocks] = recent.reduce(([n, b], each) => [n + each.logs, b + each.blocks], [0, 0]);
    const grown = size * (most === undefined ? 4n : 16n) + 15n;
    if (logs === 0 || aim === undefined) return bounded(grown);
    const fitting = BigInt(Math.max(1, Math.floor((aim * blocks) / logs))) - 1n;
    return bounded(fitting < grown ? fitting : grown);
  };

  return {
    next: (left) => {
      const size = current === undefined || current > left ? left : current;
      const isProbe = !isCounting && good !== undefined && size > good;
      return isProbe && good !== undefined && left < good * worthwhile && bad !== undefined ? good : size;
    },
    isSure: (size) => good !== undefined && size <= good,
    answered(size, logs, bytes) {
      if (good === undefined || size > good) good = size;
      recent = [...recent.slice(1 - remembered), { blocks: Number(size + 1n), logs }];
      refusals = 0;
      if (!isCounting) {
        if (current !== undefined && size >= current) current = between(good);
        return;
      }
      if (aim === undefined && logs > 0) aim = logs * 1.2;
      else if (aim !== undefined && logs >= aim * 0.8)
        aim = Math.min(aim * 1.1, most === undefined ? aim * 1.1 : most * share);
      if (isTight && logs > 0) aim = Math.min(aim ?? logs, (maxBytes * byteShare * logs) / bytes);
      current = byDensity(current === undefined || current < size ? size : current);
      good = current;
    },
    refused(size, refusal) {
      isTight ||= refusal.reason === "too-large" && refusal.kind === "unreachable";
      const { reason, range, rangeLimit, message, data } = refusal.kind === "refused" ? refusal : unstated(refusal);
      const stated = statedCaps([message, data === undefined ? "" : printJson(data)]).results;
      if (reason === "result-limit") {
        isCounting = true;
        if (stated !== undefined) most = Number(stated);
        aim = most === undefined ? aim && aim * 0.9 : most * share;
      }
      if (rangeLimit !== undefined && rangeLimit < size) {
        if (reason === "range-limit") cap = cap === undefined || rangeLimit < cap ? rangeLimit : cap;
        else floor = rangeLimit;
      } else if (size <= floor) floor = 0n;
      if (current !== undefined && size > current) return undefined; // sent before the size was made smaller
      if (size === advised) isTrusted = false;
      const suggested = isTrusted && range && range.to - range.from < size ? range.to - range.from : undefined;
      advised = suggested ?? advised;
      if (reason === "result-limit" && good !== undefined && recent.length > 0 && ++refusals < 3 * tries) {
        if (refusals % tries === 0) current = bounded((current ?? size) / 2n);
        return suggested ?? size / (isTight ? 8n : 2n);
      }
      if (good !== undefined && good >= size) good = undefined;
      if (reason !== "result-limit" && rangeLimit === undefined) bad = size;
      current = smaller(size, reason === "range-limit" ? rangeLimit : suggested);
      return undefined;
    },
    get limits() {
      const found = bad === undefined ? undefined : good;
      const range = cap !== undefined && found !== undefined && found < cap ? found : (cap ?? found);
      const fits = isTight && recent.length > 0 ? current : learnt.fits;
      return {
        ...(range !== undefined && { range }),
        ...(most !== undefined && { results: most }),
        ...(fits !== undefined && { fits }),
      };
    },
  };

  /** The size to try after one that was refused. */
  function smaller(size: bigint, stated: bigint | undefined): bigint {
    if (stated !== undefined && stated < size) return bounded(stated);
    if (!isCounting && good !== undefined && bad !== undefined) return between(good);
    if (!isCounting) return size > logRange ? logRange : bounded(size / 2n);
    if (isTight) return bounded(size / 8n); // each answer that is too large costs as much as all that may be received
    return bounded(size / (good === undefined && recent.length === 0 ? 4n : 2n));
  }
}

/** What an answer that is too large to be received amounts to, or none within the time. */
function unstated({ reason }: Exclude<TooBig, Refused>) {
  const why = reason === "timeout" ? reason : ("result-limit" as const);
  return { reason: why, range: undefined, rangeLimit: undefined, message: "", data: undefined } as const;
}
