import { deflateSync, Inflate, unzipSync } from "fflate";

/** Compresses a text: deflate (RFC 1951) of its UTF-8, in base64. */
export function compress(text: string): string {
  return base64Of(deflateSync(new TextEncoder().encode(text), { level: 9 }));
}

/** Bytes of compressed data that are read at once: each can become a thousand. */
const step = 16_384;

/**
 * Reads what {@link compress} wrote.
 *
 * @param maxBytes - Of the text in UTF-8. Reading stops there, however much would follow.
 * @returns `undefined` if it is not compressed text, or is too large.
 */
export function decompress(base64: string, maxBytes: number): string | undefined {
  const bytes = bytesOf(base64);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let hasEnded = false;
  const stream = new Inflate((chunk, isLast) => {
    chunks.push(chunk);
    size += chunk.length;
    hasEnded = isLast;
  });
  try {
    for (let at = 0; at < bytes.length && size <= maxBytes; at += step)
      stream.push(bytes.subarray(at, at + step), at + step >= bytes.length);
    return hasEnded && size <= maxBytes
      ? new TextDecoder("utf-8", { fatal: true }).decode(joined(chunks, size))
      : undefined;
  } catch {
    return undefined; // not deflate, or not UTF-8
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/**
 * Unpacks files of a ZIP archive.
 *
 * @param maxBytes - Of all of them together.
 * @returns By their paths; `undefined` if the archive is damaged or too large.
 */
export function unzip(
  bytes: Uint8Array,
  maxBytes: number,
  isWanted: (path: string) => boolean,
): ReadonlyMap<string, Uint8Array> | undefined {
  let size = 0;
  try {
    const files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        const isTaken = isWanted(name);
        if (isTaken) size += originalSize;
        if (size > maxBytes) throw new RangeError("The archive is too large.");
        return isTaken;
      },
    });
    return new Map(Object.entries(files));
  } catch {
    return undefined; // cut short, not an archive, or too large
  }
}

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
