import { isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { errorMeaning } from "../catalog/catalog.ts";
import { codeReasons, errorPatterns, genericMessage, reasonOfBareStatus, statusReasons } from "./errorPatterns.ts";
import type { RefusalReason, Refused } from "./outcome.ts";
import type { RequestedRange } from "./range.ts";
import { readHint, requestedRange } from "./range.ts";
import { revertData } from "./revertData.ts";

/** A refusal as the endpoint sent it. */
export interface Refusal {
  readonly method: string;
  /** The request's text, to distinguish advice from an echo. */
  readonly request?: string;
  readonly code: number | undefined;
  readonly message: string;
  readonly data: JsonValue | undefined;
  readonly status: number | undefined;
}

/**
 * Classifies why an endpoint refuses, whatever its dialect: by the message, then the data, the HTTP status and
 * the code. Codes come last because one code has many meanings: -32005 alone is too many results, too
 * many requests, a disabled method, and a batch.
 */
export function classify(refusal: Refusal): Pick<Refused, "reason" | "revertData" | "range" | "rangeLimit"> {
  const texts = [refusal.message, ...textsOf(refusal.data)].map((text) => text.slice(0, 4000));
  const reason = reasonOf(refusal, texts);
  const limited = reason === "range-limit" || reason === "result-limit";
  const asked: RequestedRange = refusal.request ? requestedRange(refusal.request) : { from: undefined, to: undefined };
  return {
    reason,
    revertData: reason === "revert" ? revertData(refusal.message, refusal.data) : undefined,
    ...(limited ? readHint(texts, refusal.data, asked) : { range: undefined, rangeLimit: undefined }),
  };
}

function reasonOf({ method, code, data, status }: Refusal, texts: readonly string[]): RefusalReason {
  for (const text of texts) {
    const found = genericMessage.test(text) ? undefined : reasonOfText(text, method);
    if (found) return found;
  }
  // openethereum: "The execution failed due to an exception."
  if (texts.some((text) => /execution failed due to an exception/i.test(text))) return "vm-error";
  if (texts.some((text) => /^vm execution error/i.test(text))) return "vm-error";
  const byStatus = status === undefined ? undefined : statusReasons.get(status);
  if (byStatus) return byStatus;
  if (method.startsWith("eth_simulate") && code !== undefined && isSimulationCode(code)) return "simulation";
  if (code !== undefined && statusReasons.has(code)) return codeReasons.get(code) ?? "other";
  const isSpecific = texts.some((text) => text !== "" && !genericMessage.test(text));
  if (code !== undefined && code > 0 && (data ?? null) === null && isSpecific) return "other"; // each client has its own
  if (code !== undefined) return codeReasons.get(code) ?? "other";
  return status === undefined ? "other" : reasonOfBareStatus(status);
}

/**
 * Names what a code means, if the rest of the refusal agrees: clients give one code different meanings. The codes of JSON-RPC itself
 * mean the same everywhere.
 */
export function codeName({ code, reason, message }: Pick<Refused, "code" | "reason" | "message">): string | undefined {
  const name = code === undefined ? undefined : errorMeaning(code)?.name;
  if (code === undefined || name === undefined) return undefined;
  const agrees = reason === "simulation" ? isSimulationCode(code) : codeReasons.get(code) === reason;
  const isOfJsonRpc = code >= -32768 && code <= -32600;
  return agrees || isOfJsonRpc || message.toLowerCase().includes(name) ? name : undefined;
}

function reasonOfText(text: string, method: string): RefusalReason | undefined {
  return errorPatterns.find((each) => (each.method?.test(method) ?? true) && each.pattern.test(text))?.reason;
}

/** @see https://github.com/ethereum/execution-apis/blob/main/src/eth/execute.yaml */
function isSimulationCode(code: number): boolean {
  return code <= -38000 && code > -39000;
}

/** Returns the first sentences in an error's data, whatever its form, without hex. */
function textsOf(data: JsonValue | undefined): readonly string[] {
  const texts: string[] = [];
  collect(data, 0, texts);
  return texts;
}

function collect(data: JsonValue | undefined, level: number, texts: string[]): void {
  if (texts.length >= 40 || level > 6) return;
  if (typeof data === "string") {
    if (!isHex(data)) texts.push(data);
  } else if (isArray(data)) {
    for (const item of data.slice(0, 20)) collect(item, level + 1, texts);
  } else if (isObject(data)) {
    for (const item of Object.values(data).slice(0, 40)) collect(item, level + 1, texts);
  }
}
