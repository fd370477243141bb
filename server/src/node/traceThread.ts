import { parentPort } from "node:worker_threads";
import type { Answer, Running } from "../trace/task.ts";
import { type TraceRun, TraceRuns } from "../trace/traceRuns.ts";

// A thread that computes traces, one after the other. It has no network and reads no files.
let runs = new TraceRuns();
parentPort?.on("message", (run: TraceRun) => {
  if (run.begins) runs = new TraceRuns();
  const say = (message: Answer | Running): void => parentPort?.postMessage(message);
  void runs.run(run, say).then(say);
});
