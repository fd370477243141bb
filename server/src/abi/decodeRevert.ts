import { type JsonValue, printJson } from "../base/json.ts";
import { withMinus } from "../base/units.ts";
import type { AbiScope } from "./abiScope.ts";
import { type Candidate, candidates, type Fit, fittingData } from "./candidates.ts";
import type { Decoded } from "./decode.ts";
import { utf8Text } from "./decode.ts";
import { callsAmong, type InnerCall } from "./decodeCall.ts";
import { lowerHex } from "./decodeLog.ts";
import { panics } from "./errors.ts";
import { type Allowance, allowanceFor, bytesAmong, maxDepth, replacedAt, spend, type ValuePath } from "./nested.ts";
import type { AbiParam } from "./type.ts";

/** The reason why a call was reverted, as far as its data shows. */
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
  /** No ABI of the project says so: others may have that selector as well. */
  readonly guess: boolean;
  readonly data: string;
  /** Faults in the data, a clause each. */
  readonly faults: readonly string[];
  /** Other errors with that selector whose arguments fit as well. */
  readonly others: readonly Candidate[];
}

export interface ErrorArg {
  readonly name: string;
  readonly type: string;
  readonly value: Decoded;
  /** Bytes in the value that are reverts of inner calls. */
  readonly inner: readonly InnerRevert[];
  /** Bytes in the value that are call data: what an `OffchainLookup` asks a gateway. Their paths begin with the argument. */
  readonly calls: readonly InnerCall[];
}

export interface InnerRevert {
  /** Where the bytes are in the value; empty where they are the value. */
  readonly path: ValuePath;
  readonly revert: DecodedRevert;
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

/**
 * Reads revert data. Never throws: what cannot be read comes back as the bytes that it is.
 *
 * @param data - Hex; a node's text in its place counts as no data.
 * @param scope - Errors of the project; they win over the bundled ones.
 * @param to - The contract that was called. The error may also be that of a contract that it calls.
 */
export function decodeRevert(data: JsonValue | undefined, scope?: AbiScope, to?: JsonValue | undefined): DecodedRevert {
  const hex = lowerHex(data) ?? "0x";
  return revertAt(hex, { scope, allowance: allowanceFor(hex), depth: maxDepth }, lowerHex(to));
}

interface DecodeContext {
  readonly scope: AbiScope | undefined;
  readonly allowance: Allowance;
  /** Levels that may still follow. */
  readonly depth: number;
}

function revertAt(data: string, around: DecodeContext, to?: string): DecodedRevert {
  if (data.length < 10) return { kind: "none", data };
  const fits = fittingData("error", data, around.scope, to);
  const [best] = fits;
  if (best === undefined) return textOrUnknown(data);
  const error = errorOf(best, data, around);
  return plain(error) ?? { ...error, others: candidates(fits) };
}

function errorOf({ item, values, faults, guess }: Fit, data: string, around: DecodeContext): CustomError {
  const inner = innerReverts(item.inputs, values, around);
  const reverts = new Set(inner.map(({ path }) => path.join()));
  const calls = around.depth === maxDepth && faults.length === 0 ? callsAmong(item, values, data, around.scope) : []; // errors in errors contain no calls
  const args = item.inputs.map(({ name, type }, at): ErrorArg => {
    const own = inner.filter(({ path }) => path[0] === at);
    const value = values[at];
    return {
      name,
      type: type.text,
      value,
      inner: own.map(({ path, revert }) => ({ path: path.slice(1), revert })),
      calls: calls.filter(({ path }) => path[0] === at && !reverts.has(path.join())),
    };
  });
  const { name, signature, source } = item;
  return { kind: "custom", name, signature, args, source, guess, data, faults, others: [] };
}

/** Bytes in an error are the revert of an inner call where they read as one without any doubt. */
function innerReverts(
  params: readonly AbiParam[],
  values: readonly Decoded[],
  { depth, ...around }: DecodeContext,
): readonly InnerRevert[] {
  const inner: InnerRevert[] = [];
  if (depth === 0) return inner;
  for (const { path, data } of bytesAmong(params, values)) {
    if (!spend(around.allowance, data)) break;
    const revert = revertAt(data, { ...around, depth: depth - 1 });
    const known = revert.kind === "reason" || revert.kind === "panic" || revert.kind === "custom";
    if (known && revert.faults.length === 0) inner.push({ path, revert });
  }
  return inner;
}

/** The two errors that the compiler itself writes, where their argument could be read. */
function plain({ signature, args, faults }: CustomError): Reason | Panic | undefined {
  const value = args[0]?.value;
  if (typeof value !== "string") return undefined;
  if (signature === "Error(string)") return { kind: "reason", reason: value, faults };
  if (signature === "Panic(uint256)") return { kind: "panic", code: value, meaning: panics.get(value), faults };
  return undefined;
}

/** The longest text that is read as a message, in hex digits. */
const longestText = 8192;

/** Four bytes alone are a selector, even where they happen to be letters; NULs at the end are padding. */
function textOrUnknown(data: string): RevertText | UnknownError {
  const text = data.length > 10 && data.length <= longestText ? utf8Text(data)?.replace(/(?<!\0)\0+$/, "") : undefined;
  return text !== undefined && text.length > 4 && !/[^\P{C}\n\r\t]/u.test(text)
    ? { kind: "text", text, data }
    : { kind: "unknown", selector: data.slice(0, 10), data };
}

/**
 * In one line, for people. Hostile text: pass it through `visible` before showing it. A contract's own words are in quotes
 * where they could pass for anything else.
 */
export function revertReason(revert: DecodedRevert): string {
  switch (revert.kind) {
    case "none":
      return revert.data === "0x" ? "no reason given" : `no reason given, only ${revert.data}`;
    case "reason":
      return revert.reason === "" ? "an empty reason" : ownWords(revert.reason);
    case "panic":
      return `panic 0x${BigInt(revert.code).toString(16)}: ${revert.meaning ?? "a code that no compiler writes"}`;
    case "custom":
      return revert.faults.length === 0 ? callText(revert) : `${revert.name} with data that does not fit it`;
    case "text":
      return ownWords(revert.text);
    case "unknown":
      return `unknown error ${revert.selector}`;
  }
}

/** Formats a revert for use as the reason of another: `panic 0x11: …`, `Custom(a: 5)`, `"…"`. */
const likeOurs =
  /^(?:panic 0x|unknown error |no reason|an empty reason|")|^[\p{L}_$][\p{L}\p{N}_$]*(?:\(| with data )/u;

function ownWords(text: string): string {
  return likeOurs.test(text) ? JSON.stringify(text) : text;
}

/** Like {@link revertReason}, for use among other values: a contract's own words are always in quotes. */
export function innerReason(revert: DecodedRevert): string {
  const text = revert.kind === "reason" ? revert.reason : revert.kind === "text" ? revert.text : undefined;
  return text === undefined ? revertReason(revert) : JSON.stringify(text);
}

/** Inner reverts that one argument shows on a line. */
const maxInLine = 20;

function callText({ name, args }: CustomError): string {
  const shown = args.map((arg) => {
    const [only] = arg.inner;
    if (only?.path.length === 0) return named(arg, innerReason(only.revert));
    const inner = arg.inner.slice(0, maxInLine).map(({ path, revert }) => [path, revertReason(revert)] as const);
    const value = replacedAt(arg.value ?? null, inner);
    return named(arg, typeof value === "string" && arg.type !== "string" ? withMinus(value) : printJson(value));
  });
  return `${name}(${shown.join(", ")})`;
}

function named({ name }: ErrorArg, text: string): string {
  return name === "" ? text : `${name}: ${text}`;
}
