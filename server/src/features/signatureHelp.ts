import type { AbiItem } from "../abi/item.ts";
import { type Place, placeAt } from "../analysis/placeAt.ts";
import type { Scope } from "../analysis/scope.ts";
import { type Span, span } from "../base/span.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import { fieldDocs, typeDocs } from "./docs.ts";
import { argsOf, itemDocs, type Readable, readableAt } from "./readable.ts";

/** The parameters of the method around the cursor. */
export interface SignatureHelp {
  /** `eth_getBalance(address, block?) → wei` */
  readonly label: string;
  /** Markdown, untrusted. */
  readonly documentation: string;
  readonly params: readonly SignatureParam[];
  /** Ordinal of the one that the cursor is in; `undefined` behind the last. */
  readonly active: number | undefined;
}

interface SignatureParam {
  /** In `label`. */
  readonly span: Span;
  /** Markdown, untrusted. */
  readonly documentation: string;
}

/**
 * Shows what a method takes while its `params` are typed; inside the `args` of a function or an event, what that
 * takes.
 *
 * @returns `undefined` outside of `params`, and for methods that the catalogue lacks.
 */
export function signatureHelp(cell: Cell, offset: number, scope: Scope): SignatureHelp | undefined {
  const place = placeAt(cell, offset, scope.catalog);
  if (!place || place.param === undefined) return undefined;
  const readable = readableAt(place.path, cell, scope);
  return (readable && ofReadable(readable, place)) ?? (place.spec && ofMethod(place.spec, place));
}

function ofMethod(spec: MethodSpec, place: Place): SignatureHelp {
  const active = place.param !== undefined && place.param < spec.params.length ? place.param : undefined;
  const names = spec.params.map(({ name, required }) => name + (required ? "" : "?"));
  const { label, spans } = labelOf(spec.name, names, ` → ${spec.result}`);
  const params = spec.params.map((param, at) => ({
    span: spans[at] ?? span(0, 0),
    documentation: [fieldDocs(param, param.required), at === active ? inside(place) : undefined]
      .filter((part) => part)
      .join("\n\n---\n\n"),
  }));
  return { label, documentation: spec.summary, params, active };
}

/** Where the cursor is deeper than the parameter itself, what is due there. */
function inside({ role, owner }: Place): string | undefined {
  if (owner.kind === "params" || role.kind !== "typed") return undefined;
  return role.field ? fieldDocs(role.field) : typeDocs(role.type);
}

function ofReadable({ at, kind, items }: Readable, place: Place): SignatureHelp | undefined {
  if (at === "name") return undefined;
  const [first] = at;
  const isList = place.path.at(-at.length)?.container.kind === "array";
  const item = items.find((one) => typeof first !== "number" || first < argsOf(one).length) ?? items[0];
  if (!item) return undefined;
  const args = argsOf(item);
  const names = args.map(({ type, name }) => [type.text, name].filter(Boolean).join(" "));
  const outputs = item.outputs.map(({ type, name }) => [type.text, name].filter(Boolean).join(" "));
  const { label, spans } = labelOf(item.name, names, outputs.length > 0 ? ` → (${outputs.join(", ")})` : "");
  const position = isList && typeof first === "number" ? first : args.findIndex(({ name }) => name === first);
  return {
    label,
    documentation: [itemDocs(item), others(items, item, kind)].filter((part) => part).join("\n\n"),
    params: args.map((_, index) => ({ span: spans[index] ?? span(0, 0), documentation: "" })),
    active: position >= 0 && position < args.length ? position : undefined,
  };
}

function others(items: readonly AbiItem[], shown: AbiItem, kind: string): string | undefined {
  const rest = items.filter((item) => item.signature !== shown.signature).length;
  return rest === 0
    ? undefined
    : `${rest} more ${kind}${rest === 1 ? " is" : "s are"} called so; write the whole signature to choose one.`;
}

/** @example labelOf("f", ["a", "b?"], " → c").label; //=> "f(a, b?) → c" */
function labelOf(
  name: string,
  params: readonly string[],
  end: string,
): { readonly label: string; readonly spans: readonly Span[] } {
  let label = `${name}(`;
  const spans = params.map((param, at) => {
    if (at > 0) label += ", ";
    const start = label.length;
    label += param;
    return span(start, label.length);
  });
  return { label: `${label})${end}`, spans };
}
