import type { Connection, WorkDoneProgressReporter } from "vscode-languageserver";
import type { CellFinished, CellStarted, RunParams, RunResult } from "../protocol.ts";
import type { RunEvents } from "../running.ts";
import type { Service } from "../service.ts";

/** Runs cells for an editor: tells it of each cell as it starts and ends, and of how far the run is. */
export interface Runs {
  run(
    params: RunParams,
    signal: AbortSignal,
    progress: WorkDoneProgressReporter,
    finished?: (event: CellFinished) => void,
  ): Promise<RunResult>;
  /** Ends every run. */
  stop(): void;
}

export function runs(connection: Connection, service: Service, ended: () => void): Runs {
  const running = new Set<AbortController>();
  return {
    async run({ runId, ...params }, signal, progress, finished) {
      const controller = new AbortController();
      const abort = (): void => controller.abort();
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      running.add(controller);
      progress.begin("RPC Notebook", 0, "sending requests", true);
      try {
        return await service.run(params, eventsOf(connection, runId, progress, finished), controller.signal);
      } finally {
        progress.done();
        running.delete(controller);
        signal.removeEventListener("abort", abort);
        ended();
      }
    },
    stop: () => {
      for (const controller of running) controller.abort();
    },
  };
}

function eventsOf(
  connection: Connection,
  runId: string,
  progress: WorkDoneProgressReporter,
  finished?: (event: CellFinished) => void,
): RunEvents {
  let done = 0;
  let all = 0;
  return {
    planned(indices) {
      all = indices.length;
    },
    started(event) {
      const params: CellStarted = { runId, cell: event.cell };
      void connection.sendNotification("rpcNotebook/cellStarted", params);
    },
    finished(event) {
      const params: CellFinished = { runId, cell: event.cell, output: event.output };
      void connection.sendNotification("rpcNotebook/cellFinished", params);
      finished?.(params);
      done++;
      progress.report(Math.floor((100 * done) / Math.max(all, done)), `${done} of ${Math.max(all, done)}`);
    },
  };
}
