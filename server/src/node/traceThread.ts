import { parentPort } from "node:worker_threads";
import { type TraceRun, TraceRuns } from "../trace/traceRuns.ts";

// A thread that computes traces. It has no network and reads no files.
const runs = new TraceRuns();
parentPort?.on("message", (run: TraceRun) => void runs.run(run).then((answer) => parentPort?.postMessage(answer)));
