import type { CancellationToken } from "vscode-languageserver";
import type { Log } from "../base/ports.ts";

/** Wraps a handler so that it never throws: an error is logged and answered with `nothing`, and the server goes on. */
export type Guard = <Params extends unknown[], Answer>(
  name: string,
  nothing: Answer,
  handler: (...params: Params) => Answer | Promise<Answer>,
) => (...params: Params) => Promise<Answer>;

export function guardWith(log: Log): Guard {
  return (name, nothing, handler) =>
    async (...params) => {
      try {
        return await handler(...params);
      } catch (error) {
        log.error(`${name} failed: ${placeOf(error)}`);
        return nothing;
      }
    };
}

/** Returns the kind of an error and where it was thrown. Leaves out its message, which may quote what a person typed. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return "not an error";
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s*at /.test(line));
  return [error.name, ...frames.slice(0, 5).map((line) => line.trim())].join(" ");
}

/** Converts the protocol's cancellation to the core's. No other place does. */
export function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
