import { headerMembers } from "../analysis/header.ts";
import { names } from "../analysis/order.ts";
import { type Place, placeAt } from "../analysis/placeAt.ts";
import { dependencies } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { isBlock, mapAt, shapesOf } from "../analysis/types.ts";
import { isAddress, quantity } from "../base/hex.ts";
import { printJson } from "../base/json.ts";
import { type Span, touches } from "../base/span.ts";
import { formatTime, formatWei, grouped } from "../base/units.ts";
import type { TypeRef } from "../catalog/spec.ts";
import type { Cell } from "../notebook/cell.ts";
import { fieldDocs, memberDocs, methodDocs, typeDocs } from "./docs.ts";
import { labels } from "./labels.ts";
import { code, escaped } from "./markdown.ts";

export interface Hover {
  readonly span: Span;
  /** Untrusted: to be rendered without commands, HTML and remote content. */
  readonly markdown: string;
}

/**
 * Explains the method, parameter, field, value or placeholder under the cursor.
 *
 * @param offset - UTF-16 code units from the start of the cell.
 * @returns `undefined` where there is nothing to say: white space, unknown methods.
 */
export function hover(cell: Cell, offset: number, scope: Scope): Hover | undefined {
  const place = placeAt(cell, offset, scope.catalog);
  if (place?.text === undefined) return undefined;
  const reference = dependencies(cell).find(({ span }) => touches(span, offset));
  if (reference) return card(reference.span, [resolved(reference.name, reference.path, scope)]);
  return card(place.span, describe(cell, place, scope));
}

function card(span: Span, parts: readonly (string | undefined)[]): Hover | undefined {
  const markdown = parts.filter((part) => part).join("\n\n");
  return markdown === "" ? undefined : { span, markdown };
}

function describe(cell: Cell, place: Place, scope: Scope): readonly (string | undefined)[] {
  const { role, text = "" } = place;
  switch (role.kind) {
    case "method": {
      const spec = scope.catalog.methodNamed(place.kind === "key" ? (place.method ?? "") : text);
      return [spec && methodDocs(spec), lastResult(cell, scope)];
    }
    case "typed": {
      const docs = role.field ? fieldDocs(role.field) : typeDocs(role.type);
      if (place.kind === "value") return [docs, ...reading(text, role.type, scope)];
      return [docs, ...keyReading(place, text, scope)];
    }
    case "endpoint":
      return [place.kind === "key" ? memberDocs.endpoint : endpoint(text, scope)];
    case "params":
      return [place.spec ? methodDocs(place.spec) : memberDocs.params];
    case "requests":
      return [memberDocs.batch];
    case "variables":
    case "labels":
      return [headerMembers[role.kind]];
    case "member":
      if (role.name === "label") return [addressName(text, scope)];
      return [role.of === "header" ? own(headerMembers, role.name) : own(memberDocs, role.name)];
    case "cell":
    case "request":
    case "header":
    case "unknown":
      return [];
  }
}

function own(docs: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(docs, name) ? docs[name] : undefined;
}

/** A key of a map is a value too: an address whose state is overridden, a slot. */
function keyReading(place: Place, text: string, scope: Scope): readonly (string | undefined)[] {
  const map = place.owner.kind === "typed" ? mapAt(place.owner.type) : undefined;
  return map ? reading(text, map.keys, scope) : [];
}

/** What a value says in other words. */
function reading(text: string, type: TypeRef, scope: Scope): readonly (string | undefined)[] {
  const shapes = shapesOf(type).flatMap((shape) => (shape.kind === "one" ? [shape.type] : []));
  const meanings = shapes.flatMap((shape) => (shape.kind === "oneOf" ? shape.values : []));
  const named = meanings.find(({ value }) => value === text);
  const unit = shapes.flatMap((shape) => (shape.kind === "quantity" ? [shape.unit] : []))[0];
  const amount = /^0x[0-9a-f]{1,64}$/i.test(text) && unit !== undefined ? quantity(text) : undefined;
  return [
    named && `\`${named.value}\`: ${named.summary}`,
    amount !== undefined && !(isBlock(type) && text.length > 20) ? inWords(amount, unit) : undefined,
    addressName(text, scope),
  ];
}

function inWords(amount: bigint, unit: string | undefined): string {
  switch (unit) {
    case "wei":
      return `${formatWei(amount)} (${grouped(amount)} wei)`;
    case "seconds":
      return formatTime(amount);
    default:
      return `${grouped(amount)} in decimal`;
  }
}

function addressName(text: string, scope: Scope): string | undefined {
  const name = isAddress(text) ? labels(scope).get(text.toLowerCase()) : undefined;
  return name === undefined ? undefined : `Label: ${escaped(name)}`;
}

function endpoint(name: string, scope: Scope): string | undefined {
  const known = scope.endpoints.find((one) => one.name === name);
  if (!known) return undefined;
  const current = scope.endpoint?.name === name ? " Requests go there now." : "";
  return `**${escaped(known.name)}** · ${code(known.host)} · from ${escaped(known.origin)}.${current}`;
}

function lastResult(cell: Cell, scope: Scope): string | undefined {
  const last = scope.lastResult(cell);
  return last && `**Last result** ${last.ok ? "" : "failed: "}${escaped(last.summary)}`;
}

function resolved(name: string, path: string, scope: Scope): string {
  const variable = scope.variables.get(name);
  if (variable !== undefined) {
    const label = typeof variable === "string" ? addressName(variable, scope) : undefined;
    return [`**${escaped(path)}** · variable`, code(printJson(variable), 200), label]
      .filter((part) => part)
      .join("\n\n");
  }
  const cell = names(scope.cells).get(name)?.cell;
  if (!cell) return `**${escaped(path)}** · no variable and no cell has this name`;
  const method = cell.requests.find((request) => request.name === name)?.method;
  const from = `**${escaped(path)}** · from the cell ${code(name)}${method === undefined ? "" : ` (${code(method)})`}`;
  return [from, lastResult(cell, scope) ?? "It has not run yet; it runs first."].join("\n\n");
}
