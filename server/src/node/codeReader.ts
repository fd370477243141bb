import { Worker } from "node:worker_threads";
import type { CodeFunction } from "../abi/guessedAbi.ts";

/** Milliseconds for the code of one contract. The largest contracts need a tenth; hostile code takes what it gets. */
const maxMs = 5_000;

/**
 * Finds functions in code, in a thread of its own: only ending it ends an analysis.
 *
 * @param thread - A bundle; in the package it is beside the folder of this chunk.
 * @returns Why it found none, as a clause. Never rejects.
 */
export function readInThread(
  code: string,
  signal: AbortSignal,
  thread = new URL("../code.mjs", import.meta.url),
  limitMs = maxMs,
): Promise<readonly CodeFunction[] | string> {
  if (signal.aborted) return Promise.resolve("it was cancelled");
  const worker = new Worker(thread, { workerData: code, resourceLimits: { maxOldGenerationSizeMb: 128 } });
  return new Promise((resolve) => {
    const end = (answer: readonly CodeFunction[] | string): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      void worker.terminate();
      resolve(answer);
    };
    const cancel = (): void => end("it was cancelled");
    const timer = setTimeout(() => end(`its code was not read within ${limitMs / 1000} s`), limitMs);
    signal.addEventListener("abort", cancel, { once: true });
    const fail = (): void => end("its code could not be read");
    worker.on("message", end).on("error", fail).on("exit", fail);
  });
}
