import { keccak256 } from "viem/utils";

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
  for (let at = 2; at < code.length && found.size < maxSelectors; ) {
    const opcode = Number.parseInt(code.slice(at, at + 2), 16);
    const pushed = opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5f : 0; // PUSH1 to PUSH32
    const next = at + 2 + 2 * pushed;
    // EQ follows at once, or after DUP2
    if (pushed === 4 && /^(?:81)?14/.test(code.slice(next, next + 4))) found.add(`0x${code.slice(at + 2, next)}`);
    at = next;
  }
  return [...found];
}

/** The hash by which state names code. @param code - Hex. @returns `undefined` for half bytes. */
export function codeHash(code: string): string | undefined {
  return code.length % 2 === 0 ? keccak256(code as `0x${string}`) : undefined; // it is hex
}
