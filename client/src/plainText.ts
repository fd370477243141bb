/** Characters that are invisible, reorder a line, or control a screen. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029\u3164\uffa0]/gu;

/**
 * Prepares text from any source for a message. VS Code turns `[text](command:…)` in messages into links that run commands, so
 * anything that looks like a link is broken up.
 */
export function messageText(text: string, limit = 2000): string {
  const lines = text.slice(0, limit).replace(unseen, (character) => (character === "\n" ? character : "\ufffd"));
  return lines.replaceAll("](", "] (") + (text.length > limit ? "…" : "");
}

/** Prepares text from any source for a label: one line, without `$(icon)`, which VS Code draws in labels. */
export function labelText(text: string, limit = 200): string {
  const line = text.slice(0, limit).replace(/\s+/g, " ").replace(unseen, "\ufffd").replaceAll("$(", "$ (");
  return text.length > limit ? `${line}…` : line;
}

/** Prepares text from any source for the output of tests, which VS Code shows in a terminal. */
export function terminalText(text: string): string {
  return text
    .replace(unseen, (character) => (character === "\n" || character === "\t" ? character : "\ufffd"))
    .replaceAll("\n", "\r\n");
}
