/** Decodes base64, with or without padding. Ignores characters that are not base64. */
export function bytesOf(base64: string): Uint8Array {
  const digits = base64.replace(/[^A-Za-z0-9+/]/g, "");
  const binary = atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits); // one digit alone is less than a byte
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Encodes bytes as base64, with padding. */
export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += maxArguments)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + maxArguments)));
  return btoa(parts.join(""));
}

/** Arguments that every engine takes in one call. */
const maxArguments = 8192;
