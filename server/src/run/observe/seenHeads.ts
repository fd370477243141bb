import { type JsonValue, printJson } from "../../base/json.ts";
import { methodNamed } from "../../catalog/catalog.ts";
import { isHarmless } from "../../catalog/effects.ts";
import { requestedBlock } from "../../report/facts.ts";
import { blockFacts, blockMethods } from "../../rpc/head.ts";
import type { Outcome } from "../../rpc/outcome.ts";

/** A block that an answer showed as the latest; times in milliseconds since 1970. */
interface ShownHead {
  readonly number: bigint;
  readonly requestedAt: number;
  readonly shownAt: number;
}

/** The shortest block time, in milliseconds, also used if it is unknown. */
const minBlockMs = 200;

/**
 * Compares the heads that the answers of one endpoint showed in a run. A head that is older than one shown before its
 * request comes from another node behind the same address, and so does one that is further ahead than blocks can come.
 */
export class SeenHeads {
  #seen: ShownHead[] = [];
  /** A request may have reverted the chain. */
  #isMoved = false;
  /** Blocks between two heads that one node cannot have shown; `undefined` if there were none. */
  apart: bigint | undefined;

  /** Whether requests of a method show a head, or may move it. */
  static reads(method: string): boolean {
    const spec = methodNamed(method);
    return blockMethods.has(method) || spec === undefined || !isHarmless(spec.effect);
  }

  /** @param blockMs - Milliseconds between two blocks, if known. */
  note(method: string, params: JsonValue | undefined, outcome: Outcome, blockMs = minBlockMs): void {
    const spec = methodNamed(method);
    this.#isMoved ||= spec === undefined || !isHarmless(spec.effect);
    if (this.#isMoved || !blockMethods.has(method) || outcome.kind !== "answered" || outcome.exchange.parts) return;
    const isHead = method === "eth_blockNumber" || requestedBlock(spec, params ?? []) === "latest";
    if (!isHead || printJson(params ?? []).includes("blockOverrides")) return;
    const number = blockFacts(outcome.result.value)?.number;
    const { startedAt, durationMs } = outcome.exchange;
    if (number !== undefined)
      this.#compare({ number, requestedAt: startedAt, shownAt: startedAt + durationMs }, blockMs);
  }
  #compare(one: ShownHead, blockMs: number): void {
    for (const other of this.#seen) {
      const [low, high] = one.number < other.number ? [one, other] : [other, one];
      const blocks = high.number - low.number;
      // within one millisecond the order of a request and an answer is unknown
      const wentBack = blocks > 0n && low.requestedAt > high.shownAt;
      const span = Math.max(one.shownAt, other.shownAt) - Math.min(one.requestedAt, other.requestedAt);
      const isTooFar = Number(blocks) > Math.ceil(span / Math.min(blockMs, minBlockMs)) + 1;
      if ((wentBack || isTooFar) && blocks > (this.apart ?? 0n)) this.apart = blocks;
    }
    this.#seen = [...this.#seen.slice(1 - maxSeen), one];
  }
}

/** Heads that are kept; a run of a thousand cells compares each with the last ones only. */
const maxSeen = 16;
