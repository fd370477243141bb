import type { JsonValue } from "../base/json.ts";
import type { AbiScope } from "./abiScope.ts";
import { bundledScope } from "./abiScope.ts";
import type { Decoded } from "./decode.ts";
import { decodeParams, utf8Text } from "./decode.ts";
import { lowerHex } from "./decodeLog.ts";
import { panics } from "./errors.ts";
import type { AbiItem } from "./item.ts";

/** Why a call was reverted, as far as its data tells. */
export type DecodedRevert = NoReason | Reason | Panic | CustomError | RevertText | UnknownError;

/** No data, or fewer bytes than a selector has. */
interface NoReason {
  readonly kind: "none";
  /** `0x`, or the bytes that there are. */
  readonly data: string;
}

/** `require(…, "reason")` and `revert("reason")`. */
interface Reason {
  readonly kind: "reason";
  readonly reason: string;
  readonly faults: readonly string[];
}

/** A check that the compiler put there. */
interface Panic {
  readonly kind: "panic";
  /** Decimal. */
  readonly code: string;
  /** `undefined` for codes that no compiler writes. */
  readonly meaning: string | undefined;
  readonly faults: readonly string[];
}

interface CustomError {
  readonly kind: "custom";
  readonly name: string;
  readonly signature: string;
  readonly args: readonly ErrorArg[];
  /** Where the declaration is written. */
  readonly source: string;
  readonly data: string;
  /** What is wrong with the data, a clause each. */
  readonly faults: readonly string[];
  /** Other errors with that selector whose arguments fit as well. */
  readonly others: readonly string[];
}

export interface ErrorArg {
  readonly name: string;
  readonly type: string;
  readonly value: Decoded;
  /** The bytes are the revert of an inner call. */
  readonly inner?: DecodedRevert;
}

/** Bytes that are text, without any encoding around it. */
interface RevertText {
  readonly kind: "text";
  readonly text: string;
  readonly data: string;
}

interface UnknownError {
  readonly kind: "unknown";
  readonly selector: string;
  readonly data: string;
}

/** Reverts inside reverts are followed this far. */
const maxDepth = 8;

/**
 * Reads revert data. Never throws: what cannot be read comes back as the bytes that it is.
 *
 * @param data - Hex; a node's text in its place counts as no data.
 * @param scope - Errors of the project; they win over the bundled ones.
 */
export function decodeRevert(data: JsonValue | undefined, scope?: AbiScope): DecodedRevert {
  return decodeAt(lowerHex(data) ?? "0x", scope, maxDepth);
}

function decodeAt(data: string, scope: AbiScope | undefined, depth: number): DecodedRevert {
  if (data.length < 10) return { kind: "none", data };
  const selector = data.slice(0, 10);
  const errors = [...(scope?.errors(selector) ?? []), ...bundledScope.errors(selector)];
  const readings = errors.map((error) => readError(error, data, scope, depth));
  const fewest = Math.min(...readings.map(({ faults }) => faults.length));
  const [best, ...others] = readings.filter(({ faults }) => faults.length === fewest);
  if (best === undefined) return textOrUnknown(data);
  const { signature } = best;
  return plain(best) ?? { ...best, others: others.map((one) => one.signature).filter((one) => one !== signature) };
}

function readError(error: AbiItem, data: string, scope: AbiScope | undefined, depth: number): CustomError {
  const { values, faults } = decodeParams(error.inputs, data, 10);
  const args = error.inputs.map(({ name, type }, i): ErrorArg => {
    const value = values[i];
    const inner = type.kind === "bytes" && depth > 0 && innerRevert(String(value), scope, depth - 1);
    return { name, type: type.text, value, ...(inner && { inner }) };
  });
  const { name, signature, source } = error;
  return { kind: "custom", name, signature, args, source, data, faults, others: [] };
}

/** Bytes in an error are the revert of an inner call where they read as one without any doubt. */
function innerRevert(data: string, scope: AbiScope | undefined, depth: number): DecodedRevert | undefined {
  const inner = decodeAt(data, scope, depth);
  const known = inner.kind === "reason" || inner.kind === "panic" || inner.kind === "custom";
  return known && inner.faults.length === 0 ? inner : undefined;
}

/** The two errors that the compiler itself writes, where their argument could be read. */
function plain({ signature, args, faults }: CustomError): Reason | Panic | undefined {
  const value = args[0]?.value;
  if (typeof value !== "string") return undefined;
  if (signature === "Error(string)") return { kind: "reason", reason: value, faults };
  if (signature === "Panic(uint256)") return { kind: "panic", code: value, meaning: panics.get(value), faults };
  return undefined;
}

/** Four bytes alone are a selector, even where they happen to be letters; NULs at the end are padding. */
function textOrUnknown(data: string): RevertText | UnknownError {
  const text = data.length > 10 ? utf8Text(data.replace(/(?:00)+$/, "")) : undefined;
  return text !== undefined && text.length > 4 && !/[^\P{C}\n\r\t]/u.test(text)
    ? { kind: "text", text, data }
    : { kind: "unknown", selector: data.slice(0, 10), data };
}

/** In one line, for people. Hostile text: pass it through `visible` before showing it. */
export function revertReason(revert: DecodedRevert): string {
  switch (revert.kind) {
    case "none":
      return revert.data === "0x" ? "no reason given" : `no reason given, only ${revert.data}`;
    case "reason":
      return revert.reason === "" ? "an empty reason" : revert.reason;
    case "panic":
      return `panic 0x${BigInt(revert.code).toString(16)}: ${revert.meaning ?? "a code that no compiler writes"}`;
    case "custom":
      return revert.faults.length === 0 ? callText(revert) : `${revert.name} with data that does not fit it`;
    case "text":
      return revert.text;
    case "unknown":
      return `unknown error ${revert.selector}`;
  }
}

function callText({ name, args }: CustomError): string {
  const shown = args.map((arg) => {
    const value = arg.inner
      ? revertReason(arg.inner)
      : typeof arg.value === "string"
        ? arg.value
        : JSON.stringify(arg.value);
    return arg.name === "" ? value : `${arg.name}: ${value}`;
  });
  return `${name}(${shown.join(", ")})`;
}
