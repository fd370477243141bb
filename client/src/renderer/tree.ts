import { element } from "./dom.ts";
import { partView } from "./headline.ts";
import type { TreeNode, TreeSection } from "./types.ts";

/** Calls with what they caused; those with something inside open and close. */
export function treeView({ title, partial, nodes }: TreeSection): HTMLElement {
  const mark = (text: string): HTMLElement =>
    element("p", { class: "note" }, element("span", { class: "pill" }, "Partial"), text);
  return element(
    "section",
    { class: "tree", "aria-label": title },
    partial === undefined ? undefined : mark(partial),
    listView(nodes),
  );
}

function listView(nodes: readonly TreeNode[]): HTMLElement {
  return element("ul", {}, ...nodes.map((node) => element("li", {}, nodeView(node))));
}

function nodeView({ parts, open, children }: TreeNode): HTMLElement {
  const line = parts.flatMap((part) => [partView(part), " "]);
  if (children.length === 0) return element("div", { class: "leaf" }, ...line);
  return element("details", open ? { open: "" } : {}, element("summary", {}, ...line), listView(children));
}
