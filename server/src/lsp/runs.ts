import type { Connection, WorkDoneProgressReporter } from "vscode-languageserver";
import { labelText } from "../base/text.ts";
import type { RunEvents } from "../execution/runEvents.ts";
import type { CellFinished, CellStarted, CellWaiting, RunParams, RunResult, StreamRows } from "../protocol/runs.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import type { Service } from "../service/service.ts";

/** Runs cells for an editor, and tells it how far the run is. */
export interface Runs {
  /** @param told - What hears of each cell: the editor, if it has asked for the run by our own request, or a function. */
  run(
    params: RunParams,
    signal: AbortSignal,
    progress: WorkDoneProgressReporter,
    told: "editor" | ((output: CellOutput) => void),
  ): Promise<RunResult>;
  /** Ends every run. */
  stop(): void;
}

export function runs(connection: Connection, service: Service, ended: () => void): Runs {
  const running = new Set<AbortController>();
  return {
    async run({ runId, ...params }, signal, progress, told) {
      const controller = new AbortController();
      const abort = (): void => controller.abort();
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      running.add(controller);
      progress.begin("RPC Notebook", 0, "sending requests", true);
      try {
        return await service.run(
          { snapshot: "show", ...params },
          eventsOf(connection, runId, progress, told),
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
  told: Parameters<Runs["run"]>[3],
): RunEvents {
  let done = 0;
  let all = 0;
  const percent = (): number => Math.floor((100 * done) / Math.max(all, done, 1));
  const notify = (method: `rpcNotebook/${string}`, params: CellStarted | CellWaiting | CellFinished | StreamRows) => {
    if (told === "editor") void connection.sendNotification(method, params);
  };
  return {
    planned(indices) {
      all = indices.length;
    },
    started: ({ cell }) => notify("rpcNotebook/cellStarted", { runId, cell }),
    waiting({ cell, why, soFar }) {
      notify("rpcNotebook/cellWaiting", { runId, cell, why, ...(soFar && { reports: soFar() }) });
      progress.report(percent(), labelText(why));
    },
    streamed: ({ cell, output }) => notify("rpcNotebook/streamRows", { runId, cell, output: sendable(output) }),
    finished({ cell, key, failures, output }) {
      if (told === "editor")
        notify("rpcNotebook/cellFinished", { runId, cell, output: sendable(output), key, failures });
      else told(output);
      done++;
      progress.report(percent(), `${done} of ${Math.max(all, done)}`);
    },
  };
}

/** A copy: the getters of an output would not travel. */
export function sendable({ ok, reports, text, json, startedAt, durationMs }: CellOutput): CellOutput {
  return { ok, reports, text, json, startedAt, durationMs };
}
