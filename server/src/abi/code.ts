import { keccak256 } from "viem/utils";
import type { JsonValue } from "../base/json.ts";
import { beginsWith, type Creatable } from "./artifact.ts";
import { decodeParams } from "./decode.ts";
import type { CallArg } from "./decodeCall.ts";
import { lowerHex } from "./decodeLog.ts";

/** The kind of an account's code, as far as its bytes show. */
export type Code =
  | { readonly kind: "none" }
  /** An account that runs the code of another one: EIP-7702. */
  | { readonly kind: "delegation"; readonly to: string }
  /** A contract that does nothing but run the code of another one. */
  | { readonly kind: "proxy"; readonly to: string; readonly form: string }
  | { readonly kind: "contract"; readonly bytes: number; readonly compiler: string | undefined };

/**
 * Reads the result of `eth_getCode`.
 *
 * @returns `undefined` if it is not hex.
 * @see https://eips.ethereum.org/EIPS/eip-7702#set-code-transaction (the 23 bytes of a delegation)
 */
export function readCode(code: JsonValue | undefined): Code | undefined {
  const hex = lowerHex(code);
  if (hex === undefined) return undefined;
  if (hex.length === 2) return { kind: "none" };
  if (hex.length === 48 && hex.startsWith("0xef0100")) return { kind: "delegation", to: `0x${hex.slice(8)}` };
  const digits = hex.slice(2);
  const proxy = proxyOf(digits);
  if (proxy) return { kind: "proxy", ...proxy };
  return { kind: "contract", bytes: Math.ceil(digits.length / 2), compiler: metadata(digits)?.compiler };
}

/** Code that is the same in each proxy of a form, but for the address in its middle. Immutable data may follow. */
const proxies = [
  { form: "EIP-1167", before: "363d3d373d3d3d363d73", after: "5af43d82803e903d91602b57fd5bf3" },
  // written by 0age, four gas cheaper
  { form: "minimal proxy", before: "3d3d3d3d363d3d37363d73", after: "5af43d3d93803e602a57fd5bf3" },
  { form: "ERC-7511", before: "365f5f375f5f365f73", after: "5af43d5f5f3e5f3d91602a57fd5bf3" },
] as const;

/** @see https://eips.ethereum.org/EIPS/eip-1167 @see https://eips.ethereum.org/EIPS/eip-7511 */
function proxyOf(digits: string): { readonly to: string; readonly form: string } | undefined {
  for (const { form, before, after } of proxies) {
    const end = before.length + 40;
    if (digits.startsWith(before) && digits.startsWith(after, end))
      return { form, to: `0x${digits.slice(before.length, end)}` };
  }
  return undefined;
}

/** Code that creates a contract, and the arguments of the constructor behind it. */
export interface Creation {
  /** `undefined` where the project has no contract with that code. */
  readonly contract: { readonly name: string; readonly source: string } | undefined;
  /** `undefined` where they are not known: their types, or where they begin. */
  readonly args: readonly CallArg[] | undefined;
  /** The address that a new proxy runs the code of. */
  readonly proxyTo: string | undefined;
  /** `solc 0.8.30`; `undefined` where the code does not say it. */
  readonly compiler: string | undefined;
  /** Bytes of code without the arguments, or of everything if the two cannot be separated. */
  readonly bytes: number;
  /** The bytes after the code, in hex; `undefined` if the end of the code is unknown. */
  readonly rest: string | undefined;
  readonly faults: readonly string[];
}

/**
 * Reads the data of a transaction without a recipient.
 *
 * @param known - Contracts of the project.
 * @returns `undefined` if it is not hex, or empty.
 */
export function decodeCreation(data: JsonValue | undefined, known: readonly Creatable[] = []): Creation | undefined {
  const hex = lowerHex(data);
  if (hex === undefined || hex.length === 2) return undefined;
  const nothing = { contract: undefined, args: undefined, proxyTo: undefined, compiler: undefined, faults: [] };
  const own = longest(known.filter(({ print }) => beginsWith(hex, print)));
  const compiled = metadata(hex);
  if (own) {
    const { values, faults } = decodeParams(own.inputs, hex, own.print.length);
    const args = own.inputs.map(({ name, type }, at): CallArg => ({ name, type: type.text, value: values[at] }));
    return {
      ...{ ...nothing, contract: { name: own.name, source: own.source }, args, faults, compiler: compiled?.compiler },
      ...split(hex, own.print.length),
    };
  }
  const body = hex.indexOf("363d3d373d3d3d363d73");
  // what comes before only returns the code of the proxy
  const proxy = body > 0 && body < 64 ? proxyOf(hex.slice(body)) : undefined;
  if (proxy) return { ...nothing, proxyTo: proxy.to, bytes: (hex.length - 2) / 2, rest: undefined };
  if (compiled && (hex.length - compiled.end) % 64 === 0)
    return { ...nothing, compiler: compiled.compiler, ...split(hex, compiled.end) };
  return { ...nothing, compiler: compiled?.compiler, bytes: Math.ceil((hex.length - 2) / 2), rest: undefined };
}

function longest(contracts: readonly Creatable[]): Creatable | undefined {
  return contracts.toSorted((a, b) => b.print.length - a.print.length)[0];
}

function split(hex: string, at: number): { readonly bytes: number; readonly rest: string } {
  return { bytes: (at - 2) / 2, rest: `0x${hex.slice(at)}` };
}

/** `solc` and three bytes as CBOR writes them. */
const solc = "64736f6c6343";

/**
 * Finds the metadata that the compiler appends to code: its version and, at the very end, the length of the metadata.
 *
 * @returns The place behind it, in digits. The last one counts: a contract holds the code of those that it creates.
 * @see https://docs.soliditylang.org/en/v0.8.30/metadata.html#encoding-of-the-metadata-hash-in-the-bytecode
 */
function metadata(digits: string): { readonly compiler: string; readonly end: number } | undefined {
  const at = digits.lastIndexOf(solc);
  const version = digits.slice(at + solc.length, at + solc.length + 6);
  const end = at + solc.length + 10;
  const length = Number.parseInt(digits.slice(end - 4, end), 16);
  const start = end - 4 - length * 2;
  // it is a map of one to three entries
  if (at < 0 || end > digits.length || start > at || start < 0 || !/^a[123]/.test(digits.slice(start, start + 2)))
    return undefined;
  const numbers = [0, 2, 4].map((from) => Number.parseInt(version.slice(from, from + 2), 16));
  return { compiler: `solc ${numbers.join(".")}`, end };
}

/** Selectors that are looked for: a contract with more has them from data. */
const maxSelectors = 1000;

/**
 * Finds the selectors that code compares with that of a call: `PUSH4 … EQ`, as compilers write it.
 *
 * @param code - Lower-case hex with `0x`.
 * @returns Each once, in the order of the code. Some may be data that looks like code.
 */
export function dispatchedSelectors(code: string): readonly string[] {
  const found = new Set<string>();
  for (const { opcode, pushed, next } of instructions(code)) {
    // PUSH4, and EQ follows at once, or after DUP2
    if (opcode === 0x63 && /^(?:81)?14/.test(code.slice(next, next + 4))) found.add(`0x${pushed}`);
    if (found.size === maxSelectors) break;
  }
  return [...found];
}

/** Walks the instructions of code. @param code - Lower-case hex with `0x`. */
export function* instructions(code: string): Generator<Instruction> {
  for (let at = 2; at < code.length; ) {
    const opcode = Number.parseInt(code.slice(at, at + 2), 16);
    const next = at + 2 + 2 * (opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5f : 0); // PUSH1 to PUSH32
    yield { opcode, pushed: code.slice(at + 2, next), next };
    at = next;
  }
}

interface Instruction {
  readonly opcode: number;
  /** The digits that it pushes. */
  readonly pushed: string;
  /** The place of the next one, in digits. */
  readonly next: number;
}

/** The hash by which state names code. @param code - Hex. @returns `undefined` for half bytes. */
export function codeHash(code: string): string | undefined {
  return code.length % 2 === 0 ? keccak256(code as `0x${string}`) : undefined; // it is hex
}
