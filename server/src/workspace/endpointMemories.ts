import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointMemory } from "../rpc/send.ts";

/** Facts that were learned about each endpoint in this session. */
export class EndpointMemories {
  readonly #memories = new Map<string, EndpointMemory>();
  /** The same by the endpoint itself: a run asks several times for each cell. */
  readonly #known = new WeakMap<Endpoint, EndpointMemory>();
  readonly #changed: () => void;
  #version = 0;

  /** @param changed - Called when features can say something new about an endpoint. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  of(endpoint: Endpoint): EndpointMemory {
    const known = this.#known.get(endpoint);
    if (known) return known;
    const key = `${endpoint.name} ${endpoint.url}`;
    const memory = this.#memories.get(key) ?? { changed: () => this.noteChange() };
    this.#memories.set(key, memory);
    this.#known.set(endpoint, memory);
    return memory;
  }
  /** Another number after each change that features can show. */
  get version(): number {
    return this.#version;
  }
  noteChange(): void {
    this.#version++;
    this.#changed();
  }
  /**
   * Remembers the newest block.
   *
   * @returns Whether it is the first one of this endpoint. Later ones do not change what features say of a range.
   */
  setHead(endpoint: Endpoint, head: bigint): boolean {
    const memory = this.of(endpoint);
    const isFirst = memory.head === undefined;
    memory.head = head;
    if (isFirst) this.#version++;
    return isFirst;
  }
}
