import { byteLength, isHex, isWord, quantity } from "../base/hex.ts";
import { ExactNumber, isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { wellKnownSlot } from "../catalog/slots.ts";
import type { BytesType, FieldSpec, ObjectType, OneOfType, TypeRef, TypeSpec } from "../catalog/spec.ts";
import { itemsOf, typeNamed } from "../catalog/types.ts";
import { callShown } from "./call.ts";
import { codeShown, creationShown } from "./code.ts";
import type { Shown } from "./report.ts";
import { returnShown } from "./returnedValues.ts";
import {
  addressShown,
  badShown,
  bloomShown,
  bytesShown,
  chainShown,
  hashShown,
  inlineText,
  plainShown,
  quantityShown,
  quoted,
  statusShown,
  weiShown,
} from "./shown.ts";
import type { ViewContext } from "./view.ts";
import { wordShown } from "./word.ts";

/** Shows a member of an object by its entry in the catalogue, or as a plain value if there is none. */
export function memberShown(
  field: FieldSpec | undefined,
  value: JsonValue,
  owner: JsonObject,
  context: ViewContext,
): Shown {
  if (value === null || field === undefined) return valueShown(field?.type ?? "any", value, context);
  switch (field.name) {
    case "chainId":
      return chainShown(value);
    case "amount": // only withdrawals have one, in gwei
      return gweiShown(value);
    case "storageKeys":
    case "storageReads":
      return isArray(value) ? listShown(value, slotShown) : badShown(value, "not a list");
    case "key":
      return slotShown(value);
    case "r": // halves of a signature, which are not read as numbers
    case "s":
      return hashShown(value);
    case "type": {
      const deposit = depositName(owner);
      return deposit === undefined ? valueShown(field.type, value, context) : { text: deposit, raw: "0x7e" };
    }
    case "input":
    case "data":
      if (field.type !== "calldata") return valueShown(field.type, value, context);
      return owner.to === null ? creationShown(value, context) : callShown(value, context, owner.to);
    default:
      return valueShown(field.type, value, context);
  }
}

/** A value on one line, by its type. */
export function valueShown(ref: TypeRef, value: JsonValue, context: ViewContext): Shown {
  if (value === null) return { text: "null" };
  const items = itemsOf(ref);
  if (items !== undefined && isArray(value)) return listShown(value, (item) => valueShown(items, item, context));
  if (ref === "status") return statusShown(value);
  const type = typeNamed(ref);
  switch (type?.kind) {
    case "quantity":
      return quantityShown(value, type.unit);
    case "integer":
      return typeof value === "number" || typeof value === "bigint" ? numberShown(value) : plainShown(value);
    case "bytes":
      return bytesOfRole(type, value, context);
    case "oneOf":
      return oneOfShown(type, value);
    case "object":
      return isObject(value) ? membersShown(type, value, context) : plainShown(value);
    case "map":
      return isObject(value) ? entriesShown(type.keys, type.values, value, context) : plainShown(value);
    case "union": {
      const fitting = type.of.find((one) => fits(one, value));
      return fitting === undefined ? plainShown(value) : valueShown(fitting, value, context);
    }
    default:
      return isArray(value) && value.length === 0 ? { text: "none", raw: "[]" } : plainShown(value);
  }
}

/** Items of a list that are on one line. */
const maxInline = 20;

function listShown(items: readonly JsonValue[], show: (item: JsonValue) => Shown): Shown {
  if (items.length === 0) return { text: "none", raw: "[]" };
  const texts = items.slice(0, maxInline).map((item) => amongOthers(item, show(item)));
  const more = items.length > maxInline ? [`… ${plural(items.length, "item")}`] : [];
  return { text: oneLine([...texts, ...more].join(", ")) };
}

function membersShown({ fields }: ObjectType, object: JsonObject, context: ViewContext): Shown {
  const known = new Map(fields.map((field) => [field.name, field]));
  return namedShown(object, (name, value) => memberShown(known.get(name), value, object, context));
}

function entriesShown(keys: TypeRef, values: TypeRef, object: JsonObject, context: ViewContext): Shown {
  return namedShown(
    object,
    (_, value) => valueShown(values, value, context),
    (name) => inlineText(valueShown(keys, name, context)),
  );
}

/** Text that could pass for a value beside it is in quotes; names, numbers and versions are not. */
function amongOthers(value: JsonValue, shown: Shown): string {
  const text = inlineText(shown);
  return value === text && !/^[\w.:/@+-]+$/.test(text) ? quoted(text) : text;
}

function namedShown(
  object: JsonObject,
  show: (name: string, value: JsonValue) => Shown,
  nameOf: (name: string) => string = (name) => oneLine(name, 80),
): Shown {
  const entries = Object.entries(object);
  if (entries.length === 0) return { text: "none", raw: "{}" };
  const texts = entries
    .slice(0, maxInline)
    .map(([name, value]) => `${nameOf(name)}: ${amongOthers(value, show(name, value))}`);
  const more = entries.length > maxInline ? [`… ${plural(entries.length, "field")}`] : [];
  return { text: oneLine([...texts, ...more].join(", ")) };
}

function numberShown(value: number | bigint): Shown {
  return Number.isSafeInteger(value) || typeof value === "bigint"
    ? { ...quantityShown(value, "count") }
    : plainShown(value);
}

function gweiShown(value: JsonValue): Shown {
  const gwei = quantity(value);
  return gwei === undefined ? badShown(value, "not a quantity") : weiShown(gwei * 10n ** 9n, oneLine(String(value)));
}

/** A storage slot: by its name if known, else as a number. */
function slotShown(value: JsonValue): Shown {
  if (!isHex(value) || value.length > 66) return badShown(value, "not a slot");
  const known = wellKnownSlot(value);
  if (known) return { text: known.name, raw: value, also: [known.summary], role: "name" };
  const number = quantity(value) ?? 0n;
  return number >> 64n === 0n ? quantityShown(value, "index") : { text: value, role: "hash" };
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
    case "slot":
      return slotShown(value);
    case "returndata":
      return returnShown(value, context);
    case "calldata":
      return callShown(value, context);
    case "code":
      return codeShown(value, context.labels);
    default:
      return bytesShown(value);
  }
}

/** Values that are codes show what they mean. */
function oneOfShown({ values }: OneOfType, value: JsonValue): Shown {
  const known = values.find((one) => one.value === value);
  if (!known) return plainShown(value);
  const meaning = oneLine(known.summary); // a document of the repository may have written it
  if (!known.value.startsWith("0x")) return { text: oneLine(known.value), also: [meaning] };
  const [name = "", more] = meaning.replace(/\.$/, "").replaceAll("`", "").split(": ");
  return { text: name, raw: known.value, ...(more !== undefined && { also: [more] }) };
}

/** Whether a value has the form of a type, without looking inside objects. */
export function fits(ref: TypeRef, value: JsonValue): boolean {
  if (itemsOf(ref) !== undefined) return isArray(value);
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
      return typeof value === "number" || typeof value === "bigint" || value instanceof ExactNumber;
    case "string":
      return typeof value === "string";
    case "null":
      return value === null;
    default:
      return true;
  }
}

const depositor = "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001";
const protocolDeposits: ReadonlyMap<string, string> = new Map([
  ["0x4200000000000000000000000000000000000015", "L1 attributes deposit"],
  ["0x4200000000000000000000000000000000000030", "BaseTime deposit"],
]);

/**
 * Names a deposit of an OP Stack chain: one that the protocol puts in front of a block, or one of a user of layer 1.
 *
 * @returns `undefined` for other transactions.
 * @see https://specs.optimism.io/protocol/deposits.html
 */
export function depositName({ type, from, to, sourceHash, depositNonce }: JsonObject): string | undefined {
  if (type !== "0x7e") return undefined;
  const ofProtocol =
    String(from).toLowerCase() === depositor ? protocolDeposits.get(String(to).toLowerCase()) : undefined;
  // other chains have this type too
  return ofProtocol ?? (isWord(sourceHash) || depositNonce !== undefined ? "deposit from layer 1" : undefined);
}
