import type { ListedItems } from "./lazyList.ts";
import { ListScanner } from "./listScanner.ts";
import type { HttpResponse } from "./ports.ts";

/** A long text in the pieces in which it came. */
class Pieces {
  readonly #pieces: string[] = [];
  /** Where each piece begins. */
  readonly #starts: number[] = [];
  /** The piece of the last slice: slices are asked for in order. */
  #latest = 0;
  #end: number;

  /** @param start - The place of the first piece. */
  constructor(start = 0) {
    this.#end = start;
  }

  get all(): readonly string[] {
    return this.#pieces;
  }

  add(text: string): void {
    if (text === "") return;
    this.#starts.push(this.#end);
    this.#pieces.push(text);
    this.#end += text.length;
  }

  slice(start: number, end: number): string {
    let at = this.#pieceAt(start);
    this.#latest = at;
    let begin = this.#starts[at] ?? 0;
    const first = (this.#pieces[at] ?? "").slice(start - begin, end - begin);
    if (first.length === end - start) return first;
    const parts = [first];
    while (begin + (this.#pieces[at]?.length ?? 0) < end && ++at < this.#pieces.length) {
      begin = this.#starts[at] ?? 0;
      parts.push((this.#pieces[at] ?? "").slice(0, end - begin));
    }
    return parts.join("");
  }

  /** Returns the pieces that have a part of a text, at their places. */
  around(start: number, end: number): Pieces {
    const first = this.#pieceAt(start);
    const part = new Pieces(this.#starts[first]);
    for (let at = first; at < this.#pieces.length && (this.#starts[at] ?? 0) < end; at++)
      part.add(this.#pieces[at] ?? "");
    return part;
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

/** The text of a body, in the pieces in which it arrives. Those of a long list are not put together. */
export class BodyText {
  readonly #pieces = new Pieces();
  readonly #decoder = new TextDecoder();
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
    this.#pieces.add(this.#decoder.decode(chunk, { stream: true }));
    if (this.bytes < this.#minListBytes) return;
    const { all } = this.#pieces;
    for (; this.#scanner.isOpen && this.#scanned < all.length; this.#scanned++)
      this.#scanner.push(all[this.#scanned] ?? "");
  }

  /** Returns the answer that has this body. */
  response(status: number, headers: HttpResponse["headers"]): HttpResponse {
    this.#pieces.add(this.#decoder.decode());
    const { bytes } = this;
    const list = this.#list();
    const pieces = this.#pieces.all;
    if (!list) return { kind: "response", status, headers, body: pieces.join(""), bytes };
    let body: string | undefined;
    return {
      kind: "response",
      status,
      headers,
      get body() {
        body ??= pieces.join("");
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
    const { starts, listEnd } = found;
    const [first = listEnd] = starts;
    const end = (index: number): number => (starts[index + 1] ?? listEnd + 1) - 1;
    const pieces = this.#pieces.around(first - 1, listEnd + 1);
    return {
      length: starts.length,
      around: [this.#pieces.slice(0, first - 1), this.#pieces.slice(listEnd + 1, Number.POSITIVE_INFINITY)],
      textAt: (index) => pieces.slice(starts[index] ?? 0, end(index)),
      text: () => pieces.slice(first - 1, listEnd + 1),
    };
  }
}
