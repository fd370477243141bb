import { quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, parseJson } from "../base/json.ts";

/** Blocks from `from` to `to`, both included. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Advice in a refusal of `eth_getLogs` about a request that would work. */
export interface RangeHint {
  /** A range that the endpoint suggests; smaller than the requested one and inside it. */
  readonly range: BlockRange | undefined;
  /** The largest toBlock − fromBlock. */
  readonly rangeLimit: bigint | undefined;
}

/** A requested range; an end is `undefined` if it is a tag. */
export interface RequestedRange {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** Reads the range out of the text of an `eth_getLogs` request. */
export function requestedRange(request: string): RequestedRange {
  const body = parseJson(request);
  const params = isObject(body) ? body.params : undefined;
  const filter = isArray(params) ? params[0] : undefined;
  if (!isObject(filter)) return { from: undefined, to: undefined };
  return { from: quantity(filter.fromBlock), to: quantity(filter.toBlock) };
}

/**
 * Reads the suggested range and the limit out of a refusal. The texts can be wrong: a
 * suggestion that is inverted, or not smaller than the request, is dropped, and so is a limit that the request kept.
 *
 * @param texts - The message and the strings of the data.
 */
export function readHint(texts: readonly string[], data: JsonValue | undefined, asked: RequestedRange): RangeHint {
  const suggested = texts.map(suggestedRange).find((each) => each !== undefined) ?? rangeOfData(data);
  const blocks = statedCaps(texts).blocks;
  return {
    range: suggested && isPart(suggested, asked) ? suggested : undefined,
    rangeLimit: blocks !== undefined && blocks > 0n && isUseful(blocks, asked) ? blocks - 1n : undefined,
  };
}

function isPart({ from, to }: BlockRange, asked: RequestedRange): boolean {
  if (from > to) return false;
  if (asked.from !== undefined && from < asked.from) return false;
  if (asked.to !== undefined && to > asked.to) return false;
  return from !== asked.from || to !== asked.to;
}

function isUseful(blocks: bigint, { from, to }: RequestedRange): boolean {
  return from === undefined || to === undefined || to - from >= blocks - 1n;
}

/** Words after which a pair of numbers is advice; before them it repeats the request. */
const advice =
  /\b(?:try(?:ing)?(?: again)?|retry(?:ing)?|should work|would work|works?|suggest\w*|recommend\w*|instead|use|using)\b/gi;
const pair =
  /^(?:[^\d[]|\[(?!\s*(?:0x)?\d)){0,60}?\[?\s*(?<![\w.])(0x[0-9a-f]+|\d+)\s*(?:,|-|–|\.\.\.?|\bto\b|\band\b)\s*(?:toBlock\W*)?(0x[0-9a-f]+|\d+)(?!\w)/i;

/** @example suggestedRange("Try with this block range [0x1, 0x2]."); //=> { from: 1n, to: 2n } */
export function suggestedRange(text: string): BlockRange | undefined {
  const short = text.slice(0, 2000);
  for (const cue of short.matchAll(advice)) {
    const found = pair.exec(short.slice(cue.index + cue[0].length));
    const [, from, to] = found ?? [];
    if (from && to) return { from: BigInt(from), to: BigInt(to) };
  }
  return undefined;
}

/** Reads infura's `{ from, to, limit }`, also written with capitals. */
function rangeOfData(data: JsonValue | undefined): BlockRange | undefined {
  if (!isObject(data)) return undefined;
  const from = blockNumber(data.from ?? data.From ?? data.fromBlock);
  const to = blockNumber(data.to ?? data.To ?? data.toBlock);
  return from !== undefined && to !== undefined ? { from, to } : undefined;
}

function blockNumber(value: JsonValue | undefined): bigint | undefined {
  return typeof value === "string" && /^\d{1,18}$/.test(value) ? BigInt(value) : quantity(value);
}

/** The limits that a text states: numbers of blocks, and of results. */
export interface StatedCaps {
  readonly blocks: bigint | undefined;
  readonly results: bigint | undefined;
}

/** @example statedCaps(["up to a 2K block range"]).blocks; //=> 2000n */
export function statedCaps(texts: readonly string[]): StatedCaps {
  let blocks: bigint | undefined;
  let results: bigint | undefined;
  for (const text of texts) {
    for (const { count, unit } of capsIn(text)) {
      // the requested number may be repeated beside the limit, and is larger
      if (unit === "blocks") blocks = blocks === undefined || count < blocks ? count : blocks;
      else results ??= count;
    }
  }
  return { blocks, results };
}

interface Cap {
  readonly count: bigint;
  readonly unit: "blocks" | "results";
}

/**
 * The text between a limit and the words before it. Words that announce the requested number instead
 * break the connection.
 */
const join = String.raw`(?:(?!\b(?:requested(?! blocks)|request|got|received|asked|actual|given|was|were|per)\b)[^.;\d]){0,40}?`;
const capPatterns: readonly RegExp[] = [
  // 49999 > 2000
  /\d+\s*(?:>|&gt;|is greater than|is bigger than|is larger than)\s*(\d+)/gi,
  new RegExp(
    String.raw`\b(?:max(?:imum)?|limit(?:ed|s)?|cap(?:ped)?|allow(?:ed|s)|at most|narrow your filter|smaller than size)\b${join}(?<![\w.-])(\d+)(?!\w)`,
    "gi",
  ),
  new RegExp(
    String.raw`\b(?:up to|exceed(?:s|ed|ing)?|over|above|(?:more|greater|larger|bigger|wider|longer|less|fewer|smaller) than|within|under|below)\b${join}(?<![\w.-])(\d+)(?!\w)`,
    "gi",
  ),
  /(?<![\w.-])(\d+)[\s-]*(?:blocks?[\s-]*)?(?:range[\s-]*)?(?:max(?:imum)?|limit|cap)\b/gi,
];

function capsIn(text: string): readonly Cap[] {
  const plain = plainNumbers(text.slice(0, 2000));
  const caps: Cap[] = [];
  for (const pattern of capPatterns) {
    for (const found of plain.matchAll(pattern)) {
      const unit = unitOf(found, plain);
      if (unit && found[1]) caps.push({ count: BigInt(found[1]), unit });
    }
  }
  return caps;
}

/** Writes `10,000` and `2K` as digits, `0 - 50` as its end, and removes every range that is not a limit. */
function plainNumbers(text: string): string {
  return text
    .replace(
      /(?<![\w.])(\d{1,3}(?:[,_']\d{3})+|\d{1,18})\s?([km])?(?!\w)/gi,
      (_all, digits: string, scale?: string) => {
        const count = digits.replace(/\D/g, "");
        return scale ? `${count}${scale.toLowerCase() === "k" ? "000" : "000000"}` : count;
      },
    )
    .replace(/(?<![\w.])0\s*(?:-|–|to)\s*(\d+)/g, "$1")
    .replace(/\b(large|big|wide|high|long|requested)\s*\(\s*\d+\s*\)/gi, "$1")
    .replace(/\[?(?<![\w.])(?:0x[0-9a-f]+|\d+)\s*(?:,|-|–|\.\.\.?|\bto\b)\s*(?:0x[0-9a-f]+|\d+)(?!\w)\]?/gi, " ");
}

const resultWords = /\b(?:results?|logs?|records?|events?|entries|items|rows|matches)\b/i;
const blockWords = /\b(?:blocks?|ranges?|distance|span|smaller than size)\b/i;
const otherUnits =
  /^\s*(?:\/|per\b|ms\b|s\b|sec|min|bytes?|[kmg]i?b\b|%|requests?|calls?|address|topics?|filters?|credits?|-?bit)/i;

/** Returns what a number counts: by the word after it, else by the words before it, else by the whole clause. */
function unitOf(found: RegExpExecArray, text: string): "blocks" | "results" | undefined {
  const after = text.slice(found.index + found[0].length, found.index + found[0].length + 24);
  if (otherUnits.test(after)) return undefined;
  const next = /^[\s-]*(\w+)/.exec(after)?.[1] ?? "";
  const clause = text.slice(0, found.index + found[0].length + 24);
  for (const near of [next, found[0], clause]) {
    const results = near.replace(/eth_\w+/g, "").search(resultWords);
    const blocks = near.search(blockWords);
    if (results !== -1 && (blocks === -1 || near === next)) return "results";
    if (blocks !== -1 && (results === -1 || near !== found[0])) return "blocks";
  }
  return undefined;
}
