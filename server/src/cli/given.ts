import { isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { revertData } from "../rpc/revertData.ts";
import { UsageError } from "./arguments.ts";
import type { DecodeOptions } from "./command.ts";

/** What `decode` was given, as far as its form tells. */
export type Given =
  /** Bytes of some kind; `0x` and lower case. */
  | { readonly kind: "data"; readonly hex: string }
  | { readonly kind: "call"; readonly hex: string; readonly to: string }
  | { readonly kind: "revert"; readonly hex: string }
  | { readonly kind: "log"; readonly log: JsonObject }
  /** A whole result of a method. */
  | { readonly kind: "result"; readonly method: string; readonly value: JsonValue };

/**
 * Reads what was typed or piped in.
 *
 * @throws {@link UsageError} where it is neither hex nor JSON that holds something to decode.
 */
export function given(text: string, { log }: Pick<DecodeOptions, "log">): Given {
  if (log)
    return {
      kind: "log",
      log: { topics: log.topics.map((topic) => topicOf(topic)), data: bytesOf(log.data, "--data") },
    };
  const trimmed = text.trim();
  if (trimmed === "") throw new UsageError("There is nothing to decode.", { hint: due });
  if (isHexText(trimmed)) return { kind: "data", hex: bytesOf(trimmed, "This") };
  const json = parseJson(trimmed);
  if (json === undefined) throw new UsageError("This is neither hex nor JSON.", { hint: due });
  const found = inJson(json, 0);
  if (!found) throw new UsageError("Nothing in this JSON can be decoded.", { hint: due });
  return found;
}

const due =
  "Give bytes (`0x…`), or a log, a transaction, a call object, a receipt, an answer or an error as JSON; see `rpc-notebook decode --help`.";

/** Terminals and mails break long lines; some tools leave `0x` out. */
function isHexText(text: string): boolean {
  return /^0x[\da-f\s]*$/i.test(text) || (/^[\da-f\s]{8,}$/i.test(text) && !/^\d+$/.test(text));
}

function bytesOf(text: string, what: string): string {
  const hex = text
    .replace(/\s/g, "")
    .toLowerCase()
    .replace(/^(?!0x)/, "0x");
  const odd = isHex(hex) && hex.length % 2 === 1;
  if (isHex(hex) && !odd) return hex;
  throw new UsageError(odd ? `${what} has an odd number of hex digits.` : `${what} is not hex.`, {
    hint: odd ? "A byte has two digits: one is missing, or one too many." : "Bytes are `0x` and hex digits.",
  });
}

function topicOf(text: string): string {
  const hex = bytesOf(text, "A topic");
  if (hex.length === 66) return hex;
  throw new UsageError(
    `A topic has 32 bytes, and ${text.length > 20 ? `${text.slice(0, 20)}…` : text} has ${(hex.length - 2) / 2}.`,
    {
      hint: "Separate topics by commas.",
    },
  );
}

/** Answers in answers are not followed further. */
const mostLevels = 8;

function inJson(value: JsonValue, level: number): Given | undefined {
  if (level > mostLevels) return undefined;
  if (typeof value === "string") return isHexText(value) ? { kind: "data", hex: bytesOf(value, "This") } : undefined;
  if (isArray(value)) return inList(value, level);
  if (!isObject(value)) return undefined;
  if (isArray(value.topics)) return { kind: "log", log: value };
  if (isArray(value.transactions)) return { kind: "result", method: "eth_getBlockByNumber", value };
  if (isArray(value.logs)) return { kind: "result", method: "eth_getTransactionReceipt", value };
  if (isObject(value.error)) return inError(value.error);
  if (value.result !== undefined) return inJson(value.result, level + 1);
  if (isArray(value.params)) return inJson(value.params[0] ?? null, level + 1);
  if (typeof value.message === "string" && value.code !== undefined) return inError(value);
  return inCall(value);
}

/** Methods that answer with lists, by the list that each item has. */
const listsOf: ReadonlyMap<string, string> = new Map([
  ["topics", "eth_getLogs"],
  ["logs", "eth_getBlockReceipts"],
  ["calls", "eth_simulateV1"],
]);

function inList(values: readonly JsonValue[], level: number): Given | undefined {
  const method = [...listsOf].find(([member]) => values.every((one) => isObject(one) && isArray(one[member])))?.[1];
  if (method !== undefined && values.length > 0) return { kind: "result", method, value: values };
  return values.length === 1 ? inJson(values[0] ?? null, level + 1) : undefined;
}

function inError({ message, data }: JsonObject): Given | undefined {
  const hex = revertData(typeof message === "string" ? message : "", data);
  return hex === undefined ? undefined : { kind: "revert", hex };
}

/** A transaction or a call object. */
function inCall({ input, data, to }: JsonObject): Given | undefined {
  const bytes = input ?? data;
  if (typeof bytes !== "string" || !isHexText(bytes)) return undefined;
  const hex = bytesOf(bytes, "Its data");
  return isAddress(to) ? { kind: "call", hex, to } : { kind: "data", hex };
}
