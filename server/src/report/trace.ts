import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import {
  type CallFrame,
  type CallFrames,
  callFrames,
  frameNumber,
  hasFailed,
  implementationOf,
  isRevert,
  maxFrames,
  orderedLogs,
  ownGas,
  revertPath,
} from "./callFrames.ts";
import { FailurePaths, failedHere } from "./failurePaths.ts";
import { flameSections } from "./flame.ts";
import { briefFailure, frameDoes, frameFailure, frameNames, frameReturned } from "./frameText.ts";
import { frameTree } from "./frameTree.ts";
import { logSections } from "./logs.ts";
import type { HeadlinePart, Section, Shown } from "./report.ts";
import { partyShown } from "./shown.ts";
import { partiesText, partyName } from "./simulatedCall.ts";
import { type Cells, filled, nonZero, present, quantities, table } from "./table.ts";
import type { View, ViewContext } from "./view.ts";

/** The calls of a transaction, as `callTracer` gives them. */
export function traceView(trace: JsonObject, context: ViewContext): View {
  return framesView(callFrames([trace]), context);
}

/** The calls of one transaction or several, as a flat list. */
export function tracesView(traces: readonly JsonValue[], context: ViewContext): View {
  return framesView(callFrames(traces), context);
}

/** Whether an object is a call with the calls inside it. Other tracers give other objects. */
export function isCallFrame({ type, from, gasUsed }: JsonObject): boolean {
  return typeof type === "string" && typeof from === "string" && gasUsed !== undefined;
}

/** Calls as a tree, the gas of each, and a table of all. */
export function traceSections(traces: readonly JsonValue[], context: ViewContext): readonly Section[] {
  return framesSections(callFrames(traces), context);
}

function framesView(calls: CallFrames, context: ViewContext): View {
  const { roots, total } = calls;
  const [root] = roots;
  const sections = framesSections(calls, context);
  const count = plural(total, "call");
  if (!root || roots.length > 1) return { summary: count, sections };
  const gas = quantity(root.gasUsed);
  const size = [count, ...(gas === undefined ? [] : [`${grouped(gas)} gas`])];
  const origin = revertPath(root).at(-1);
  const word = origin && isRevert(origin) ? "Reverted" : "Failed";
  const why = origin && failureOf(origin, context);
  const parties = partiesText(partyName(root.from, context), partyName(root.to, context) || "new contract");
  const headline: readonly HeadlinePart[] = [
    why === undefined ? { text: count } : { text: word, role: "bad" },
    { text: why ?? parties, role: "plain" },
    { text: (why === undefined ? size.slice(1) : size).join(" · "), role: "quiet" },
  ];
  return {
    summary: [...(why === undefined ? [] : [`${word.toLowerCase()} ${why}`]), ...size].join(", "),
    headline: headline.filter(({ text }) => text !== ""),
    sections,
  };
}

/** @example "in Demo Dollar.transfer: too small" */
function failureOf(origin: CallFrame, context: ViewContext): string {
  const { parent } = origin;
  // People know a contract by the address of its proxy.
  const frame = parent && implementationOf(parent) === origin ? parent : origin;
  return `in ${frameNames(context)(frame)}: ${briefFailure(origin, context)}`;
}

function framesSections(calls: CallFrames, context: ViewContext): readonly Section[] {
  const { frames, total } = calls;
  if (total === 0) return [];
  const text = `The trace has ${plural(total, "call")}. Only the first ${grouped(BigInt(maxFrames))} are read.`;
  const note: readonly Section[] = total > frames.length ? [{ kind: "note", text }] : [];
  const logs = orderedLogs(calls).map(({ log, frame }) => ({
    log,
    get place() {
      return [numberShown(frame)];
    },
  }));
  const failures = new FailurePaths(calls, context);
  return [
    ...note,
    frameTree(calls, failures, context),
    ...flameSections(calls, context),
    { ...frameTable(frames, failures, context), folded: true },
    ...logSections(logs, ["Call"], context).map((section) => ({
      ...section,
      folded: true as const,
    })),
  ];
}

function frameTable(frames: readonly CallFrame[], failures: FailurePaths, context: ViewContext) {
  const { labels } = context;
  const address = (value: JsonValue | undefined): Shown => present(value, (one) => partyShown(one, labels));
  const columns: readonly Cells<CallFrame>[] = [
    { name: "Call", of: numberShown },
    { name: "Does", of: (frame) => actionShown(frame, context) },
    { name: "To", of: ({ to }) => address(to) },
    quantities("Value", "wei", ({ value }) => nonZero(value)),
    quantities("Gas", "gas", ({ gasUsed }) => gasUsed),
    quantities("Own gas", "gas", (frame) => (frame.children.length === 0 ? undefined : ownGas(frame))),
    { name: "Result", of: (frame) => outcomeShown(frame, failures, context) },
    { name: "From", of: ({ from }) => address(from) },
  ];
  return table(frames, filled(frames, columns), "Calls");
}

/** A call can be a thousand levels deep. */
function numberShown(frame: CallFrame): Shown {
  return { text: oneLine(frameNumber(frame), 60) };
}

/** Each line is a call, indented by its depth. */
function actionShown(frame: CallFrame, context: ViewContext): Shown {
  const { depth, type, input } = frame;
  const indent = "· ".repeat(Math.min(depth, 20));
  const word = oneLine(type, 20).toLowerCase();
  const shown = frameDoes(frame, context);
  if (shown.text === "") return { text: `${indent}${word}`, ...(input === "0x" && { raw: "0x", role: "bytes" }) };
  const before = `${indent}${word === "call" ? "" : `${word} `}`;
  const { text, short } = shown;
  return { ...shown, text: `${before}${text}`, ...(short !== undefined && { short: `${before}${short}` }) };
}

function outcomeShown(frame: CallFrame, failures: FailurePaths, context: ViewContext): Shown {
  const { output } = frame;
  if (!hasFailed(frame)) return frameReturned(frame, context);
  const raw = typeof output === "string" && output.length <= 4096 ? { raw: oneLine(output, 4096) } : {};
  const isOnPath = failures.of(frame).length > 0;
  if (isOnPath && !failures.isOrigin(frame)) return { text: failures.outcome(frame).text, ...raw };
  const text = frameFailure(frame, context);
  return { text: isOnPath ? `${failedHere(frame)}: ${text}` : text, ...raw, role: "bad" };
}
