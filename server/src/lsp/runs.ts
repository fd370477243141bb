import type { Connection, WorkDoneProgressReporter } from "vscode-languageserver";
import { labelText } from "../base/text.ts";
import type { CellFinished, CellStarted, CellWaiting, RunParams, RunResult, StreamRows } from "../protocol/runs.ts";
import type { CellOutput } from "../report/report.ts";
import type { RunEvents } from "../run/result/runEvents.ts";
import type { Service } from "../service/service.ts";

/** Runs cells for an editor, and reports progress. */
export interface Runs {
  /** @param listener - Gets each result: the editor, if it uses our own request, or a function. */
  run(
    params: RunParams,
    signal: AbortSignal,
    progress: WorkDoneProgressReporter,
    listener: "editor" | ((output: CellOutput) => void),
  ): Promise<RunResult>;
  /** Ends every run. */
  stop(): void;
}

export function runs(connection: Connection, service: Service, ended: () => void): Runs {
  const stops = new Set<AbortController>();
  return {
    async run({ runId, ...params }, signal, progress, listener) {
      const stopped = new AbortController();
      stops.add(stopped);
      progress.begin("RPC Notebook", 0, "sending requests", true);
      try {
        return await service.run(
          { snapshot: "show", ...params, ...(listener === "editor" && { lookup: "after" }) },
          eventsOf(connection, runId, progress, listener),
          AbortSignal.any([signal, stopped.signal]),
        );
      } finally {
        progress.done();
        stops.delete(stopped);
        ended();
      }
    },
    stop: () => {
      for (const each of stops) each.abort();
    },
  };
}

function eventsOf(
  connection: Connection,
  runId: string,
  progress: WorkDoneProgressReporter,
  listener: Parameters<Runs["run"]>[3],
): RunEvents {
  let done = 0;
  let all = 0;
  const percent = (): number => Math.floor((100 * done) / Math.max(all, done, 1));
  const notify = (method: `rpcNotebook/${string}`, params: CellStarted | CellWaiting | CellFinished | StreamRows) => {
    if (listener === "editor") void connection.sendNotification(method, params);
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
    finished({ cell, key, failures, verdict, output, origin }) {
      if (listener === "editor")
        notify("rpcNotebook/cellFinished", { runId, cell, output: sendable(output), key, failures, verdict, origin });
      else listener(output);
      const before = percent();
      done++;
      if (percent() > before || done === 1) progress.report(percent(), `${done} of ${Math.max(all, done)}`);
    },
  };
}

/** Copies an output: its getters would not be sent. */
export function sendable({ ok, reports, text, json, startedAt, durationMs }: CellOutput): CellOutput {
  return { ok, reports, text, json, startedAt, durationMs };
}
