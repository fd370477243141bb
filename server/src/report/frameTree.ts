import { oneLine, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import {
  type CallFrame,
  type CallFrames,
  caughtIn,
  frameNumber,
  hasFailed,
  implementationOf,
  isCreation,
  ownGas,
  revertPath,
  totalGas,
} from "./callFrames.ts";
import type { FailurePaths } from "./failurePaths.ts";
import { briefFailure, frameDoes, frameReturned } from "./frameText.ts";
import { logText } from "./logs.ts";
import type { HeadlinePart, TreeNode, TreeSection } from "./report.ts";
import { addressShown, briefText } from "./shown.ts";
import { callParts, partiesText, partyName } from "./simulatedCall.ts";
import type { ViewContext } from "./view.ts";

/** Calls in a tree, and levels of them. */
const most = { calls: 300, levels: 20, events: 300, open: 12 };
/** Calls at both ends of a longer path to a revert. */
const ends = 8;

/**
 * The calls of a trace, each with its events. The call in which the revert began is open, and what it caught last. As text, the
 * tree takes the place of the table if there is such a call, for it shows the way there.
 */
export function frameTree(calls: CallFrames, failures: FailurePaths, context: ViewContext): TreeSection {
  const tree = new FrameTree(calls, failures, context);
  return { kind: "tree", title: "Calls", ...(!failures.isEmpty && { isText: true }), nodes: tree.nodes() };
}

class FrameTree {
  readonly #calls: CallFrames;
  readonly #context: ViewContext;
  readonly #failures: FailurePaths;
  /** The calls down to the failure that each of these caught last. */
  readonly #caught = new Set<CallFrame>();
  readonly #chosen = new Set<CallFrame>();
  /** How many calls each call is, with those inside it. */
  readonly #sizes: Uint32Array;
  #events = 0;

  constructor(calls: CallFrames, failures: FailurePaths, context: ViewContext) {
    this.#calls = calls;
    this.#failures = failures;
    this.#context = context;
    this.#sizes = sizesOf(calls);
    for (const root of calls.roots.slice(0, most.calls)) {
      const path = failures.of(root);
      const origin = path.at(-1);
      const caught = origin ? revertPath(caughtIn(origin)).slice(0, ends) : [];
      for (const frame of caught) this.#caught.add(frame);
      for (const frame of [...path.slice(0, ends), ...path.slice(-ends), ...caught]) this.#chosen.add(frame);
    }
    this.#choose(calls.roots);
  }

  /** Takes the calls level by level, so that no part of the tree is without its outline. */
  #choose(roots: readonly CallFrame[]): void {
    let level: readonly CallFrame[] = roots;
    for (let depth = 0; depth < most.levels && level.length > 0; depth++) {
      for (const frame of level) if (this.#chosen.size < most.calls && !this.#isSkipped(frame)) this.#chosen.add(frame);
      level = level.filter((frame) => this.#chosen.has(frame)).flatMap(({ children }) => children);
    }
  }

  /** Whether a call is in the middle of a long path to a revert, which is left out. */
  #isSkipped(frame: CallFrame): boolean {
    return this.#failures.of(frame).length > 0 && !this.#chosen.has(frame);
  }

  nodes(): readonly TreeNode[] {
    return this.#nodesOf(this.#calls.roots);
  }

  #nodesOf(frames: readonly CallFrame[]): readonly TreeNode[] {
    const shown = frames.filter((frame) => this.#chosen.has(frame));
    return [...shown.map((frame) => this.#node(frame)), ...this.#rest(frames)];
  }

  /** Says how many calls are left out, and goes on where the path to a revert does. */
  #rest(frames: readonly CallFrame[]): readonly TreeNode[] {
    const left = frames.filter((frame) => !this.#chosen.has(frame));
    if (left.length === 0) return [];
    const count = left.reduce((sum, { index }) => sum + (this.#sizes[index] ?? 1), 0);
    const quiet = (text: string): readonly HeadlinePart[] => [{ text, role: "quiet" }];
    const gap = left.find((frame) => this.#failures.of(frame).length > 0);
    const path = gap ? this.#failures.of(gap) : [];
    const next = path.at(-ends);
    if (!gap || !next || !this.#chosen.has(next))
      return [{ parts: quiet(`… ${plural(count, "more call")}`), children: [] }];
    const skipped = `… ${plural(path.indexOf(next) - path.indexOf(gap), "more level")} of calls`;
    return [{ parts: quiet(skipped), open: true, children: [this.#node(next)] }];
  }

  #node(frame: CallFrame): TreeNode {
    const inner = implementationOf(frame);
    const failed = inner && hasFailed(inner) ? inner : frame;
    const isOrigin = this.#failures.isOrigin(failed);
    const isOnPath = frame.parent === undefined || this.#failures.of(frame).length > 0 || this.#caught.has(frame);
    const isOpen = isOnPath || this.#calls.total <= most.open;
    const why: readonly TreeNode[] = isOrigin
      ? [{ parts: [{ text: briefFailure(failed, this.#context), role: "bad" }], children: [] }]
      : [];
    return {
      parts: [
        ...(frame.parent || this.#calls.roots.length === 1 ? [] : [numberPart(frame)]),
        ...actionParts(frame, this.#context),
        ...(inner ? [viaPart(inner, this.#context)] : []),
        ...(hasFailed(frame) ? [this.#failures.outcome(isOrigin ? failed : frame)] : this.#returnedParts(frame)),
        ...gasParts(frame, inner),
      ],
      ...(isOpen && { open: true as const }),
      children: [...why, ...this.#inside(frame, inner)],
    };
  }

  /** The calls inside a call, with its events between them. */
  #inside(frame: CallFrame, inner: CallFrame | undefined): readonly TreeNode[] {
    const before = inner ? frame.children.filter((child) => child !== inner) : [];
    const { children, logs } = inner ?? frame;
    const events = logs.slice(0, Math.max(0, most.events - this.#events));
    this.#events += events.length;
    const nodesAt: TreeNode[][] = []; // by the number of calls before them
    for (const { log, position = children.length } of events) {
      const place = Math.min(position, children.length);
      nodesAt[place] ??= [];
      nodesAt[place].push(this.#event(log));
    }
    let from = 0;
    const between = children.flatMap((child, at): readonly TreeNode[] => {
      if (!this.#chosen.has(child)) return [];
      const nodes = [...nodesAt.slice(from, at + 1).flat(), this.#node(child)];
      from = at + 1;
      return nodes;
    });
    const left = logs.length - events.length;
    const more = left > 0 ? [{ text: `… ${plural(left, "more event")}`, role: "quiet" as const }] : [];
    return [
      ...this.#nodesOf(before),
      ...between,
      ...this.#rest(children),
      ...nodesAt.slice(from).flat(),
      ...more.map((part) => ({ parts: [part], children: [] })),
    ];
  }

  #event(log: CallFrame["logs"][number]["log"]): TreeNode {
    return { parts: [{ text: logText(log, this.#context), role: "quiet" }], children: [] };
  }

  #returnedParts(frame: CallFrame): readonly HeadlinePart[] {
    const returned = frameReturned(frame, this.#context);
    return returned.text === "" || isCreation(frame)
      ? []
      : [{ text: `→ ${oneLine(briefText(returned), 80)}`, exact: returned.text, role: "quiet" }];
  }
}

function sizesOf({ frames }: CallFrames): Uint32Array {
  const sizes = new Uint32Array(frames.length).fill(1);
  for (const { index, parent } of frames.toReversed())
    if (parent) sizes[parent.index] = (sizes[parent.index] ?? 0) + (sizes[index] ?? 0);
  return sizes;
}

/** Tells calls of a simulation apart, as its own tables do. */
function numberPart(frame: CallFrame): HeadlinePart {
  return { text: `${frameNumber(frame)} ·`, role: "quiet" };
}

/** Inside another call without the caller. */
function actionParts(frame: CallFrame, context: ViewContext): readonly HeadlinePart[] {
  const { type, parent, from, to, value } = frame;
  const party = partyName(to, context) || (isCreation(frame) ? "new contract" : "");
  const who = parent ? party : partiesText(partyName(from, context), party);
  return [
    ...(type === "CALL" ? [] : [{ text: oneLine(type, 20).toLowerCase(), role: "quiet" as const }]),
    ...callParts(who, frameDoes(frame, context), type === "DELEGATECALL" ? undefined : value),
  ];
}

function viaPart({ to }: CallFrame, context: ViewContext): HeadlinePart {
  const exact = to === undefined || to === null ? "" : addressShown(to, context.labels).text;
  return { text: `by the code of ${partyName(to, context)}`, exact, role: "quiet" };
}

/** The gas of a call, and without the calls inside it. */
function gasParts(frame: CallFrame, inner: CallFrame | undefined): readonly HeadlinePart[] {
  const gas = totalGas(frame);
  if (gas === undefined) return [];
  const [own, ownInside] = [ownGas(frame), inner ? ownGas(inner) : 0];
  const isSplit = (inner?.children ?? frame.children).length > 0 && own !== undefined && ownInside !== undefined;
  const text = `· ${groupedGas(gas)} gas${isSplit ? `, ${groupedGas(own + ownInside)} own` : ""}`;
  return [{ text, role: "quiet" }];
}

function groupedGas(gas: number): string {
  return grouped(BigInt(gas));
}
