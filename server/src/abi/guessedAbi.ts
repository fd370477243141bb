import { isWord } from "../base/hex.ts";
import { type JsonObject, printJson } from "../base/json.ts";
import { checksummed } from "./address.ts";
import { instructions } from "./code.ts";
import { type AbiItem, parseItem } from "./item.ts";
import type { AbiParam, AbiType } from "./type.ts";
import type { ChainAddress } from "./verifiedContract.ts";
import type { AbiLookup } from "./wellKnownAbis.ts";

/** A function that code has, as an analyser found it. All of it is a guess. */
export interface CodeFunction {
  /** `0x` and 8 digits in lower case. */
  readonly selector: string;
  /** Canonical types of its arguments: `address,(uint256,bytes)[]`. */
  readonly types: string;
  /** As JSON ABIs write it. */
  readonly mutability: string;
}

/**
 * Finds functions in the code of a contract.
 *
 * @param code - Hex, at least one byte.
 * @returns Why it found none, as a clause. Never rejects.
 */
export type ReadCode = (code: string, signal: AbortSignal) => Promise<readonly CodeFunction[] | string>;

/** Functions of one contract: code with more has them from data. */
export const maxFunctions = 1_000;

/** Characters of the types of one function: hostile code reads thousands of arguments. */
const maxTypes = 2_000;

const mutabilities: ReadonlySet<string> = new Set(["pure", "view", "nonpayable", "payable"]);

/**
 * Makes an ABI of functions that were found in code, and of the topics of known events in it. A function has the name of a known one
 * if that has the arguments which the code reads; any other has a name of ours and its selector beside it.
 *
 * @param known - Where names come from.
 */
export function guessedAbi(code: string, functions: readonly CodeFunction[], known: AbiLookup): readonly JsonObject[] {
  const distinct = new Map(functions.slice(0, maxFunctions).map((one) => [one.selector, one]));
  const found = [...distinct.values()].map((one) => functionJson(one, known)).filter((one) => one !== undefined);
  return [...found, ...pushedWords(code).flatMap((word) => known.events(word).map(eventJson))];
}

function functionJson(found: CodeFunction, known: AbiLookup): JsonObject | undefined {
  const { selector, mutability } = found;
  const guess = mutabilities.has(mutability) ? functionOf(found, known) : undefined;
  if (!guess) return undefined;
  const { item, isNamed } = guess;
  const isRead = item.isView ?? (mutability === "view" || mutability === "pure");
  return {
    type: "function",
    name: item.name,
    ...(!isNamed && { selector }),
    inputs: item.inputs.map(paramJson),
    outputs: item.outputs.map(paramJson),
    stateMutability: isRead ? "view" : mutability === "payable" ? "payable" : "nonpayable",
  };
}

/**
 * Returns functions that were found in code as people read them, those with known names first.
 *
 * @example guessedSignatures([{ selector: "0x12345678", types: "uint256", mutability: "view" }], known); //=> ["0x12345678(uint256)"]
 */
export function guessedSignatures(functions: readonly CodeFunction[], known: AbiLookup): readonly string[] {
  const guesses = functions.slice(0, maxFunctions).flatMap((one) => {
    const guess = functionOf(one, known);
    return guess ? { ...guess, selector: one.selector } : [];
  });
  const named = guesses.filter(({ isNamed }) => isNamed).map(({ item }) => item.signature);
  const others = guesses.filter(({ isNamed }) => !isNamed);
  return [...named, ...others.map(({ item, selector }) => `${selector}${item.signature.slice(item.name.length)}`)];
}

/** @returns `undefined` for what an analyser cannot mean. */
function functionOf(
  { selector, types }: CodeFunction,
  known: AbiLookup,
): { readonly item: AbiItem; readonly isNamed: boolean } | undefined {
  if (!/^0x[0-9a-f]{8}$/.test(selector) || types.length > maxTypes) return undefined;
  const unnamed = parseItem(`${unknownName(selector)}(${types})`, "");
  if (!unnamed) return undefined;
  const named = known.functions(selector).find((item) => reaches(layout(item.inputs), layout(unnamed.inputs)));
  return { item: named ?? unnamed, isNamed: named !== undefined };
}

function unknownName(selector: string): string {
  return `unknown_${selector.slice(2)}`;
}

/**
 * What the arguments of a function are, word for word of the first part of its data. Code seldom tells a number from 32 bytes, text from bytes, or a struct of fixed
 * size from its members, so nothing else is compared.
 */
function layout(params: readonly AbiParam[]): readonly string[] {
  return params.flatMap(({ type }) =>
    type.dynamic ? (type.kind === "string" ? "bytes" : type.kind) : Array.from({ length: type.words }, () => "word"),
  );
}

/** Whether a function has all arguments that its code reads, each at its place. Code does not read what it ignores, and an analyser misses some. */
function reaches(declared: readonly string[], found: readonly string[]): boolean {
  return found.every((kind, at) => kind === declared[at]);
}

function eventJson(item: AbiItem): JsonObject {
  const inputs = item.inputs.map((param) => ({ ...paramJson(param), indexed: param.indexed }));
  return { type: "event", name: item.name, inputs, anonymous: false };
}

function paramJson({ name, type }: AbiParam): JsonObject {
  const { base, suffix } = withoutArrays(type);
  if (base.kind !== "tuple") return { name, type: type.text };
  return { name, type: `tuple${suffix}`, components: base.members.map(paramJson) };
}

function withoutArrays(type: AbiType, suffix = ""): { readonly base: AbiType; readonly suffix: string } {
  if (type.kind !== "array") return { base: type, suffix };
  return withoutArrays(type.of, `[${type.length ?? ""}]${suffix}`);
}

/** The words that code pushes, each once: topics of events are among them. */
function pushedWords(code: string): readonly string[] {
  const found = new Set<string>();
  for (const { opcode, pushed } of instructions(code)) if (opcode === 0x7f) found.add(`0x${pushed}`);
  return [...found].filter((word) => isWord(word));
}

export interface NamedContract extends ChainAddress {
  /** An identifier, as the name of the file. */
  readonly name: string;
}

/** A contract whose ABI was guessed, as its file describes it. */
export interface GuessedFile extends NamedContract {
  /** The contracts whose code was read, in lower case: the contract itself, or those that it passes calls on to. */
  readonly readAt: readonly string[];
  readonly abi: readonly JsonObject[];
  /** `2026-11-27` */
  readonly date: string;
}

/** Returns the text of the file of a contract that nobody verified. */
export function guessedFileText({ name, address, chainId, readAt, abi, date }: GuessedFile): string {
  const json: JsonObject = {
    contractName: name,
    address: checksummed(address),
    chainId,
    guessed: { from: readAt.map(checksummed), date },
    abi: [...new Map(abi.map((one) => [printJson(one), one])).values()],
  };
  return `${printJson(json, 2)}\n`;
}
