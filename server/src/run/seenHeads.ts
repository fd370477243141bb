import { printJson } from "../base/json.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import { blockAsked } from "../report/facts.ts";
import { blockFacts } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** A block that an answer showed as the latest one; times in milliseconds since 1970. */
interface SeenHead {
  readonly number: bigint;
  readonly askedAt: number;
  readonly shownAt: number;
}

/** Milliseconds between two blocks of a fast chain, where nothing is known of its pace. */
const leastMs = 200;

/**
 * The heads that the answers of one endpoint showed in a run. A head that is older than one that was shown before it was
 * asked for comes from another node behind the same address, and so does one that is further away than blocks come.
 */
export class SeenHeads {
  #seen: SeenHead[] = [];
  /** A request may have set the chain back. */
  #isMoved = false;
  /** Blocks between two heads that one node cannot have shown; `undefined` if there were none. */
  apart: bigint | undefined;

  /** @param blockMs - Milliseconds between two blocks, where that is known. */
  note({ method, params }: Pick<EvaluatedRequest, "method" | "params">, outcome: Outcome, blockMs = leastMs): void {
    const spec = methodNamed(method);
    this.#isMoved ||= spec === undefined || !isHarmless(spec.effect);
    if (this.#isMoved || !tellsBlock.has(method) || outcome.kind !== "answered" || outcome.exchange.parts) return;
    const isHead = method === "eth_blockNumber" || blockAsked(spec, params ?? []) === "latest";
    if (!isHead || printJson(params ?? []).includes("blockOverrides")) return;
    const number = blockFacts(outcome.result.value)?.number;
    const { startedAt, durationMs } = outcome.exchange;
    if (number !== undefined) this.#compare({ number, askedAt: startedAt, shownAt: startedAt + durationMs }, blockMs);
  }
  #compare(one: SeenHead, blockMs: number): void {
    for (const other of this.#seen) {
      const [low, high] = one.number < other.number ? [one, other] : [other, one];
      const blocks = high.number - low.number;
      // in one millisecond a request may begin after an answer, or before it
      const wentBack = blocks > 0n && low.askedAt > high.shownAt;
      const span = Math.max(one.shownAt, other.shownAt) - Math.min(one.askedAt, other.askedAt);
      const isTooFar = Number(blocks) > Math.ceil(span / Math.min(blockMs, leastMs)) + 1;
      if ((wentBack || isTooFar) && blocks > (this.apart ?? 0n)) this.apart = blocks;
    }
    this.#seen = [...this.#seen.slice(1 - mostSeen), one];
  }
}

/** Heads that are kept; a run of a thousand cells compares each with the last ones only. */
const mostSeen = 16;

/** Methods whose answers say which block they are of. */
const tellsBlock: ReadonlySet<string> = new Set([
  "eth_blockNumber",
  "eth_getBlockByNumber",
  "eth_getBlockReceipts",
  "eth_getLogs",
  "eth_simulateV1",
]);
