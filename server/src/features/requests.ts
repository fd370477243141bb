import type { ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { brief } from "../base/text.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import { methodDocs } from "./docs.ts";
import { intents } from "./intents.ts";
import { readingsOfCell } from "./pastedValue.ts";
import { literal, type Snippet, stop } from "./snippet.ts";
import { params } from "./snippetBuilder.ts";
import type { Suggestion } from "./suggestion.ts";
import { templates } from "./templates.ts";

/** Suggests whole requests: over several lines for a cell of its own, on one line in a batch. */
export function requests(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const whole = place.owner.kind === "cell";
  const found = scope.catalog.methods.map((spec) => request(spec, whole, place.text ?? "", scope));
  return whole && cell.kind !== "batch"
    ? [...values(cell, place, scope), ...templates(scope, place.text), ...found, batch, ...intents(cell, scope)]
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
      insert: literal(insert),
    }));
}

/** Words that people type for a method, if its name does not begin with them. */
const words: ReadonlyMap<string, string> = new Map([
  ["eth_getBalance", "balance"],
  ["eth_getTransactionCount", "nonce"],
  ["eth_call", "call"],
  ["eth_getLogs", "logs"],
  ["eth_getCode", "code"],
  ["eth_estimateGas", "gas"],
  ["eth_simulateV1", "simulate"],
  ["eth_getStorageAt", "storage"],
  ["eth_getBlockReceipts", "receipts"],
  ["eth_getBlockByNumber", "block"],
  ["eth_subscribe", "subscribe"],
]);

/** Returns the text that an editor filters by: with the word of a method in front if the person types that word. */
function typedFor({ name }: MethodSpec, typed: string): string {
  const word = words.get(name);
  return word !== undefined && typed !== "" && word.startsWith(typed.toLowerCase()) ? `${word} ${name}` : name;
}

function request(spec: MethodSpec, whole: boolean, typed: string, scope: Scope): Suggestion {
  const [open, between, close] = whole ? ["{\n  ", ",\n  ", "$0\n\\}"] : ["{ ", ", ", "$0 \\}"];
  return {
    label: spec.name,
    kind: "request",
    detail: spec.summary,
    documentation: () => methodDocs(spec),
    typed: typedFor(spec, typed),
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
