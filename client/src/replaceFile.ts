import { FileSystemError, type Uri, workspace } from "vscode";

/** Distinguishes the temporary files of this window from those of others. */
const windowId = Math.random().toString(36).slice(2);
let nextFile = 0;

/**
 * Replaces or creates a file as a whole: the text goes into a temporary file beside it, which then takes its place. For
 * files that the server cannot write: those of virtual file systems, and of the extension's storage.
 *
 * @param mayReplace - Called last before the file changes; `false` leaves it as it is.
 * @returns Whether the file was replaced.
 * @throws FileSystemError if it could not be written; the file is as it was.
 */
export async function replaceFile(
  file: Uri,
  text: string,
  mayReplace: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const temporary = file.with({ path: `${file.path}.${windowId}-${nextFile++}.tmp` });
  try {
    await workspace.fs.writeFile(temporary, new TextEncoder().encode(text));
    if (await mayReplace()) {
      await workspace.fs.rename(temporary, file, { overwrite: true });
      return true;
    }
  } catch (error) {
    await remove(temporary);
    throw error;
  }
  await remove(temporary);
  return false;
}

/** @returns `null` if there is no such file. */
export async function textOf(file: Uri): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "FileNotFound") return null;
    throw error;
  }
}

async function remove(temporary: Uri): Promise<void> {
  await workspace.fs.delete(temporary).then(undefined, () => undefined); // it may not have been created
}
