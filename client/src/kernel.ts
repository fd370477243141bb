import type { CancellationToken, Disposable, NotebookCell, NotebookDocument } from "vscode";
import { CancellationTokenSource, commands, Disposable as Disposables, notebooks, window, workspace } from "vscode";
import type { CellRef } from "../../server/src/notebook/cell.ts";
import type { CellFinished, RunResult } from "../../server/src/protocol/runs.ts";
import type { CellOutput } from "../../server/src/report/report.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import { Executions, nextRunId, type RunExecutions, uriOf } from "./executions.ts";
import type { Server } from "./languageClient.ts";
import { cellLanguage, notebookType } from "./names.ts";
import { cellAt, isHeader } from "./notebook.ts";
import { brokenOff } from "./output.ts";
import { answerRenderer } from "./resultActions.ts";
import type { Tests } from "./tests.ts";

export type Kernel = ReturnType<typeof registerKernel>;

/** Runs cells by the server, and shows its results. Order, dependencies and batches are the server's. */
export function registerKernel(server: Server, picker: EndpointPicker, tests: Tests, extension: string) {
  const controller = notebooks.createNotebookController("rpc-notebook", notebookType, "RPC Notebook");
  controller.supportedLanguages = [cellLanguage];
  controller.supportsExecutionOrder = true;
  const executions = new Executions(controller);
  const selected = new Set<NotebookDocument>();
  /** Results for notebooks that have not selected the kernel yet: it can show none in them. */
  const waiting = new WeakMap<NotebookDocument, Restored>();
  controller.onDidChangeSelectedNotebooks(({ notebook, selected: isSelected }) => {
    if (!isSelected) return void selected.delete(notebook);
    selected.add(notebook);
    for (const { cell, output } of waiting.get(notebook) ?? []) executions.restore(cell, output);
    waiting.delete(notebook);
  });
  const select = () => commands.executeCommand("notebook.selectKernel", { id: controller.id, extension });
  const onActive = window.onDidChangeActiveNotebookEditor((editor) => {
    if (editor && waiting.has(editor.notebook)) void select(); // a file that was saved just now has never selected one
  });
  const run = async (
    notebook: NotebookDocument,
    cells: readonly NotebookCell[],
    more: RunMore = {},
  ): Promise<RunResult | undefined> => {
    const { result, finished } = await runCells({ server, picker, executions, notebook, cells, more });
    await tests.show(notebook.uri, finished);
    return result;
  };
  controller.executeHandler = async (cells, notebook) =>
    void (await run(notebook, cells, { follow: cells.length === 1 }));

  const redrawn = server.on("rpcNotebook/cellRedrawn", ({ cell: ref, output }) => {
    const cell = "uri" in ref ? cellAt(ref.uri) : undefined;
    if (cell) void executions.redraw(cell, output);
  });
  return Object.assign(Disposables.from(controller, onActive, redrawn, answerRenderer(server)), {
    /** Runs cells. @returns `undefined` if the run did not end. */
    run: async (...given: Parameters<typeof run>) => {
      // the editor selects the kernel of a notebook with its first execution; a command may come before that
      if (!selected.has(given[0])) await select();
      return run(...given);
    },
    /** Shows earlier results, as soon as the notebook has selected this kernel. */
    restore(notebook: NotebookDocument, results: Restored): void {
      if (!selected.has(notebook)) return void waiting.set(notebook, [...(waiting.get(notebook) ?? []), ...results]);
      for (const { cell, output } of results) executions.restore(cell, output);
    },
  });
}

type Restored = readonly { readonly cell: NotebookCell; readonly output: CellOutput }[];

export interface RunMore {
  readonly snapshot?: "update";
  readonly record?: true;
  readonly follow?: boolean;
  readonly trace?: true;
}

interface Run {
  readonly server: Server;
  readonly picker: EndpointPicker;
  readonly executions: Executions;
  readonly notebook: NotebookDocument;
  readonly cells: readonly NotebookCell[];
  readonly more: RunMore;
}

interface EndedRun {
  /** `undefined` if the run did not end. */
  readonly result: RunResult | undefined;
  readonly finished: readonly CellFinished[];
}

async function runCells(run: Run): Promise<EndedRun> {
  const { server, executions, notebook, cells } = run;
  const runId = nextRunId();
  const finished: CellFinished[] = [];
  const cancel = new CancellationTokenSource();
  const shown = executions.begin(notebook, {
    cancelRun: () => cancel.cancel(),
    stopStream: (uri) =>
      server.notify("rpcNotebook/stream", { uri: notebook.uri.toString(), cell: { uri }, stop: true }),
  });
  for (const cell of cells) {
    shown.add(uriOf(cell));
    // a header or an empty cell that is run with others has nothing to do, and should not look as if it waited
    const hasNothing = isHeader(cell) || cell.document.getText().trim() === "";
    if (hasNothing && cells.length > 1) shown.pass(uriOf(cell));
  }
  const listener = Disposables.from(
    showEvents(server, runId, finished, shown),
    workspace.onDidCloseNotebookDocument((closed) => closed === notebook && cancel.cancel()),
  );
  try {
    return { result: await request(run, runId, shown, cancel.token), finished };
  } catch {
    // Refused because of the cancellation, or there is no server any more; the client has logged which.
    if (!cancel.token.isCancellationRequested) shown.endAll(brokenOff());
    return { result: undefined, finished };
  } finally {
    shown.endAll();
    listener.dispose();
    cancel.dispose();
  }
}

function showEvents(server: Server, runId: string, finished: CellFinished[], shown: RunExecutions): Disposable {
  type Event = { readonly runId: string; readonly cell: CellRef };
  const forCell =
    <E extends Event>(show: (uri: string, event: E) => void) =>
    (event: E): void => {
      if (event.runId === runId && "uri" in event.cell) show(event.cell.uri, event);
    };
  return Disposables.from(
    server.on(
      "rpcNotebook/cellStarted",
      forCell((uri) => shown.start(uri)),
    ),
    server.on(
      "rpcNotebook/cellWaiting",
      forCell((uri, { why, reports }) => shown.wait(uri, why, reports)),
    ),
    server.on(
      "rpcNotebook/streamRows",
      forCell((uri, { output }) => shown.stream(uri, output)),
    ),
    server.on(
      "rpcNotebook/cellFinished",
      forCell((uri, event) => {
        finished.push(event);
        shown.finish(uri, event.output);
      }),
    ),
  );
}

/** Asks the server for the run; for a header alone, for a probe of its endpoint. */
async function request(
  { server, picker, notebook, cells, more }: Run,
  runId: string,
  shown: RunExecutions,
  token: CancellationToken,
): Promise<RunResult | undefined> {
  const uri = notebook.uri.toString();
  const [only] = cells;
  return picker.withEndpoint(notebook.uri, async () => {
    let result: RunResult | undefined;
    if (cells.length === 1 && only && isHeader(only)) {
      if (!(await picker.mayProbe(notebook.uri))) return undefined;
      shown.start(uriOf(only));
      const output = await server.request("rpcNotebook/probe", { uri }, token);
      if (output) shown.finish(uriOf(only), output);
    } else if (!token.isCancellationRequested) {
      const refs = cells.map((cell) => ({ uri: uriOf(cell) }));
      result = await server.request("rpcNotebook/run", { runId, uri, cells: refs, keep: true, ...more }, token);
    }
    if (!token.isCancellationRequested) shown.endAll(brokenOff());
    return result;
  });
}
