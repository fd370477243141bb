import type { StreamChange } from "../../protocol/runs.ts";

/** The subscription cells that are running, for a person who pauses, filters or stops one. */
export class StreamControls {
  readonly #listeners = new Map<string, (control: StreamChange) => void>();

  control(uri: string, key: string, control: StreamChange): void {
    this.#listeners.get(nameOf(uri, key))?.(control);
  }
  /** @returns Removes the listener. */
  listen(uri: string, key: string, listener: (control: StreamChange) => void): () => void {
    const name = nameOf(uri, key);
    this.#listeners.set(name, listener);
    return () => {
      if (this.#listeners.get(name) === listener) this.#listeners.delete(name);
    };
  }
}

function nameOf(uri: string, key: string): string {
  return `${uri}\n${key}`;
}
