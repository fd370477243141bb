import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { CellResult } from "../run/result/cellResult.ts";

/**
 * Says in sentences why a cell has no calls inside, or why they cannot be right; `undefined` if it has some, if its request
 * failed, or if the command does not ask for them.
 *
 * @param isNamed - Whether the command names the cell, and so wants calls of it.
 */
export function untracedWhy(cell: CellResult, isNamed: boolean): string | undefined {
  if (!cell.ok) return undefined;
  const [why] = tracesOf(cell).flatMap((trace) => traceFault(trace) ?? []);
  if (why !== undefined) return why;
  return isNamed && !hasCalls(cell) ? untraced("The cell has no call or mined transaction.") : undefined;
}

/** Whether a cell shows calls, or has them in the JSON report only, as those of many values are. */
export function hasCalls(cell: CellResult): boolean {
  const sections = cell.output.reports.flatMap((one) => one.sections);
  const areShown = sections.some((one) => one.kind === "tree" && one.title === "Calls" && one.partial === undefined);
  return areShown || tracesOf(cell).some(({ source }) => source !== "none");
}

function tracesOf(cell: CellResult): readonly JsonObject[] {
  return cell.answers().flatMap((answer) => (isObject(answer) && isObject(answer.trace) ? [answer.trace] : []));
}

function traceFault({ source, why, what, contradiction }: Readonly<Record<string, JsonValue>>): string | undefined {
  if (typeof contradiction === "string") return contradiction;
  if (source !== "none") return undefined;
  return untraced(typeof why === "string" ? why : `Another \`${what}\` was computed here.`);
}

function untraced(why: string): string {
  return `No calls were traced. ${why}`;
}
