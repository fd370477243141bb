import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import type { FieldSpec, ObjectType, TypeRef } from "../catalog/spec.ts";
import { itemsOf, typeNamed } from "../catalog/types.ts";
import { callSections } from "./call.ts";
import { creationSections } from "./code.ts";
import { logSections } from "./logs.ts";
import type { Field, Section } from "./report.ts";
import { inlineText } from "./shown.ts";
import type { Cells } from "./table.ts";
import { filled, maxRows, nothing, present, table } from "./table.ts";
import { traceSections } from "./trace.ts";
import { fits, memberShown, valueShown } from "./value.ts";
import type { ViewContext } from "./view.ts";

/** Objects of one type as rows, anything else as a column of values. */
export function listSection(item: TypeRef, items: readonly JsonValue[], context: ViewContext, title?: string): Section {
  const types = new Set(items.slice(0, maxRows).map((one) => (isObject(one) ? objectType(item, one) : undefined)));
  const [type] = types;
  if (types.size !== 1 || type === undefined)
    return table(items, [{ name: "Value", of: (value) => valueShown(item, value, context) }], title);
  const shown = item === "blockTransaction" || item === "transaction" ? inOrder(type.fields) : type.fields;
  const columns = shown.map(
    (field): Cells<JsonValue> => ({
      name: field.name,
      align: typeNamed(field.type)?.kind === "quantity" ? "right" : "left",
      of: (row) =>
        isObject(row) ? present(row[field.name], (value) => memberShown(field, value, row, context)) : nothing,
    }),
  );
  return table(items, filled(items, columns), title, { json: (row) => row });
}

/** Members that say nothing in a list: they are equal in all rows, or only a machine reads them. */
const dull: ReadonlySet<string> = new Set(
  "blockHash blockNumber blockTimestamp blockTimestampMs transactionIndex chainId v r s yParity".split(" "),
);

/** The action of a transaction comes first: a narrow screen has no room for the rest. */
const telling = ["hash", "from", "to", "value", "input"];

function inOrder(fields: readonly FieldSpec[]): readonly FieldSpec[] {
  const own = fields.filter(({ name }) => !dull.has(name) && !telling.includes(name));
  return [...telling.flatMap((name) => fields.find((field) => field.name === name) ?? []), ...own];
}

/** An object field by field, with what its lists, its call data and its logs hold below. */
export function objectSections(ref: TypeRef, object: JsonObject, context: ViewContext): readonly Section[] {
  const fields: Field[] = [];
  const sections: Section[] = [];
  collect(ref, object, "", { fields, sections, context });
  const cut: Section = { kind: "note", text: `Only the first ${maxRows} fields are listed.` };
  return [
    ...(fields.length > 0 ? [{ kind: "fields" as const, fields }] : []),
    ...(fields.length >= maxRows ? [cut] : []),
    ...sections,
  ];
}

interface Collected {
  readonly fields: Field[];
  readonly sections: Section[];
  readonly context: ViewContext;
}

/** Members in the order of the catalogue, then those that it does not know. Objects inside become dotted names. */
function collect(ref: TypeRef, object: JsonObject, prefix: string, into: Collected): void {
  const map = typeNamed(ref);
  const known = objectType(ref, object)?.fields ?? [];
  const names = new Set([
    ...known.map(({ name }) => name).filter((name) => Object.hasOwn(object, name)),
    ...Object.keys(object),
  ]);
  for (const name of names) {
    if (into.fields.length >= maxRows) return;
    const value = object[name] ?? null;
    const field = known.find((one) => one.name === name);
    const fieldRef = field?.type ?? (map?.kind === "map" ? map.values : "any");
    const shownName = map?.kind === "map" ? inlineText(valueShown(map.keys, name, into.context)) : oneLine(name, 80);
    const label = oneLine(`${prefix}${shownName}`, 120);
    const below = isArray(value) && value.length > 0 ? listSections(fieldRef, value, label, object, into.context) : [];
    if (below.length > 0) into.sections.push(...below);
    else if (isObject(value) && prefix.length < 80) collect(fieldRef, value, `${label}.`, into);
    else if (field) into.fields.push({ name: label, value: memberShown(field, value, object, into.context) });
    else into.fields.push({ name: label, value: valueShown(fieldRef, value, into.context) });
    if ((name === "input" || name === "data") && value !== null) {
      const creates = object.to === null && field?.type === "calldata";
      if (creates) into.sections.push(...creationSections(value, into.context));
      else if (object.to !== null) into.sections.push(...callSections(value, into.context, object.to));
    }
  }
}

/** A list that deserves a section of its own; none for short lists of plain values, which fit on a line. */
function listSections(
  ref: TypeRef,
  items: readonly JsonValue[],
  title: string,
  owner: JsonObject,
  context: ViewContext,
): readonly Section[] {
  const item = itemsOf(ref) ?? "any";
  if (item === "log" || item === "callLog") {
    const rows = items.map((log) => ({ log, place: [] }));
    return logSections(rows, [], context);
  }
  if (item === "callFrame") return traceSections([owner], context);
  if (item === "callTrace") return traceSections(items, context);
  return items.some(isObject) || items.length > 5 ? [listSection(item, items, context, title)] : [];
}

/** The type of an object, where a reference leaves several open the first that fits. */
function objectType(ref: TypeRef, value: JsonValue): ObjectType | undefined {
  const type = typeNamed(ref);
  if (type?.kind === "object") return type;
  if (type?.kind !== "union") return undefined;
  const fitting = type.of.find((one) => fits(one, value));
  return fitting === undefined ? undefined : objectType(fitting, value);
}
