import { parentPort } from "node:worker_threads";
import { type TraceRun, TraceRuns } from "../trace/traceRuns.ts";

// A thread that computes traces, one after the other. It has no network and reads no files.
let runs = new TraceRuns();
parentPort?.on("message", (run: TraceRun) => {
  if (run.begins) runs = new TraceRuns();
  void runs.run(run).then((answer) => parentPort?.postMessage(answer));
});
