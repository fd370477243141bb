import { parseTransaction, recoverTransactionAddress, type TransactionSerialized } from "viem";
import { isHex, toQuantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";

/**
 * What a raw signed transaction would do, as the object of a call. Its fees are left out: a simulation asks what it does.
 *
 * @returns `undefined` for what is no signed transaction of a known type.
 */
export async function signedTransaction(raw: JsonValue | undefined): Promise<JsonObject | undefined> {
  if (!isHex(raw) || raw.length < 4 || raw.length > 300_000) return undefined;
  try {
    const serialized = raw as TransactionSerialized; // what it is not, viem throws at
    const { to, value, data, gas } = parseTransaction(serialized);
    const from = await recoverTransactionAddress({ serializedTransaction: serialized });
    return {
      from,
      ...(to && { to }),
      ...(value !== undefined && { value: toQuantity(value) }),
      ...(gas !== undefined && { gas: toQuantity(gas) }),
      ...(data !== undefined && { data }),
    };
  } catch {
    return undefined;
  }
}
