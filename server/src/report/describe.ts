import type { AbiScope } from "../abi/abiScope.ts";
import { bundledScope } from "../abi/abiScope.ts";
import { type Candidate, namedFits } from "../abi/candidates.ts";
import { type Creation, decodeCreation } from "../abi/code.ts";
import type { Decoded } from "../abi/decode.ts";
import { type DecodedCall, decodeCalls, type InnerCall } from "../abi/decodeCall.ts";
import { decodeLog } from "../abi/decodeLog.ts";
import { decodeReturns } from "../abi/decodeReturns.ts";
import { type DecodedRevert, decodeRevert, type ErrorArg, revertReason } from "../abi/decodeRevert.ts";
import { type AbiItem, declaration } from "../abi/item.ts";
import type { ValuePath } from "../abi/nested.ts";
import type { JsonValue } from "../base/json.ts";

/** What undecoded data is, in every reading that fits. */
export interface Description {
  readonly kind: DataKind;
  /** As it was given, if that was hex. */
  readonly data: string | undefined;
  /** The likeliest first; empty where nothing known fits. */
  readonly readings: readonly Reading[];
  /** What else there is to say, a line each: the reason of a revert, the compiler of code. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

export type DataKind = "call" | "log" | "revert" | "return" | "creation" | "event" | "words";

/** Data as one declaration reads it. */
export interface Reading {
  readonly name: string;
  readonly signature: string;
  /** Where that is declared; never empty. */
  readonly sources: readonly string[];
  /** No ABI of the project says so. */
  readonly guess: boolean;
  readonly values: readonly NamedValue[];
  readonly inner: readonly InnerData[];
  readonly faults: readonly string[];
  /** Declarations that fit as well and are not read here. */
  readonly others: readonly Candidate[];
}

export interface NamedValue {
  /** `""` where the declaration has none. */
  readonly name: string;
  readonly type: string;
  readonly value: Decoded;
  /** Of an event: it stands in a topic, and is only a hash of what was logged. */
  readonly indexed?: boolean;
  readonly hashed?: boolean;
}

/** Data among the values that is a call or a revert of its own. */
export interface InnerData {
  readonly path: ValuePath;
  readonly data: string | undefined;
  readonly call: Pick<InnerCall, "to" | "value" | "delegate"> | undefined;
  /** `undefined` where no known declaration fits. */
  readonly reading: Reading | undefined;
  /** Of a revert, in a line. */
  readonly reason: string | undefined;
}

/** Call data as every function that it may be for. */
export function describeCall(data: string, scope?: AbiScope, to?: JsonValue): Description {
  return { kind: "call", data, readings: decodeCalls(data, scope, to).map(callReading), facts: [] };
}

function callReading({ name, signature, sources, guess, args, inner, faults, others }: DecodedCall): Reading {
  return { name, signature, sources, guess, values: args, inner: inner.map(innerCall), faults, others };
}

function innerCall({ path, to, value, delegate, data, call }: InnerCall): InnerData {
  return { path, data, call: { to, value, delegate }, reading: call && callReading(call), reason: undefined };
}

/** A log as the event that it is. */
export function describeLog(log: JsonValue, scope?: AbiScope): Description {
  const event = decodeLog(log, scope);
  const guess = !isDeclared(event?.source, scope);
  return {
    kind: "log",
    data: undefined,
    readings: event ? [{ ...event, sources: [event.source], guess, values: event.args, inner: [] }] : [],
    facts: event?.native ? [{ name: "transfer", value: "of the native currency" }] : [],
  };
}

/** Every event with that topic 0. */
export function describeTopic(topic: string, scope?: AbiScope): Description {
  const own = scope?.events(topic) ?? [];
  const items = own.length > 0 ? own : bundledScope.events(topic);
  return { kind: "event", data: topic, readings: items.map((item) => bare(item, own.length === 0)), facts: [] };
}

/** Every function and error with that selector. */
export function describeSelector(selector: string, scope?: AbiScope): readonly AbiItem[] {
  const own = [...(scope?.functions(selector) ?? []), ...(scope?.errors(selector) ?? [])];
  return own.length > 0 ? own : [...bundledScope.functions(selector), ...bundledScope.errors(selector)];
}

function bare(item: AbiItem, guess: boolean): Reading {
  const { name, signature, source } = item;
  const values = item.inputs.map(({ name, type, indexed }) => ({ name, type: type.text, value: undefined, indexed }));
  return { name, signature, sources: [source], guess, values, inner: [], faults: [], others: [] };
}
