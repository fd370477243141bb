import { plural } from "../base/text.ts";
import { grouped, percentOf } from "../base/units.ts";
import { type CallFrame, type CallFrames, hasFailed, ownGas, totalGas } from "./callFrames.ts";
import { briefFailure, frameNames } from "./frameText.ts";
import type { FlameFrame, FlameSection, Report } from "./report.ts";
import { gasSpans, type SpeedscopeProfile, speedscopeProfile } from "./speedscope.ts";
import type { ViewContext } from "./view.ts";

/** Calls that are drawn: more would each be narrower than a pixel. */
const maxDrawn = 500;
/** Calls that the sentence names. */
const maxNamed = 3;

/** Makers of the profiles of all calls of a trace, by the drawn frames, which most copies of a section share. */
const sources = new WeakMap<FlameSection["frames"], () => SpeedscopeProfile>();

/** The gas of the calls as a picture; none for a single call, and without gas. */
export function flameSections(calls: CallFrames, context: ViewContext): readonly FlameSection[] {
  const { frames, roots } = calls;
  const spans = gasSpans(calls);
  const total = roots.reduce((sum, { index }) => sum + (spans[index]?.width ?? 0), 0);
  if (frames.length < 2 || total === 0) return [];
  const widthOf = ({ index }: CallFrame): number => spans[index]?.width ?? 0;
  // A call is never wider than the call around it, so that one is drawn too.
  const drawn = frames.length > maxDrawn ? widest(frames, widthOf) : frames;
  const nameOf = frameNames(context);
  const depths = new Uint16Array(frames.length);
  const shown = drawn.map((frame): FlameFrame => {
    const depth = frame.parent ? (depths[frame.parent.index] ?? 0) + 1 : 0;
    depths[frame.index] = depth;
    const [gas, own] = [totalGas(frame), ownGas(frame)];
    return {
      name: nameOf(frame),
      depth,
      start: spans[frame.index]?.start ?? 0,
      width: widthOf(frame),
      ...(gas !== undefined && { gas: gasText(gas) }),
      ...(own !== undefined && frame.children.length > 0 && { own: gasText(own) }),
      ...(hasFailed(frame) && { failed: briefFailure(frame, context) }),
    };
  });
  const left = calls.total - drawn.length;
  const note = `Not drawn: ${plural(left, "call")} with less gas.`;
  sources.set(shown, () => speedscopeProfile(calls, nameOf));
  return [
    {
      kind: "flame",
      title: "Gas by call",
      frames: shown,
      total,
      text: sentence(frames, nameOf, total),
      ...(left > 0 && { note }),
    },
  ];
}

function widest(frames: readonly CallFrame[], widthOf: (frame: CallFrame) => number): readonly CallFrame[] {
  const byWidth = frames.toSorted((a, b) => widthOf(b) - widthOf(a) || a.index - b.index);
  return byWidth.slice(0, maxDrawn).sort((a, b) => a.index - b.index);
}

function sentence(frames: readonly CallFrame[], nameOf: (frame: CallFrame) => string, total: number): string {
  const own = new Map<string, number>();
  for (const frame of frames) {
    const name = nameOf(frame);
    own.set(name, (own.get(name) ?? 0) + (ownGas(frame) ?? 0));
  }
  const top = [...own].toSorted(([, a], [, b]) => b - a).slice(0, maxNamed);
  const named = top.map(([name, gas]) => `${name} ${gasText(gas)} (${percentOf(whole(gas), whole(total), 0)})`);
  return `${gasText(total)} gas in ${plural(frames.length, "call")}. Most gas of their own: ${named.join(", ")}`;
}

function gasText(gas: number): string {
  return grouped(whole(gas));
}

function whole(gas: number): bigint {
  return BigInt(Math.round(gas));
}

/** Returns the profile of all calls of a section that {@link flameSections} made, or of a copy of it. */
export function profileOf({ frames }: FlameSection): SpeedscopeProfile | undefined {
  return sources.get(frames)?.();
}

/** Lets masked copies of reports have the profiles of the reports, whose names are not masked. */
export function shareProfiles(from: readonly Report[], to: readonly Report[]): void {
  for (const [at, { sections }] of from.entries())
    for (const [place, section] of sections.entries()) {
      const copy = to[at]?.sections[place];
      const source = section.kind === "flame" ? sources.get(section.frames) : undefined;
      if (source && copy?.kind === "flame") sources.set(copy.frames, source);
    }
}
