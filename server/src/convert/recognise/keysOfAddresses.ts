type AddressOfKey = (key: string) => string | undefined;

let addressOfKey: AddressOfKey | undefined;

/** Values that are tried as keys of addresses. Each takes about a millisecond. */
const maxTried = 200;

/** Loads what {@link keysOfAddresses} needs. @returns `undefined` if a text does not need it, or it is loaded. */
export function loadKeysOfAddresses(text: string): Promise<void> | undefined {
  if (addressOfKey || addressesIn(text).size === 0) return undefined;
  return import("../../abi/addressOfKey.ts").then((module) => {
    addressOfKey = module.addressOfKey;
  });
}

/**
 * Says of 32 bytes whether they are the key of an address in the same text. What cannot be tried counts as a key: all of them
 * before the code for it is loaded, and those after very many, if one of these was a key.
 */
export function keysOfAddresses(text: string): (word: string) => boolean {
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

function addressesIn(text: string): ReadonlySet<string> {
  if (!/(?<![\da-z])(?:0x)?[\da-f]{64}(?![\da-z])/i.test(text)) return new Set();
  const written = text.match(/(?<![\da-z])(?:0x)?[\da-f]{40}(?![\da-z])/gi) ?? [];
  return new Set(written.map((one) => `0x${one.slice(-40).toLowerCase()}`));
}
