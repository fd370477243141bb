import { toWord } from "../base/hex.ts";
import { explain } from "../rpc/explain.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { BlockFacts, Fork } from "./task.ts";

/** What the code of {@link blockProbe} returned. */
export interface ProbedBlock {
  readonly block: BlockFacts;
  readonly chainId: bigint;
  /** What the call pays for a unit of gas. */
  readonly gasPrice: bigint;
  /** The rules that it follows; `undefined` if they are not known yet. */
  readonly fork: Fork | undefined;
}

/**
 * Instructions, as code of two digits each, in the order in which {@link readBlockProbe} reads their words. The number is
 * first: its first byte is 0, so that a node takes the words for the code of a contract.
 */
const instructions = ["43", "42", "41", "44", "45", "48", "4a", "46", "3a"];

/** Calls the first contract of EIP-2537 without input, which it refuses. An account without code accepts everything. */
const callsBls = "6000600060006000600b6103e8fa";

/**
 * Creates a contract of four bytes of code and calls it with little gas: 1 if the chain has its instruction. An answer that says
 * so cannot be mistaken for another failure.
 */
function running(code: string): string {
  const creation = `63${code}6000526004601cf3`;
  return `60006000600060006c${creation}61040052600d6104136000f06103e8fa`;
}

/** EIP-7939 and EIP-7843. */
const [runsOsaka, runsAmsterdam] = [running("60011e00"), running("4b000000")];

/**
 * Code of a creation that returns what a call at a block can read about it, and the rules of the chain. Asked with `eth_call` without `to`, also by
 * endpoints that serve no blocks, and the same that another call at this block reads.
 */
export const blockProbe = returningWords([...instructions, callsBls, runsOsaka, runsAmsterdam]);

/** Says why an answer does not have what {@link blockProbe} returns: a node refuses an instruction that its chain lacks. */
export function whyUnprobed(outcome: Outcome | undefined, method: string): string {
  const isOld = outcome?.kind === "refused" && (outcome.reason === "vm-error" || outcome.reason === "revert");
  return !outcome || outcome.kind === "answered" || isOld
    ? "Calls of the chain do not say what their block is like: its rules may be from before Cancun."
    : explain(outcome, method).what;
}

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
  const count = instructions.length + 3;
  if (typeof result !== "string" || !/^0x[0-9a-fA-F]*$/.test(result) || result.length !== 2 + count * 64)
    return undefined;
  const words = Array.from({ length: count }, (_, at) => BigInt(`0x${result.slice(2 + at * 64, 66 + at * 64)}`));
  const [number = 0n, time = 0n, coinbase = 0n, prevRandao = 0n, gasLimit = 0n, baseFee = 0n, blobBaseFee = 0n] = words;
  const [chainId = 0n, gasPrice = 0n, accepts = 1n, osaka = 0n, amsterdam = 0n] = words.slice(7);
  const address = `0x${coinbase.toString(16).padStart(40, "0")}`;
  return {
    block: { number, time, coinbase: address, prevRandao: toWord(prevRandao), gasLimit, baseFee, blobBaseFee },
    chainId,
    gasPrice,
    fork: amsterdam === 1n ? undefined : osaka === 1n ? "osaka" : accepts === 0n ? "prague" : "cancun",
  };
}
