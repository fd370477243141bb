import { type CallFrame, type CallFrames, caughtIn, implementationOf, isRevert, revertPath } from "./callFrames.ts";
import { briefFailure, frameNames } from "./frameText.ts";
import type { HeadlinePart } from "./report.ts";
import type { ViewContext } from "./view.ts";

/** Where the failures of transactions began, and the calls that passed them on. */
export class FailurePaths {
  /** The calls down to the one in which a failure began, by each of them. */
  readonly #paths = new Map<CallFrame, readonly CallFrame[]>();
  readonly #context: ViewContext;

  constructor({ roots }: CallFrames, context: ViewContext) {
    this.#context = context;
    for (const path of roots.map(revertPath)) for (const frame of path) this.#paths.set(frame, path);
  }

  /** Whether a transaction failed. */
  get isEmpty(): boolean {
    return this.#paths.size === 0;
  }

  /** Empty for a call that failed in no transaction that did. */
  of(frame: CallFrame): readonly CallFrame[] {
    return this.#paths.get(frame) ?? [];
  }

  isOrigin(frame: CallFrame): boolean {
    return this.of(frame).at(-1) === frame;
  }

  /** Says in short how a call failed. Only the one in which a failure began is bad. */
  outcome(frame: CallFrame): HeadlinePart {
    const origin = this.of(frame).at(-1);
    if (origin === frame) return { text: failedHere(frame), role: "bad" };
    if (origin && hasSameData(origin, frame)) return { text: "passed the revert on", role: "quiet" };
    // its reason is that of the last call inside it that has the same revert data
    const source = revertPath(frame).findLast((one) => hasSameData(one, frame)) ?? frame;
    return { text: `failed${origin ? " in turn" : ""}: ${briefFailure(source, this.#context)}`, role: "quiet" };
  }
}

/** A call that ran out of gas did not revert. */
export function failedHere(frame: CallFrame): string {
  return `${isRevert(frame) ? "reverted" : "failed"} here`;
}

function hasSameData({ output }: CallFrame, other: CallFrame): boolean {
  return (output ?? "0x") === (other.output ?? "0x");
}

/**
 * Says why a transaction failed, and in which call that began.
 *
 * @param path - The calls down to that one.
 * @returns `undefined` if there is none.
 */
export function tracedReason(path: readonly CallFrame[], context: ViewContext): string | undefined {
  const cause = path.at(-1);
  if (!cause) return undefined;
  const nameOf = frameNames(context);
  // whether it failed because of what it caught, only the steps would tell
  const caught = revertPath(caughtIn(cause)).at(-1);
  const after = caught ? `, after ${nameOf(caught)} failed with ${briefFailure(caught, context)}` : "";
  // a proxy and the code that it borrows are one call
  const calls = path.filter((frame) => !frame.parent || implementationOf(frame.parent) !== frame).length;
  const depth = calls > 1 ? `, ${calls} calls deep` : "";
  const where = path.length > 1 ? `, in ${nameOf(cause)}${depth}` : "";
  return `${briefFailure(cause, context)}${where}${after}`;
}
