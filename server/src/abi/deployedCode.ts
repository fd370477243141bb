import { hash64 } from "../base/hash.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** The code of a contract at its address, as its compiler wrote it. */
export interface DeployedCode {
  /** Bytes that only the chain knows: immutable variables, and addresses of libraries. */
  readonly holes: readonly Hole[];
  /** Digits without the metadata at the end. */
  readonly length: number;
  /** A fingerprint of them, with zeros in the holes. */
  readonly print: string;
}

interface Hole {
  /** In bytes. */
  readonly start: number;
  readonly length: number;
}

/**
 * Reads the code in an artifact or in the output of solc. Artifacts of Hardhat 2 do not say where immutable variables are: the code
 * of a contract that has some is not recognized.
 *
 * @returns `undefined` if there is no code.
 */
export function deployedCode(json: JsonObject): DeployedCode | undefined {
  const { deployedBytecode, deployedLinkReferences, immutableReferences, evm } = json;
  const compiled = deployedBytecode ?? (isObject(evm) ? evm.deployedBytecode : undefined);
  const { object, ...references } = isObject(compiled)
    ? compiled
    : { object: compiled, linkReferences: deployedLinkReferences, immutableReferences };
  if (typeof object !== "string" || object.length <= 2) return undefined;
  const holes = [...holesIn(references.linkReferences), ...holesIn(references.immutableReferences)];
  const digits = codeDigits(object);
  return { holes, length: digits.length, print: printWithout(digits, holes) };
}

/** Whether the code at an address is that of a contract. @param digits - See {@link codeDigits}. */
export function isDeployed({ holes, length, print }: DeployedCode, digits: string): boolean {
  return digits.length === length && printWithout(digits, holes) === print;
}

/**
 * Digits of code that do not depend on where it is, or on what its compiler adds at the end.
 *
 * @param code - Hex.
 * @see https://docs.soliditylang.org/en/v0.8.30/metadata.html#encoding-of-the-metadata-hash-in-the-bytecode
 */
export function codeDigits(code: string): string {
  // a library has its own address in front
  const hex = code
    .toLowerCase()
    .replace(/^0x/, "")
    .replace(/^73[0-9a-f]{40}3014/, `73${"0".repeat(40)}3014`);
  const metadata = 2 * (Number.parseInt(hex.slice(-4), 16) + 2);
  return metadata < hex.length ? hex.slice(0, -metadata) : hex;
}

/** Whether code is that of a library, which begins with its own address: not all its functions may be in its ABI. */
export function isLibrary(code: string): boolean {
  return /^(?:0x)?73[0-9a-f]{40}3014/i.test(code);
}

/** By file and library, or by variable. */
function holesIn(references: JsonValue | undefined): readonly Hole[] {
  if (isArray(references)) return references.flatMap(holesIn);
  if (!isObject(references)) return [];
  const { start, length } = references;
  if (typeof start === "number" && typeof length === "number") return [{ start, length }];
  return Object.values(references).flatMap(holesIn);
}

function printWithout(digits: string, holes: readonly Hole[]): string {
  let text = digits;
  for (const { start, length } of holes)
    if (text.length >= 2 * (start + length))
      text = `${text.slice(0, 2 * start)}${"0".repeat(2 * length)}${text.slice(2 * (start + length))}`;
  return hash64(text);
}
