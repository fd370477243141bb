import { serializeTransaction } from "viem/utils";
import { type Hex, isAddress, isHex, quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";

/**
 * The bytes of the transaction that a call would be, to tell their size. What is not known of it is filled with numbers
 * of usual length.
 *
 * @returns `undefined` for a call with fields that no transaction has.
 */
export function unsignedTransaction(call: JsonObject, chainId: bigint): Hex | undefined {
  const { to, data, input } = call;
  const bytes = data ?? input ?? "0x";
  if (!isHex(bytes) || (to !== undefined && to !== null && !isAddress(to))) return undefined;
  const number = (value: JsonValue | undefined, usual: bigint): bigint => quantity(value) ?? usual;
  const most = number(call.maxFeePerGas ?? call.gasPrice, 1_000_000_000n);
  try {
    return serializeTransaction({
      type: "eip1559",
      chainId: Number(chainId),
      nonce: Number(number(call.nonce, 1000n)),
      gas: number(call.gas, 1_000_000n),
      maxFeePerGas: most,
      maxPriorityFeePerGas: number(call.maxPriorityFeePerGas, most),
      value: number(call.value, 0n),
      data: bytes,
      ...(isAddress(to) && { to }),
    });
  } catch {
    return undefined; // viem throws at numbers that cannot be
  }
}
