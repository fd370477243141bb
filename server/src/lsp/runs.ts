import type { Connection, WorkDoneProgressReporter } from "vscode-languageserver";
import { labelText } from "../base/text.ts";
import type {
  CellFinished,
  CellOutput,
  CellStarted,
  CellWaiting,
  RunParams,
  RunResult,
  StreamRows,
} from "../protocol.ts";
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
        return await service.run(
          { snapshot: "show", ...params },
          eventsOf(connection, runId, progress, finished),
          controller.signal,
        );
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
  const percent = (): number => Math.floor((100 * done) / Math.max(all, done, 1));
  return {
    planned(indices) {
      all = indices.length;
    },
    started(event) {
      const params: CellStarted = { runId, cell: event.cell };
      void connection.sendNotification("rpcNotebook/cellStarted", params);
    },
    waiting({ cell, why, soFar }) {
      const params: CellWaiting = { runId, cell, why, ...(soFar && { reports: soFar() }) };
      void connection.sendNotification("rpcNotebook/cellWaiting", params);
      progress.report(percent(), labelText(why));
    },
    streamed({ cell, output }) {
      const params: StreamRows = { runId, cell, output: sendable(output) };
      void connection.sendNotification("rpcNotebook/streamRows", params);
    },
    finished(event) {
      const { cell, key, failures } = event;
      const params: CellFinished = { runId, cell, output: sendable(event.output), key, failures };
      void connection.sendNotification("rpcNotebook/cellFinished", params);
      finished?.(params);
      done++;
      progress.report(percent(), `${done} of ${Math.max(all, done)}`);
    },
  };
}

/** A copy: the getters of an output would not travel. */
export function sendable({ ok, reports, text, json, startedAt, durationMs }: CellOutput): CellOutput {
  return { ok, reports, text, json, startedAt, durationMs };
}
