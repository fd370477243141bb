import { brief } from "../base/text.ts";
import type { JsonNode } from "../notebook/json.ts";
import type { Problem } from "./problem.ts";

/** `0x…`, `<address>`, `YOUR_KEY`, `yourAddress`, `{address}`, `$ADDRESS` of a shell, `%s`, `0xXXXX`, and keys in a path. */
const sample = new RegExp(
  [
    String.raw`…|\.{3}`,
    "^(?:0x)?<[^<>]*>$",
    String.raw`^(?:0x)?(?:[Yy]our|[Mm]y|[Ss]ome|[Ii]nsert)(?:[-_ ]|(?=[A-Z]))\w`,
    "^(?:0x)?(?:YOUR|INSERT)",
    String.raw`^'?\$?\{[^{}]+\}'?$`,
    String.raw`^'?\$[A-Za-z_]\w*'?$`,
    "^%[sdvx]$",
    "^(?:0x)?[xX]{3,}$",
    String.raw`[/=](?:<[^<>]+>|YOUR[-_]\w+|your[-_]\w+)`,
  ].join("|"),
);

/** Whether a text is a sample value that readers of documentation are expected to replace. One with 32 bytes is not. */
export function isSample(text: string): boolean {
  return text.length <= 200 && sample.test(text) && !/[\da-f]{64}/i.test(text);
}

/** Says of a value that is wrong only because it is documentation's that it is. */
export function asSample(text: string, node: JsonNode, problems: readonly Problem[]): readonly Problem[] {
  if (problems.length === 0) return problems;
  const strings = new Map<number, string>();
  collect(node, strings);
  return problems.map((problem) => {
    const value = text[problem.span.start] === '"' ? strings.get(problem.span.start) : undefined;
    if (value === undefined || !isSample(value)) return problem;
    return { code: "sample-placeholder", span: problem.span, text: brief(value, 60) };
  });
}

function collect(node: JsonNode, strings: Map<number, string>): void {
  if (node.type === "string") strings.set(node.offset, String(node.value));
  for (const child of node.children ?? []) collect(child, strings);
}
