import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { labelText, messageText, terminalText } from "../../client/src/plainText.ts";
import { hostileTexts, unseen } from "../support/hostileText.ts";

/** As VS Code finds links in messages. @see https://github.com/microsoft/vscode/blob/main/src/vs/base/common/linkedText.ts */
const messageLink = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** As it finds icons in labels. @see https://github.com/microsoft/vscode/blob/main/src/vs/base/common/iconLabels.ts */
const icon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

const pieces = [
  "[ ] ( ) ]( a command:x https://a.b $( $ trash \\".split(" "),
  " ",
  "\n",
  "\u202e",
  "\u200b",
  "\u001b[31m",
].flat();
const hostile = fc.oneof(
  fc.constantFrom(...hostileTexts.map(({ text }) => text)),
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join("")),
);

describe("text of anyone in VS Code", () => {
  it("is not a link in a message, and has no invisible character", () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = messageText(text);
        assert.doesNotMatch(shown, messageLink);
        assert.doesNotMatch(shown, unseen);
        assert.ok(shown.length < 3_000);
      }),
    ));

  it("is not an icon in a label, and stays on one line", () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = labelText(text);
        assert.doesNotMatch(shown, icon);
        assert.doesNotMatch(shown, unseen);
        assert.doesNotMatch(shown, /[\r\n\t]/);
        assert.ok(shown.length <= 301);
      }),
    ));

  it("is not a command for the terminal that shows the output of tests", () =>
    fc.assert(fc.property(hostile, (text) => assert.doesNotMatch(terminalText(text).replaceAll("\r\n", ""), unseen))));

  it("stays as it is if it is harmless", () => {
    assert.equal(
      messageText("Line 1: `[a]` is not a (good) name.\nTry $HOME."),
      "Line 1: `[a]` is not a (good) name.\nTry $HOME.",
    );
    assert.equal(messageText("[a](command:b)"), "[a] (command:b)");
    assert.equal(labelText("mainnet · 1.5 $ (USD)"), "mainnet · 1.5 $ (USD)");
    assert.equal(labelText("$(verified) mainnet\nx"), "$ (verified) mainnet x");
    assert.equal(terminalText("a\nb\u001b[31m"), "a\r\nb\ufffd[31m");
  });

  it("comes to messages in one way, and to no HTML at all", () => {
    const root = fileURLToPath(new URL("../../client/src", import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const holding = (pattern: RegExp): readonly string[] =>
      files.filter((name) => pattern.test(readFileSync(`${root}/${name}`, "utf8")));
    assert.deepEqual(holding(/\.show(?:Information|Warning|Error)Message\b/), ["messages.ts"]);
    assert.deepEqual(
      holding(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|createContextualFragment/),
      [],
    );
    assert.deepEqual(holding(/\bhref\b|\bsrc\b\s*:|srcdoc|\.style\b|cssText|"style":/), []);
    assert.deepEqual(holding(/\bstyle\.(?!ts)/), ["renderer/dom.ts"]); // which takes numbers
    assert.deepEqual(holding(/supportHtml|supportThemeIcons|isTrusted = true/), []);
    assert.deepEqual(holding(/new MarkdownString|isTrusted =/), ["addressHover.ts"]);
  });
});
