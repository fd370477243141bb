import { grouped } from "../../base/units.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { EndpointQueue } from "../../gate/endpointQueue.ts";
import { hashAt } from "../../gate/heads.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { LogMemory, LogPiece, UnfinishedLogs } from "../../rpc/logMemory.ts";
import type { BlockRange } from "../../rpc/range.ts";

/** A cell whose logs are read, and the queue to its endpoint. */
export interface LogCell {
  readonly queue: EndpointQueue;
  readonly cell: Cell;
  readonly request: EvaluatedRequest;
}

type Anchor = UnfinishedLogs["anchor"];

/** Bytes of the logs of all unfinished readings of an endpoint. Parsed, they take about three times as much memory. */
export function maxKeptBytes({ queue: { routes } }: LogCell): number {
  return Math.max(routes.maxBytes, 400_000_000);
}

export function hasKept({ unfinished }: LogMemory, key: string, range: BlockRange): boolean {
  return unfinished.get(key)?.pieces.some((piece) => isWithin(piece, range)) === true;
}

/** Returns the kept logs of the same filter in a range, unless the chain has changed since. */
export async function keptLogs(
  { unfinished }: LogMemory,
  key: string,
  range: BlockRange,
  logCell: LogCell,
): Promise<{ readonly pieces: readonly LogPiece[]; readonly notes: readonly string[] }> {
  const kept = unfinished.get(key);
  if (!kept) return { pieces: [], notes: [] };
  const { anchor, pieces } = kept;
  const hash = anchor && (await hashOf(anchor.block, logCell));
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
export function keep(
  { unfinished }: LogMemory,
  key: string,
  { pieces, anchor }: UnfinishedLogs,
  logCell: LogCell,
): void {
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
    if (bytes <= maxKeptBytes(logCell) || unfinished.size === 1) return;
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

/** Returns what is kept of the logs of an endpoint. */
export function logMemoryOf({ queue: { memory } }: LogCell): LogMemory {
  memory.logs ??= { limits: {}, unfinished: new Map() };
  return memory.logs;
}

/** Returns `undefined` if the hash is unknown. */
export function hashOf(block: bigint, { queue, cell }: LogCell): Promise<string | undefined> {
  return hashAt(queue, cell, block);
}

export async function anchorAt(block: bigint, logCell: LogCell): Promise<Anchor> {
  const hash = await hashOf(block, logCell);
  return hash === undefined ? undefined : { block, hash };
}

export async function reorgNotes({ block, hash }: NonNullable<Anchor>, logCell: LogCell): Promise<readonly string[]> {
  const now = logCell.queue.signal.aborted ? undefined : await hashOf(block, logCell);
  if (now === undefined || now === hash) return [];
  return [
    `Block ${grouped(block)} was replaced while the logs were read (a reorganization of the chain): the last logs may be wrong. Run the cell again.`,
  ];
}
