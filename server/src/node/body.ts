import type { Transform } from "node:stream";
import { Readable } from "node:stream";

/** A body, or why there is none. */
export type BodyReading =
  | { readonly kind: "body"; readonly text: string; readonly bytes: number }
  | { readonly kind: "too-large" }
  | { readonly kind: "damaged" };

/** V8 holds no longer string (0x1fffffe8 code units). */
const longestText = 512 * 1024 * 1024 - 24;

/**
 * Reads and decodes a body as it streams, and stops at the first byte too many: a few kilobytes of gzip may stand for
 * gigabytes.
 *
 * @param encodings - As `content-encoding` has them. What is not known is read as it is.
 * @param maxBytes - Decompressed.
 * @throws What the connection throws.
 */
export async function readBody(source: Readable, encodings: string, maxBytes: number): Promise<BodyReading> {
  const limit = Math.min(maxBytes, longestText);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decoded(source, encodings) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > limit) return { kind: "too-large" };
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(?:Z_|ERR_?_?BROTLI)/.test(String(error.code))) {
      return { kind: "damaged" };
    }
    throw error;
  } finally {
    source.destroy();
  }
  return { kind: "body", text: new TextDecoder().decode(Buffer.concat(chunks)), bytes };
}

function decoded(source: Readable, encodings: string): AsyncIterable<unknown> {
  let stream: AsyncIterable<unknown> = source;
  for (const encoding of encodings
    .toLowerCase()
    .split(",")
    .map((each) => each.trim())
    .reverse()) {
    stream = decode(stream, encoding);
  }
  return stream;
}

function decode(stream: AsyncIterable<unknown>, encoding: string): AsyncIterable<unknown> {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return through(stream, ({ createGunzip }) => createGunzip());
    case "br":
      return through(stream, ({ createBrotliDecompress }) => createBrotliDecompress());
    case "deflate":
      return inflated(stream);
    default:
      return stream;
  }
}

/** Loaded by the first body that needs it. */
const zlib = () => import("node:zlib");
type Zlib = Awaited<ReturnType<typeof zlib>>;

/** An empty body (204) is no damaged one, although it lacks the header of its format. */
async function* through(
  stream: AsyncIterable<unknown>,
  decoderOf: (module: Zlib) => Transform,
): AsyncGenerator<unknown> {
  const chunks = stream[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const decoder = decoderOf(await zlib());
  const source = Readable.from(resumed(first.value, chunks));
  source.once("error", (error) => decoder.destroy(error));
  yield* source.pipe(decoder);
}

/** Some servers send raw deflate under that name, without the zlib header (whose first byte's low half is 8). */
async function* inflated(stream: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const chunks = stream[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const wrapped = first.value instanceof Uint8Array && ((first.value[0] ?? 0) & 0x0f) === 8;
  yield* through(resumed(first.value, chunks), ({ createInflate, createInflateRaw }) =>
    wrapped ? createInflate() : createInflateRaw(),
  );
}

async function* resumed(first: unknown, rest: AsyncIterator<unknown>): AsyncGenerator<unknown> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
