import { Worker } from "node:worker_threads";
import type { Tracer } from "../trace/task.ts";
import { threadFailed, threadTracer } from "../trace/threadTracer.ts";
import type { TraceRun } from "../trace/traceRuns.ts";

/** Megabytes that a thread may use. Hostile code fills what it gets. */
const maxMemory = 512;
/** Milliseconds that a thread waits for another trace: to start one takes longer than to compute most calls. */
const idleMs = 20_000;

/**
 * Opens a thread that computes traces: a new one, or one that waits for work.
 *
 * @param code - A bundle; in the package it is beside the folder of this chunk.
 */
export function startTracer(signal: AbortSignal, code = new URL("../trace.mjs", import.meta.url)): Tracer {
  return threadTracer(signal, ({ said, ended }) => {
    const worker = openThread(code);
    const fail = (error: { readonly code?: string }): void =>
      ended(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? `it needs more than ${maxMemory} MB of memory` : threadFailed);
    const exit = (): void => ended(threadFailed);
    worker.on("message", said).on("error", fail).on("exit", exit);
    return {
      post: (run: TraceRun) => worker.postMessage(run),
      end: () => void worker.terminate(),
      release() {
        worker.off("message", said).off("error", fail).off("exit", exit);
        keepThread(worker, code);
      },
    };
  });
}

/** The thread that waits for work. */
let idle: { readonly worker: Worker; readonly code: string; readonly forget: () => void } | undefined;

function openThread(code: URL): Worker {
  if (idle?.code !== code.href) return new Worker(code, { resourceLimits: { maxOldGenerationSizeMb: maxMemory } });
  const { worker, forget } = idle;
  forget();
  worker.ref();
  return worker;
}

/** Keeps a thread for a while. It does not keep the process alive. */
function keepThread(worker: Worker, code: URL): void {
  if (idle) return void worker.terminate();
  const forget = (): void => {
    idle = undefined;
    clearTimeout(timer);
    worker.off("error", forget).off("exit", forget);
  };
  const timer = setTimeout(() => {
    forget();
    void worker.terminate();
  }, idleMs).unref();
  worker.on("error", forget).on("exit", forget).unref();
  idle = { worker, code: code.href, forget };
}
