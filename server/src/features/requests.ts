import type { ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { brief } from "../base/text.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import { methodDocs } from "./docs.ts";
import { intents } from "./intents.ts";
import { readingsOfCell } from "./pastedValue.ts";
import { phrases } from "./phrases.ts";
import { literal, type Snippet, stop } from "./snippet.ts";
import { params } from "./snippetBuilder.ts";
import type { Suggestion } from "./suggestion.ts";
import { templates } from "./templates.ts";

/** Suggests whole requests: over several lines for a cell of its own, on one line in a batch. */
export function requests(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const whole = place.owner.kind === "cell";
  const found = scope.catalog.methods.map((spec) => request(spec, whole, scope));
  return whole && cell.kind !== "batch"
    ? [
        ...values(cell, place, scope),
        ...templates(scope, place.text),
        ...found,
        batch,
        ...intents(cell, scope, place.text),
      ]
    : found;
}

/** Readings that are offered in a list with other requests. */
const maxReadings = 4;

/** A request about the value that is alone in a cell, and on one line. */
function values(cell: Cell, { span }: ValueContext, scope: Scope): readonly Suggestion[] {
  const typed = cell.text.trim();
  if (cell.text.slice(span.start, span.end).trim() !== typed) return [];
  return readingsOfCell(cell, scope)
    .slice(0, maxReadings)
    .map(({ name, what, cells: [insert = ""] }) => ({
      label: `Explain ${brief(typed, 20)}: ${name}`,
      kind: "request",
      detail: what,
      typed,
      words: [typed],
      insert: literal(insert),
    }));
}

function request(spec: MethodSpec, whole: boolean, scope: Scope): Suggestion {
  const [open, between, close] = whole ? ["{\n  ", ",\n  ", "$0\n\\}"] : ["{ ", ", ", "$0 \\}"];
  return {
    label: spec.name,
    kind: "request",
    detail: spec.summary,
    documentation: () => methodDocs(spec),
    words: phrases.get(spec.name),
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
  detail: "Requests that are sent together",
  words: ["several requests"],
  insert: `{\n  "batch": [\n    { "method": "${stop(1, "eth_chainId")}" \\},\n    { "method": "${stop(2, "eth_blockNumber")}" \\}\n  ]\n\\}`,
};
