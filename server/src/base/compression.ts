import { deflateSync, Inflate } from "fflate";
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
