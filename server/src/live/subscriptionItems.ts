import { bytesOf } from "../base/base64.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, parseJson } from "../base/json.ts";

/** Kinds whose messages may carry several items at once, though most servers send them singly. */
const lists: ReadonlySet<string> = new Set([
  "logs",
  "pendingLogs",
  "newPendingTransactions",
  "newFlashblockTransactions",
  "transactionReceipts",
]);

/**
 * The items of one notification, in whichever of its shapes a server sends them: a log or a list of logs; hashes or
 * whole transactions; a flashblock as an object, as its JSON in a string, or as that in base64.
 */
export function itemsOf(kind: JsonValue | undefined, result: JsonValue): readonly JsonValue[] {
  if (typeof kind !== "string") return [result];
  if (lists.has(kind) && isArray(result)) return result;
  return [kind === "newFlashblocks" && typeof result === "string" ? unpacked(result) : result];
}

function unpacked(text: string): JsonValue {
  const plain = parseJson(text);
  if (isObject(plain)) return plain;
  if (!/^[\w+/-]+=*$/.test(text) || text.startsWith("0x")) return text;
  const inside = parseJson(new TextDecoder().decode(bytesOf(text.replace(/-/g, "+").replace(/_/g, "/"))));
  return isObject(inside) ? inside : text;
}
