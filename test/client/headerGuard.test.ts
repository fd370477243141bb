import assert from "node:assert/strict";
import { useFakeVscode } from "../support/vscode.ts";

useFakeVscode();
const { headerFix } = await import("../../client/src/headerGuard.ts");

describe("the header cell", () => {
  const isHeader = (cell: string): boolean => cell.startsWith("header");
  const isCode = (cell: string): boolean => !cell.endsWith(".md");
  const fix = (cells: string, removed = ""): unknown =>
    headerFix(cells.split(" ").filter(Boolean), removed.split(" ").filter(Boolean), isHeader, isCode);

  it("is left alone if it is first", () => assert.equal(fix("header a b"), undefined));
  it("is not created if there was none", () => assert.equal(fix("a b", "c"), undefined));
  it("comes back when it is deleted, alone or with others", () => {
    assert.deepEqual(fix("a b", "header"), { kind: "restore", header: "header" });
    assert.deepEqual(fix("", "header a b"), { kind: "restore", header: "header" });
  });
  it("becomes code again when it was turned into Markdown", () => {
    assert.deepEqual(fix("header.md a", "header"), { kind: "convert", header: "header.md" });
    assert.deepEqual(fix("a header.md", "header"), { kind: "move", header: "header.md", from: 1 });
  });
  it("moves up when it was moved down, or something was put above it", () => {
    assert.deepEqual(fix("a header b", "header"), { kind: "move", header: "header", from: 1 });
    assert.deepEqual(fix("new header a"), { kind: "move", header: "header", from: 1 });
  });
});
