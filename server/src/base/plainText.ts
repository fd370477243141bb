import type { Markdown } from "./markdown.ts";

/**
 * Writes Markdown of ours as text for editors that do not render it: without marks and escapes, links with their
 * address behind them, tables with two spaces between columns.
 *
 * @example plainText(markdown`**${escaped("a_b")}** · ${code("0x")}`); //=> "a_b · 0x"
 */
export function plainText(text: Markdown): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^`{3,}/.exec(line)?.[0];
    if (fence === undefined ? mark !== undefined : line === fence) fence = fence === undefined ? mark : undefined;
    else if (fence !== undefined) lines.push(line);
    else if (!/^(?:---|\|(?: ?:?-+:? ?\|)+)$/.test(line)) lines.push(line.startsWith("| ") ? row(line) : inline(line));
  }
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function row(line: string): string {
  const cells = line.replace(/^\| | \|$/g, "").match(/(?:\\.|`[^`]*`|[^|\\`]|[\\`])+/g) ?? [];
  return cells.map((cell) => inline(cell.trim())).join("  ");
}

function inline(line: string): string {
  return line.replace(
    /\\([!-/:-@[-`{-~])|`([^`]*)`|\*\*|\[((?:\\.|[^\]\\])*)\]\(([^()\s]*)\)/g,
    (_, escaped?: string, code?: string, label?: string, url?: string) =>
      escaped ?? code ?? (label === undefined ? "" : `${inline(label)} (${url})`),
  );
}
