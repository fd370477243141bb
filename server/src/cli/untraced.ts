import { isObject, type JsonValue } from "../base/json.ts";
import type { CellResult } from "../run/result/cellResult.ts";

/**
 * Says in sentences why a cell does not show the calls inside, or why they cannot be right; `undefined` if it does, if its
 * request failed, or if nobody wants them of it.
 *
 * @param isNamed - Whether the command names the cell, and so wants calls of it.
 */
export function untracedWhy(cell: CellResult, isNamed: boolean): string | undefined {
  if (!cell.ok) return undefined;
  for (const answer of cell.answers()) {
    const trace = isObject(answer) ? answer.trace : undefined;
    const why = isObject(trace) ? traceFault(trace) : undefined;
    if (why !== undefined) return why;
  }
  return isNamed && !hasCalls(cell) ? untraced("It asks for no call, and for no transaction of a block.") : undefined;
}

/** Whether a cell shows calls. */
export function hasCalls({ output: { reports } }: CellResult): boolean {
  const sections = reports.flatMap((one) => one.sections);
  return sections.some((one) => one.kind === "tree" && one.title === "Calls" && one.partial === undefined);
}

function traceFault({ source, why, what, contradiction }: Readonly<Record<string, JsonValue>>): string | undefined {
  if (typeof contradiction === "string") return contradiction;
  if (source !== "none") return undefined;
  return untraced(typeof why === "string" ? why : `Another \`${what}\` was computed here.`);
}

function untraced(why: string): string {
  return `No calls were traced. ${why}`;
}
