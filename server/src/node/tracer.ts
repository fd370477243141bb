import { Worker } from "node:worker_threads";
import type { Answer, Tracer } from "../trace/task.ts";
import type { TraceRun } from "../trace/traceRuns.ts";

/** Megabytes that a thread may use. Hostile code fills what it gets. */
const maxMemory = 512;

/**
 * Starts a thread that computes traces. Only ending it ends a call that runs for ever.
 *
 * @param code - A bundle; in the package it is beside the folder of this chunk.
 */
export function startTracer(signal: AbortSignal, code = new URL("../trace.mjs", import.meta.url)): Tracer {
  const worker = new Worker(code, { resourceLimits: { maxOldGenerationSizeMb: maxMemory } });
  let ended = whyEnded;
  let answered: ((answer: Answer) => void) | undefined;
  const end = (why: string): void => {
    ended = why;
    answered?.({ kind: "refused", why });
    void worker.terminate();
  };
  const cancel = (): void => end("it was cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  worker.on("message", (answer: Answer) => answered?.(answer));
  worker.on("error", (error: { readonly code?: string }) =>
    end(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? `it needs more than ${maxMemory} MB of memory` : whyEnded),
  );
  worker.on("exit", () => answered?.({ kind: "refused", why: ended }));
  if (signal.aborted) cancel();
  return {
    run: (task, more) =>
      new Promise((resolve) => {
        answered = resolve;
        if (ended !== whyEnded) resolve({ kind: "refused", why: ended });
        else worker.postMessage({ task, more } satisfies TraceRun);
      }),
    close() {
      signal.removeEventListener("abort", cancel);
      void worker.terminate();
    },
  };
}

const whyEnded = "the local EVM failed";
