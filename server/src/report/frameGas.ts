import { type CallFrame, type CallFrames, totalGas } from "./callFrames.ts";

/** The place of a call in the gas of its trace: calls inside come first, then the gas of the call itself. */
export interface GasSpan {
  readonly start: number;
  /** The gas used, or that of the calls inside if that is more: a refund is taken off only the first call. */
  readonly width: number;
}

/** The spans of all calls, in their order. */
export function gasSpans({ frames }: CallFrames): readonly GasSpan[] {
  const inside = new Float64Array(frames.length);
  const widths = new Float64Array(frames.length);
  const indexOf = ({ parent }: CallFrame): number => parent?.index ?? -1;
  for (const frame of frames.toReversed()) {
    const width = Math.max(totalGas(frame) ?? 0, inside[frame.index] ?? 0);
    widths[frame.index] = width;
    const at = indexOf(frame);
    if (at >= 0) inside[at] = (inside[at] ?? 0) + width;
  }
  const next = new Float64Array(frames.length);
  let end = 0;
  return frames.map((frame) => {
    const [at, width] = [indexOf(frame), widths[frame.index] ?? 0];
    const start = at < 0 ? end : (next[at] ?? 0);
    if (at < 0) end += width;
    else next[at] = start + width;
    next[frame.index] = start;
    return { start, width };
  });
}
