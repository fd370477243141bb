import { Worker } from "node:worker_threads";
import type { Answer, Tracer } from "../trace/task.ts";
import type { TraceRun } from "../trace/traceRuns.ts";

/** Megabytes that a thread may use. Hostile code fills what it gets. */
const maxMemory = 512;
/** Milliseconds that a thread waits for another trace: to start one takes longer than to compute most calls. */
const idleMs = 20_000;

/**
 * Opens a thread that computes traces: a new one, or one that waits for work. Only ending it ends a call that runs for ever.
 *
 * @param code - A bundle; in the package it is beside the folder of this chunk.
 */
export function startTracer(signal: AbortSignal, code = new URL("../trace.mjs", import.meta.url)): Tracer {
  const worker = openThread(code);
  let over: Answer | undefined;
  let begins = true;
  let answered: ((answer: Answer) => void) | undefined;
  const answer = (one: Answer): void => {
    const receiver = answered;
    answered = undefined;
    receiver?.(one);
  };
  const end = (why: string): void => {
    over ??= { kind: "refused", why };
    answer(over);
    void worker.terminate();
  };
  const cancel = (): void => end("it was cancelled");
  const fail = (error: { readonly code?: string }): void =>
    end(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? `it needs more than ${maxMemory} MB of memory` : failed);
  const exit = (): void => end(failed);
  signal.addEventListener("abort", cancel, { once: true });
  worker.on("message", answer).on("error", fail).on("exit", exit);
  if (signal.aborted) cancel();
  return {
    run: (task, more) =>
      new Promise((resolve) => {
        if (over) return resolve(over);
        answered = resolve;
        worker.postMessage({ task, more, begins } satisfies TraceRun);
        begins = false;
      }),
    close() {
      signal.removeEventListener("abort", cancel);
      if (over || answered) return end(failed); // it may be in a call that runs for ever
      over = { kind: "refused", why: failed };
      worker.off("message", answer).off("error", fail).off("exit", exit);
      keepThread(worker, code);
    },
  };
}

const failed = "the local EVM failed";

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
