import { checksummed } from "../abi/address.ts";
import { isAddress } from "../base/hex.ts";
import type { Cell } from "../notebook/cell.ts";
import { spanOf } from "../notebook/json.ts";
import type { Problem } from "./problem.ts";
import { textsIn } from "./texts.ts";

/**
 * Finds addresses whose letters, small and capital, are not those of their checksum. In one case alone they carry none.
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function badChecksums({ root }: Cell): readonly Problem[] {
  if (!root) return [];
  return [...textsIn(root)].flatMap(({ node }): readonly Problem[] => {
    const address = node.value;
    if (!isAddress(address) || !/[a-f]/.test(address) || !/[A-F]/.test(address)) return [];
    const right = checksummed(address);
    return right === address ? [] : [{ code: "bad-checksum", span: spanOf(node), right }];
  });
}
