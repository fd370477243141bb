import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Files } from "../base/ports.ts";
import { oneLine } from "../base/text.ts";
import { parentFolder } from "../base/uri.ts";
import { updateFile } from "../files/updateFile.ts";
import type { Terminal } from "./terminal.ts";

/** Complains before the run, and not after it, if the folder of a file to write does not exist. */
export async function canWrite(name: string, terminal: Terminal): Promise<boolean> {
  const isThere = await access(dirname(resolve(name))).then(
    () => true,
    () => false,
  );
  if (!isThere)
    terminal.complain(`The folder of ${oneLine(name)} does not exist.`, "Create it, or write the file elsewhere.");
  return isThere;
}

/**
 * Writes a file, which is replaced, or complains.
 *
 * @param name - The path as typed.
 * @returns Whether it was written.
 */
export async function writeOutput(name: string, text: string, files: Files, terminal: Terminal): Promise<boolean> {
  const uri = pathToFileURL(resolve(name)).href;
  const written = await updateFile(files, { uri, name, within: parentFolder(uri) }, () => ({ text }));
  if (typeof written === "object") terminal.complain(written.what, written.todo);
  return typeof written !== "object";
}
