import type { Connection, WorkDoneProgressParams, WorkDoneProgressReporter } from "vscode-languageserver";
import { labelText } from "../base/text.ts";
import type {
  CellFinished,
  CellStarted,
  CellWaiting,
  RunParams,
  RunResult,
  SaveRowsParams,
  StreamRows,
} from "../protocol/runs.ts";
import type { CellOutput } from "../report/report.ts";
import type { RunEvents } from "../run/result/runEvents.ts";
import type { Service } from "../service/service.ts";
import { sendable } from "./messages.ts";
import { onNotification, onRequest, type Session } from "./session.ts";

export type Runs = ReturnType<typeof runs>;

/** Gets each result: the editor, if it uses our own request, or a function. */
type Listener = "editor" | ((output: CellOutput) => void);

/** Runs cells for an editor, and reports progress. */
export function runs(connection: Connection, service: Service, ended: () => void) {
  const stops = new Set<AbortController>();
  return {
    async run(
      { runId, ...params }: RunParams,
      signal: AbortSignal,
      progress: WorkDoneProgressReporter,
      listener: Listener,
    ): Promise<RunResult> {
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
    /** Ends every run. */
    stop(): void {
      for (const each of stops) each.abort();
    },
  };
}

/** Answers our own requests about runs and their results, and hears our own notifications about them. */
export function answerRuns(session: Session, runs: Runs): void {
  const { connection, service } = session;
  const notSaved = { fault: "The server has stopped." };
  const notRun = { ok: 0, failed: 0, cancelled: false };
  onRequest(session, "rpcNotebook/run", notRun, (params: RunParams & WorkDoneProgressParams, signal) => {
    const { workDoneToken, ...rest } = params;
    return runs.run(rest, signal, connection.window.attachWorkDoneProgress(workDoneToken), "editor");
  });
  onRequest(session, "rpcNotebook/saveRecording", notSaved, ({ uri }) => service.saveRecording(uri));
  onRequest(session, "rpcNotebook/saveBugReport", notSaved, (params) => service.saveBugReport(params));
  onRequest(session, "rpcNotebook/bugReport", null, async (params) => (await service.bugReport(params)) ?? null);
  onRequest(session, "rpcNotebook/tests", { tests: [] }, async ({ uri }) => ({ tests: await service.tests(uri) }));
  onRequest(session, "rpcNotebook/rows", null, (params, signal) => service.rows(params, signal));
  onRequest(session, "rpcNotebook/saveRows", notSaved, (params: SaveRowsParams & WorkDoneProgressParams, signal) => {
    const { workDoneToken, ...rest } = params;
    const progress = connection.window.attachWorkDoneProgress(workDoneToken);
    return service.saveRows(rest, signal, (text) => progress.report(labelText(text)));
  });
  onRequest(session, "rpcNotebook/saveProfile", notSaved, (params) => service.saveProfile(params));
  onRequest(session, "rpcNotebook/staleness", null, (params) => service.staleness(params) ?? null);
  onRequest(session, "rpcNotebook/compare", null, async (params, signal) => {
    const output = await service.compare(params, signal);
    return output ? { ...sendable(output), pairs: output.pairs } : null;
  });
  onRequest(session, "rpcNotebook/findWhen", null, async (params, signal) => {
    const output = await service.findWhen(params, signal);
    return output ? sendable(output) : null;
  });
  onNotification(session, "rpcNotebook/stream", (control) => service.stream(control));
}

function eventsOf(
  connection: Connection,
  runId: string,
  progress: WorkDoneProgressReporter,
  listener: Listener,
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
