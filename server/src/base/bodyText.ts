import type { ListedItems } from "./lazyList.ts";
import { ListScanner } from "./listScanner.ts";
import type { HttpResponse } from "./ports.ts";

/** Bytes that are decoded at once. */
const maxPiece = 65_536;

/**
 * A long text in the pieces in which it came: bytes, since garbage collections would move strings. Places in it are counted in
 * bytes.
 */
class Pieces {
  readonly #pieces: Uint8Array[] = [];
  /** Where each piece begins. */
  readonly #starts: number[] = [];
  #end: number;
  /** The piece of the last slice, and its text: slices are asked for in order. */
  #latest = -1;
  #text = "";

  /** @param start - The place of the first piece. */
  constructor(start = 0) {
    this.#end = start;
  }

  get all(): readonly Uint8Array[] {
    return this.#pieces;
  }

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += maxPiece) {
      const piece = chunk.length <= maxPiece ? chunk : chunk.subarray(at, at + maxPiece);
      this.#starts.push(this.#end);
      this.#pieces.push(piece);
      this.#end += piece.length;
    }
  }

  /** Returns a part in ASCII. */
  slice(start: number, end: number): string {
    let at = this.#pieceAt(start);
    let begin = this.#starts[at] ?? 0;
    const first = this.#textOf(at).slice(start - begin, end - begin);
    if (first.length === end - start) return first;
    const parts = [first];
    while (begin + (this.#pieces[at]?.length ?? 0) < end && ++at < this.#pieces.length) {
      begin = this.#starts[at] ?? 0;
      parts.push(this.#textOf(at).slice(0, end - begin));
    }
    return parts.join("");
  }

  /** Returns the part that a list is in. */
  part(start: number, end: number): Pieces {
    const part = new Pieces(start);
    for (let at = this.#pieceAt(start), begin = start; begin < end; at++, begin = this.#starts[at] ?? end) {
      const from = this.#starts[at] ?? 0;
      part.add((this.#pieces[at] ?? empty).subarray(begin - from, end - from));
    }
    return part;
  }

  /** Decodes all of it at once: a stream of pieces is decoded slowly. */
  text(): string {
    return new TextDecoder("utf-8", { ignoreBOM: this.#starts[0] !== 0 }).decode(this.#bytes());
  }

  #bytes(): Uint8Array {
    const [only, start = this.#end] = [this.#pieces[0], this.#starts[0]];
    if (only && this.#pieces.length === 1) return only;
    const bytes = new Uint8Array(this.#end - start);
    for (const [at, piece] of this.#pieces.entries()) bytes.set(piece, (this.#starts[at] ?? 0) - start);
    return bytes;
  }

  #textOf(at: number): string {
    if (at !== this.#latest) this.#text = asciiText(this.#pieces[at] ?? empty);
    this.#latest = at;
    return this.#text;
  }

  #pieceAt(offset: number): number {
    for (const near of [this.#latest, this.#latest + 1])
      if (offset >= (this.#starts[near] ?? offset + 1) && offset < (this.#starts[near + 1] ?? this.#end)) return near;
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const empty = new Uint8Array();
const [utf8, latin1] = [new TextDecoder("utf-8", { ignoreBOM: true }), new TextDecoder("latin1")];

/** Returns text of as many characters as there are bytes; those that are not ASCII are other characters that are not. */
function asciiText(bytes: Uint8Array): string {
  const text = utf8.decode(bytes); // Node 22 needs ten times as long for the other one
  return text.length === bytes.length ? text : latin1.decode(bytes);
}

/** The text of a body, in the pieces in which it arrives. Those of a long list are not put together. */
export class BodyText {
  readonly #pieces = new Pieces();
  readonly #scanner = new ListScanner();
  /** Pieces that the scanner has seen. */
  #scanned = 0;
  readonly #minListBytes: number;
  /** Decompressed bytes so far. */
  bytes = 0;

  /** @param minListBytes - Smaller bodies are read as a whole. */
  constructor(minListBytes = 500_000) {
    this.#minListBytes = minListBytes;
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.#pieces.add(chunk);
    if (this.bytes < this.#minListBytes) return;
    const { all } = this.#pieces;
    for (; this.#scanner.isOpen && this.#scanned < all.length; this.#scanned++)
      this.#scanner.push(asciiText(all[this.#scanned] ?? empty));
  }

  /** Returns the answer that has this body. */
  response(status: number, headers: HttpResponse["headers"]): HttpResponse {
    const { bytes } = this;
    const pieces = this.#pieces;
    const list = this.#list();
    if (!list) return { kind: "response", status, headers, body: pieces.text(), bytes };
    let body: string | undefined;
    return {
      kind: "response",
      status,
      headers,
      get body() {
        body ??= pieces.text();
        return body;
      },
      bytes,
      list,
    };
  }

  /** The list outlives the body: it has only its own pieces. */
  #list(): ListedItems | undefined {
    const found = this.#scanner.found();
    if (!found) return undefined;
    const { starts, kinds, listEnd, names } = found;
    const [first = listEnd] = starts;
    const [begin, over] = [first - 1, listEnd + 1];
    const end = (index: number): number => (starts[index + 1] ?? over) - 1;
    const pieces = this.#pieces.part(begin, over);
    return {
      length: starts.length,
      names,
      around: [this.#pieces.part(0, begin).text(), this.#pieces.part(over, this.bytes).text()],
      textAt: (index) => pieces.slice(starts[index] ?? 0, end(index)),
      kindAt: (index) => kinds[index] ?? -1,
      text: () => pieces.slice(begin, over),
      textLength: over - begin,
    };
  }
}
