import { withoutUnseen } from "../../server/src/base/text.ts";

/**
 * Prepares text from any source for a message. VS Code turns `[text](command:…)` in messages into links that run commands, so
 * anything that looks like a link is broken up.
 */
export function messageText(text: string, limit = 2000): string {
  const lines = withoutUnseen(text.slice(0, limit));
  return lines.replaceAll("](", "] (") + (text.length > limit ? "…" : "");
}

/** Prepares text from any source for a label: one line, without `$(icon)`, which VS Code draws in labels. */
export function labelText(text: string, limit = 200): string {
  const line = withoutUnseen(text.slice(0, limit).replace(/\s+/g, " ")).replaceAll("$(", "$ (");
  return text.length > limit ? `${line}…` : line;
}

/** Prepares text from any source for the output of tests, which VS Code shows in a terminal. */
export function terminalText(text: string): string {
  return withoutUnseen(text).replaceAll("\n", "\r\n");
}
