import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, parseJson } from "../base/json.ts";

/**
 * Finds the revert data that an endpoint put into an error, wherever it put it: the data itself (also behind
 * parity's "Reverted "), a member of it as wallets wrap it (`data.data`, `data.originalError.data`, `data.result`,
 * ganache's `data[hash].return`), JSON inside the message, hex inside the message.
 *
 * @returns `"0x"` for a revert without a reason; `undefined` if the endpoint sent no data.
 */
export function revertData(message: string, data: JsonValue | undefined): string | undefined {
  return fromData(data, 0) ?? fromEmbeddedJson(message) ?? fromMessage(message);
}

/** Members that hold revert data or lead to it, the likely ones first. */
const keys = ["data", "originalError", "result", "return", "returnData", "output", "error", "cause", "body", "message"];
const maxLevels = 8;

function fromData(data: JsonValue | undefined, level: number): string | undefined {
  if (typeof data === "string") return fromText(data);
  if (level >= maxLevels) return undefined;
  if (isArray(data)) return firstOf(data.slice(0, 20), (item) => fromData(item, level + 1));
  if (!isObject(data)) return undefined;
  const known = firstOf(keys, (key) => fromData(data[key], level + 1));
  // ganache uses transaction hashes as keys, so the name of the member means nothing
  const nested = Object.values(data).filter(isObject).slice(0, 20);
  return known ?? firstOf(nested, (value) => fromData(value, level + 1));
}

function fromText(text: string): string | undefined {
  const trimmed = text.trim();
  if (isBytes(trimmed)) return trimmed.toLowerCase();
  const reverted = /^reverted:?\s*(0x[0-9a-f]*)?$/i.exec(trimmed);
  if (reverted) return isBytes(reverted[1] ?? "0x") ? (reverted[1] ?? "0x").toLowerCase() : undefined;
  return fromEmbeddedJson(trimmed) ?? fromMessage(trimmed);
}

function fromEmbeddedJson(text: string): string | undefined {
  const open = text.indexOf("{");
  const close = text.lastIndexOf("}");
  if (open === -1 || close < open) return undefined;
  const value = parseJson(text.slice(open, close + 1));
  return isObject(value) ? fromData(value, 1) : undefined;
}

/** Finds hex after words that announce it, else hex of the length of an ABI-encoded error: a selector and words. */
function fromMessage(message: string): string | undefined {
  const announced =
    /(?:return data|revert data|error data|data|output|reverted)["']?\s*[:=]?\s*["'(]*(0x[0-9a-f]*)(?![\w])/i.exec(
      message,
    )?.[1];
  if (announced && isBytes(announced) && announced.length !== 42 && announced.length !== 66)
    return announced.toLowerCase();
  const found = message.match(/0x[0-9a-f]{8,}(?!\w)/gi) ?? [];
  return found.find((hex) => (hex.length - 2) % 64 === 8)?.toLowerCase();
}

function isBytes(text: string): boolean {
  return /^0x(?:[0-9a-f]{2})*$/i.test(text);
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
