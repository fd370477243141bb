import { names } from "../analysis/order.ts";
import { keptAnswerBytes, type Scope } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import { code, escaped, type Markdown, markdown, prose } from "../base/markdown.ts";
import { listed } from "../base/text.ts";
import { formatBytes } from "../base/units.ts";
import {
  type HostNames,
  type HostReference,
  type HostSource,
  hostReference,
  hostSources,
  whereSet,
} from "../endpoints/hostValue.ts";
import { follow, printPath } from "../evaluate/path.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Segment } from "../notebook/placeholder.ts";

/** The value of a placeholder, as far as it is known before a run. */
export type PlaceholderValue =
  | { readonly from: "host"; readonly source: Markdown; readonly name: string; readonly where: Markdown | undefined }
  | { readonly from: "variable"; readonly value: JsonValue | undefined; readonly why: Markdown }
  | { readonly from: "cell"; readonly cell: Cell; readonly value: JsonValue | undefined; readonly why: Markdown }
  | { readonly from: "nothing" };

/** Where the host keeps what placeholders name by `$`. */
const called: Readonly<Record<HostSource, Markdown>> = {
  env: markdown`environment variable`,
  secret: markdown`secret`,
  dotenv: markdown`entry of the file \`.env\``,
};

/** Which sources have the name; of no value is anything said. */
function defined(reference: HostReference, names: HostNames): Markdown {
  const { name, source } = reference;
  const where = whereSet(reference, names);
  const others = hostSources.flatMap((other) =>
    other !== source && (other !== "secret" || names.stored) ? (whereSet({ source: other, name }, names) ?? []) : [],
  );
  const also = others.filter((other) => other !== where);
  const elsewhere = also.length === 0 ? "" : ` The name is also set as ${listed(also)}.`;
  return prose(
    `${where === undefined ? "It is not set, so the request is not sent." : `Set as ${where}.`}${elsewhere}`,
  );
}

/** Finds the value of a placeholder; `why` says what keeps it from having one. Values of the host are never looked at. */
export function placeholderValue(path: readonly Segment[], scope: Scope): PlaceholderValue {
  const reference = hostReference(path);
  if (reference) {
    const { source, name } = reference;
    return {
      from: "host",
      source: called[source],
      name,
      where: scope.hostNames && defined(reference, scope.hostNames),
    };
  }
  const name = String(path[0]);
  const variable = scope.variables.get(name);
  if (variable !== undefined) return { from: "variable", ...valueAt({ [name]: variable }, path) };
  const cell = names(scope.cells).get(name)?.cell;
  return cell ? { from: "cell", cell, ...ofCell(cell, name, path, scope) } : { from: "nothing" };
}

interface FoundValue {
  readonly value: JsonValue | undefined;
  readonly why: Markdown;
}

function ofCell(cell: Cell, name: string, path: readonly Segment[], scope: Scope): FoundValue {
  const last = scope.lastResult(cell);
  if (!last) return { value: undefined, why: markdown`It has not run yet; it runs first.` };
  const outcome = last.values().get(name);
  if (outcome === undefined)
    return {
      value: undefined,
      why: markdown`Its last result has more than ${escaped(formatBytes(keptAnswerBytes))}, so it was not kept; it runs first.`,
    };
  const found = valueAt({ [name]: outcome }, path);
  return last.ok || found.value !== undefined
    ? found
    : { value: undefined, why: markdown`Its last run failed. ${found.why}` };
}

function valueAt(root: { readonly [name: string]: JsonValue }, path: readonly Segment[]): FoundValue {
  const found = follow(root, path);
  if ("value" in found) return { value: found.value, why: markdown`` };
  const { until, found: kind } = found.missing;
  return { value: undefined, why: markdown`There is no ${code(printPath(path))}: ${code(until)} is ${escaped(kind)}.` };
}
