import type { OpenTracer } from "../../server/src/trace/task.ts";
import { TraceRuns } from "../../server/src/trace/traceRuns.ts";

/** Computes traces in the thread of the test: one of their own takes seconds to load the sources. */
export const traceInThread: OpenTracer = async () => {
  const runs = new TraceRuns();
  return { run: (task, more) => runs.run({ task, more }), close() {} };
};
