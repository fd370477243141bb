import type { FromRenderer, ToRenderer } from "../../../server/src/protocol/runs.ts";
import type { AskRows } from "./types.ts";

/** The part of the renderer's context that passes messages. Some hosts have none. */
interface Messages {
  postMessage?(message: unknown): void;
  readonly onDidReceiveMessage?: ((listener: (message: ToRenderer) => void) => unknown) | undefined;
}

/** Requests rows by a message. The answer has the number of its request. */
export function askRows({ postMessage, onDidReceiveMessage }: Messages): AskRows {
  if (postMessage === undefined || onDidReceiveMessage === undefined) return undefined;
  const waiting = new Map<number, (result: ToRenderer["result"]) => void>();
  let last = 0;
  onDidReceiveMessage(({ asked, result }) => {
    waiting.get(asked)?.(result);
    waiting.delete(asked);
  });
  return (rows) =>
    new Promise((resolve) => {
      const asked = ++last;
      waiting.set(asked, resolve);
      const message: FromRenderer = { rows, asked };
      postMessage(message);
    });
}
