import { getAddress } from "viem/utils";
import { isAddress } from "../base/hex.ts";

/**
 * Writes an address with the checksum in its letters, as people know it. Other text stays as it is.
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function checksummed(address: string): string {
  return isAddress(address) ? getAddress(address) : address;
}
