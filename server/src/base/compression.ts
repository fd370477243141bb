import { deflateSync, Inflate, Unzip, UnzipInflate } from "fflate/browser"; // the same for Node loads threads at a start, for functions that are not used

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
    return hasEnded && size <= maxBytes ? new TextDecoder("utf-8", { fatal: true }).decode(joined(chunks)) : undefined;
  } catch {
    return undefined; // not deflate, or not UTF-8
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Files of an archive. */
const maxFiles = 10_000;

/**
 * Unpacks files of a ZIP archive. Reads it once, from its start: what the archive says of sizes, counts and places is not trusted.
 *
 * @param maxBytes - Of all of them together. Reading stops there, however much would follow.
 * @returns By their paths; `undefined` if the archive is damaged or too large.
 */
export function unzip(
  bytes: Uint8Array,
  maxBytes: number,
  isWanted: (path: string) => boolean,
): ReadonlyMap<string, Uint8Array> | undefined {
  const files = new Map<string, Uint8Array>();
  let [count, size] = [0, 0];
  const archive = new Unzip((file) => {
    if (++count > maxFiles) throw new RangeError("The archive has too many files.");
    if (!isWanted(file.name)) return;
    const chunks: Uint8Array[] = [];
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      size += chunk.length;
      if (size > maxBytes) throw new RangeError("The archive is too large.");
      chunks.push(chunk);
      if (isLast) files.set(file.name, joined(chunks));
    };
    file.start();
  });
  archive.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += step)
      archive.push(bytes.subarray(at, at + step), at + step >= bytes.length);
    return hasEnd(bytes) ? files : undefined;
  } catch {
    return undefined; // cut short, not an archive, or too large
  }
}

/** Bytes of the record at the end, with the longest comment. */
const maxEnd = 22 + 65_535;

/** Whether an archive ends with the record that ends every ZIP archive, and the comment that it announces. */
function hasEnd(archive: Uint8Array): boolean {
  const tail = archive.subarray(-maxEnd);
  const at = new TextDecoder("latin1").decode(tail).lastIndexOf("PK\x05\x06");
  const [low = 0, high = 0] = tail.subarray(at + 20);
  return at >= 0 && at + 22 + low + high * 256 === tail.length;
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
