import type { ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import { methodDocs } from "./docs.ts";
import { type Snippet, stop } from "./snippet.ts";
import { params } from "./snippetBuilder.ts";
import type { Suggestion } from "./suggestion.ts";

/** Suggests whole requests: over several lines for a cell of its own, on one line in a batch. */
export function requests(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const whole = place.owner.kind === "cell";
  const found = scope.catalog.methods.map((spec) => request(spec, whole, scope));
  return whole && cell.kind !== "batch" ? [...found, batch] : found;
}

function request(spec: MethodSpec, whole: boolean, scope: Scope): Suggestion {
  const [open, between, close] = whole ? ["{\n  ", ",\n  ", "$0\n\\}"] : ["{ ", ", ", "$0 \\}"];
  return {
    label: spec.name,
    kind: "request",
    detail: spec.summary,
    documentation: () => methodDocs(spec),
    insert: `${open}${members(spec, scope, between)}${close}`,
  };
}

/** `method` and `params` of a request. */
export function members(spec: MethodSpec, scope: Scope, between: string): Snippet {
  return `"method": "${spec.name}"${spec.params.length === 0 ? "" : `${between}"params": ${params(spec, scope)}`}`;
}

const batch: Suggestion = {
  label: "batch",
  kind: "request",
  detail: "Requests that travel together",
  insert: `{\n  "batch": [\n    { "method": "${stop(1, "eth_chainId")}" \\},\n    { "method": "${stop(2, "eth_blockNumber")}" \\}\n  ]\n\\}`,
};
