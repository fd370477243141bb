import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../docs/editors.md", import.meta.url), "utf8");

/**
 * Returns a block of code of docs/editors.md.
 *
 * @param heading - With its marks: `## Helix`.
 * @param language - The first block after the heading that is in this language.
 * @param skipped - How many such blocks come before it.
 */
export function documented(heading: string, language: string, skipped = 0): string {
  const from = page.indexOf(`\n${heading}\n`);
  assert.ok(from >= 0, `docs/editors.md has no heading ${heading}`);
  const end = page.slice(from + 1).search(/\n#{2,3} /);
  const part = end < 0 ? page.slice(from) : page.slice(from, from + 1 + end);
  const blocks = [...part.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))];
  const block = blocks[skipped]?.[1];
  assert.ok(block, `docs/editors.md has no such block of ${language} after ${heading}`);
  return block;
}
