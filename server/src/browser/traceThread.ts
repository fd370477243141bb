import type { Answer, Running } from "../trace/task.ts";
import { type TraceRun, TraceRuns } from "../trace/traceRuns.ts";

// A worker that computes traces, one after the other. It asks for nothing.
const scope = self as unknown as DedicatedWorkerGlobalScope; // the compiler's `self` is that of any worker
let runs = new TraceRuns();
scope.onmessage = ({ data }: MessageEvent<TraceRun>) => {
  if (data.begins) runs = new TraceRuns();
  const say = (message: Answer | Running): void => scope.postMessage(message);
  void runs.run(data, say).then(say);
};
