/** A block, and whether what is searched for holds there. */
export interface Sample {
  readonly block: bigint;
  readonly holds: boolean;
}

/**
 * Searches a range of blocks for the first one at which something holds. It looks at both ends first. If it holds only at the
 * last one, it bisects; else it looks at blocks between them. In both cases it looks at ⌈log₂ n⌉ + 2 blocks of n, or fewer.
 */
export class Bisection {
  readonly #from: bigint;
  readonly #to: bigint;
  readonly #holds = new Map<bigint, boolean>();
  /** Blocks to look at that are known before. */
  readonly #planned: bigint[];

  constructor(from: bigint, to: bigint) {
    this.#from = from;
    this.#to = to;
    this.#planned = to > from ? [to, from] : [from];
  }

  /** Returns the block to look at; `undefined` at the end. */
  next(): bigint | undefined {
    const planned = this.#planned.pop();
    if (planned !== undefined) return planned;
    const { below, above } = this.#gap();
    return above - below > 1n ? (below + above) / 2n : undefined;
  }
  add({ block, holds }: Sample): void {
    this.#holds.set(block, holds);
    if (block === this.#to && holds === this.#holds.get(this.#from)) this.#planned.push(...this.#between());
  }
  /** In the order of the blocks. */
  get samples(): readonly Sample[] {
    return [...this.#holds].map(([block, holds]) => ({ block, holds })).sort((a, b) => (a.block < b.block ? -1 : 1));
  }
  /** The first block of those looked at, in their order, at which it holds. */
  get first(): bigint | undefined {
    return this.samples.find(({ holds }) => holds)?.block;
  }
  /** A block at which it holds, and a later one at which it does not. */
  get reversal(): readonly [bigint, bigint] | undefined {
    const { first } = this;
    const later = this.samples.find(({ block, holds }) => !holds && first !== undefined && block > first);
    return first === undefined || later === undefined ? undefined : [first, later.block];
  }

  /** The blocks between which it begins to hold; without room between them if there is nothing to bisect. */
  #gap(): { readonly below: bigint; readonly above: bigint } {
    const { samples } = this;
    const at = samples.findIndex(({ holds }) => holds);
    const [before, begins] = [samples[at - 1], samples[at]];
    const isRising = samples[0]?.holds === false && samples.at(-1)?.holds === true;
    return isRising && before && begins ? { below: before.block, above: begins.block } : { below: 0n, above: 0n };
  }
  /** Spreads as many blocks as a bisection would look at. */
  #between(): readonly bigint[] {
    const span = this.#to - this.#from;
    const count = Math.min(Math.ceil(Math.log2(Number(span + 1n))), Number(span - 1n));
    return Array.from({ length: count }, (_, at) => this.#from + (span * BigInt(at + 1)) / BigInt(count + 1)).reverse();
  }
}
