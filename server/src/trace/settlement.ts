import type { EVM } from "@ethereumjs/evm";
import { Account, createAddressFromString, eoaCode7702RecoverAuthority } from "@ethereumjs/util";
import { quantity, toBytes, zeroAddress } from "../base/hex.ts";
import type { OverlaidState } from "./state.ts";
import type { Authorization, MinedFacts, TracedCall } from "./task.ts";

/** Gas that is given back for an account that existed before its authorization. */
const refundOfAuthority = 12_500n;
/** Half of the order of the curve: larger values of `s` are not valid. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
/** What the code of an account begins with that runs the code of another one. */
const delegates = "0xef0100";

/**
 * Sets the code of the accounts that a transaction has authorizations of, before its call.
 *
 * @returns The gas that this gives back.
 * @see https://eips.ethereum.org/EIPS/eip-7702
 */
export async function authorize(
  { authorizations }: MinedFacts,
  chainId: bigint,
  { evm, state }: { readonly evm: EVM; readonly state: OverlaidState },
): Promise<bigint> {
  let refunded = 0n;
  for (const one of authorizations) {
    const authority = authorityOf(one, chainId);
    if (authority === undefined) continue;
    const address = createAddressFromString(authority);
    evm.journal.addAlwaysWarmAddress(authority);
    state.useNonce(authority);
    const account = await state.getAccount(address);
    const code = await state.getCode(address);
    const isPlain = code.length === 0 || (code.length === 23 && code[0] === 0xef && code[1] === 1 && code[2] === 0);
    if (!isPlain || (account?.nonce ?? 0n) !== quantity(one.nonce)) continue;
    if (account) refunded += refundOfAuthority;
    const changed = account ?? new Account();
    changed.nonce += 1n;
    await state.putAccount(address, changed);
    const isRemoved = one.address === zeroAddress;
    await state.putCode(address, toBytes(isRemoved ? "0x" : `${delegates}${one.address.slice(2)}`));
  }
  return refunded;
}

/** @returns The account that signed; `undefined` if the authorization does not count. */
function authorityOf({ chainId: own, address, nonce, yParity, r, s }: Authorization, chainId: bigint) {
  const of = quantity(own);
  if ((of !== 0n && of !== chainId) || (quantity(nonce) ?? 0n) >= 2n ** 64n - 1n) return undefined;
  if ((quantity(s) ?? 0n) > halfOrder) return undefined;
  try {
    return eoaCode7702RecoverAuthority({ chainId: own, address, nonce, yParity, r, s }).toString();
  } catch {
    return undefined; // no key signs so
  }
}

/** Gives the sender back the gas that was not used, and the producer of the block its tip. */
export async function settle(
  { from, gas, gasPrice }: TracedCall,
  { gasUsed, tip, coinbase }: { readonly gasUsed: bigint; readonly tip: bigint; readonly coinbase: string },
  state: OverlaidState,
): Promise<void> {
  for (const [who, amount] of [
    [from, (gas - gasUsed) * gasPrice],
    [coinbase, gasUsed * tip],
  ] as const) {
    if (amount === 0n) continue;
    const address = createAddressFromString(who);
    const account = (await state.getAccount(address)) ?? new Account();
    account.balance += amount;
    await state.putAccount(address, account);
  }
}
