import { hash64 } from "../base/hash.ts";
import type { AbiParam } from "./type.ts";

/** A contract of the project whose creation can be recognised. */
export interface Creatable {
  readonly name: string;
  /** The fingerprint of the creation code, as the compiler wrote it. */
  readonly print: CodePrint;
  /** Parameters of the constructor. */
  readonly inputs: readonly AbiParam[];
  readonly source: string;
}

/** A fingerprint that identifies code. Keeping the code of all contracts of a project would use too much memory. */
interface CodePrint {
  /** Characters of its hex, `0x` among them. */
  readonly length: number;
  /** Hashes, of parts first: they tell most codes apart, and cost little. */
  readonly head: string;
  readonly tail: string;
  readonly whole: string;
}

/** @param bytecode - `0x` and lower case. */
export function printOf(bytecode: string): CodePrint {
  const { length } = bytecode;
  return { length, head: headOf(bytecode, length), tail: tailOf(bytecode, length), whole: hash64(bytecode) };
}

function headOf(hex: string, length: number): string {
  return hash64(hex.slice(0, Math.min(length, 66)));
}

/** Hashes the compiler's metadata at the end, which differs from contract to contract. */
function tailOf(hex: string, length: number): string {
  return hash64(hex.slice(Math.max(0, length - 128), length));
}

/** Whether data begins with that code. */
export function beginsWith(hex: string, { length, head, tail, whole }: CodePrint): boolean {
  if (length <= 2 || hex.length < length) return false;
  return headOf(hex, length) === head && tailOf(hex, length) === tail && hash64(hex.slice(0, length)) === whole;
}
