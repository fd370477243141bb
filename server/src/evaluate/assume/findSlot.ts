import {
  allowanceCall,
  balanceCall,
  decimalsCall,
  type SlotFormula,
  slotBy,
  slotFormulas,
  tokenDecimals,
} from "../../abi/token.ts";
import { isAddress, isHex, quantity, toQuantity, toWord } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { memoByObject } from "../../base/memo.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import type { BitField, Decimals, OverrideQuestion, SlotQuestion, TokenSlot } from "./stateQuestion.ts";

/** A request that only reads. */
export interface ChainQuestion {
  readonly method: string;
  readonly params: readonly JsonValue[];
}

interface StoredAt {
  readonly address: string;
  readonly slot: bigint;
}

/** A word of storage that may hold the number. */
export interface SlotPlace extends StoredAt {
  /** The layout that gives this slot; `undefined` if no known one does. */
  readonly formula: SlotFormula | undefined;
}

export type Discovery =
  | { readonly kind: "candidates"; readonly places: readonly SlotPlace[]; readonly decimals: Decimals }
  | { readonly kind: "refused"; readonly why: string }
  /** The endpoint did not answer. */
  | { readonly kind: "failed"; readonly outcome: Outcome };

/** Words that one message verifies. */
const maxPlaces = 12;

/** Makes the questions of the first round: is it a token, and which words of storage does its number depend on? */
export function discoveryQuestions(question: SlotQuestion): readonly ChainQuestion[] {
  const { token, block } = question;
  const data = readingCall(question);
  return [
    { method: "eth_getCode", params: [token, block] },
    call(token, decimalsCall, block),
    call(token, data, block),
    { method: "eth_createAccessList", params: [{ to: token, data }, block] },
    call(token, data, block, { [token]: { stateDiff: marked(question) } }),
  ];
}

export function discovery(question: SlotQuestion, outcomes: readonly Outcome[]): Discovery {
  const [code, decimals, reading, accesses, marking] = outcomes;
  const failed = [code, decimals, reading, marking].find((one) => one !== undefined && isEndpointFailure(one));
  if (failed) return { kind: "failed", outcome: failed };
  const name = readingName(question);
  if (resultOf(code) === "0x") return { kind: "refused", why: "its address has no code" };
  const now = wordOf(reading);
  if (now === undefined) return { kind: "refused", why: notAToken(name, reading) };
  const places = candidates(question, wordOf(marking), resultOf(accesses));
  if (places.length > 0) return { kind: "candidates", places, decimals: decimalsFrom(resultOf(decimals)) };
  if (wordOf(marking) !== now) return { kind: "refused", why: calculated(name) };
  return {
    kind: "refused",
    why: `none of the known storage layouts fits${accesses?.kind === "answered" ? "" : ", and the endpoint does not serve `eth_createAccessList`"}`,
  };
}

function decimalsFrom(result: JsonValue | undefined): Decimals {
  return result === undefined || result === "0x" ? undefined : (tokenDecimals(result) ?? "unclear");
}

/**
 * Makes the questions of the second round: each writes a word by an override and reads the number back. The last one marks
 * every other known place instead: of two places that fit, both are read.
 */
export function verificationQuestions(question: SlotQuestion, place: SlotPlace): readonly ChainQuestion[] {
  const { address, slot } = place;
  const [key, data] = [toWord(slot), readingCall(question)];
  const written = testWords.map((value) =>
    call(question.token, data, question.block, { [address]: { stateDiff: { [key]: toWord(value) } } }),
  );
  const others = call(question.token, data, question.block, {
    [question.token]: { stateDiff: marked(question, place) },
  });
  return [wordQuestion(address, key, question.block), ...written, others];
}

export function wordQuestion(address: string, slot: string, block: JsonValue): ChainQuestion {
  return { method: "eth_getStorageAt", params: [address, slot, block] };
}

export const questionsOfDiscovery = 5;
export const questionsOfVerification = 7;

/**
 * Reads the answers to {@link verificationQuestions}.
 *
 * @returns The field that the number is in, if every word that was written reads back exactly; else a clause.
 */
export function verification(
  question: SlotQuestion,
  { address, slot }: SlotPlace,
  [stored, ...answers]: readonly Outcome[],
): TokenSlot | string {
  const word = stored && quantity(resultOf(stored)); // some nodes leave out leading zeros
  const read = answers.slice(0, testWords.length).map(wordOf);
  const field = word === undefined ? undefined : fieldOf(read);
  if (word !== undefined && field)
    return placeMarked(question, wordOf(answers[testWords.length])) ? severalFit : { address, slot, ...field, word };
  const isUntouched = read.every((one) => one !== undefined && one === read[0]);
  return isUntouched
    ? `\`${readingName(question)}\` does not depend on what is stored`
    : calculated(readingName(question));
}

const ones = 2n ** 256n - 1n;
/** Digits of no pattern, so that every window of 32 bits is different; with the top bit, and without. */
const [digits, otherDigits] = [
  0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855n,
  0x3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1bn,
];
/** The last one leaves the upper half empty. */
const testWords: readonly bigint[] = [ones, 0n, digits, otherDigits, otherDigits >> 128n];

/** Returns the bits of a word that the readings are: those of {@link testWords}. */
function fieldOf(readings: readonly (bigint | undefined)[]): BitField | undefined {
  const [mask] = readings;
  if (mask === undefined || mask === 0n || (mask & (mask + 1n)) !== 0n) return undefined;
  const bits = mask.toString(2).length;
  if (bits < 32) return undefined;
  for (let shift = 0; shift + bits <= 256; shift++)
    if (testWords.every((word, at) => readings[at] === ((word >> BigInt(shift)) & mask))) return { shift, bits };
  return undefined;
}

/** Why it is not clear where a number is. */
export const severalFit = "two places of its storage fit, so it is not clear which of them to change";

/** The call data that reads the number. */
export function readingCall({ kind, accounts: [first, second] }: SlotQuestion): string {
  return kind === "balance" ? balanceCall(first) : allowanceCall(first, second ?? first);
}

function readingName({ kind }: SlotQuestion): string {
  return kind === "balance" ? "balanceOf" : "allowance";
}

function call(to: string, data: string, block: JsonValue, overrides?: JsonObject): ChainQuestion {
  return { method: "eth_call", params: [{ to, data }, block, ...(overrides ? [overrides] : [])] };
}

/** Every known place but one, each with a value of its own, so that one call shows which of them is read. */
function marked(question: SlotQuestion, except?: SlotPlace): JsonObject {
  return Object.fromEntries(
    knownPlaces(question).flatMap(({ slot }, at) =>
      slot === except?.slot && except.address === question.token
        ? []
        : [[toWord(slot), toWord(firstMark + BigInt(at))]],
    ),
  );
}

/** Every known layout with its slot: hundreds of hashes, which each round needs. */
const knownPlaces = memoByObject(({ accounts }: SlotQuestion) =>
  slotFormulas(accounts.length).map((formula) => ({ formula, slot: slotBy(formula, accounts) })),
);

const firstMark = 0x6d61_726b_0000n;

/** Returns the place that a mark is of. */
function placeMarked(question: SlotQuestion, mark: bigint | undefined) {
  return mark === undefined ? undefined : knownPlaces(question)[Number(BigInt.asUintN(53, mark - firstMark))];
}

function candidates(
  question: SlotQuestion,
  mark: bigint | undefined,
  accesses: JsonValue | undefined,
): readonly SlotPlace[] {
  const place = placeMarked(question, mark);
  const hit = place && { address: question.token, ...place };
  const touched = touchedWords(accesses);
  const isHit = ({ address, slot }: StoredAt): boolean => hit?.address === address && hit.slot === slot;
  const bySlot = new Map(knownPlaces(question).map(({ slot, formula }) => [slot, formula]));
  const others = touched.flatMap((one) => (isHit(one) ? [] : { ...one, formula: bySlot.get(one.slot) }));
  const inOrder = others.toSorted((a, b) => Number(b.formula !== undefined) - Number(a.formula !== undefined));
  return [...(hit ? [hit] : []), ...inOrder].slice(0, maxPlaces);
}

/** Returns what an access list says was read. */
function touchedWords(result: JsonValue | undefined): readonly StoredAt[] {
  const list = isObject(result) && isArray(result.accessList) ? result.accessList : [];
  return list.flatMap((entry) => {
    const { address, storageKeys } = isObject(entry) ? entry : {};
    if (!isAddress(address) || !isArray(storageKeys)) return [];
    const keys = storageKeys.filter((key) => isHex(key) && key.length > 2 && key.length <= 66);
    return keys.map((key) => ({ address: address.toLowerCase(), slot: BigInt(String(key)) }));
  });
}

/** Whether the endpoint did not do what was asked, for a reason that has nothing to do with the contract. */
export function isEndpointFailure(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" || (outcome.kind === "refused" && !ofExecution.has(outcome.reason));
}

/** Refusals that the contract is the reason for. */
const ofExecution: ReadonlySet<string> = new Set(["revert", "vm-error"]);

function notAToken(name: string, reading: Outcome | undefined): string {
  const result = resultOf(reading);
  if (result === "0x")
    return `its \`${name}\` returns nothing: it is not a token, or a proxy without an implementation`;
  return `its \`${name}\` ${result === undefined ? "reverts" : "returns no number"}: it is not a token`;
}

function calculated(name: string): string {
  return `its \`${name}\` is calculated from what is stored, as in rebasing and share-based tokens`;
}

function wordOf(outcome: Outcome | undefined): bigint | undefined {
  const result = resultOf(outcome);
  return isHex(result) && result.length === 66 ? BigInt(result) : undefined;
}

/** An address without code that no account is known to use. */
const unused = "0x00000000000000000000000000000000000a55e7";
/** Code that returns slot 0, code that returns the time of the block, and code that reverts. */
const [slotCode, timeCode, revertingCode] = ["0x60005460005260206000f3", "0x4260005260206000f3", "0x60006000fd"];
const canary = 0x7f00_0000n;

/**
 * Asks whether a method takes overrides.
 *
 * @param timeAs - The name of the time among block overrides: geth has `time`, the service's own document `timestamp`.
 */
export function overrideQuestion({ of, by }: OverrideQuestion, timeAs: "time" | "timestamp" = "time"): ChainQuestion {
  if (by === "eth_estimateGas")
    return { method: by, params: [{ to: unused }, "latest", { [unused]: { code: revertingCode } }] };
  const code = of === "state" ? slotCode : timeCode;
  const account = { code, ...(of === "state" && { stateDiff: { [toWord(0n)]: toWord(canary) } }) };
  const time = of === "block" ? { [timeAs]: toQuantity(canary) } : undefined;
  if (by === "eth_call")
    return { method: by, params: [{ to: unused }, "latest", { [unused]: account }, ...(time ? [time] : [])] };
  const block = {
    ...(time && { blockOverrides: time }),
    stateOverrides: { [unused]: account },
    calls: [{ to: unused }],
  };
  return { method: by, params: [{ blockStateCalls: [block] }, "latest"] };
}

/** Reads the answer to {@link overrideQuestion}: a failure of the endpoint is not an answer. */
export function takesOverrides(outcome: Outcome, by: OverrideQuestion["by"]): boolean | undefined {
  if (by === "eth_estimateGas" && outcome.kind === "refused" && ofExecution.has(outcome.reason)) return true;
  if (outcome.kind === "answered") return by !== "eth_estimateGas" && isCanary(outcome.result.value);
  return outcome.kind === "refused" && saysNo.has(outcome.reason) ? false : undefined;
}

/** Whether a call, or the only one of a simulation, returned the canary. */
function isCanary(value: JsonValue): boolean {
  const [block] = isArray(value) ? value : [];
  const [call] = isObject(block) && isArray(block.calls) ? block.calls : [];
  const returned = isObject(call) ? call.returnData : value;
  return isHex(returned) && returned.length === 66 && BigInt(returned) === canary;
}

const saysNo: ReadonlySet<string> = new Set([
  "bad-params",
  "bad-request",
  "revert",
  "vm-error",
  "not-allowed",
  "other",
]);
