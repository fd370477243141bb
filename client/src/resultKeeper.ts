import {
  Disposable,
  FileType,
  type NotebookCell,
  type NotebookDocument,
  type NotebookDocumentChangeEvent,
  Uri,
  workspace,
} from "vscode";
import { documentKey } from "../../server/src/notebook/key.ts";
import type { CellFinished } from "../../server/src/protocol/runs.ts";
import { uriOf } from "./executions.ts";
import {
  identify,
  type KeptResult,
  keepsResults,
  matchResults,
  parseResults,
  printResults,
  type ShownResult,
} from "./keptResult.ts";
import type { Kernel } from "./kernel.ts";
import type { Server } from "./languageClient.ts";
import { notebookType } from "./names.ts";
import { cellAt, onSavedAs, requestCells } from "./notebook.ts";
import { replaceFile } from "./replaceFile.ts";

/** Milliseconds without a new result after which results are written. */
const quietMs = 300;
/** Milliseconds after which results are written while others still come, since a page can be reloaded without notice. */
const maxWaitMs = 1000;

interface KeeperResult extends ShownResult {
  readonly isEarlier: boolean;
}

export type ResultKeeper = ReturnType<typeof registerResultKeeper>;

/** Keeps the results that cells show when the notebook is read again from the disk, and for later sessions. */
export function registerResultKeeper(server: Server, kernel: Kernel, storage: Uri | undefined) {
  const keeper = new Keeper(kernel, resultStore(storage));
  const listeners = Disposable.from(
    server.on("rpcNotebook/cellStarted", ({ cell }) => "uri" in cell && keeper.started(cell.uri)),
    server.on("rpcNotebook/cellRedrawn", ({ cell, output }) => "uri" in cell && keeper.redrawn(cell.uri, output)),
    server.on("rpcNotebook/cellFinished", (event) => "uri" in event.cell && keeper.finished(event.cell.uri, event)),
    workspace.onDidOpenNotebookDocument((notebook) => keeper.opened(notebook)),
    workspace.onDidChangeNotebookDocument((event) => keeper.changed(event)),
    onSavedAs((from, to) => keeper.savedAs(from, to)),
    workspace.onDidCloseNotebookDocument((notebook) => keeper.closed(notebook)),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(setting) && keeper.configured()),
  );
  for (const notebook of workspace.notebookDocuments) void keeper.opened(notebook);
  return Object.assign(listeners, { of: (uri: string) => keeper.of(uri), flush: () => keeper.flush() });
}

const setting = "rpcNotebook.keepResults";

class Keeper {
  readonly #kernel: Kernel;
  readonly #store: ResultStore;
  /** Results by the URI of their cell, which does not change when the cell moves or its deletion is undone. */
  readonly #shown = new Map<string, KeeperResult>();
  readonly #unwritten = new Set<NotebookDocument>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwrittenSince: number | undefined;

  constructor(kernel: Kernel, store: ResultStore) {
    this.#kernel = kernel;
    this.#store = store;
  }

  /** Returns the result of a cell, and whether it is from an earlier opening of the notebook. */
  of(cellUri: string): KeeperResult | undefined {
    return this.#shown.get(cellUri);
  }

  started(cellUri: string): void {
    this.#shown.delete(cellUri);
  }

  finished(cellUri: string, { output, origin }: CellFinished): void {
    const cell = cellAt(cellUri);
    const [identity] = cell ? identify([cell.document.getText()]) : [];
    if (cell === undefined || identity === undefined) return;
    this.#shown.set(cellUri, { output, origin, request: identity.request, isEarlier: false });
    this.#writeLater(cell.notebook);
  }

  redrawn(cellUri: string, output: CellFinished["output"]): void {
    const [cell, result] = [cellAt(cellUri), this.#shown.get(cellUri)];
    if (!cell || !result) return;
    this.#shown.set(cellUri, { ...result, output });
    this.#writeLater(cell.notebook);
  }

  async opened(notebook: NotebookDocument): Promise<void> {
    if (notebook.notebookType !== notebookType || !isOn()) return;
    const kept = await this.#store.read(notebook.uri);
    if (kept.length === 0 || notebook.isClosed) return;
    this.#restore(notebook, requestCells(notebook.getCells()), kept, true);
  }

  /** Restores results after the file was read again, which removes outputs. Only such an event has metadata of the notebook. */
  changed({ notebook, metadata, contentChanges, cellChanges }: NotebookDocumentChangeEvent): void {
    if (notebook.notebookType !== notebookType) return;
    if (metadata === undefined) {
      for (const { cell, outputs } of cellChanges) if (outputs?.length === 0) this.#cleared(cell);
      return;
    }
    for (const { addedCells, removedCells } of contentChanges)
      this.#restore(notebook, requestCells(addedCells), this.#resultsOf(removedCells), false);
    const left = requestCells(notebook.getCells()).filter(({ outputs }) => outputs.length === 0);
    this.#restore(notebook, left, this.#resultsOf(left), false);
  }

  savedAs(from: NotebookDocument, to: NotebookDocument): void {
    this.#restore(to, requestCells(to.getCells()), this.#resultsOf(from.getCells()), false);
  }

  async closed(notebook: NotebookDocument): Promise<void> {
    if (this.#unwritten.has(notebook)) await this.flush();
    for (const cell of notebook.getCells()) this.started(uriOf(cell));
  }

  async configured(): Promise<void> {
    if (!isOn()) await this.#store.clear();
    else for (const notebook of workspace.notebookDocuments) this.#writeLater(notebook);
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#unwrittenSince = undefined;
    const notebooks = [...this.#unwritten];
    this.#unwritten.clear();
    if (!isOn()) return;
    await Promise.all(notebooks.map((each) => this.#store.write(each.uri, this.#resultsOf(each.getCells()))));
  }

  #cleared(cell: NotebookCell): void {
    if (!this.#shown.has(uriOf(cell))) return;
    this.started(uriOf(cell));
    this.#writeLater(cell.notebook);
  }

  #resultsOf(cells: readonly NotebookCell[]): readonly KeptResult[] {
    const ours = requestCells(cells);
    const identities = identify(ours.map(({ document }) => document.getText()));
    return identities.flatMap((cell, at) => {
      const result = this.#shown.get(uriOf(ours[at] as NotebookCell)); // there is an identity for each cell
      if (result === undefined) return [];
      const { isEarlier: _, ...kept } = result;
      return [{ ...kept, cell }];
    });
  }

  #restore(
    notebook: NotebookDocument,
    cells: readonly NotebookCell[],
    kept: readonly KeptResult[],
    isEarlier: boolean,
  ): void {
    if (kept.length === 0) return;
    const identities = identify(cells.map(({ document }) => document.getText()));
    const found = matchResults(identities, kept);
    const restored = cells.flatMap((cell, at) => {
      const result = found[at];
      if (result === undefined || cell.outputs.length > 0) return [];
      const { request, origin, output } = result;
      this.#shown.set(uriOf(cell), { request, origin, output, isEarlier });
      return [{ cell, output: identities[at]?.request === request ? output : stale(output) }];
    });
    this.#kernel.restore(notebook, restored);
    if (!isEarlier) this.#writeLater(notebook);
  }

  #writeLater(notebook: NotebookDocument): void {
    this.#unwritten.add(notebook);
    clearTimeout(this.#timer);
    const now = Date.now();
    this.#unwrittenSince ??= now;
    const wait = Math.min(quietMs, this.#unwrittenSince + maxWaitMs - now);
    this.#timer = setTimeout(() => void this.flush(), wait);
  }
}

function isOn(): boolean {
  return keepsResults(workspace.getConfiguration().inspect(setting));
}

/** Marks a result whose cell asks something else now. */
function stale(output: ShownResult["output"]): ShownResult["output"] {
  return { ...output, reports: output.reports.map((report) => ({ ...report, stale: true as const })) };
}

/** Notebooks whose results are kept, and the bytes of all of them. The oldest are deleted first. */
const maxNotebooks = 100;
const maxBytes = 20_000_000;

/** Results of earlier sessions, a file for each notebook. Failures to read or write are ignored. */
type ResultStore = ReturnType<typeof resultStore>;

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
