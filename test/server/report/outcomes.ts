import assert from "node:assert/strict";
import { encodeParams } from "../../../server/src/abi/encode.ts";
import { type AbiItem, parseItem, selectorOf } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { printJson } from "../../../server/src/base/json.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { reportText } from "../../../server/src/report/text.ts";
import type { Answered, Exchange, Refused } from "../../../server/src/rpc/outcome.ts";

export const exchange: Exchange = {
  endpoint: "local",
  host: "127.0.0.1:8545",
  status: 200,
  headers: {},
  startedAt: 0,
  durationMs: 12,
  bytes: 100,
  batch: 1,
  attempts: 1,
};

export function answered(value: JsonValue, text = printJson(value)): Answered {
  return { kind: "answered", result: { value, text }, exchange };
}

export function refused(parts: Partial<Refused>): Refused {
  return {
    kind: "refused",
    reason: "other",
    code: -32000,
    message: "no",
    data: undefined,
    revertData: undefined,
    range: undefined,
    rangeLimit: undefined,
    exchange,
    ...parts,
  };
}

export const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
export const topic = (value: string): string => `0x${value.slice(2).toLowerCase().padStart(64, "0")}`;
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

type Around = Pick<Parameters<typeof reportOf>[0], "labels" | "scope" | "tokens">;

/** The report of an answer, or of a refusal. */
export function reportFor(method: string, params: JsonValue, answer: JsonValue | Refused, around: Around = {}): Report {
  const isRefused = typeof answer === "object" && answer !== null && "kind" in answer && answer.kind === "refused";
  const outcome = isRefused ? (answer as Refused) : answered(answer as JsonValue); // no answer has this kind
  return reportOf({ title: method, method, params, outcome, ...around });
}

/** The text of a report, without the line that says where it came from. */
export function textOf(
  method: string,
  params: JsonValue,
  answer: JsonValue | Refused,
  { width, ...around }: Around & { readonly width?: number } = {},
): string {
  return reportText({ ...reportFor(method, params, answer, around), facts: [] }, width === undefined ? {} : { width });
}

/** A function, an event or an error of the project. */
export function item(declaration: string): AbiItem {
  return parseItem(declaration, "test") ?? assert.fail(declaration);
}

export function encoded(params: AbiItem["inputs"], args: JsonValue): string {
  const found = encodeParams(params, args, () => false);
  return found.kind === "encoded" ? found.hex : assert.fail(JSON.stringify(found));
}

/** The data of a call, or of an error. */
export function callOf(declared: string | AbiItem, ...args: readonly JsonValue[]): string {
  const found = typeof declared === "string" ? item(declared) : declared;
  return selectorOf(found) + encoded(found.inputs, args).slice(2);
}
