import assert from "node:assert/strict";
import { useFakeVscode } from "../support/vscode.ts";

useFakeVscode();
const { chosenTests } = await import("../../client/src/tests.ts");

interface Node {
  readonly id: string;
  readonly parent: Node | undefined;
  readonly children: Iterable<readonly [id: string, child: Node]>;
}

/** A file with tests, as VS Code's items are linked. */
function file(id: string, ...tests: readonly string[]): Node & { readonly tests: readonly Node[] } {
  const children: (readonly [string, Node])[] = [];
  const made = { id, parent: undefined, children, tests: [] as Node[] };
  for (const name of tests) {
    const child: Node = { id: `${id}#${name}`, parent: made, children: [] };
    children.push([child.id, child]);
    made.tests.push(child);
  }
  return made;
}

describe("the tests that a request asks for", () => {
  const [a, b] = [file("a", "1", "2"), file("b", "1")];
  const all = [a, b].map((one) => [one.id, one] as const);
  const [first, second] = a.tests;
  assert.ok(first && second, "the file has two tests");
  const chosen = (request: Parameters<typeof chosenTests<Node>>[1]): unknown =>
    Object.fromEntries(
      [...chosenTests<Node>(all, request)].map(([{ id }, tests]) => [id, [...tests].map((test) => test.id)]),
    );

  it("are all, if it names none", () => assert.deepEqual(chosen({}), { a: ["a#1", "a#2"], b: ["b#1"] }));
  it("are those of a file that it names", () => assert.deepEqual(chosen({ include: [b] }), { b: ["b#1"] }));
  it("are named once, with their file too", () =>
    assert.deepEqual(chosen({ include: [second, a] }), { a: ["a#2", "a#1"] }));
  it("leave out what it excludes, tests and files", () => {
    assert.deepEqual(chosen({ exclude: [first] }), { a: ["a#2"], b: ["b#1"] });
    assert.deepEqual(chosen({ include: [a, b], exclude: [a] }), { b: ["b#1"] });
    assert.deepEqual(chosen({ include: [first], exclude: [first] }), {});
  });
});
