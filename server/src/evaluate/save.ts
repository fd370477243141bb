import type { Span } from "../base/span.ts";
import { logFileForm } from "../catalog/logFiles.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";

/** A request whose logs cannot be saved. */
export interface BadSave {
  readonly code: "bad-save";
  readonly span: Span;
  /** Sentences. */
  readonly what: string;
}

/** Members that are about an answer, which a request with `save` does not have. */
const others: readonly string[] = ["each", "expect", "within", "snapshot"];

/** Says why a request cannot have `save`; `undefined` if it can, or has none. */
export function whyNotSave({ kind }: Cell, { method, members }: RequestNode): string | undefined {
  if (!members.has("save")) return undefined;
  if (kind === "batch") return "`save` is not possible in a batch. Make the request a cell of its own.";
  if (method !== undefined && method !== "eth_getLogs") return "`save` is only for `eth_getLogs`.";
  const other = others.find((name) => members.has(name));
  return other === undefined
    ? whyNotName(members.get("save")?.value?.value)
    : `A cell with \`save\` cannot have \`${other}\`.`;
}

/** Returns the files that a cell writes, as {@link fileNamed} calls them. Those with a placeholder are known only in a run. */
export function savedFiles({ requests, directives }: Cell): readonly { readonly name: string }[] {
  if (!directives.has("save")) return none;
  return requests.flatMap(({ members }) => {
    const path = members.get("save")?.value?.value;
    return typeof path === "string" && !path.includes("{{") ? [{ name: fileNamed(path) }] : [];
  });
}

const none: readonly never[] = [];

/** Returns the cell that writes a file. */
export function writerOf(path: string, cells: readonly Cell[]): Cell | undefined {
  return cells.find((cell) => savedFiles(cell).some(({ name }) => name === fileNamed(path)));
}

/** Two paths in a notebook that have the same name here are of the same file. */
function fileNamed(path: string): string {
  return path.replace(/^(?:\.\/+)+/, "");
}

/** Says why a file with this name is not written. */
export function whyNotName(name: unknown): string | undefined {
  if (typeof name === "string" && /\{\{\s*\$/.test(name))
    return "The name of a file cannot have values of the environment.";
  const single = typeof name === "string" ? /\{[^{}]*\}/.exec(name.replaceAll(/\{\{[^{}]*\}\}/g, ""))?.[0] : undefined;
  if (single !== undefined)
    return `\`${single}\` means nothing in the name of a file. Write a variable as \`{{name}}\`.`;
  if (typeof name !== "string" || name.endsWith("}}") || logFileForm(name) !== undefined) return undefined;
  return "A file of logs ends in `.parquet`, `.csv` or `.ndjson`.";
}
