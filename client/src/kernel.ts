import type {
  Disposable,
  NotebookCell,
  NotebookCellExecution,
  NotebookCellOutput,
  NotebookController,
  NotebookDocument,
  NotebookEditor,
} from "vscode";
import { CancellationTokenSource, Disposable as Disposables, env, notebooks, workspace } from "vscode";
import type { CellRef } from "../../server/src/notebook/cellRef.ts";
import type { FromRenderer, RunResult, ToRenderer } from "../../server/src/protocol/runs.ts";
import type { CellOutput } from "../../server/src/report/cellOutput.ts";
import { type CellState, cancellation, lastOutput } from "./cellState.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import type { Server } from "./languageClient.ts";
import { cellLanguage, notebookType } from "./names.ts";
import { isHeader } from "./notebook.ts";
import { brokenOff, notebookOutput, waitingOutput } from "./output.ts";
import { nextRunId } from "./runId.ts";

/** Runs cells: asks the server, and shows what it tells. Order, dependencies and batches are the server's. */
export function registerKernel(server: Server, picker: EndpointPicker): Kernel {
  const controller = notebooks.createNotebookController("rpc-notebook", notebookType, "RPC Notebook");
  controller.supportedLanguages = [cellLanguage];
  controller.supportsExecutionOrder = true;
  const board = executions(controller);
  controller.executeHandler = async (cells, notebook) => void (await run(server, picker, board, cells, notebook));

  return Object.assign(Disposables.from(controller, answerRenderer(server)), {
    updateSnapshot: (notebook: NotebookDocument, cells: readonly NotebookCell[]) =>
      run(server, picker, board, cells, notebook, "update"),
  });
}

export interface Kernel extends Disposable {
  /** Runs cells and writes what came of them into the snapshot. @returns `undefined` where it came to no end. */
  updateSnapshot(notebook: NotebookDocument, cells: readonly NotebookCell[]): Promise<RunResult | undefined>;
}

/** What outputs ask for: further rows of a table, and the clipboard where their webview may not write it. */
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

async function run(
  server: Server,
  picker: EndpointPicker,
  board: Executions,
  cells: readonly NotebookCell[],
  notebook: NotebookDocument,
  snapshot?: "update",
): Promise<RunResult | undefined> {
  let result: RunResult | undefined;
  const cancel = new CancellationTokenSource();
  const runId = nextRunId();
  const started = board.begin(
    notebook,
    () => cancel.cancel(),
    (uri) => server.notify("rpcNotebook/stream", { uri: notebook.uri.toString(), cell: { uri }, stop: true }),
  );
  for (const cell of cells) {
    started.add(uriOf(cell));
    // beside others a header has nothing to run, and is not to look as if it waited for them
    if (isHeader(cell) && cells.length > 1) started.pass(uriOf(cell));
  }
  const listeners = [
    server.on("rpcNotebook/cellStarted", (event) => event.runId === runId && started.start(refUri(event.cell))),
    server.on(
      "rpcNotebook/cellWaiting",
      (event) => event.runId === runId && started.wait(refUri(event.cell), event.why, event.reports),
    ),
    server.on(
      "rpcNotebook/streamRows",
      (event) => event.runId === runId && started.stream(refUri(event.cell), event.output),
    ),
    server.on(
      "rpcNotebook/cellFinished",
      (event) => event.runId === runId && started.finish(refUri(event.cell), event.output),
    ),
    workspace.onDidCloseNotebookDocument((closed) => closed === notebook && cancel.cancel()),
  ];
  try {
    const allowed = await picker.ensure(notebook.uri);
    const [only] = cells;
    if (allowed && cells.length === 1 && only && isHeader(only)) {
      started.start(uriOf(only));
      const found = await server.request("rpcNotebook/probe", { uri: notebook.uri.toString() }, cancel.token);
      if (found) started.finish(uriOf(only), found);
    } else if (allowed && !cancel.token.isCancellationRequested) {
      const refs = cells.map((cell) => ({ uri: uriOf(cell) }));
      const params = { runId, uri: notebook.uri.toString(), cells: refs, ...(snapshot && { snapshot }) };
      result = await server.request("rpcNotebook/run", params, cancel.token);
    }
    if (allowed && !cancel.token.isCancellationRequested) started.endAll(brokenOff);
  } catch {
    // Refused because of the cancellation, or there is no server any more; the client has logged which.
    if (!cancel.token.isCancellationRequested) started.endAll(brokenOff);
  } finally {
    started.endAll();
    for (const listener of listeners) listener.dispose();
    cancel.dispose();
  }
  return result;
}

function uriOf(cell: NotebookCell): string {
  return cell.document.uri.toString();
}

function refUri(ref: CellRef): string | undefined {
  return "uri" in ref ? ref.uri : undefined;
}

/** What the notebook shows of runs: one execution a cell at most, whichever run it belongs to. */
interface Executions {
  begin(notebook: NotebookDocument, cancelRun: () => void, stopStream: (uri: string) => void): RunExecutions;
}

type MadeOutput = (title: string) => Pick<CellOutput, "reports" | "text" | "json">;

interface RunExecutions {
  /** The cell waits for its turn. */
  add(uri: string): NotebookCellExecution | undefined;
  /** The cell has nothing to do in this run. */
  pass(uri: string): void;
  start(uri: string | undefined): void;
  /** The cell is open for a reason that people want to know. */
  wait(uri: string | undefined, why: string, reports?: CellOutput["reports"]): void;
  /** The cell is a subscription and has new rows. */
  stream(uri: string | undefined, output: CellOutput): void;
  finish(uri: string | undefined, output: CellOutput): void;
  /** Ends what is still open, without a result or with the one given. A header has none. */
  endAll(output?: MadeOutput): void;
}

interface Entry {
  readonly execution: NotebookCellExecution;
  isStarted: boolean;
  /** What a subscription shows. */
  streamed: NotebookCellOutput | undefined;
  /** What it shows is why it waits. */
  isWaiting: boolean;
  /** It shows the first part of an answer. */
  isPartial: boolean;
}

function stateOf({ streamed, isPartial, isWaiting }: Entry): CellState {
  return { isStreamed: streamed !== undefined, isPartial, isWaiting };
}

function executions(controller: NotebookController): Executions {
  const taken = new Set<string>();
  let order = 0;
  return {
    begin(notebook, cancelRun, stopStream) {
      const open = new Map<string, Entry>();
      const ended = new Set<string>();
      const close = (uri: string, success: boolean | undefined): void => {
        const entry = open.get(uri);
        if (entry === undefined) return;
        open.delete(uri);
        taken.delete(uri);
        ended.add(uri);
        entry.execution.end(success, Date.now());
      };
      const begin = (uri: string): NotebookCellExecution | undefined => {
        const entry = open.get(uri);
        if (entry === undefined || entry.isStarted) return entry?.execution;
        entry.isStarted = true;
        entry.execution.executionOrder = ++order;
        entry.execution.start(Date.now());
        return entry.execution;
      };
      const end = (uri: string, output: MadeOutput | undefined): void => {
        const cell = open.get(uri)?.execution.cell;
        const result = cell === undefined || isHeader(cell) ? undefined : output?.("RPC Notebook");
        const entry = open.get(uri);
        if (result !== undefined) {
          const execution = begin(uri);
          if (entry && lastOutput(stateOf(entry)) === "append") void execution?.appendOutput(notebookOutput(result));
          else void execution?.replaceOutput(notebookOutput(result));
        }
        close(uri, result === undefined ? undefined : false);
      };
      const self: RunExecutions = {
        add(uri) {
          const cell = notebook.getCells().find((candidate) => uriOf(candidate) === uri);
          if (cell === undefined || taken.has(uri) || ended.has(uri)) return undefined;
          const execution = controller.createNotebookCellExecution(cell);
          taken.add(uri);
          open.set(uri, { execution, isStarted: false, streamed: undefined, isWaiting: false, isPartial: false });
          execution.token.onCancellationRequested(() => {
            const entry = open.get(uri);
            if (entry === undefined) {
              if (open.size === 0) cancelRun();
              return;
            }
            const cancelled = cancellation(stateOf(entry), open.size);
            if (cancelled.kind === "stop-stream") return stopStream(uri);
            if (cancelled.kind === "cancel-run") return cancelRun();
            if (cancelled.clears) void execution.clearOutput();
            close(uri, undefined);
            if (cancelled.cancelsRun) cancelRun();
          });
          return execution;
        },
        pass: (uri) => close(uri, undefined),
        start(uri) {
          if (uri === undefined) return;
          // A cell that others refer to runs without having been asked for.
          if (!open.has(uri)) self.add(uri);
          begin(uri);
        },
        wait(uri, why, reports) {
          const execution = uri === undefined ? undefined : begin(uri);
          const entry = open.get(uri ?? "");
          if (entry) [entry.isWaiting, entry.isPartial] = [true, reports !== undefined];
          void execution?.replaceOutput(waitingOutput(why, reports));
        },
        stream(uri, output) {
          const execution = uri === undefined ? undefined : begin(uri);
          const entry = open.get(uri ?? "");
          if (execution === undefined || entry === undefined) return;
          const next = notebookOutput(output);
          // The same output with other items: what is typed into it stays
          if (entry.streamed) void execution.replaceOutputItems(next.items, entry.streamed);
          else void execution.replaceOutput(next);
          entry.streamed ??= next;
        },
        finish(uri, output) {
          if (uri === undefined) return;
          const execution = begin(uri);
          void execution?.replaceOutput(notebookOutput(output));
          close(uri, output.ok);
        },
        endAll(output) {
          for (const uri of [...open.keys()]) end(uri, output);
        },
      };
      return self;
    },
  };
}
