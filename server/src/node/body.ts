import { Readable, type Transform } from "node:stream";

/** Why a body could not be read. */
export type BodyFault = "too-large" | "damaged";

/**
 * Reads and decompresses a body while it streams, and stops at the first byte over the limit: a few kilobytes of gzip can
 * contain gigabytes.
 *
 * @param encodings - The value of `content-encoding`. An unknown encoding is not decoded.
 * @param maxBytes - Decompressed bytes.
 * @throws Errors of the connection.
 */
export async function readBody(
  source: Readable,
  encodings: string,
  maxBytes: number,
  take: (chunk: Uint8Array) => void,
): Promise<BodyFault | undefined> {
  let bytes = 0;
  try {
    for await (const chunk of decompressed(source, encodings)) {
      bytes += chunk.length;
      if (bytes > maxBytes) return "too-large";
      take(chunk);
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/^(?:Z_|ERR_?_?BROTLI)/.test(code)) return "damaged";
    throw error;
  } finally {
    source.destroy();
  }
  return undefined;
}

type Chunks = AsyncIterable<Uint8Array>;

function decompressed(source: Chunks, encodings: string): Chunks {
  const names = encodings.toLowerCase().split(/[\s,]+/);
  const supported = names.filter((name) => ["gzip", "x-gzip", "br", "deflate"].includes(name));
  return supported.reduceRight(decompress, source); // the last encoding was applied last
}

/** An empty body (204) is valid although it lacks the header of its format. */
async function* decompress(source: Chunks, encoding: string): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const decoder = await openDecoder(encoding, first.value);
  const whole = Readable.from(resumed(first.value, chunks));
  whole.once("error", (error) => decoder.destroy(error));
  yield* whole.pipe(decoder);
}

/** Loads zlib for the first body that needs it. */
async function openDecoder(encoding: string, start: Uint8Array): Promise<Transform> {
  const zlib = await import("node:zlib");
  if (encoding === "br") return zlib.createBrotliDecompress();
  if (encoding !== "deflate") return zlib.createGunzip();
  // some servers send raw deflate under this name, without the zlib header, whose first byte ends in 8
  return ((start[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
}

async function* resumed(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
