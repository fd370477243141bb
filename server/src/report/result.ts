import { isQuantity, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { plural } from "../base/text.ts";
import type { BytesType, MethodSpec, QuantityType, TypeRef } from "../catalog/spec.ts";
import { itemsOf, typeNamed } from "../catalog/types.ts";
import { jsonText } from "./answerJson.ts";
import { blockView } from "./block.ts";
import { codeView } from "./code.ts";
import { feeHistoryView } from "./feeHistory.ts";
import { guessNote } from "./guessNote.ts";
import { logsView } from "./logs.ts";
import { listSection, objectSections } from "./object.ts";
import { receiptsView, receiptView } from "./receipts.ts";
import type { Amount } from "./report.ts";
import { returnView } from "./returnData.ts";
import { badShown, chainShown, plainShown, quantityShown } from "./shown.ts";
import { simulationView } from "./simulation.ts";
import { storageView } from "./storage.ts";
import { streamView } from "./stream.ts";
import { isCallFrame, tracesView, traceView } from "./trace.ts";
import { transactionView } from "./transaction.ts";
import { valueShown } from "./value.ts";
import { folded, foldedFields, maxJson, type View, type ViewContext, valueView } from "./view.ts";

/** Shows a result by the type that the catalogue gives it. What is of no known type comes as JSON. */
export function resultView(spec: MethodSpec | undefined, result: JsonValue, context: ViewContext): View {
  const view = viewOf(spec, result, context);
  return { ...view, sections: [...view.sections, ...guessNote(view.sections)] };
}

function viewOf(spec: MethodSpec | undefined, result: JsonValue, context: ViewContext): View {
  const fault = answerFault(spec, result);
  if (fault !== undefined) return valueView(badShown(result, fault));
  if (result === null)
    return { summary: "null", sections: [{ kind: "note", text: spec?.nullResult ?? "The endpoint answered null." }] };
  const type = spec && typeNamed(itemsOf(spec.result) ?? spec.result);
  if (!type) return jsonView(result);
  const items = itemsOf(spec.result);
  if (items !== undefined) return isArray(result) ? listView(items, result, context) : jsonView(result);
  // A subscription that has run; as an answer alone it is an id
  if (spec.name === "eth_subscribe" && isArray(result)) return streamView(result, context);
  if (spec.name === "eth_chainId") return valueView(chainShown(result));
  if (spec.name === "eth_getStorageAt") return storageView(result, context);
  switch (type.kind) {
    case "quantity": {
      const shown = quantityShown(result, type.unit);
      if (shown.role === "bad") return valueView(shown);
      return valueView(
        type.unit === "gas" ? { ...shown, text: `${shown.text} gas` } : shown,
        amountOf(type.unit, result),
      );
    }
    case "bytes":
      return bytesView(type, spec.result, result, context);
    case "object":
    case "map":
    case "union":
      return isObject(result)
        ? objectView(spec.result, result, context)
        : valueView(valueShown(spec.result, result, context));
    default:
      return isObject(result) || isArray(result)
        ? jsonView(result)
        : valueView(valueShown(spec.result, result, context));
  }
}

/** Times and positions are not compared. */
function amountOf(unit: QuantityType["unit"], result: JsonValue): Amount | undefined {
  const value = quantity(result);
  if (value === undefined || unit === "seconds" || unit === "milliseconds" || unit === "index") return undefined;
  return { value: value.toString(), unit: unit === "wei" || unit === "gas" ? unit : "count" };
}

function bytesView(type: BytesType, ref: TypeRef, result: JsonValue, context: ViewContext): View {
  if (type.role === "code") return codeView(result, context);
  return type.role === "returndata" ? returnView(result, context) : valueView(valueShown(ref, result, context));
}

function listView(item: TypeRef, items: readonly JsonValue[], context: ViewContext): View {
  switch (item) {
    case "log":
      return logsView(items, context);
    case "receipt":
      return receiptsView(items, context);
    case "simulatedBlock":
      return simulationView(items, context);
    case "callTrace":
      return tracesView(items, context);
    default:
      return {
        summary: plural(items.length, "item"),
        sections: items.length > 0 ? [listSection(item, items, context)] : [],
      };
  }
}

function objectView(ref: TypeRef, object: JsonObject, context: ViewContext): View {
  switch (ref) {
    case "receipt":
      return receiptView(object, context);
    case "transaction":
      return transactionView(object, context);
    case "feeHistory":
      return feeHistoryView(object, context);
    case "blockInfo":
      return blockView(object, context);
    case "trace":
      return isCallFrame(object) ? callView(object, context) : fieldsView(ref, object, context);
    default:
      return fieldsView(ref, object, context);
  }
}

function fieldsView(ref: TypeRef, object: JsonObject, context: ViewContext): View {
  return {
    summary: plural(Object.keys(object).length, "field"),
    sections: objectSections(ref, object, context),
  };
}

/** A call with the calls inside it, then what the first call passed and returned. */
function callView(frame: JsonObject, context: ViewContext): View {
  const { calls: _calls, logs: _logs, ...first } = frame;
  const view = traceView(frame, context);
  const details = objectSections("callFrame", first, context).map(folded).map(foldedFields);
  return { ...view, sections: [...view.sections, ...details] };
}

function jsonView(value: JsonValue): View {
  if (!isObject(value) && !isArray(value)) return valueView(plainShown(value));
  const { text, length } = jsonText(printJson(value), maxJson);
  const summary = isArray(value) ? plural(value.length, "item") : plural(Object.keys(value).length, "field");
  return { summary, sections: [{ kind: "text", text, length }] };
}

/**
 * Says what an answer is not: a quantity, bytes, a list or an object, as its method has it. What is inside of lists and
 * objects is not looked at.
 *
 * @returns `undefined` if the answer can be right, also for methods of unknown type.
 * @example answerFault(methodNamed("eth_getBalance"), "zz"); //=> "not a quantity"
 */
export function answerFault(spec: MethodSpec | undefined, result: JsonValue): string | undefined {
  if (!spec || (result === null && spec.nullResult !== undefined)) return undefined;
  switch (formOf(spec)) {
    case "list":
      return isArray(result) || result === null ? undefined : "not a list";
    case "quantity":
      return isQuantity(result) ? undefined : "not a quantity";
    case "bytes":
      return typeof result === "string" && /^0x[0-9a-f]*$/i.test(result) ? undefined : "not bytes";
    case "object":
    case "map":
      return isObject(result) || isArray(result) || result === null ? undefined : "not an object";
    default:
      return undefined;
  }
}

const formOf = memoByObject(({ name, result }: MethodSpec) => {
  if (name === "eth_subscribe") return "any"; // its rows come in place of its id
  return itemsOf(result) === undefined ? (typeNamed(result)?.kind ?? "any") : "list";
});
