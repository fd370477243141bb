import { toBytes } from "../base/hex.ts";
import { type Fork, forks, type TracedCall } from "./task.ts";

/**
 * The gas that a call costs before its first instruction, and the least that it costs in all.
 *
 * @see https://eips.ethereum.org/EIPS/eip-2930 (access lists), eip-3860 (code of a creation), eip-7623 (the least), eip-7702 (authorizations)
 */
export function intrinsicGas({ to, data, accessList, mined }: TracedCall, fork: Fork) {
  const bytes = toBytes(data);
  const zeros = bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  const tokens = BigInt(zeros + 4 * (bytes.length - zeros));
  const creation = to === undefined ? 32_000n + 2n * BigInt(Math.ceil(bytes.length / 32)) : 0n;
  const listed = accessList.reduce((sum, { slots }) => sum + 2400n + 1900n * BigInt(slots.length), 0n);
  const signed = 25_000n * BigInt(mined?.authorizations.length ?? 0);
  const hasFloor = forks.indexOf(fork) >= forks.indexOf("prague");
  return {
    intrinsic: 21_000n + 4n * tokens + creation + listed + signed,
    floor: hasFloor ? 21_000n + 10n * tokens : 0n,
  };
}
