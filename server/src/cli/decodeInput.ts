import { isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { revertData } from "../rpc/revertData.ts";
import type { DecodeOptions } from "./command.ts";
import { UsageError } from "./terminal.ts";

export type DecodeInput =
  /** Bytes of an unknown kind, as `0x` and lower-case digits. */
  | { readonly kind: "data"; readonly hex: string }
  | { readonly kind: "call"; readonly hex: string; readonly to: string }
  | { readonly kind: "revert"; readonly hex: string }
  | { readonly kind: "log"; readonly log: JsonObject }
  /** The whole result of a method. */
  | { readonly kind: "result"; readonly method: string; readonly value: JsonValue };

/**
 * Reads the input of `decode`.
 *
 * @throws {@link UsageError} if it is neither hex nor JSON that contains something to decode.
 */
export function readDecodeInput(text: string, { log }: DecodeOptions): DecodeInput {
  if (log) return { kind: "log", log: { topics: log.topics.map(topicOf), data: bytesOf(log.data, "--data") } };
  const trimmed = text.trim();
  if (trimmed === "") throw new UsageError("Nothing to decode.", { hint: expected });
  if (isHexText(trimmed)) return { kind: "data", hex: bytesOf(trimmed, "The input") };
  const json = parseJson(trimmed);
  if (json === undefined) throw new UsageError("The input is neither hex nor JSON.", { hint: expected });
  const found = inJson(json, 0);
  if (!found) throw new UsageError("The JSON contains nothing to decode.", { hint: expected });
  return found;
}

const expected =
  "Expected bytes (`0x…`), or a log, a transaction, a call object, a receipt, an answer or an error as JSON. See `rpc-notebook decode --help`.";

/** Allows white space, since terminals and mail programs break long lines, and hex without `0x`. */
function isHexText(text: string): boolean {
  return /^0x[\da-f\s]*$/i.test(text) || (/^[\da-f\s]{8,}$/i.test(text) && !/^\d+$/.test(text));
}

function bytesOf(text: string, what: string): string {
  const hex = text
    .replace(/\s/g, "")
    .toLowerCase()
    .replace(/^(?!0x)/, "0x");
  const isOdd = isHex(hex) && hex.length % 2 === 1;
  if (isHex(hex) && !isOdd) return hex;
  throw new UsageError(isOdd ? `${what} has an odd number of hex digits.` : `${what} is not hex.`, {
    hint: isOdd ? "A byte has two digits: check whether one is missing." : "Bytes are `0x` and hex digits.",
  });
}

function topicOf(text: string): string {
  const hex = bytesOf(text, "A topic");
  if (hex.length === 66) return hex;
  throw new UsageError(
    `A topic has 32 bytes, and ${text.length > 20 ? `${text.slice(0, 20)}…` : text} has ${(hex.length - 2) / 2}.`,
    { hint: "Separate topics by commas." },
  );
}

/** Levels of answers inside answers. */
const maxLevels = 8;

function inJson(value: JsonValue, level: number): DecodeInput | undefined {
  if (level > maxLevels) return undefined;
  if (typeof value === "string")
    return isHexText(value) ? { kind: "data", hex: bytesOf(value, "The input") } : undefined;
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

/** Methods whose results are lists, by a member that each item has. */
const methodsByMember: ReadonlyMap<string, string> = new Map([
  ["topics", "eth_getLogs"],
  ["logs", "eth_getBlockReceipts"],
  ["calls", "eth_simulateV1"],
]);

function inList(values: readonly JsonValue[], level: number): DecodeInput | undefined {
  const method = [...methodsByMember].find(([member]) =>
    values.every((one) => isObject(one) && isArray(one[member])),
  )?.[1];
  if (method !== undefined && values.length > 0) return { kind: "result", method, value: values };
  return values.length === 1 ? inJson(values[0] ?? null, level + 1) : undefined;
}

function inError({ message, data }: JsonObject): DecodeInput | undefined {
  const hex = revertData(typeof message === "string" ? message : "", data);
  return hex === undefined ? undefined : { kind: "revert", hex };
}

function inCall({ input, data, to }: JsonObject): DecodeInput | undefined {
  const bytes = input ?? data;
  if (typeof bytes !== "string" || !isHexText(bytes)) return undefined;
  const hex = bytesOf(bytes, "The data");
  return isAddress(to) ? { kind: "call", hex, to } : { kind: "data", hex };
}
