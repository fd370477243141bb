import { type AbiScope, bundledIn } from "../abi/abiScope.ts";
import { type Candidate, type Fit, namedFits } from "../abi/candidates.ts";
import { type Creation, decodeCreation } from "../abi/code.ts";
import type { Decoded } from "../abi/decode.ts";
import { type AskedCall, type DecodedCall, decodeCall, decodeCalls, type InnerCall } from "../abi/decodeCall.ts";
import { type DecodedArg, decodeLog } from "../abi/decodeLog.ts";
import { type DecodedRevert, decodeRevert, type ErrorArg, revertReason } from "../abi/decodeRevert.ts";
import { decodeReturns } from "../abi/innerReturns.ts";
import { type AbiItem, selectorOf } from "../abi/item.ts";
import type { ValuePath } from "../abi/nested.ts";
import type { AbiParam } from "../abi/type.ts";
import type { AbiLookup } from "../abi/wellKnownAbis.ts";
import { isObject, type JsonValue } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { blockTimeShown, inlineText, isUnsealed, placeOf } from "./shown.ts";
import { wordShown } from "./word.ts";

/** A description of undecoded data, in every reading that fits. */
export interface Description {
  readonly kind: "call" | "log" | "revert" | "return" | "creation" | "topic" | "selector" | "words";
  /** The likeliest first; empty if nothing known fits. */
  readonly readings: readonly DescriptionReading[];
  /** Other facts: the reason of a revert, the compiler of code, words of unknown types. Safe to show. */
  readonly facts: readonly Fact[];
  /** Whether the data was identified; words and unknown selectors are not. */
  readonly known: boolean;
}

interface Fact {
  readonly name: string;
  readonly value: string;
}

/** Data as one declaration reads it. */
export interface DescriptionReading {
  readonly signature: string;
  readonly kind: AbiItem["kind"] | "constructor";
  /** Where that is declared; never empty. */
  readonly sources: readonly string[];
  /** It goes by four bytes alone, which others may have as well. */
  readonly guess: boolean;
  readonly values: readonly NamedValue[];
  readonly inner: readonly InnerData[];
  readonly faults: readonly string[];
  /** Declarations that fit as well. */
  readonly others: readonly Candidate[];
}

export interface NamedValue {
  /** `""` where the declaration has none. */
  readonly name: string;
  readonly type: string;
  readonly value: Decoded;
  /** Whether an argument of an event is only the hash of the logged value. */
  readonly hashed?: boolean;
}

/** Data among the values that is a call, or a revert, of its own. */
export interface InnerData {
  /** From the values down. */
  readonly path: ValuePath;
  readonly call: AskedCall | undefined;
  /** `undefined` if no known declaration fits. */
  readonly reading: DescriptionReading | undefined;
}

/**
 * Tells what bytes are and decodes them: call data, revert data, code that creates a contract, a topic or a selector.
 *
 * @param hex - `0x` and whole bytes in lower case.
 * @returns Several if a call cannot be distinguished from a revert. Never empty.
 */
export function describeData(hex: string, scope?: AbiScope): readonly Description[] {
  if (hex === "0x") return [{ kind: "words", readings: [], facts: [{ name: "data", value: nothing }], known: true }];
  if (hex.length === 10) return [describeSelector(hex, scope)];
  const topic = hex.length === 66 ? describeTopic(hex, scope) : undefined;
  if (topic?.known) return [topic];
  const creation = describeCreation(hex, scope);
  if (creation?.known) return [creation];
  const fitting = hex.length > 10 && hex.length % 64 !== 2 ? callOrRevert(hex, scope) : [describeRevert(hex, scope)];
  const known = fitting.filter((one) => one.known);
  if (known.length > 0) return known;
  return [creation ?? words(hex)];
}

const nothing = "none: a plain transfer, a revert without a reason, or a call that returned nothing";

/** Readings without a fault; those that the project declares come before guesses. */
function callOrRevert(hex: string, scope: AbiScope | undefined): readonly Description[] {
  const both = [describeCall(hex, scope), describeRevert(hex, scope)].filter(({ known }) => known);
  const ranks = both.map(({ readings }) => {
    const [best] = readings;
    return !best || best.faults.length > 0 ? 2 : Number(best.guess);
  });
  return both.filter((_, at) => ranks[at] === Math.min(...ranks));
}

/** Call data as every function that it may be for. */
export function describeCall(hex: string, scope?: AbiScope, to?: JsonValue): Description {
  const readings = decodeCalls(hex, scope, to).map(callReading);
  return { kind: "call", readings, facts: readings.length > 0 ? [] : wordFacts(hex, 10), known: readings.length > 0 };
}

function callReading({ signature, sources, guess, args, inner, faults, others }: DecodedCall): DescriptionReading {
  return { kind: "function", signature, sources, guess, values: args, inner: inner.map(innerCall), faults, others };
}

function innerCall({ path, call, ...asked }: InnerCall): InnerData {
  return { path, call: asked, reading: call && callReading(call) };
}

/** Revert data as every error that it may be, with the reason in a line. */
export function describeRevert(hex: string, scope?: AbiScope): Description {
  const revert = decodeRevert(hex, scope);
  const fact = (value: string): readonly Fact[] => [{ name: "reason", value: oneLine(value) }];
  if (revert.kind === "unknown") return { kind: "revert", readings: [], facts: wordFacts(hex, 10), known: false };
  const [best, ...rest] = namedFits("error", hex, scope);
  const readings = best ? [errorReading(best, revert), ...rest.map((fit) => errorReading(fit, undefined))] : [];
  return { kind: "revert", readings, facts: fact(revertReason(revert)), known: true };
}

function errorReading(
  { item, values, faults, sources, ...fit }: Fit,
  revert: DecodedRevert | undefined,
): DescriptionReading {
  const guess = fit.guess && item.source !== "Solidity"; // declarations of the language itself are not guesses
  const inner = revert?.kind === "custom" ? revert.args.flatMap(innerOf) : [];
  return {
    kind: "error",
    signature: item.signature,
    sources,
    guess,
    inner,
    faults,
    others: [],
    values: named(item.inputs, values),
  };
}

function innerOf({ inner, calls }: ErrorArg, at: number): readonly InnerData[] {
  const reverts = inner.map(({ path, revert }) => ({
    path: [at, ...path],
    call: undefined,
    reading: revertReading(revert),
  }));
  return [...reverts, ...calls.map(innerCall)];
}

function revertReading(revert: DecodedRevert): DescriptionReading | undefined {
  const solidity = { kind: "error", sources: ["Solidity"], guess: false, inner: [], others: [] } as const;
  switch (revert.kind) {
    case "reason": {
      const values = [{ name: "message", type: "string", value: revert.reason }];
      return { ...solidity, signature: "Error(string)", values, faults: revert.faults };
    }
    case "panic": {
      const values = [{ name: revert.meaning ?? "code", type: "uint256", value: revert.code }];
      return { ...solidity, signature: "Panic(uint256)", values, faults: revert.faults };
    }
    case "custom": {
      const { signature, source, guess, args, faults, others } = revert;
      const inner = args.flatMap(innerOf);
      return { kind: "error", signature, sources: [source], guess, values: args, inner, faults, others };
    }
    case "none":
    case "text":
    case "unknown":
      return undefined;
  }
}

/** Describes the result of a call, by functions that may have been called. */
export function describeReturn(hex: string, functions: readonly AbiItem[]): Description {
  const readings = decodeReturns(functions, hex).map(({ item, values, faults }): DescriptionReading => {
    const { signature, source } = item;
    const own = { kind: "function", signature, sources: [source], guess: false, inner: [], others: [] } as const;
    return { ...own, values: named(item.outputs, values), faults };
  });
  const best = readings[0]?.faults.length;
  const fitting = readings.filter(({ faults }) => faults.length === best);
  return { kind: "return", readings: fitting, facts: [], known: fitting.length > 0 };
}

/** A log as the event that it is. */
export function describeLog(log: JsonValue, scope?: AbiScope): Description {
  const event = decodeLog(log, scope);
  if (!event) return { kind: "log", readings: [], facts: logFacts(log), known: false };
  const { signature, source, guess, args, faults, others, native } = event;
  const values = args.map(({ name, type, value, hashed }): NamedValue => ({ name, type, value, hashed }));
  const inner = args.flatMap((arg, at) => insideOf(arg, at, scope));
  const own = { kind: "event", signature, sources: [source], guess } as const;
  const reading: DescriptionReading = { ...own, values, inner, faults, others };
  const facts = [
    ...(native ? [{ name: "contract", value: "none: a transfer of the native currency in a simulation" }] : []),
    ...logFacts(log),
  ];
  return { kind: "log", readings: [reading], facts, known: true };
}

/** The status of the log, and its time. */
function logFacts(log: JsonValue): readonly Fact[] {
  if (!isObject(log)) return [];
  const time = blockTimeShown(log.blockTimestamp, log.blockTimestampMs);
  return [
    ...(log.removed === true ? [{ name: "removed", value: "by a reorganization" }] : []),
    ...(isUnsealed(placeOf(log), undefined) && log.removed !== true ? [{ name: "state", value: "pre-confirmed" }] : []),
    ...(time ? [{ name: "time", value: time.text }] : []),
  ];
}

/** Logged bytes that are a call or a revert, whole. */
function insideOf({ type, value, hashed }: DecodedArg, at: number, scope?: AbiScope): readonly InnerData[] {
  if (type !== "bytes" || hashed || typeof value !== "string" || value.length % 64 !== 10) return [];
  const call = decodeCall(value, scope);
  if (call?.faults.length === 0) {
    const own = { to: undefined, value: undefined, delegate: false, data: value };
    return [{ path: [at], call: own, reading: callReading(call) }];
  }
  const reading = revertReading(decodeRevert(value, scope));
  return reading?.faults.length === 0 ? [{ path: [at], call: undefined, reading }] : [];
}

function describeCreation(hex: string, scope: AbiScope | undefined): Description | undefined {
  const creation = decodeCreation(hex, scope?.creatables);
  if (!creation) return undefined;
  const { contract, args, proxyTo, compiler, faults } = creation;
  const known = contract !== undefined || proxyTo !== undefined || compiler !== undefined || beginsAsCode.test(hex);
  if (!known) return undefined;
  const reading: DescriptionReading | undefined = contract && {
    ...{ kind: "constructor", signature: `new ${contract.name}`, sources: [contract.source], guess: false },
    ...{ values: args ?? [], inner: [], faults, others: [] },
  };
  return { kind: "creation", readings: reading ? [reading] : [], facts: creationFacts(creation), known: true };
}

/** The code with which Solidity sets up its memory. */
const beginsAsCode = /^0x60[0-9a-f]{2}(?:80)?604052/;

function creationFacts({ proxyTo, compiler, bytes, rest, args }: Creation): readonly Fact[] {
  const more = args === undefined && rest !== undefined && rest !== "0x" ? (rest.length - 2) / 2 : 0;
  return [
    ...(proxyTo === undefined ? [] : [{ name: "proxy for", value: proxyTo }]),
    { name: "code", value: `${plural(bytes, "byte")}${compiler === undefined ? "" : ` of ${compiler}`}` },
    ...(more > 0 ? [{ name: "arguments", value: `${plural(more, "byte")}, of unknown types` }] : []),
  ];
}

function describeTopic(topic: string, scope: AbiScope | undefined): Description {
  const own = scope?.events(topic) ?? [];
  const items = own.length > 0 ? own : bundledIn(scope).events(topic);
  return { kind: "topic", readings: declared(items, false), facts: [], known: items.length > 0 };
}

function describeSelector(selector: string, scope: AbiScope | undefined): Description {
  const all = (from: AbiLookup | undefined) => [
    ...(from?.functions(selector) ?? []),
    ...(from?.errors(selector) ?? []),
  ];
  const own = all(scope);
  const items = own.length > 0 ? own : all(bundledIn(scope));
  return { kind: "selector", readings: declared(items, own.length === 0), facts: [], known: items.length > 0 };
}

/** Declarations without any values, each once. */
function declared(items: readonly AbiItem[], guess: boolean): readonly DescriptionReading[] {
  const readings = new Map<string, DescriptionReading>();
  for (const { kind, signature, source, inputs, isGuessed = false } of items) {
    const values = inputs.map(({ name, type, indexed }) => ({
      name,
      type: indexed ? `${type.text} indexed` : type.text,
      value: undefined,
    }));
    const key = JSON.stringify([kind, signature, values]);
    const same = readings.get(key);
    const sources = [...new Set([...(same?.sources ?? []), source])];
    const isGuess = (same?.guess ?? true) && (guess || isGuessed);
    readings.set(key, { kind, signature, sources, guess: isGuess, values, inner: [], faults: [], others: [] });
  }
  return [...readings.values()];
}

function named(params: readonly AbiParam[], values: readonly Decoded[]): readonly NamedValue[] {
  return params.map(({ name, type }, at) => ({ name, type: type.text, value: values[at] }));
}

function words(hex: string): Description {
  const isCall = hex.length % 64 === 10;
  return { kind: isCall ? "call" : "words", readings: [], facts: wordFacts(hex, isCall ? 10 : 2), known: false };
}

/** Words that are listed. */
const maxWords = 64;

/** Words of unknown types, with what each probably is. */
function wordFacts(hex: string, start: number): readonly Fact[] {
  const all = hex.slice(start).match(/.{1,64}/g) ?? [];
  const more = all.length - maxWords;
  return [
    ...(start > 2 ? [{ name: "selector", value: hex.slice(0, start) }] : []),
    ...all.slice(0, maxWords).map((word, at): Fact => {
      const shown = word.length === 64 ? wordShown(`0x${word}`, new Map()) : undefined;
      return {
        name: `word ${at}`,
        value: shown ? [inlineText(shown), ...(shown.also ?? [])].join(" · ") : `0x${word}`,
      };
    }),
    ...(more > 0 ? [{ name: "…", value: `and ${plural(more, "word")} more` }] : []),
  ];
}

/** Whether data is a call of one of these functions, and not what they return. */
export function isCallOf(functions: readonly AbiItem[], hex: string): boolean {
  return hex.length % 64 === 10 && functions.some((item) => hex.startsWith(selectorOf(item)));
}
