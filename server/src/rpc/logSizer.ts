import { printJson } from "../base/json.ts";
import { logRange } from "../catalog/tags.ts";
import type { LogLimits } from "./logMemory.ts";
import type { Outcome, Refused, Unreachable } from "./outcome.ts";
import { statedCaps } from "./range.ts";

/** Fewer blocks may be answered: the endpoint refused this many, sent too much, or sent nothing in time. */
export type TooManyBlocks = Refused | (Unreachable & { readonly reason: "too-large" | "timeout" });

/** Returns whether fewer blocks may be answered. A missing plan or key is not such a refusal. */
export function isTooManyBlocks(outcome: Outcome): outcome is TooManyBlocks {
  if (outcome.kind === "unreachable") return outcome.reason === "too-large" || isTimeout(outcome);
  if (outcome.kind === "answered") return false;
  return outcome.reason === "range-limit" || outcome.reason === "result-limit" || outcome.reason === "timeout";
}

/** Returns whether the endpoint sent nothing until the time was over. */
export function isTimeout(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" && outcome.reason === "timeout";
}

/** Share of `maxBytes` that a request aims at after an answer was larger than that. */
const byteShare = 1 / 8;
/** Share of the endpoint's limit of logs that a request aims at: logs are spread unevenly. */
const logShare = 0.9;
/** Requests still to be sent below which the exact limit is not searched for: a refusal would cost more than it saves. */
const probeWorth = 8n;
/** Refusals in a row after which all requests become smaller, not only those for the refused blocks. */
const maxRefusals = 4;

/**
 * Learns how many blocks one `eth_getLogs` request may cover: makes requests smaller when one is refused, larger when
 * one is answered, and keeps to the limit that a refusal states. A size is toBlock − fromBlock.
 */
export class LogSizer {
  readonly #learnt: LogLimits;
  readonly #maxBytes: number;
  /** Configured or stated by the endpoint; never exceeded. */
  #limit: bigint | undefined;
  #next: bigint | undefined;
  /** The largest size that was answered. */
  #good: bigint | undefined;
  /** The smallest size that was refused although no limit was stated. */
  #bad: bigint | undefined;
  /** The endpoint limits logs or their bytes, not blocks. */
  #countsLogs: boolean;
  /** Logs of one answer: what a request aims at, and what the endpoint allows. */
  #aim: number | undefined;
  #maxLogs: number | undefined;
  /** Answers were larger than `maxBytes`. */
  #isTight: boolean;
  /** Since the last answer. */
  #refusals = 0;

  /**
   * @param configured - Replaces the limit that was learnt before.
   * @param maxBytes - Bytes of the largest answer that can be received.
   */
  constructor(configured: bigint | undefined, learnt: LogLimits, maxBytes: number) {
    this.#learnt = learnt;
    this.#maxBytes = maxBytes;
    this.#limit = configured ?? learnt.range;
    this.#next = smaller(this.#limit, learnt.fits);
    this.#good = this.#next;
    this.#maxLogs = learnt.results;
    this.#isTight = learnt.fits !== undefined;
    this.#countsLogs = this.#isTight;
  }

  /** Returns the limits that the next reading can start from. */
  get limits(): LogLimits {
    const range = smaller(this.#limit, this.#bad === undefined ? undefined : this.#good);
    const fits = this.#isTight ? this.#next : this.#learnt.fits;
    return {
      ...(range !== undefined && { range }),
      ...(this.#maxLogs !== undefined && { results: this.#maxLogs }),
      ...(fits !== undefined && { fits }),
    };
  }

  /** Returns the size of the next request. @param left - The size of everything that is still to be read. */
  next(left: bigint): bigint {
    const size = smaller(this.#next, left);
    const isProbe = !this.#countsLogs && this.#bad !== undefined && this.#good !== undefined && size > this.#good;
    return isProbe && this.#good !== undefined && left < this.#good * probeWorth ? this.#good : size;
  }

  /** Returns whether requests of this size are known to be answered, so that several can be sent at once. */
  isSafe(size: bigint): boolean {
    return this.#good !== undefined && size <= this.#good;
  }

  answered(size: bigint, logs: number, bytes: number): void {
    if (this.#good === undefined || size > this.#good) this.#good = size;
    this.#refusals = 0;
    if (this.#countsLogs) this.#next = this.#good = this.#bySpread(size, logs, bytes);
    else if (this.#next !== undefined && size >= this.#next) this.#next = this.#larger(this.#good);
  }

  /**
   * @returns The size of the first part if the refused blocks alone are to be split: they hold more logs than others.
   * `undefined` if all requests are smaller from now on.
   */
  refused(size: bigint, outcome: TooManyBlocks): bigint | undefined {
    const { reason, range, rangeLimit, texts } = readRefusal(outcome);
    this.#isTight ||= outcome.kind === "unreachable" && reason === "result-limit";
    if (reason === "range-limit" && rangeLimit !== undefined) this.#limit = smaller(this.#limit, rangeLimit);
    if (reason === "result-limit") {
      this.#countsLogs = true;
      const stated = statedCaps(texts).results;
      if (stated !== undefined) this.#maxLogs = Number(stated);
      this.#aim = this.#maxLogs === undefined ? this.#aim && this.#aim * 0.9 : this.#maxLogs * logShare;
    }
    if (this.#next !== undefined && size > this.#next) return undefined; // it was sent before requests became smaller
    const suggested = range && range.to - range.from;
    if (reason === "result-limit" && this.#good !== undefined && ++this.#refusals < maxRefusals)
      return suggested ?? size / (this.#isTight ? 8n : 2n);
    if (this.#good !== undefined && this.#good >= size) this.#good = undefined;
    if (reason !== "result-limit" && rangeLimit === undefined) this.#bad = size;
    this.#next = this.#smallerThan(size, reason === "range-limit" ? rangeLimit : suggested);
    return undefined;
  }

  #smallerThan(size: bigint, stated: bigint | undefined): bigint {
    if (stated !== undefined && stated < size) return this.#bounded(stated);
    if (this.#isTight) return this.#bounded(size / 8n); // each answer that is too large costs `maxBytes`
    if (this.#countsLogs) return this.#bounded(size / (this.#good === undefined ? 4n : 2n));
    if (this.#good !== undefined) return this.#larger(this.#good);
    return size > logRange ? logRange : this.#bounded(size / 2n);
  }

  /** Doubles a size until one is refused, then halves the distance until the limit is known to a fifth. */
  #larger(good: bigint): bigint {
    if (this.#bad === undefined) return this.#bounded(good * 2n + 1n);
    if (this.#bad * 4n <= good * 5n || this.#bad <= good + 1n) return good;
    return this.#bounded(smaller(good * 2n, (good + this.#bad) / 2n));
  }

  /** Returns the size at which an answer would hold the logs that a request aims at, if they are spread as here. */
  #bySpread(size: bigint, logs: number, bytes: number): bigint {
    if (logs > 0) {
      const grown = this.#aim !== undefined && logs >= this.#aim * 0.8 ? this.#aim * 1.1 : this.#aim;
      this.#aim = Math.min(grown ?? logs * 1.2, (this.#maxLogs ?? Number.POSITIVE_INFINITY) * logShare);
      if (this.#isTight) this.#aim = Math.min(this.#aim, (this.#maxBytes * byteShare * logs) / bytes);
    }
    const base = this.#next === undefined || this.#next < size ? size : this.#next;
    const grown = base * 4n + 15n;
    if (logs === 0 || this.#aim === undefined) return this.#bounded(grown);
    const fitting = BigInt(Math.max(1, Math.floor((this.#aim * (Number(size) + 1)) / logs))) - 1n;
    return this.#bounded(smaller(fitting, grown));
  }

  #bounded(size: bigint): bigint {
    const below = this.#bad !== undefined && size >= this.#bad ? (this.#good ?? this.#bad / 2n) : size;
    return smaller(this.#limit, below);
  }
}

function readRefusal(outcome: TooManyBlocks) {
  if (outcome.kind === "refused") {
    const { message, data } = outcome;
    return { ...outcome, texts: [message, data === undefined ? "" : printJson(data)] };
  }
  const reason = outcome.reason === "timeout" ? outcome.reason : "result-limit";
  return { reason, range: undefined, rangeLimit: undefined, texts: [] } as const;
}

/** Returns the smaller of two numbers, or the one that is there. */
export function smaller(one: bigint, other: bigint | undefined): bigint;
export function smaller(one: bigint | undefined, other: bigint): bigint;
export function smaller(one: bigint | undefined, other: bigint | undefined): bigint | undefined;
export function smaller(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
