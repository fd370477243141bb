import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson, sameScalar } from "../base/json.ts";
import { brief, listed, oneLine } from "../base/text.ts";
import { type Difference, differences, differenceText } from "../evaluate/diff.ts";
import { isBytes } from "../evaluate/operators.ts";
import type { RecordedExchange } from "./recording.ts";
import type { AroundId, WrittenRequest } from "./wireMessages.ts";

/**
 * How requests find their recorded answers.
 *
 * - `strict`: each recorded answer is given once, in the order of the recording.
 * - `lenient`: answers are given again from the first, and a request that was recorded at another block tag, or written in another
 *   way, gets that answer.
 */
export type Matching = "strict" | "lenient";

/** Finds the recorded exchanges that answer a request. */
export type Matcher = (request: WrittenRequest) => Sequence | undefined;

/** A recorded exchange in a sequence. */
export interface Recorded {
  readonly exchange: RecordedExchange;
  /** Set when it has answered, if its text is short. */
  around?: AroundId;
}

/** The recorded exchanges of equal requests, in the order of the recording. */
export class Sequence {
  readonly #all: readonly Recorded[];
  readonly #repeats: boolean;
  #at = 0;

  /** @param repeats - Begins again after the last one. */
  constructor(all: readonly RecordedExchange[], repeats: boolean) {
    this.#all = all.map((exchange) => ({ exchange }));
    this.#repeats = repeats;
  }

  get hasNext(): boolean {
    return this.#at < this.#all.length;
  }
  next(): Recorded | undefined {
    const recorded = this.#all[this.#at++];
    if (this.#repeats && !this.hasNext) this.#at = 0;
    return recorded;
  }
}

export function openMatcher(exchanges: readonly RecordedExchange[], matching: Matching): Matcher {
  const byMethod = groupedBy(exchanges, ({ method }) => method);
  const isLenient = matching === "lenient";
  const exact = sequencesBy(byMethod, requestKey, isLenient);
  const similar = sequencesBy(byMethod, looseKey, isLenient);
  return (request) => exact(request) ?? (isLenient ? similar(request) : undefined);
}

/** Groups the exchanges of a method at its first request: a recording can have a million. */
function sequencesBy(
  byMethod: ReadonlyMap<string, readonly RecordedExchange[]>,
  keyOf: typeof requestKey,
  repeats: boolean,
): Matcher {
  const open = new Map<string, ReadonlyMap<string, Sequence>>();
  return ({ method, params }) => {
    const exchanges = byMethod.get(method);
    if (!exchanges) return undefined;
    let sequences = open.get(method);
    if (!sequences) {
      const groups = groupedBy(exchanges, (one) => keyOf(method, one.params));
      sequences = new Map([...groups].map(([key, all]) => [key, new Sequence(all, repeats)]));
      open.set(method, sequences);
    }
    return sequences.get(keyOf(method, params));
  };
}

/** Differences that a message names. */
const maxDifferences = 3;

/** Explains that a request was not recorded: the nearest recorded request, and how this one differs. */
export function nearestExchange({ method, params }: WrittenRequest, exchanges: readonly RecordedExchange[]): string {
  const sameMethod = exchanges.filter((one) => one.method === method);
  if (sameMethod.length === 0) {
    const methods = [...new Set(exchanges.map((one) => one.method))];
    const others = methods.length > 0 ? `, only ${brief(listed(methods), 200)}` : "";
    return `Not in the recording: it has no \`${brief(method, 60)}\`${others}.`;
  }
  const recorded = sameMethod.map((one) => one.params ?? []);
  const alike = nearestOf(recorded, params ?? [], isAlike);
  const found = alike.length > 0 ? alike : nearestOf(recorded, params ?? [], isSame);
  if (found.length === 0) return `Not in the recording: every recorded answer to this \`${method}\` was already given.`;
  const what = found.slice(0, maxDifferences).map((one) => oneLine(`${one.path}: ${differenceText(one)}`));
  const more = found.length > maxDifferences ? `, and ${found.length - maxDifferences} more` : "";
  return `Not in the recording: the nearest recorded \`${method}\` differs at ${what.join("; ")}${more}.`;
}

/** Returns the differences from the recorded parameters that are the nearest; of equally near ones, from the first. */
function nearestOf(recorded: readonly JsonValue[], asked: JsonValue, isEqual: typeof isSame): readonly Difference[] {
  let best: readonly Difference[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const one of recorded) {
    const found = [...differences(one, asked, ["params"], isEqual)];
    const distance = found.reduce((sum, each) => sum + distanceOf(each), 0);
    if (distance < least) [best, least] = [found, distance];
  }
  return best;
}

/** Whether a replay answers one with what was recorded for the other, unless it is strict. */
function isAlike(a: JsonValue, b: JsonValue): boolean {
  return isSame(a, b) || (recentTags.has(String(a)) && recentTags.has(String(b)));
}

/** Hex digits in any case are the same, as for the replay. */
function isSame(a: JsonValue, b: JsonValue): boolean {
  const isHex = typeof a === "string" && typeof b === "string" && a.startsWith("0x");
  return isHex ? a.toLowerCase() === b.toLowerCase() : sameScalar(a, b);
}

/** Bits of the largest number. */
const numberBits = 256;

/**
 * Returns how far two values are from each other: two numbers at most 1, the closer the less; a number and a tag 1; two
 * texts from 1 to 2, by the share of characters that differ; any others, or a value and none, 2.
 */
function distanceOf({ expected, actual }: Difference): number {
  if (typeof expected !== "string" || typeof actual !== "string") return 2;
  const [was, is] = [numberIn(expected), numberIn(actual)];
  if (was !== undefined && is !== undefined) {
    const apart = was > is ? was - is : is - was;
    return Math.min(1, Math.log2(Number(apart) + 1) / numberBits);
  }
  if (was !== undefined || is !== undefined) return isBytes(was === undefined ? expected : actual) ? 2 : 1;
  const [longer, shorter] = expected.length > actual.length ? [expected, actual] : [actual, expected];
  const equal = [...shorter.toLowerCase()].filter((letter, at) => letter === longer[at]?.toLowerCase()).length;
  return 2 - equal / Math.max(1, longer.length);
}

function numberIn(text: string): bigint | undefined {
  return isBytes(text) ? undefined : quantity(text);
}

/**
 * A text that is equal for requests that ask the same: members in any order, hex digits in any case, no parameters as
 * an empty list.
 */
export function requestKey(method: string, params: JsonValue | undefined): string {
  return `${method} ${canonical(params ?? [])}`;
}

/** Prints a value; written out, because this runs for each exchange of a recording. */
function canonical(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(/^0x[\dA-F]*$/i.test(value) ? value.toLowerCase() : value);
  if (isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return printJson(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join()}}`;
}

/** Tags of recent blocks. Which block each names moves, so an answer at one serves for another. */
const recentTags: ReadonlySet<string> = new Set(["pending", "latest", "safe", "finalized"]);
/** Methods with a call or a filter that clients write in different ways. */
const methodsWithObjects: ReadonlySet<string> = new Set([
  "eth_call",
  "eth_createAccessList",
  "eth_estimateGas",
  "eth_getLogs",
  "eth_subscribe",
]);

/**
 * A text that is equal for requests that a node answers alike at recent blocks, however a client writes them: block tags,
 * `input` for `data`, and members that name the default.
 *
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/transaction.yaml (GenericTransaction)
 */
export function looseKey(method: string, params: JsonValue | undefined): string {
  if (!isArray(params)) return requestKey(method, params);
  const [last, ...others] = params.map((one) => looseParam(method, one)).reverse();
  const isDefault = last === "latest" && others.length > 0;
  return requestKey(method, [...others.reverse(), ...(isDefault || last === undefined ? [] : [last])]);
}

function looseParam(method: string, param: JsonValue): JsonValue {
  if (typeof param === "string") return recentTags.has(param) ? "latest" : param;
  return isObject(param) && methodsWithObjects.has(method) ? looseObject(method, param) : param;
}

function looseObject(method: string, object: JsonObject): JsonObject {
  const entries = Object.entries(object).flatMap(([key, value]): readonly [string, JsonValue][] => {
    if (key === "chainId" || key === "nonce") return [];
    if (key === "from") return typeof value === "string" && /^0x0*$/.test(value) ? [] : [[key, value]];
    if (key === "topics") return isArray(value) && value.length === 0 ? [] : [[key, value]];
    if (key === "input") return [["data", value]];
    if (key !== "fromBlock" && key !== "toBlock") return [[key, value]];
    // A subscription delivers new logs only, and a filter without a block means the latest.
    return method === "eth_subscribe" || (typeof value === "string" && recentTags.has(value)) ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** Groups exchanges by a key, in their order. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
