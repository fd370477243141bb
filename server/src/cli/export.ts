import { shellsFor } from "../convert/shells.ts";
import { cellNumbers } from "../notebook/key.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Host } from "../workspace/host.ts";
import { chooseCells } from "./choose.ts";
import type { ExportOptions } from "./command.ts";
import { openNotebooks } from "./files.ts";
import { openService } from "./openService.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** `rpc-notebook export`: prints requests as code for another tool. */
export async function exportFile(
  { files, cell, ...options }: ExportOptions,
  host: Host,
  screen: Terminal,
): Promise<number> {
  const [file] = (await openNotebooks(files, host.files, screen)) ?? [];
  if (!file) return exitCodes.usage;
  const { name, uri, text } = file;
  const { service, terminal } = openService(host, screen);
  service.openText(uri, text);
  await service.settled(uri);
  const { indices, unknown } = chooseCells(service, file, cell === undefined ? [] : [cell]);
  for (const { what, todo } of unknown) terminal.complain(what, todo);
  if (unknown.length > 0) return exitCodes.usage;
  const { to, shell = shellsFor({ shell: process.env.SHELL, system: process.platform })[0] } = options;
  const exported = await service.exported(uri, indices?.[0], { to, shell });
  if (!exported) return exitCodes.usage;
  terminal.print(exported.text.trimEnd());
  const numbers = cellNumbers(readFile(text).cells);
  for (const { index, what } of exported.notes) terminal.complain(`${name}, cell ${numbers[index]}: ${what}`);
  return exported.notes.length > 0 ? exitCodes.failed : exitCodes.ok;
}
