import type { AccessList, SignedAuthorization, TransactionSerializable, TransactionSerialized } from "viem";
import { keccak256, parseTransaction, recoverAddress, serializeTransaction } from "viem/utils";
import { type Hex, isAddress, isHex, quantity, toQuantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";

/**
 * Converts a raw signed transaction to the object of a call.
 *
 * @param hasFees - Whether its fees are in it: a simulation does not need them.
 * @returns `undefined` for anything but a signed transaction of a known type.
 */
export async function signedTransaction(raw: JsonValue | undefined, hasFees = false): Promise<JsonObject | undefined> {
  if (!isHex(raw) || raw.length < 4 || raw.length > 300_000) return undefined;
  try {
    const { r, s, v, yParity, ...signed } = parseTransaction(raw as TransactionSerialized); // what it is not, viem throws at
    if (r === undefined || s === undefined) return undefined;
    const hash = keccak256(serializeTransaction(signed as TransactionSerializable)); // it was parsed from one
    const from = await recoverAddress({
      hash,
      signature: yParity === undefined ? { r, s, v: v ?? 0n } : { r, s, yParity },
    });
    const { to, value, data, gas, accessList, authorizationList }: Told = signed;
    return {
      from,
      ...(to && { to }),
      ...(value !== undefined && { value: toQuantity(value) }),
      ...(gas !== undefined && { gas: toQuantity(gas) }),
      ...(data !== undefined && { data }),
      ...(accessList && { accessList: accessList.map(({ address, storageKeys }) => ({ address, storageKeys })) }),
      ...(authorizationList && { authorizationList: authorizationList.map(authorization) }),
      ...(hasFees && feesOf(signed)),
    };
  } catch {
    return undefined;
  }
}

/**
 * The hash that a raw signed transaction has on the chain. Blobs that travel with it do not count.
 *
 * @returns `undefined` for anything but a signed transaction of a known type.
 * @see https://eips.ethereum.org/EIPS/eip-4844
 */
export function transactionHash(raw: JsonValue | undefined): string | undefined {
  if (!isHex(raw) || raw.length < 4) return undefined;
  try {
    const parsed = parseTransaction(raw as TransactionSerialized); // what it is not, viem throws at
    if (parsed.r === undefined || parsed.s === undefined) return undefined;
    if (parsed.type !== "eip4844" || !("sidecars" in parsed)) return keccak256(raw);
    const { r, s, yParity, v: _v, sidecars: _sidecars, ...bare } = parsed;
    return keccak256(serializeTransaction(bare as TransactionSerializable, { r, s, yParity: yParity ?? 0 })); // it was parsed from one
  } catch {
    return undefined;
  }
}

interface Told extends Pick<TransactionSerializable, "to" | "value" | "data" | "gas"> {
  readonly accessList?: AccessList | undefined;
  readonly authorizationList?: readonly SignedAuthorization[] | undefined;
}

function feesOf({ gasPrice, maxFeePerGas, maxFeePerBlobGas, blobVersionedHashes }: Fees): JsonObject {
  return {
    ...(gasPrice !== undefined && { gasPrice: toQuantity(gasPrice) }),
    ...(maxFeePerGas !== undefined && { maxFeePerGas: toQuantity(maxFeePerGas) }),
    ...(maxFeePerBlobGas !== undefined && { maxFeePerBlobGas: toQuantity(maxFeePerBlobGas) }),
    ...(blobVersionedHashes && { blobVersionedHashes }),
  };
}

interface Fees {
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxFeePerBlobGas?: bigint | undefined;
  readonly blobVersionedHashes?: readonly string[] | undefined;
}

/** @see https://eips.ethereum.org/EIPS/eip-7702 */
function authorization({ chainId, address, nonce, r, s, yParity }: SignedAuthorization): JsonObject {
  const numbers = { chainId: toQuantity(BigInt(chainId)), nonce: toQuantity(BigInt(nonce)) };
  return {
    ...numbers,
    address,
    yParity: toQuantity(BigInt(yParity ?? 0)),
    r: toQuantity(BigInt(r)),
    s: toQuantity(BigInt(s)),
  };
}

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
