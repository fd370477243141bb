import { type SealedKind, sealed } from "../base/hash.ts";
import { printJson } from "../base/json.ts";
import { type CallFrame, type CallFrames, hasFailed, totalGas } from "./callFrames.ts";

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

/** The calls of a trace as a profile, with its own names. */
export interface SpeedscopeProfile {
  readonly names: readonly string[];
  /** Gas at the end. */
  readonly end: number;
  readonly events: readonly SpeedscopeEvent[];
}

/** A call begins (`O`) or ends (`C`). `frame` is the place of its name. */
interface SpeedscopeEvent {
  readonly type: "O" | "C";
  readonly frame: number;
  readonly at: number;
}

/** Makes a profile: gas takes the place of time. The name of a call that failed ends in `(failed)`. */
export function speedscopeProfile(calls: CallFrames, nameOf: (frame: CallFrame) => string): SpeedscopeProfile {
  const spans = gasSpans(calls);
  const names = new Map<string, number>();
  const events: SpeedscopeEvent[] = [];
  const open: { readonly call: CallFrame; readonly frame: number; readonly end: number }[] = [];
  const close = (isDone: (call: CallFrame) => boolean): void => {
    for (let last = open.at(-1); last && isDone(last.call); last = open.at(-1)) {
      events.push({ type: "C", frame: last.frame, at: last.end });
      open.pop();
    }
  };
  let end = 0;
  for (const call of calls.frames) {
    close((last) => last !== call.parent);
    const { start, width } = spans[call.index] ?? { start: 0, width: 0 };
    const name = `${nameOf(call)}${hasFailed(call) ? " (failed)" : ""}`;
    const frame = names.get(name) ?? names.size;
    names.set(name, frame);
    events.push({ type: "O", frame, at: start });
    open.push({ call, frame, end: start + width });
    end = Math.max(end, start + width);
  }
  close(() => true);
  return { names: [...names.keys()], end, events };
}

export interface NamedProfile extends SpeedscopeProfile {
  readonly title: string;
}

/**
 * Prints a file for speedscope with a profile for each trace.
 *
 * @see https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts
 */
export function speedscopeFile(title: string, profiles: readonly NamedProfile[]): string {
  const frames: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (name: string): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, frames.length);
    return frames.push(name) - 1;
  };
  const made = profiles.map(({ title: name, names, end, events }) => {
    const shared = names.map(placeOf);
    return {
      type: "evented",
      name,
      unit: "none",
      startValue: 0,
      endValue: end,
      events: events.map(({ type, frame, at }) => ({ type, frame: shared[frame] ?? 0, at })),
    };
  });
  const file = {
    $schema: "https://www.speedscope.app/file-format-schema.json",
    exporter: "RPC Notebook",
    name: title,
    activeProfileIndex: 0,
    shared: { frames: frames.map((name) => ({ name })) },
    profiles: made,
  };
  return sealed(`${printJson(file)}\n`, profileKind);
}

/** Its seal is in a member that speedscope does not read. */
export const profileKind: SealedKind = {
  begins: /^\{"\$schema":"[^"]*","exporter":"RPC Notebook/,
  seal: (hash) => `, content ${hash}`,
};
