import { FileType, Uri, workspace } from "vscode";
import { documentKey } from "../../server/src/notebook/key.ts";
import { type KeptResult, parseResults, printResults } from "./keptResult.ts";
import { replaceFile } from "./replaceFile.ts";

/** Notebooks whose results are kept, and the bytes of all of them. The oldest are deleted first. */
const maxNotebooks = 100;
const maxBytes = 20_000_000;

/** Results of earlier sessions, a file for each notebook. Failures to read or write are ignored. */
export type ResultStore = ReturnType<typeof resultStore>;

/**
 * Creates the store of a workspace.
 *
 * @param folder - Where the extension stores data for the workspace; `undefined` if no workspace is open.
 */
export function resultStore(folder: Uri | undefined) {
  const results = folder && Uri.joinPath(folder, "results");
  const fileOf = (document: Uri): Uri | undefined =>
    results && document.scheme !== "untitled"
      ? Uri.joinPath(results, `${documentKey(document.toString())}.json`)
      : undefined;
  let last: Promise<void> = Promise.resolve();
  /** Writes one after the other, so that the newest wins. */
  const inTurn = (action: () => Promise<void>): Promise<void> => {
    last = last.then(action).catch(() => undefined);
    return last;
  };
  return {
    async read(document: Uri): Promise<readonly KeptResult[]> {
      const file = fileOf(document);
      if (file === undefined) return [];
      await last;
      try {
        return parseResults(document.toString(), new TextDecoder().decode(await workspace.fs.readFile(file)));
      } catch {
        return []; // nothing was kept
      }
    },
    /** @param kept - None deletes the file. */
    write: (document: Uri, kept: readonly KeptResult[]): Promise<void> =>
      inTurn(async () => {
        const file = fileOf(document);
        if (results === undefined || file === undefined) return;
        if (kept.length === 0) return void (await workspace.fs.delete(file));
        await replaceFile(file, printResults(document.toString(), kept));
        await deleteOldest(results);
      }),
    clear: (): Promise<void> =>
      inTurn(async () => void (results && (await workspace.fs.delete(results, { recursive: true })))),
  };
}

async function deleteOldest(folder: Uri): Promise<void> {
  const names = (await workspace.fs.readDirectory(folder)).filter(([, type]) => type === FileType.File);
  const files = await Promise.all(
    names.map(async ([name]) => {
      const uri = Uri.joinPath(folder, name);
      return { uri, ...(await workspace.fs.stat(uri)) };
    }),
  );
  let bytes = 0;
  for (const [at, { uri, size }] of files.sort((a, b) => b.mtime - a.mtime).entries()) {
    bytes += size;
    if (at >= maxNotebooks || bytes > maxBytes) await workspace.fs.delete(uri);
  }
}
