import { type Span, span } from "../base/span.ts";

/** Spans in order, none over another: bare numbers, since one edit of a large file moves thousands of them. */
export class Spans {
  /** Start and end of each in turn. */
  readonly #offsets: Uint32Array;

  /** @param offsets - Start and end of each in turn. */
  constructor(offsets: ArrayLike<number>) {
    this.#offsets = offsets instanceof Uint32Array ? offsets : Uint32Array.from(offsets);
  }

  get length(): number {
    return this.#offsets.length / 2;
  }

  at(index: number): Span | undefined {
    const start = this.#offsets[2 * index];
    const end = this.#offsets[2 * index + 1];
    return start === undefined || end === undefined ? undefined : span(start, end);
  }

  map<T>(make: (span: Span, index: number) => T): T[] {
    return Array.from({ length: this.length }, (_, index) => make(this.at(index) ?? span(0, 0), index));
  }

  /** How many end before an offset: the index of the first that does not. */
  endingBefore(offset: number): number {
    return this.#count((index) => (this.#offsets[2 * index + 1] ?? 0) < offset);
  }

  /** How many begin at an offset or before it. */
  startingBy(offset: number): number {
    return this.#count((index) => (this.#offsets[2 * index] ?? 0) <= offset);
  }

  /** How many of the first ones are the same in another list. */
  sameFirst(other: Spans): number {
    const [one, two] = [this.#offsets, other.#offsets];
    const most = Math.min(one.length, two.length);
    let at = 0;
    while (at < most && one[at] === two[at]) at++;
    return at >> 1;
  }

  /** How many of the last ones are the same in another list, those there moved. */
  sameLast(other: Spans, by: number): number {
    const [one, two] = [this.#offsets, other.#offsets];
    const most = Math.min(one.length, two.length);
    let at = 0;
    while (at < most && one[one.length - 1 - at] === (two[two.length - 1 - at] ?? 0) + by) at++;
    return at >> 1;
  }

  /**
   * @param from - Index of the first that is replaced.
   * @param to - Index behind the last.
   * @param offsets - Start and end of each that comes in their place.
   * @param by - What the spans behind move by.
   */
  replaced(from: number, to: number, offsets: readonly number[], by: number): Spans {
    const behind = this.#offsets.subarray(2 * to);
    const all = new Uint32Array(2 * from + offsets.length + behind.length);
    all.set(this.#offsets.subarray(0, 2 * from));
    all.set(offsets, 2 * from);
    for (let at = 0, next = 2 * from + offsets.length; at < behind.length; at++)
      all[next + at] = (behind[at] ?? 0) + by;
    return new Spans(all);
  }

  /** How many there are, counted from the first, for which something holds that holds for none behind another. */
  #count(holds: (index: number) => boolean): number {
    let low = 0;
    for (let high = this.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (holds(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
