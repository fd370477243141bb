import { bytesOf } from "../base/compression.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, parseJson } from "../base/json.ts";

/** Kinds whose notifications may have several items, though most servers send one. */
const lists: ReadonlySet<string> = new Set([
  "logs",
  "pendingLogs",
  "newPendingTransactions",
  "newFlashblockTransactions",
  "transactionReceipts",
]);

/**
 * Returns the items of one notification. Servers send a log or a list of logs, hashes or whole transactions, and a flashblock
 * as an object, as JSON in a string, or as that in base64.
 */
export function itemsOf(kind: JsonValue | undefined, result: JsonValue): readonly JsonValue[] {
  if (typeof kind !== "string") return [result];
  if (lists.has(kind) && isArray(result)) return result;
  return [kind === "newFlashblocks" && typeof result === "string" ? flashblockIn(result) : result];
}

function flashblockIn(text: string): JsonValue {
  const fromJson = parseJson(text);
  if (isObject(fromJson)) return fromJson;
  if (!/^[\w+/-]+=*$/.test(text) || text.startsWith("0x")) return text;
  const fromBase64 = parseJson(new TextDecoder().decode(bytesOf(text.replace(/-/g, "+").replace(/_/g, "/"))));
  return isObject(fromBase64) ? fromBase64 : text;
}
