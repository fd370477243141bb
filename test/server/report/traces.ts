import type { AbiScope } from "../../../server/src/abi/abiScope.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { Report, Section, TreeNode } from "../../../server/src/report/report.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { alice, answered, bob } from "./outcomes.ts";

/** A call as `callTracer` gives it: 100 gas, no data. */
export function frame(more: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  return { type: "CALL", from: alice, to: bob, value: "0x0", gas: "0x2710", gasUsed: "0x64", input: "0x", ...more };
}

/** The report of a trace, by default as `callTracer` gives it. */
export function traceReport(
  trace: JsonValue,
  {
    method = "debug_traceTransaction",
    params = [],
    ...more
  }: { method?: string; params?: JsonValue; labels?: ReadonlyMap<string, string>; scope?: AbiScope } = {},
): Report {
  return reportOf({ title: "t", method, params, outcome: answered(trace, ""), ...more });
}

export function only<Kind extends Section["kind"]>(
  sections: readonly Section[],
  kind: Kind,
): Extract<Section, { kind: Kind }> {
  const found = sections.find((section) => section.kind === kind);
  if (found?.kind !== kind) throw new Error(`There is no section of the kind ${kind}.`);
  return found as Extract<Section, { kind: Kind }>; // its kind was just checked
}

/** The lines of a tree; `v` is open, `>` is closed, `!` is bad. */
export function treeLines(sections: readonly Section[]): readonly string[] {
  const lines = (nodes: readonly TreeNode[], depth: number): readonly string[] =>
    nodes.flatMap(({ parts, open, children }) => {
      const sign = children.length === 0 ? " " : open ? "v" : ">";
      const text = parts.map((part) => `${part.text}${part.role === "bad" ? "!" : ""}`).join(" ");
      return [`${"  ".repeat(depth)}${sign} ${text}`, ...lines(children, depth + 1)];
    });
  return lines(only(sections, "tree").nodes, 0);
}
