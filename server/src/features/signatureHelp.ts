import type { AbiItem } from "../abi/item.ts";
import { type CursorContext, cursorContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { figure, joined, type Markdown, markdown, prose } from "../base/markdown.ts";
import { type Span, span } from "../base/span.ts";
import { brief, plural } from "../base/text.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import { fieldDocs, typeDocs } from "./docs.ts";
import { argsOf, itemDocs, type Readable, readableAt } from "./readable.ts";

/** The parameters of the method around the cursor. */
export interface SignatureHelp {
  /** `eth_getBalance(address, block?) → wei` */
  readonly label: string;
  readonly documentation: Markdown;
  readonly params: readonly SignatureParam[];
  /** Ordinal of the one that the cursor is in; `undefined` behind the last. */
  readonly active: number | undefined;
}

interface SignatureParam {
  /** In `label`. */
  readonly span: Span;
  readonly documentation: Markdown;
}

/**
 * Shows what a method takes while its `params` are typed; inside the `args` of a function or an event, what that
 * takes.
 *
 * @returns `undefined` outside of `params`, and for methods that the catalogue lacks.
 */
export function signatureHelp(cell: Cell, offset: number, scope: Scope): SignatureHelp | undefined {
  const place = cursorContext(cell, offset, scope.catalog);
  if (!place || place.param === undefined) return undefined;
  const readable = readableAt(place.path, cell, scope);
  return (readable && ofReadable(readable, place, scope)) ?? (place.spec && ofMethod(place.spec, place));
}

function ofMethod(spec: MethodSpec, place: CursorContext): SignatureHelp {
  const active = place.param !== undefined && place.param < spec.params.length ? place.param : undefined;
  const names = spec.params.map(({ name, required }) => name + (required ? "" : "?"));
  const { label, spans } = labelOf(spec.name, names, ` → ${spec.result}`);
  const params = spec.params.map((param, at) => ({
    span: spans[at] ?? span(0, 0),
    documentation: withInside(fieldDocs(param, param.required), at === active ? inside(place) : undefined),
  }));
  return { label, documentation: prose(spec.summary), params, active };
}

function withInside(docs: Markdown, inner: Markdown | undefined): Markdown {
  return inner ? joined([docs, markdown`---`, inner], "\n\n") : docs;
}

/** Where the cursor is deeper than the parameter itself, what is expected there. */
function inside({ role, owner }: CursorContext): Markdown | undefined {
  if (owner.kind === "params" || role.kind !== "typed") return undefined;
  return role.field ? fieldDocs(role.field) : typeDocs(role.type);
}

function ofReadable({ at, kind, items }: Readable, place: CursorContext, scope: Scope): SignatureHelp | undefined {
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
    documentation: joined([itemDocs(item, scope), others(items, item, kind)], "\n\n"),
    params: args.map((_, index) => ({ span: spans[index] ?? span(0, 0), documentation: markdown`` })),
    active: position >= 0 && position < args.length ? position : undefined,
  };
}

function others(items: readonly AbiItem[], shown: AbiItem, kind: Readable["kind"]): Markdown | undefined {
  const rest = items.filter((item) => item.signature !== shown.signature).length;
  if (rest === 0) return undefined;
  const more = figure(plural(rest, `more ${kind}`));
  return markdown`${more} ${rest === 1 ? markdown`has` : markdown`have`} this name; write the whole signature to choose one.`;
}

/** @example labelOf("f", ["a", "b?"], " → c").label; //=> "f(a, b?) → c" */
function labelOf(
  name: string,
  params: readonly string[],
  end: string,
): { readonly label: string; readonly spans: readonly Span[] } {
  let label = `${brief(name)}(`;
  const spans = params.map((param, at) => {
    if (at > 0) label += ", ";
    const start = label.length;
    label += brief(param);
    return span(start, label.length);
  });
  return { label: `${label})${end && ` ${brief(end, 200)}`}`, spans };
}
