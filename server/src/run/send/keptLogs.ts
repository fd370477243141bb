import type { Clock } from "../../base/ports.ts";
import { grouped } from "../../base/units.ts";
import type { LogProgress, LogSink } from "../../gate/endpointQueue.ts";
import type { LogMemory, LogPiece, UnfinishedLogs } from "../../rpc/logMemory.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { BlockRange } from "../../rpc/range.ts";
import type { EndpointMemory } from "../../rpc/send.ts";
import type { RawRequest } from "../../rpc/wire.ts";

type Anchor = UnfinishedLogs["anchor"];

/** Bytes of the logs of all unfinished readings of an endpoint. Parsed, they take about three times as much memory. */
export function maxKeptBytes({ maxBytes }: LogHost): number {
  return Math.max(maxBytes, 400_000_000);
}

export function hasKept({ unfinished }: LogMemory, key: string, range: BlockRange): boolean {
  return unfinished.get(key)?.pieces.some((piece) => isWithin(piece, range)) === true;
}

/** Returns the kept logs of the same filter in a range, unless the chain has changed since. */
export async function keptLogs(
  { unfinished }: LogMemory,
  key: string,
  range: BlockRange,
  host: LogHost,
): Promise<{ readonly pieces: readonly LogPiece[]; readonly notes: readonly string[] }> {
  const kept = unfinished.get(key);
  if (!kept) return { pieces: [], notes: [] };
  const { anchor, pieces } = kept;
  const hash = anchor && (await host.hashOf(anchor.block));
  if (!anchor || hash === anchor.hash) return { pieces: pieces.filter((piece) => isWithin(piece, range)), notes: [] };
  unfinished.delete(key);
  return { pieces: [], notes: ["The chain has changed since the previous run, so its logs were read again."] };
}

function isWithin(piece: BlockRange, { from, to }: BlockRange): boolean {
  return piece.from >= from && piece.to <= to;
}

/**
 * Keeps logs for the next run of the same filter, beside those of other blocks. Drops the oldest readings of other
 * filters if there is too much.
 */
export function keep({ unfinished }: LogMemory, key: string, { pieces, anchor }: UnfinishedLogs, host: LogHost): void {
  const before = unfinished.get(key);
  const others = (before?.pieces ?? []).filter(
    (other) => !pieces.some(({ from, to }) => other.from <= to && from <= other.to),
  );
  const all = [...pieces, ...others].sort((a, b) => (a.from < b.from ? -1 : 1));
  unfinished.delete(key);
  if (all.length === 0) return;
  unfinished.set(key, { pieces: all, anchor: others.length > 0 ? later(anchor, before?.anchor) : anchor });
  const sizeOf = (one: UnfinishedLogs): number => one.pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = [...unfinished.values()].reduce((sum, one) => sum + sizeOf(one), 0);
  for (const [old, one] of unfinished) {
    if (bytes <= maxKeptBytes(host) || unfinished.size === 1) return;
    unfinished.delete(old);
    bytes -= sizeOf(one);
  }
}

/** Drops the logs of a range that has been read completely. A reading of more blocks stays. */
export function forget({ unfinished }: LogMemory, key: string, range: BlockRange): void {
  if (unfinished.get(key)?.pieces.every((piece) => isWithin(piece, range))) unfinished.delete(key);
}

/** Returns the later anchor: if that block is unchanged, so is the earlier one. */
function later(one: Anchor, other: Anchor): Anchor {
  return one && other ? (one.block > other.block ? one : other) : (one ?? other);
}

export async function anchorAt(block: bigint, host: LogHost): Promise<Anchor> {
  const hash = await host.hashOf(block);
  return hash === undefined ? undefined : { block, hash };
}

export async function reorgNotes({ block, hash }: NonNullable<Anchor>, host: LogHost): Promise<readonly string[]> {
  const now = host.signal.aborted ? undefined : await host.hashOf(block);
  if (now === undefined || now === hash) return [];
  return [
    `Block ${grouped(block)} was replaced while the logs were read (a reorganization of the chain): the last logs may be wrong. Run the cell again.`,
  ];
}

/** The parts of a run that reading logs depends on. */
export interface LogHost {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly endpoint: string;
  /** Host and port. */
  readonly host: string;
  /** The largest toBlock − fromBlock, as configured. */
  readonly logRange: bigint | undefined;
  /** Bytes of one answer, and of all that one run puts together. */
  readonly maxBytes: number;
  readonly memory: EndpointMemory;
  /** Sends one request alone, with the usual retries. Never rejects. */
  send(request: RawRequest): Promise<Outcome>;
  /**
   * Returns the number of the block that a tag names; `undefined` if it is unknown.
   *
   * @param isFresh - As of now, not as of the beginning of the run.
   */
  headOf(tag: string, isFresh: boolean): Promise<bigint | undefined>;
  /** Returns `undefined` if the hash is unknown. */
  hashOf(block: bigint): Promise<string | undefined>;
  onProgress(progress: LogProgress): void;
  /** Takes the logs in place of the answer. */
  readonly sink?: LogSink | undefined;
}
