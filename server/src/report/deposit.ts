import { isWord } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";

const depositor = "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001";
const protocolDeposits: ReadonlyMap<string, string> = new Map([
  ["0x4200000000000000000000000000000000000015", "L1 attributes deposit"],
  ["0x4200000000000000000000000000000000000030", "BaseTime deposit"],
]);

/**
 * Names a deposit of an OP Stack chain: one that the protocol puts in front of a block, or one of a user of layer 1.
 *
 * @returns `undefined` for other transactions.
 * @see https://specs.optimism.io/protocol/deposits.html
 */
export function depositName({ type, from, to, sourceHash, depositNonce }: JsonObject): string | undefined {
  if (type !== "0x7e") return undefined;
  const ofProtocol =
    String(from).toLowerCase() === depositor ? protocolDeposits.get(String(to).toLowerCase()) : undefined;
  // other chains have this type too
  return ofProtocol ?? (isWord(sourceHash) || depositNonce !== undefined ? "deposit from layer 1" : undefined);
}
