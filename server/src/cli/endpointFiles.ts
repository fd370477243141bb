import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { oneLine } from "../base/text.ts";
import type { FileDiagnostic } from "../features/diagnostics.ts";
import type { Service } from "../service/service.ts";
import type { Terminal } from "./terminal.ts";

/** Returns the path of a file of endpoints from the working folder, safe to show. */
export function pathOf({ uri }: Pick<FileDiagnostic, "uri">): string {
  return oneLine(relative("", fileURLToPath(uri)));
}

/**
 * Notes the problems of the endpoint files that were read. A value that is not set is left to the cell that
 * needs it, and descriptors to `check`.
 *
 * @param used - Names of endpoints. Problems of other endpoints are left to `check`. Absent if no endpoint was used.
 */
export function noteEndpointProblems(
  service: Pick<Service, "fileDiagnostics">,
  terminal: Terminal,
  used?: ReadonlySet<string>,
): void {
  for (const problem of service.fileDiagnostics()) {
    const { line, column } = problem.start;
    const isUsed = !used || problem.endpoint === undefined || used.has(problem.endpoint);
    if (isUsed && problem.code !== "bad-descriptor" && problem.severity !== "information")
      terminal.note(`${pathOf(problem)}:${line}:${column}: ${problem.message}`);
  }
}
