import { escaped, joined, type Markdown, markdown, prose } from "../base/markdown.ts";
import { plural } from "../base/text.ts";
import { sectionsMarkdown } from "./markdown.ts";
import type { HeadlinePart, Section, TreeNode } from "./report.ts";
import { storageTitles } from "./tracedStorage.ts";

/**
 * Returns the calls of a result for a hover: the first levels, the calls down to where it failed, the storage that changed, and
 * where all of it comes from.
 *
 * @returns `undefined` if the result has no tree of calls.
 */
export function callsMarkdown(sections: readonly Section[]): Markdown | undefined {
  const parts = sections.flatMap((section): readonly (Markdown | undefined)[] => {
    if (section.kind === "tree" && section.title === "Calls")
      return [outline(section.nodes), section.partial === undefined ? undefined : escaped(section.partial, 400)];
    if (section.kind === "table") return storageTitles.has(section.title ?? "") ? [sectionsMarkdown([section])] : [];
    return section.kind === "note" && section.ofCalls ? [prose(section.text)] : [];
  });
  return sections.some(({ kind }) => kind === "tree") && parts.length > 0 ? joined(parts, "\n\n") : undefined;
}

/** Lines that fit into a hover: of calls that lead to a failure, and of others; levels of others. */
const most = { failed: 18, others: 10, levels: 2 };

function outline(roots: readonly TreeNode[]): Markdown {
  const left = { failed: most.failed, others: most.others };
  const lines: Markdown[] = [];
  const add = (nodes: readonly TreeNode[], depth: number): void => {
    const shown = nodes.filter((node) => {
      const kind = leadsToFailure(node) ? "failed" : "others";
      return (kind === "failed" || depth < most.levels) && left[kind]-- > 0;
    });
    for (const node of shown) {
      lines.push(lineOf(node.parts, depth));
      add(node.children, depth + 1);
    }
    const more = nodes.length - shown.length;
    if (more > 0) lines.push(lineOf([{ text: `… ${plural(more, "more line")}` }], depth));
  };
  add(roots, 0);
  return joined(lines, "\n");
}

function leadsToFailure({ parts, children }: TreeNode): boolean {
  return parts.some(({ role }) => role === "bad") || children.some(leadsToFailure);
}

function lineOf(parts: readonly HeadlinePart[], depth: number): Markdown {
  const texts = parts.map(({ text, role }) =>
    role === "bad" ? markdown`**${escaped(text, 120)}**` : escaped(text, 120),
  );
  return indented(markdown`- ${joined(texts, " ")}`, depth);
}

function indented(line: Markdown, depth: number): Markdown {
  return depth === 0 ? line : indented(markdown`  ${line}`, depth - 1);
}
