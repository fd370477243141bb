import type {
  NotebookCell,
  NotebookCellExecution,
  NotebookCellOutput,
  NotebookController,
  NotebookDocument,
} from "vscode";
import type { CellOutput } from "../../server/src/report/report.ts";
import { isHeader } from "./notebook.ts";
import { notebookOutput, type ShownOutput, waitingOutput } from "./output.ts";

/** Ways to end a run, or a part of it, at the server. */
interface RunControl {
  cancelRun(): void;
  stopStream(uri: string): void;
}

/** The executions that notebooks show: at most one for each cell, whichever run it belongs to. */
export class Executions {
  readonly #controller: NotebookController;
  readonly #running = new Set<string>();
  /** The last results that the editor was told to show. */
  readonly #drawing = new WeakMap<NotebookCell, Thenable<void>>();
  #order = 0;

  constructor(controller: NotebookController) {
    this.#controller = controller;
  }

  begin(notebook: NotebookDocument, control: RunControl): RunExecutions {
    return new RunExecutions(this, notebook, control);
  }

  /** @returns `undefined` if the cell has an execution already. */
  create(cell: NotebookCell): NotebookCellExecution | undefined {
    const uri = uriOf(cell);
    if (this.#running.has(uri)) return undefined;
    this.#running.add(uri);
    return this.#controller.createNotebookCellExecution(cell);
  }

  start(execution: NotebookCellExecution): void {
    execution.executionOrder = ++this.#order;
    execution.start(Date.now());
  }

  /** Shows an earlier result of a cell that shows none. */
  restore(cell: NotebookCell, output: CellOutput): void {
    if (cell.outputs.length === 0) this.#show(cell, output);
  }

  /** Shows the last result of a cell. */
  draw(execution: NotebookCellExecution, output: ShownOutput): void {
    this.#drawing.set(execution.cell, execution.replaceOutput(notebookOutput(output)));
  }
  /** Shows the result of a cell in other words, unless a person has cleared it. */
  async redraw(cell: NotebookCell, output: CellOutput): Promise<void> {
    await this.#drawing.get(cell); // before, the cell seems to show nothing
    if (cell.outputs.length > 0) this.#show(cell, output);
  }

  #show(cell: NotebookCell, { ok, startedAt, durationMs, ...output }: CellOutput): void {
    const order = cell.executionSummary?.executionOrder;
    const execution = this.create(cell);
    if (execution === undefined) return; // it runs again
    execution.executionOrder = order;
    execution.start(startedAt);
    this.draw(execution, output);
    this.#running.delete(uriOf(cell));
    execution.end(ok, startedAt + durationMs);
  }

  end(execution: NotebookCellExecution, success: boolean | undefined): void {
    this.#running.delete(uriOf(execution.cell));
    execution.end(success, Date.now());
  }
}

interface CellExecution {
  readonly execution: NotebookCellExecution;
  isStarted: boolean;
  /** The output of a subscription. */
  streamed: NotebookCellOutput | undefined;
  /** The output says why the cell waits. */
  isWaiting: boolean;
  /** The output is the first part of an answer. */
  isPartial: boolean;
}

export class RunExecutions {
  readonly #all: Executions;
  readonly #notebook: NotebookDocument;
  readonly #control: RunControl;
  readonly #open = new Map<string, CellExecution>();
  readonly #ended = new Set<string>();

  constructor(all: Executions, notebook: NotebookDocument, control: RunControl) {
    this.#all = all;
    this.#notebook = notebook;
    this.#control = control;
  }

  /** Shows a cell as waiting for its turn. */
  add(uri: string): void {
    const cell = this.#notebook.getCells().find((candidate) => uriOf(candidate) === uri);
    if (cell === undefined || this.#ended.has(uri)) return;
    const execution = this.#all.create(cell);
    if (execution === undefined) return;
    this.#open.set(uri, { execution, isStarted: false, streamed: undefined, isWaiting: false, isPartial: false });
    execution.token.onCancellationRequested(() => this.#cancel(uri));
  }

  /** Ends a cell that has nothing to do in this run. */
  pass(uri: string): void {
    this.#close(uri, undefined);
  }

  /** Starts a cell. The server also starts cells that others refer to. */
  start(uri: string): void {
    if (!this.#open.has(uri)) this.add(uri);
    const cell = this.#begin(uri);
    if (!cell?.isWaiting) return;
    cell.isWaiting = false; // a person has answered
    void cell.execution.clearOutput();
  }

  /** Shows why a cell waits, and the part of its answer that has come. */
  wait(uri: string, why: string, reports?: CellOutput["reports"]): void {
    const cell = this.#begin(uri);
    if (!cell) return;
    [cell.isWaiting, cell.isPartial] = [true, reports !== undefined];
    void cell.execution.replaceOutput(waitingOutput(why, reports));
  }

  /** Shows new rows of a subscription. */
  stream(uri: string, output: CellOutput): void {
    const cell = this.#begin(uri);
    if (!cell) return;
    const next = notebookOutput(output);
    // replacing only the items keeps what a person types into the output
    if (cell.streamed) void cell.execution.replaceOutputItems(next.items, cell.streamed);
    else void cell.execution.replaceOutput(next);
    cell.streamed ??= next;
  }

  finish(uri: string, output: CellOutput): void {
    const cell = this.#begin(uri);
    if (cell) this.#all.draw(cell.execution, output);
    this.#close(uri, output.ok);
  }

  /** Ends all open cells, with an output if one is given. A header has no output. */
  endAll(output?: ShownOutput): void {
    for (const [uri, cell] of [...this.#open]) {
      const result = isHeader(cell.execution.cell) ? undefined : output;
      if (result) this.#showLast(uri, result);
      this.#close(uri, result === undefined ? undefined : false);
    }
  }

  #showLast(uri: string, result: ShownOutput): void {
    const cell = this.#begin(uri);
    if (!cell) return;
    if (lastOutput(stateOf(cell)) === "append") void cell.execution.appendOutput(notebookOutput(result));
    else void cell.execution.replaceOutput(notebookOutput(result));
  }

  #begin(uri: string): CellExecution | undefined {
    const cell = this.#open.get(uri);
    if (cell === undefined || cell.isStarted) return cell;
    cell.isStarted = true;
    this.#all.start(cell.execution);
    return cell;
  }

  #close(uri: string, success: boolean | undefined): void {
    const cell = this.#open.get(uri);
    if (cell === undefined) return;
    this.#open.delete(uri);
    this.#ended.add(uri);
    this.#all.end(cell.execution, success);
  }

  #cancel(uri: string): void {
    const cell = this.#open.get(uri);
    if (cell === undefined) {
      if (this.#open.size === 0) this.#control.cancelRun();
      return;
    }
    const cancelled = cancellation(stateOf(cell), this.#open.size);
    switch (cancelled.kind) {
      case "stop-stream":
        this.#control.stopStream(uri);
        return;
      case "cancel-run":
        this.#control.cancelRun();
        return;
      case "close":
        if (cancelled.clears) void cell.execution.clearOutput();
        this.#close(uri, undefined);
        if (cancelled.cancelsRun) this.#control.cancelRun();
    }
  }
}

function stateOf({ streamed, isPartial, isWaiting }: CellExecution) {
  return { isStreamed: streamed !== undefined, isPartial, isWaiting };
}

export function uriOf(cell: NotebookCell): string {
  return cell.document.uri.toString();
}

interface CellState {
  /** The cell is a subscription and shows rows. */
  readonly isStreamed: boolean;
  /** The cell shows the first part of an answer. */
  readonly isPartial: boolean;
  /** The cell shows why it waits. */
  readonly isWaiting: boolean;
}

/**
 * Decides how to cancel a cell.
 *
 * - `stop-stream`: the rows stay, and the server says how the subscription ended.
 * - `cancel-run`: the run ends, and the server says what is missing of the answer.
 * - `close`: the cell ends without a result; `clears` if it
 *   shows only why it waited, `cancelsRun` if it was the last one.
 */
type Cancellation =
  | { readonly kind: "stop-stream" }
  | { readonly kind: "cancel-run" }
  | { readonly kind: "close"; readonly clears: boolean; readonly cancelsRun: boolean };

/** @param openCells - Cells of the run that have not ended, this one included. */
export function cancellation({ isStreamed, isPartial, isWaiting }: CellState, openCells: number): Cancellation {
  if (isStreamed) return { kind: "stop-stream" };
  if (isPartial && openCells === 1) return { kind: "cancel-run" };
  return { kind: "close", clears: isWaiting && !isPartial, cancelsRun: openCells === 1 };
}

/** Returns whether to append the last output of a cell, or to replace what it shows. The part of an answer stays. */
export function lastOutput({ isStreamed, isPartial }: CellState): "append" | "replace" {
  return isPartial || isStreamed ? "append" : "replace";
}

let count = 0;

/** Returns a new id for a run of this session. The server sends it back with each event of the run. */
export function nextRunId(): string {
  return `run-${++count}`;
}
