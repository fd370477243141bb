import type { CellFinished } from "../../server/src/protocol/runs.ts";

/** The part of VS Code's `TestItem` that a choice needs; files have no parent. */
export interface TestNode<Node> {
  readonly parent: Node | undefined;
  readonly children: Iterable<readonly [id: string, child: Node]>;
}

/** Returns the tests that a request asks for, by file. Without `include` it asks for all of them. */
export function chosenTests<Node extends TestNode<Node>>(
  files: Iterable<readonly [id: string, file: Node]>,
  {
    include,
    exclude = [],
  }: { readonly include?: readonly Node[] | undefined; readonly exclude?: readonly Node[] | undefined },
): ReadonlyMap<Node, ReadonlySet<Node>> {
  const chosen = new Map<Node, Set<Node>>();
  const add = (node: Node): void => {
    if (exclude.includes(node)) return;
    if (node.parent === undefined) {
      for (const [, child] of node.children) add(child);
      return;
    }
    const siblings = chosen.get(node.parent) ?? new Set();
    chosen.set(node.parent, siblings.add(node));
  };
  for (const node of include ?? [...files].map(([, file]) => file)) add(node);
  return chosen;
}

/** Returns how a test ended: `errored` if its cell failed for another reason than an expectation. */
export function verdict({
  output,
  failures,
}: Pick<CellFinished, "output" | "failures">): "passed" | "failed" | "errored" {
  if (output.ok) return "passed";
  return failures.length > 0 ? "failed" : "errored";
}
