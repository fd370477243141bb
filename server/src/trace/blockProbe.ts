import { toWord } from "../base/hex.ts";
import type { BlockFacts, Fork } from "./task.ts";

/** What the code of {@link blockProbe} returned. */
export interface ProbedBlock {
  readonly block: BlockFacts;
  readonly chainId: bigint;
  /** What the call pays for a unit of gas. */
  readonly gasPrice: bigint;
  /** The precompiled contracts of EIP-2537 exist. */
  readonly hasBls: boolean;
}

/**
 * Instructions, as code of two digits each, in the order in which {@link readBlockProbe} reads their words. The number is
 * first: its first byte is 0, so that a node takes the words for the code of a contract.
 */
const instructions = ["43", "42", "41", "44", "45", "48", "4a", "46", "3a"];

/** Calls the first contract of EIP-2537 without input, which it refuses. An account without code accepts everything. */
const callsBls = "6000600060006000600b6103e8fa";

/**
 * Code of a creation that returns what a call at a block can read about it. Asked with `eth_call` without `to`, also by
 * endpoints that serve no blocks, and the same that another call at this block reads.
 */
export const blockProbe = returningWords([...instructions, callsBls]);

/** Code that fails before the fork that has the instruction: EIP-7939 and EIP-7843. */
export const osakaProbe = returningWords(["60011e"]);
export const amsterdamProbe = returningWords(["4b"]);

/** Code of a creation that returns a word of zeros, and the hash of a block: code of a contract may not begin with 0xef. */
export function hashProbe(number: bigint): string {
  return returningWords(["6000", `7f${toWord(number).slice(2)}40`]);
}

function returningWords(words: readonly string[]): string {
  const size = (bytes: number): string => `61${bytes.toString(16).padStart(4, "0")}`; // PUSH2
  return `0x${words.map((word, at) => `${word}${size(at * 32)}52`).join("")}${size(words.length * 32)}6000f3`;
}

/** @returns `undefined` if it is not what the code returns: the chain may be older than Cancun, or no EVM. */
export function readBlockProbe(result: unknown): ProbedBlock | undefined {
  const count = instructions.length + 1;
  if (typeof result !== "string" || !/^0x[0-9a-fA-F]*$/.test(result) || result.length !== 2 + count * 64)
    return undefined;
  const words = Array.from({ length: count }, (_, at) => BigInt(`0x${result.slice(2 + at * 64, 66 + at * 64)}`));
  const [number = 0n, time = 0n, coinbase = 0n, prevRandao = 0n, gasLimit = 0n, baseFee = 0n, blobBaseFee = 0n] = words;
  const [chainId = 0n, gasPrice = 0n, accepts = 1n] = words.slice(7);
  const address = `0x${coinbase.toString(16).padStart(40, "0")}`;
  return {
    block: { number, time, coinbase: address, prevRandao: toWord(prevRandao), gasLimit, baseFee, blobBaseFee },
    chainId,
    gasPrice,
    hasBls: accepts === 0n,
  };
}

/** The rules of a chain, as its own answers show them. @returns `undefined` for rules that are not known yet. */
export function forkOf(
  { hasBls }: ProbedBlock,
  { osaka, amsterdam }: { readonly osaka: boolean; readonly amsterdam: boolean },
): Fork | undefined {
  if (amsterdam) return undefined;
  return osaka ? "osaka" : hasBls ? "prague" : "cancun";
}
