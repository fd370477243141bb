import { byteLength, isHex, quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject, printJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { chain, typeNamed, typeOf } from "../catalog/catalog.ts";
import type { BytesType, MethodSpec, ObjectType, OneOfType, TypeRef, TypeSpec } from "../catalog/spec.ts";
import { codeView } from "./code.ts";
import { jsonText } from "./jsonText.ts";
import { logsView } from "./logs.ts";
import { receiptsView, statusShown } from "./receipts.ts";
import type { Field, Section, Shown } from "./report.ts";
import { returnShown, returnView } from "./returnData.ts";
import { addressShown, bloomShown, bytesShown, hashShown, oneLine, plainShown, quantityShown } from "./shown.ts";
import { simulationView } from "./simulation.ts";
import type { Cells } from "./table.ts";
import { filled, maxRows, nothing, table } from "./table.ts";
import type { View, ViewContext } from "./view.ts";
import { valueView } from "./view.ts";
import { wordShown } from "./word.ts";

/** Shows a result by the type that the catalogue gives it. What is of no known type comes as JSON. */
export function resultView(spec: MethodSpec | undefined, result: JsonValue, context: ViewContext): View {
  if (result === null)
    return { summary: "null", sections: [{ kind: "note", text: spec?.nullResult ?? "The endpoint answered null." }] };
  const found = spec && typeOf(spec.result);
  if (!found) return jsonView(result);
  const { type, list } = found;
  if (list) return isArray(result) ? listView(spec.result.slice(0, -2), result, context) : jsonView(result);
  if (spec.name === "eth_chainId") return chainView(result);
  switch (type.kind) {
    case "quantity": {
      const shown = quantityShown(result, type.unit);
      return valueView(type.unit === "gas" && shown.role !== "bad" ? { ...shown, text: `${shown.text} gas` } : shown);
    }
    case "bytes":
      return bytesView(type, result, context);
    case "object":
    case "map":
    case "union":
      return isObject(result)
        ? objectView(spec.result, result, context)
        : valueView(scalarShown(spec.result, result, context));
    default:
      return valueView(scalarShown(spec.result, result, context));
  }
}

function chainView(result: JsonValue): View {
  const shown = quantityShown(result, "index");
  const known = chain(quantity(result) ?? -1n);
  return valueView({ ...shown, text: known ? `${shown.text}, ${known.name}` : shown.text });
}

function bytesView(type: BytesType, result: JsonValue, context: ViewContext): View {
  if (type.role === "code") return codeView(result, context);
  return type.role === "returndata" ? returnView(result, context) : valueView(bytesOfRole(type, result, context));
}

function listView(item: TypeRef, items: readonly JsonValue[], context: ViewContext): View {
  switch (item) {
    case "log":
      return logsView(items, context);
    case "receipt":
      return receiptsView(items, context);
    case "simulatedBlock":
      return simulationView(items, context);
    default:
      return {
        summary: plural(items.length, "item"),
        sections: items.length > 0 ? [listSection(item, items, context)] : [],
      };
  }
}

/** Objects of one type as rows, anything else as a column of values. */
function listSection(item: TypeRef, items: readonly JsonValue[], context: ViewContext, title?: string): Section {
  const type = typeNamed(item);
  if (type?.kind !== "object")
    return table(items, [{ name: "Value", of: (value) => scalarShown(item, value, context) }], title);
  const columns = type.fields.map(
    (field): Cells<JsonValue> => ({
      name: field.name,
      of: (row) =>
        isObject(row) && row[field.name] !== undefined
          ? scalarShown(field.type, row[field.name] ?? null, context)
          : nothing,
    }),
  );
  return table(items, filled(items, columns), title);
}

function objectView(ref: TypeRef, object: JsonObject, context: ViewContext): View {
  const fields: Field[] = [];
  const sections: Section[] = [];
  collect(ref, object, "", { fields, sections, context });
  const cut: Section = { kind: "note", text: `Only the first ${maxRows} fields are listed.` };
  return {
    summary: summaryOf(object),
    sections: [{ kind: "fields", fields }, ...(fields.length >= maxRows ? [cut] : []), ...sections],
  };
}

function summaryOf(object: JsonObject): string {
  const number = quantity(object.number);
  return number === undefined ? plural(Object.keys(object).length, "field") : `block ${number}`;
}

interface Collected {
  readonly fields: Field[];
  readonly sections: Section[];
  readonly context: ViewContext;
}

/** Members in the order of the catalogue, then those that it does not know. Objects inside become dotted names. */
function collect(ref: TypeRef, object: JsonObject, prefix: string, into: Collected): void {
  const type = objectType(ref, object);
  const known = type?.fields ?? [];
  const names = new Set([
    ...known.map(({ name }) => name).filter((name) => Object.hasOwn(object, name)),
    ...Object.keys(object),
  ]);
  for (const name of names) {
    const value = object[name] ?? null;
    const fieldRef = known.find((field) => field.name === name)?.type ?? "any";
    const label = oneLine(`${prefix}${name}`, 80);
    const list = fieldRef.endsWith("[]") && isArray(value) && value.length > 0;
    if (into.fields.length >= maxRows) return;
    if (list) into.sections.push(...sectionsOf(fieldRef.slice(0, -2), value, label, into.context));
    else if (isObject(value) && prefix.length < 80) collect(fieldRef, value, `${label}.`, into);
    else into.fields.push({ name: label, value: scalarShown(fieldRef, value, into.context) });
  }
}

function sectionsOf(
  item: TypeRef,
  items: readonly JsonValue[],
  title: string,
  context: ViewContext,
): readonly Section[] {
  if (item === "log") return logsView(items, context).sections;
  return [listSection(item, items, context, title)];
}

function objectType(ref: TypeRef, value: JsonValue): ObjectType | undefined {
  const type = typeNamed(ref);
  if (type?.kind === "object") return type;
  if (type?.kind !== "union") return undefined;
  const fitting = type.of.find((one) => fits(one, value));
  return fitting === undefined ? undefined : objectType(fitting, value);
}

/** A value on one line, by its type. */
function scalarShown(ref: TypeRef, value: JsonValue, context: ViewContext): Shown {
  if (value === null) return { text: "null" };
  if (isArray(value)) return value.length === 0 ? { text: "none", raw: "[]" } : plainShown(value);
  if (ref === "status") return statusShown(value);
  const type = typeNamed(ref);
  switch (type?.kind) {
    case "quantity":
      return quantityShown(value, type.unit);
    case "bytes":
      return bytesOfRole(type, value, context);
    case "oneOf":
      return oneOfShown(type, value);
    case "union": {
      const fitting = type.of.find((one) => fits(one, value));
      return fitting === undefined ? plainShown(value) : scalarShown(fitting, value, context);
    }
    default:
      return plainShown(value);
  }
}

function bytesOfRole(type: BytesType, value: JsonValue, context: ViewContext): Shown {
  switch (type.role) {
    case "address":
      return addressShown(value, context.labels);
    case "hash":
    case "topic":
      return hashShown(value);
    case "bloom":
      return bloomShown(value);
    case "word":
      return wordShown(value, context.labels);
    case "returndata":
      return returnShown(value, context);
    default:
      return bytesShown(value);
  }
}

/** Values that are codes show what they mean. */
function oneOfShown({ values }: OneOfType, value: JsonValue): Shown {
  const known = values.find((one) => one.value === value);
  if (!known) return plainShown(value);
  return known.value.startsWith("0x")
    ? { text: known.summary.replace(/\.$/, ""), raw: known.value }
    : { text: known.value, also: [known.summary] };
}

/** Whether a value has the form of a type, without looking inside objects. */
function fits(ref: TypeRef, value: JsonValue): boolean {
  if (ref.endsWith("[]")) return isArray(value);
  const type: TypeSpec | undefined = typeNamed(ref);
  switch (type?.kind) {
    case "quantity":
      return quantity(value) !== undefined && String(value).length <= 2 + type.bits / 4;
    case "bytes":
      return isHex(value) && (type.length === undefined || byteLength(value) === type.length);
    case "oneOf":
      return type.values.some((one) => one.value === value);
    case "object":
    case "map":
      return isObject(value);
    case "union":
      return type.of.some((one) => fits(one, value));
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return typeof value === "number" || typeof value === "bigint";
    case "string":
      return typeof value === "string";
    case "null":
      return value === null;
    default:
      return true;
  }
}

/** Characters of JSON that a report shows. */
const maxJson = 20_000;

function jsonView(value: JsonValue): View {
  if (!isObject(value) && !isArray(value)) return valueView(plainShown(value));
  const { text, length } = jsonText(printJson(value), maxJson);
  const summary = isArray(value) ? plural(value.length, "item") : plural(Object.keys(value).length, "field");
  return { summary, sections: [{ kind: "text", text, length }] };
}
