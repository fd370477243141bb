import type { Tracer } from "../trace/task.ts";
import { threadFailed, threadTracer } from "../trace/threadTracer.ts";

/** The address of the code from which workers are made: a worker may not be loaded from another origin. */
let source: { readonly code: string; readonly url: string } | undefined;

/**
 * Opens a worker that computes traces.
 *
 * @param code - Its bundle; `undefined` if it could not be read.
 */
export function startTracer(signal: AbortSignal, code: string | undefined): Tracer {
  return threadTracer(signal, ({ said, ended }) => {
    const worker = code === undefined ? undefined : openWorker(code);
    if (worker) {
      worker.onmessage = ({ data }) => said(data);
      worker.onerror = () => ended(threadFailed);
    }
    const end = (): void => worker?.terminate();
    return {
      post: (run) => (worker ? worker.postMessage(run) : ended("the code of the local EVM could not be read")),
      end,
      release: end,
    };
  });
}

function openWorker(code: string): Worker {
  if (source?.code !== code) {
    if (source) URL.revokeObjectURL(source.url);
    source = { code, url: URL.createObjectURL(new Blob([code], { type: "text/javascript" })) };
  }
  return new Worker(source.url);
}
