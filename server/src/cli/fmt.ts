import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { plural, replaced } from "../base/text.ts";
import { formatFile } from "../features/formatting.ts";
import type { Host } from "../host.ts";
import { readFile } from "../notebook/readFile.ts";
import type { FormatOptions } from "./command.ts";
import { openNotebooks } from "./files.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** `rpc-notebook fmt`: lays files out as the editor does. Where one has a fault, none is written. */
export async function format({ files: names, check }: FormatOptions, host: Host, terminal: Terminal): Promise<number> {
  const files = await openNotebooks(names, host.files, terminal);
  if (!files) return exitCodes.usage;
  let changed = 0;
  for (const { name, uri, text } of files) {
    const edits = formatFile(readFile(text), { indent: indentOf(text) });
    if (edits.length === 0) continue;
    changed++;
    terminal.print(name);
    if (!check) await writeFile(fileURLToPath(uri), replaced(text, edits));
  }
  const verb = check ? "would change" : "changed";
  terminal.note(`${plural(files.length, "notebook")}: ${changed === 0 ? "nothing to do" : `${changed} ${verb}`}`);
  return check && changed > 0 ? exitCodes.failed : exitCodes.ok;
}

/** The indent that the file has already; two spaces where it has none. */
function indentOf(text: string): string {
  return /^(?: {1,8}|\t)(?=\S)/m.exec(text)?.[0] ?? "  ";
}
