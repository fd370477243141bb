import { privateKeyToAddress } from "viem/accounts";

/** Returns the address of the account that a private key controls, in lower case; `undefined` if it is not a key. */
export function addressOfKey(key: string): string | undefined {
  try {
    return privateKeyToAddress(key as `0x${string}`).toLowerCase(); // what is not one, viem throws at
  } catch {
    return undefined;
  }
}
