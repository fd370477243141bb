import { recoverAddress } from "viem/utils";
import { type Hex, toWord } from "../base/hex.ts";

/** The end of a signature for a wallet that is not deployed yet. @see https://eips.ethereum.org/EIPS/eip-6492 */
const undeployedMark = "6492".repeat(16);

/** The number of points of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** How a signature differs from what tokens accept. */
export type SignatureFault =
  | "empty"
  | "zero"
  | "length"
  | "compact"
  | "undeployed"
  | "range"
  | "low v"
  | "other v"
  | "high s"
  | "swapped r and s"
  | "flipped v"
  | "v first";

export interface SignatureReading {
  readonly r: bigint;
  readonly s: bigint;
  readonly yParity: 0 | 1;
  /** What must be wrong for it to be read so. */
  readonly faults: readonly SignatureFault[];
}

export interface ReadSignature {
  /** Faults that are plain before the signer is known. */
  readonly faults: readonly SignatureFault[];
  /** The likeliest first; none if there is nothing to recover from. */
  readonly readings: readonly SignatureReading[];
  /** The contract that would deploy the wallet (ERC-6492). */
  readonly factory?: Hex | undefined;
}

/** Reads a signature in each way in which it may have been meant. */
export function readSignature(signature: Hex): ReadSignature {
  const digits = signature.slice(2);
  if (digits === "") return { faults: ["empty"], readings: [] };
  if (/^0+$/.test(digits)) return { faults: ["zero"], readings: [] };
  if (digits.endsWith(undeployedMark)) return undeployed(digits);
  if (digits.length === 128) return compact(digits);
  if (digits.length !== 130) return { faults: ["length"], readings: [] };
  const plain = readingOf(digits.slice(0, 64), digits.slice(64, 128), digits.slice(128));
  const turned = readingOf(digits.slice(2, 66), digits.slice(66), digits.slice(0, 2));
  const first = turned?.faults.length === 0 ? [withFault(turned, "v first")] : [];
  if (!plain) return first.length > 0 ? { faults: [], readings: first } : { faults: ["range"], readings: [] };
  const swapped = readingOf(digits.slice(64, 128), digits.slice(0, 64), digits.slice(128));
  return {
    faults: plain.faults,
    readings: [
      plain,
      { ...withFault(plain, "flipped v"), yParity: plain.yParity === 0 ? 1 : 0 },
      ...(swapped ? [withFault(swapped, "swapped r and s")] : []),
      ...first,
    ],
  };
}

/** Returns the account that made a signature, in lower case; `undefined` if there is none. */
export async function recovered(hash: Hex, { r, s, yParity }: SignatureReading): Promise<Hex | undefined> {
  try {
    const address = await recoverAddress({ hash, signature: { r: toWord(r), s: toWord(s), yParity } });
    return address.toLowerCase() as Hex; // the letters are all that changes
  } catch {
    return undefined; // no point of the curve
  }
}

function withFault(reading: SignatureReading, fault: SignatureFault): SignatureReading {
  return { ...reading, faults: [...reading.faults, fault] };
}

function readingOf(rDigits: string, sDigits: string, vDigits: string): SignatureReading | undefined {
  const [r, s, v] = [rDigits, sDigits, vDigits].map((digits) => BigInt(`0x${digits}`));
  if (r === undefined || s === undefined || v === undefined) return undefined;
  if (r === 0n || s === 0n || r >= order || s >= order) return undefined;
  const yParity = (v >= 35n ? (v - 35n) % 2n : (v + 1n) % 2n) === 0n ? 0 : 1;
  const inV: readonly SignatureFault[] = v === 27n || v === 28n ? [] : v <= 1n ? ["low v"] : ["other v"];
  const parity = v <= 1n ? (v === 0n ? 0 : 1) : yParity;
  return { r, s, yParity: parity, faults: [...inV, ...(s > order / 2n ? (["high s"] as const) : [])] };
}

/** @see https://eips.ethereum.org/EIPS/eip-2098 */
function compact(digits: string): ReadSignature {
  const highest = BigInt(`0x${digits.slice(64)}`);
  const s = toWord(highest & (2n ** 255n - 1n)).slice(2);
  const reading = readingOf(digits.slice(0, 64), s, highest >> 255n === 0n ? "1b" : "1c");
  return { faults: ["compact"], readings: reading ? [withFault(reading, "compact")] : [] };
}

/** Takes the signature out of its wrapping: a factory, its call data, and the signature itself. */
function undeployed(digits: string): ReadSignature {
  const wordAt = (at: number): bigint => BigInt(`0x${digits.slice(at * 64, at * 64 + 64) || "0"}`);
  const factory: Hex = `0x${digits.slice(24, 64)}`;
  const start = Number(wordAt(2) % 1_000_000n) * 2;
  const length = Number(BigInt(`0x${digits.slice(start, start + 64) || "0"}`) % 1_000_000n) * 2;
  const inner = digits.slice(start + 64, start + 64 + length);
  const { readings } = inner.endsWith(undeployedMark) ? { readings: [] } : readSignature(`0x${inner}`);
  return { faults: ["undeployed"], readings, factory };
}
