import type { CancellationToken, Disposable, NotebookCell, NotebookDocument, NotebookEditor } from "vscode";
import { CancellationTokenSource, commands, Disposable as Disposables, env, notebooks, workspace } from "vscode";
import type { CellRef } from "../../server/src/notebook/cellRef.ts";
import type { FromRenderer, RunParams, RunResult, ToRenderer } from "../../server/src/protocol/runs.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import { Executions, type RunExecutions, uriOf } from "./executions.ts";
import type { Server } from "./languageClient.ts";
import { cellLanguage, notebookType } from "./names.ts";
import { isHeader } from "./notebook.ts";
import { brokenOff } from "./output.ts";
import { nextRunId } from "./runId.ts";

/** Runs cells by the server, and shows its results. Order, dependencies and batches are the server's. */
export function registerKernel(server: Server, picker: EndpointPicker, extension: string): Kernel {
  const controller = notebooks.createNotebookController("rpc-notebook", notebookType, "RPC Notebook");
  controller.supportedLanguages = [cellLanguage];
  controller.supportsExecutionOrder = true;
  const selected = new Set<NotebookDocument>();
  controller.onDidChangeSelectedNotebooks(({ notebook, selected: isSelected }) => {
    if (isSelected) selected.add(notebook);
    else selected.delete(notebook);
  });
  const executions = new Executions(controller);
  const run: Kernel["run"] = (notebook, cells, more = {}) =>
    runCells({ server, picker, executions, notebook, cells, runId: nextRunId(), more });
  controller.executeHandler = async (cells, notebook) => void (await run(notebook, cells));

  return Object.assign(Disposables.from(controller, answerRenderer(server)), {
    // The editor selects the kernel of a notebook with its first execution; a command may come before that.
    run: async (...given: Parameters<Kernel["run"]>) => {
      const id = controller.id;
      if (!selected.has(given[0])) await commands.executeCommand("notebook.selectKernel", { id, extension });
      return run(...given);
    },
  });
}

export interface Kernel extends Disposable {
  /** Runs cells. @returns `undefined` if the run did not end. */
  run(notebook: NotebookDocument, cells: readonly NotebookCell[], more?: RunMore): Promise<RunResult | undefined>;
}

/** What a run does beside showing results. */
type RunMore = Pick<RunParams, "snapshot" | "record">;

/** Answers messages of outputs: further rows of a table, and the clipboard if their webview may not write it. */
function answerRenderer(server: Server): Disposable {
  const messages = notebooks.createRendererMessaging("rpc-notebook-report");
  return messages.onDidReceiveMessage(
    async ({ editor, message }: { editor: NotebookEditor; message: FromRenderer }) => {
      if ("copy" in message) return env.clipboard.writeText(message.copy);
      if ("stream" in message) return server.notify("rpcNotebook/stream", message.stream);
      const answer = server.request("rpcNotebook/rows", message.rows).catch(() => null); // the client has logged why
      const reply: ToRenderer = { asked: message.asked, result: await answer };
      await messages.postMessage(reply, editor);
    },
  );
}

interface Run {
  readonly server: Server;
  readonly picker: EndpointPicker;
  readonly executions: Executions;
  readonly notebook: NotebookDocument;
  readonly cells: readonly NotebookCell[];
  readonly runId: string;
  readonly more: RunMore;
}

async function runCells(run: Run): Promise<RunResult | undefined> {
  const { server, executions, notebook, cells } = run;
  const cancel = new CancellationTokenSource();
  const shown = executions.begin(notebook, {
    cancelRun: () => cancel.cancel(),
    stopStream: (uri) =>
      server.notify("rpcNotebook/stream", { uri: notebook.uri.toString(), cell: { uri }, stop: true }),
  });
  for (const cell of cells) {
    shown.add(uriOf(cell));
    // a header that is run with other cells has nothing to do, and should not look as if it waited
    if (isHeader(cell) && cells.length > 1) shown.pass(uriOf(cell));
  }
  const listener = Disposables.from(
    showEvents(run, shown),
    workspace.onDidCloseNotebookDocument((closed) => closed === notebook && cancel.cancel()),
  );
  try {
    return await request(run, shown, cancel.token);
  } catch {
    // Refused because of the cancellation, or there is no server any more; the client has logged which.
    if (!cancel.token.isCancellationRequested) shown.endAll(brokenOff);
    return undefined;
  } finally {
    shown.endAll();
    listener.dispose();
    cancel.dispose();
  }
}

/** Shows what the server reports of a run. */
function showEvents({ server, runId }: Run, shown: RunExecutions): Disposable {
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
      forCell((uri, { output }) => shown.finish(uri, output)),
    ),
  );
}

/** Asks the server for the run; for a header alone, for a probe of its endpoint. */
async function request(
  { server, picker, notebook, cells, runId, more }: Run,
  shown: RunExecutions,
  token: CancellationToken,
): Promise<RunResult | undefined> {
  const uri = notebook.uri.toString();
  const [only] = cells;
  let result: RunResult | undefined;
  if (!(await picker.ensure(notebook.uri))) return undefined;
  if (cells.length === 1 && only && isHeader(only)) {
    shown.start(uriOf(only));
    const output = await server.request("rpcNotebook/probe", { uri }, token);
    if (output) shown.finish(uriOf(only), output);
  } else if (!token.isCancellationRequested) {
    const refs = cells.map((cell) => ({ uri: uriOf(cell) }));
    result = await server.request("rpcNotebook/run", { runId, uri, cells: refs, ...more }, token);
  }
  if (!token.isCancellationRequested) shown.endAll(brokenOff);
  return result;
}
