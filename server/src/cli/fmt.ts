import { plural, replaced } from "../base/text.ts";
import { formatFile } from "../features/formatting.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Host } from "../workspace/host.ts";
import type { FormatOptions } from "./command.ts";
import { type NotebookFile, openNotebooks, writeText } from "./files.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/**
 * `rpc-notebook fmt`: formats files as the editor does. Writes none if one has a fault, and none that changed since it was
 * read.
 */
export async function format(
  { files: names, check }: FormatOptions,
  host: Host,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const files = await openNotebooks(names, host.files, terminal);
  if (!files) return exitCodes.usage;
  let [changed, failed] = [0, 0];
  for (const file of files) {
    if (signal.aborted) break;
    const edits = formatFile(readFile(file.text), { indent: indentOf(file.text) });
    if (edits.length === 0) continue;
    const isDone = check || (await write(file, replaced(file.text, edits), host, terminal));
    if (isDone) terminal.print(file.name);
    if (isDone) changed++;
    else failed++;
  }
  const verb = check ? "would change" : "changed";
  const parts = [
    ...(changed > 0 ? [`${changed} ${verb}`] : []),
    ...(failed > 0 ? [`${failed} not written`] : []),
    ...(signal.aborted ? ["cancelled"] : []),
  ];
  terminal.note(`${plural(files.length, "notebook")}: ${parts.length === 0 ? "nothing to do" : parts.join(", ")}`);
  return (check && changed > 0) || failed > 0 || signal.aborted ? exitCodes.failed : exitCodes.ok;
}

/** @returns Whether the file has the new text now. */
async function write(file: NotebookFile, text: string, host: Host, terminal: Terminal): Promise<boolean> {
  const written = await writeText(file, file.text, text, host, terminal);
  if (written !== "changed") return written === "written";
  terminal.complain(`${file.name} changed since it was read, so it was not written.`, "Run the command again.");
  return false;
}

/** Returns the first indent of the file, or two spaces if it has none. */
function indentOf(text: string): string {
  return /^(?: {1,8}|\t)(?=\S)/m.exec(text)?.[0] ?? "  ";
}
