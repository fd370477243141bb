import { type Hex, numberToHex, padHex, size } from "viem";

/** Code in pieces, each some instructions of the EVM as hex without `0x`. */
export type Code = readonly string[];

export interface InnerCall {
  readonly to: string;
  readonly value?: bigint;
  readonly data?: Hex;
  readonly gas?: bigint;
}

export function program(...pieces: readonly Code[]): Hex {
  return `0x${pieces.flat().join("")}`;
}

/** A word on the stack. */
export function push(value: bigint | number): string {
  const hex = numberToHex(value).slice(2);
  const bytes = hex.length % 2 ? `0${hex}` : hex;
  return `${(0x5f + bytes.length / 2).toString(16)}${bytes}`;
}

/** A log of one word, with up to four topics. */
export function log(word: bigint | number, ...topics: readonly (bigint | number)[]): Code {
  const last = [...topics].reverse().map(push);
  return [push(word), push(0), "52", ...last, push(32), push(0), (0xa0 + topics.length).toString(16)];
}

/** Calls another contract and forgets whether that went well. */
export function calling({ to, value = 0n, data = "0x", gas }: InnerCall): Code {
  const stored = Array.from({ length: Math.ceil(size(data) / 32) }, (_, at) => [
    push(BigInt(padHex(`0x${data.slice(2 + at * 64, 66 + at * 64)}`, { dir: "right" }))),
    push(at * 32),
    "52",
  ]).flat();
  const given = [push(0), push(0), push(size(data)), push(0), push(value), push(BigInt(to))];
  return [...stored, ...given, gas === undefined ? "5a" : push(gas), "f1", "50"];
}

/** `SSTORE`. */
export function store(slot: bigint | number, value: bigint | number): Code {
  return [push(value), push(slot), "55"];
}

/** Gives back a word that some instructions leave on the stack. */
export function returning(...word: Code): Code {
  return [...word, push(0), "52", push(32), push(0), "f3"];
}

/** Takes everything back, with a word as the reason. */
export function reverting(word: bigint | number): Code {
  return [push(word), push(0), "52", push(32), push(0), "fd"];
}

/** Code that passes on the result of the last call, returned or reverted. */
export const passingOn: Code = ["3d", push(0), push(0), "3e", "3d", push(0), "f3"];

export const selfdestruct = (to: string): Code => [push(BigInt(to)), "ff"];

/** Code of a creation that deploys this code. */
export function creating(code: Hex, before: Code = []): Hex {
  const prefix = before.join("");
  const tail = (offset: number) => [push(size(code)), push(offset), push(0), "39", push(size(code)), push(0), "f3"];
  const first = tail(0).join("").length / 2 + prefix.length / 2;
  return `0x${prefix}${tail(first).join("")}${code.slice(2)}`;
}
