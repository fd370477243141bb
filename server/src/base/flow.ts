/** Items that are there now, and promises of the rest. */
export interface Flow<Item> {
  readonly now: readonly Item[];
  readonly later: readonly Promise<Flow<Item>>[];
}

/** Makes a flow of items that come one by one. Those that come before the next microtask are passed on together. */
export class FlowSource<Item> {
  #left = 0;
  #arrived: Item[] = [];
  #resolve: (flow: Flow<Item>) => void = () => {};
  #reject: (bug: unknown) => void = () => {};

  /** @param count - How many items will come. */
  expect(count: number): Flow<Item> {
    this.#left = count;
    return this.#flow([]);
  }
  add(item: Item): void {
    if (this.#arrived.length >= this.#left) throw new RangeError("More items came than a flow expects.");
    if (this.#arrived.length === 0) void Promise.resolve().then(() => this.#pass());
    this.#arrived.push(item);
  }
  fail(bug: unknown): void {
    this.#reject(bug);
  }

  #pass(): void {
    const [resolve, now] = [this.#resolve, this.#arrived];
    this.#arrived = [];
    this.#left -= now.length;
    resolve(this.#flow(now));
  }
  #flow(now: readonly Item[]): Flow<Item> {
    if (this.#left === 0) return { now, later: [] };
    const rest = new Promise<Flow<Item>>((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve, reject];
    });
    return { now, later: [rest] };
  }
}
