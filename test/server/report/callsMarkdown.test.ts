import assert from "node:assert/strict";
import { plainText } from "../../../server/src/base/markdown.ts";
import { callsMarkdown } from "../../../server/src/report/callsMarkdown.ts";
import type { Section, TreeNode } from "../../../server/src/report/report.ts";

const node = (text: string, children: readonly TreeNode[] = []): TreeNode => ({ parts: [{ text }], children });
const bad: TreeNode = { parts: [{ text: "too small", role: "bad" }], children: [] };
const linesOf = (nodes: readonly TreeNode[]): readonly string[] =>
  plainText(callsMarkdown([{ kind: "tree", title: "Calls", nodes }]) ?? assert.fail("there are calls")).split("\n");

describe("the calls of a result in a hover", () => {
  it("are the first levels, and all that lead to a failure", () => {
    const lines = linesOf([node("a", [node("b", [node("c", [node("d")])]), node("e", [node("f", [bad])])])]);
    assert.deepEqual(
      lines.map((line) => line.trim().split(" ").at(-1)),
      ["a", "b", "line", "e", "f", "small"],
    );
  });
  it("fit whatever the tree is", () => {
    const wide = Array.from({ length: 300 }, () => node("x", [bad, node("y")]));
    const deep = Array.from({ length: 500 }).reduce<TreeNode>((inner) => node("x", [inner]), bad);
    for (const nodes of [wide, [deep], [node("<b>*x*</b>".repeat(100))]]) {
      const lines = linesOf(nodes);
      assert.ok(lines.length < 70 && lines.join("").length < 20_000);
    }
  });
  it("are marks of ours only", () => {
    const shown = callsMarkdown([{ kind: "tree", title: "Calls", nodes: [node("<b>[a](https://x)")] }]) ?? "";
    assert.doesNotMatch(shown, /(?<!\\)[<[]/);
  });
  it("have the storage and where they come from below them, and no other part of a result", () => {
    const others: readonly Section[] = [
      { kind: "note", text: "Other." },
      { kind: "note", text: "Computed at `pending`.", ofCalls: true },
    ];
    assert.equal(callsMarkdown(others), undefined);
    const shown = callsMarkdown([{ kind: "tree", title: "Calls", nodes: [node("a")] }, ...others]) ?? "";
    assert.match(shown, /^- a\n\nComputed at `pending`\.$/);
  });
});
