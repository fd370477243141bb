import type { Answer, Running, Tracer } from "./task.ts";
import type { TraceRun } from "./traceRuns.ts";

/** Why a trace has no answer if its thread ended by itself. */
export const threadFailed = "the local EVM failed";

/** A thread of a platform that computes one trace. */
export interface TraceThread {
  post(run: TraceRun): void;
  /** Ends it at once. */
  end(): void;
  /** It has answered and is not needed any more. */
  release(): void;
}

/** What a thread says. */
export interface TraceThreadEvents {
  said(message: Answer | Running): void;
  /** @param why - A clause. */
  ended(why: string): void;
}

/** Makes a tracer of a thread. Only ending the thread ends a call that runs for ever. */
export function threadTracer(signal: AbortSignal, open: (events: TraceThreadEvents) => TraceThread): Tracer {
  let over: Answer | undefined;
  let begins = true;
  let isClosed = false;
  let answered: ((answer: Answer) => void) | undefined;
  let running: ((steps: number) => void) | undefined;
  const answer = (one: Answer | Running): void => {
    if (one.kind === "running") running?.(one.steps);
    else {
      const receiver = answered;
      answered = undefined;
      receiver?.(one);
    }
  };
  const end = (why: string): void => {
    over ??= { kind: "refused", why };
    answer(over);
    thread.end();
  };
  const thread = open({ said: answer, ended: end });
  const cancel = (): void => end("it was cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  return {
    run: (task, more, onRunning) =>
      new Promise((resolve) => {
        if (over) return resolve(over);
        [answered, running] = [resolve, onRunning];
        thread.post({ task, more, begins });
        begins = false;
      }),
    close() {
      signal.removeEventListener("abort", cancel);
      if (isClosed) return; // another trace may use the thread
      isClosed = true;
      if (over || answered) return end(threadFailed); // it may be in a call that runs for ever
      over = { kind: "refused", why: threadFailed };
      thread.release();
    },
  };
}
