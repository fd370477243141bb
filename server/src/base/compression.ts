import { deflateSync, Inflate, unzipSync } from "fflate";
import { base64Of, bytesOf } from "./base64.ts";

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
