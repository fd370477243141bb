import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** Compares a text with a file. With `UPDATE=1` it writes the file; on a miss it leaves `.actual` beside it. */
export function expectGolden(path: string, text: string): void {
  if (process.env.UPDATE === "1") writeFileSync(path, text);
  const expected = existsSync(path) ? readFileSync(path, "utf8") : "";
  const actual = `${path}.actual`;
  if (text === expected) rmSync(actual, { force: true });
  else writeFileSync(actual, text);
  assert.equal(text, expected, `${path} differs: compare it with ${actual}, or run again with UPDATE=1.`);
}
