import { getAddress } from "viem/utils";
import { isAddress } from "../base/hex.ts";

/**
 * Writes an address with the checksum in its letters, as people know it. Other text stays as it is.
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function checksummed(address: string): string {
  const known = written.get(address);
  if (known !== undefined || !isAddress(address)) return known ?? address;
  const made = getAddress(address);
  if (written.size >= maxWritten) written.clear();
  written.set(address, made);
  return made;
}

/** A report names the same addresses again and again. The library remembers them too, at ten times the cost. */
const written = new Map<string, string>();
const maxWritten = 8192;

/** Returns the address of the account that a private key controls, in lower case; `undefined` if it is not a key. */
export type AddressOfKey = (key: string) => string | undefined;

let loaded: AddressOfKey | undefined;

/** Values that are tried as keys in one text. Each takes half a millisecond the first time. */
const maxTried = 200;
/** Values whose addresses are remembered. */
const maxRemembered = 10_000;

/** Loads what {@link keysOfAddresses} needs. @returns `undefined` if a text does not need it, or it is loaded. */
export function loadKeysOfAddresses(text: string): Promise<void> | undefined {
  if (loaded || !mayHoldKeys(text)) return undefined;
  return import("./addressOfKey.ts").then(({ addressOfKey }) => {
    loaded ??= remembering(addressOfKey);
  });
}

/** Returns what {@link loadKeysOfAddresses} has loaded. */
export function loadedAddressOfKey(): AddressOfKey | undefined {
  return loaded;
}

/** Whether a text has 32 bytes and an address. */
export function mayHoldKeys(text: string): boolean {
  return addressesIn(text).size > 0;
}

/**
 * Says of 32 bytes whether they are the key of an address in the same text. What cannot be tried counts as a key: all of them
 * without `addressOfKey`, and those after very many, if one of these was a key.
 */
export function keysOfAddresses(text: string, addressOfKey = loaded): (word: string) => boolean {
  const addresses = addressesIn(text);
  if (addresses.size === 0) return () => false;
  const tried = new Map<string, boolean>();
  let isAny = false;
  return (word) => {
    if (!addressOfKey) return true;
    const known = tried.get(word);
    if (known !== undefined) return known;
    if (tried.size >= maxTried) return isAny;
    const isKey = addresses.has(addressOfKey(word) ?? "");
    tried.set(word, isKey);
    isAny ||= isKey;
    return isKey;
  };
}

function remembering(addressOfKey: AddressOfKey): AddressOfKey {
  const addresses = new Map<string, string | undefined>();
  return (key) => {
    if (addresses.has(key)) return addresses.get(key);
    if (addresses.size >= maxRemembered) addresses.clear();
    const address = addressOfKey(key);
    addresses.set(key, address);
    return address;
  };
}

function addressesIn(text: string): ReadonlySet<string> {
  if (!/(?<![\da-z])(?:0x)?[\da-f]{64}(?![\da-z])/i.test(text)) return new Set();
  const written = text.match(/(?<![\da-z])(?:0x)?[\da-f]{40}(?![\da-z])/gi) ?? [];
  return new Set(written.map((one) => `0x${one.slice(-40).toLowerCase()}`));
}
