import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Files that speak of the limits of nodes, of types and of Solidity, which are not ours. */
const others =
  /^server\/src\/(?:catalog\/(?:errors|eth\w+|optimism|opStack|base)|rpc\/(?:errorPatterns|explain)|abi\/(?:errors|decode)|node\/processes)\.ts$/;

/** What is said of others, or as an addition to a sentence that names the limit. */
const allowed = new Set([
  "A single block is too large.",
  "one comma too many",
  "`r` or `s` is zero, or too large for a signature.",
  "the recorded answer is damaged or too large",
  "the recorded answers are too large",
  "The archive is too large.",
  "The archive has too many files.",
]);

function textsWithoutLimit(source: string): readonly string[] {
  const texts = source.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  return texts
    .filter((text) => /\btoo (?:large|big|long|deep|many)\b/.test(text) && !/\d|\$\{/.test(text))
    .map((text) => text.slice(1, -1))
    .filter((text) => !allowed.has(text));
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}

describe("a message about a limit", () => {
  it("names the limit", () => {
    const files = ["server/src", "client/src"].flatMap(filesOf);
    assert.ok(files.length > 500);
    const found = files
      .filter((file) => !others.test(file))
      .flatMap((file) => textsWithoutLimit(readFileSync(`${root}${file}`, "utf8")).map((text) => `${file}: ${text}`));
    assert.deepEqual(found, []);
  });
  it("is found if it does not", () => {
    assert.deepEqual(textsWithoutLimit('what: "The file is too large."'), ["The file is too large."]);
    assert.deepEqual(textsWithoutLimit("what: `It has more than $" + "{most} bytes, which is too large.`"), []);
  });
});

describe("a message of the server", () => {
  it("names no part of the window of one editor: others and the command line show it too", () => {
    const parts = /status bar|side ?bar|command palette|activity bar|explorer view|\bclick\b/i;
    const found = filesOf("server/src").flatMap((file) =>
      (readFileSync(`${root}${file}`, "utf8").match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [])
        .filter((text) => parts.test(text))
        .map((text) => `${file}: ${text}`),
    );
    assert.deepEqual(found, []);
  });
});
