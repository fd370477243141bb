import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { oneLine } from "../base/text.ts";
import type { FileDiagnostic } from "../features/diagnostics.ts";
import type { Service } from "../service/service.ts";
import type { Terminal } from "./terminal.ts";

/** A file of endpoints by its path from here, safe to show. */
export function pathOf({ uri }: Pick<FileDiagnostic, "uri">): string {
  return oneLine(relative("", fileURLToPath(uri)));
}

/**
 * Says what is wrong in the files of endpoints that were read. A value that is not set is told by what needs it.
 *
 * @param used - Names of endpoints: what is wrong with others is left to `check`. Absent where none was reached.
 */
export function tellEndpointFiles(
  service: Pick<Service, "fileDiagnostics">,
  terminal: Terminal,
  used?: ReadonlySet<string>,
): void {
  for (const found of service.fileDiagnostics()) {
    const { line, column } = found.start;
    const concerns = !used || found.endpoint === undefined || used.has(found.endpoint);
    if (concerns && found.severity !== "information")
      terminal.note(`${pathOf(found)}:${line}:${column}: ${found.message}`);
  }
}
