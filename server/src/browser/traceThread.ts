import { type TraceRun, TraceRuns } from "../trace/traceRuns.ts";

// A worker that computes traces, one after the other. It asks for nothing.
const scope = self as unknown as DedicatedWorkerGlobalScope; // the compiler's `self` is that of any worker
let runs = new TraceRuns();
scope.onmessage = ({ data }: MessageEvent<TraceRun>) => {
  if (data.begins) runs = new TraceRuns();
  void runs.run(data).then((answer) => scope.postMessage(answer));
};
