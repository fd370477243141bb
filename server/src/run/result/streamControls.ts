import type { StreamControl } from "../../protocol/runs.ts";

type Control = Omit<StreamControl, "uri" | "cell">;

/** The subscription cells that are running, for a person who pauses, filters or stops one. */
export class StreamControls {
  readonly #listeners = new Map<string, (control: Control) => void>();

  control(uri: string, key: string, control: Control): void {
    this.#listeners.get(nameOf(uri, key))?.(control);
  }
  /** @returns Removes the listener. */
  listen(uri: string, key: string, listener: (control: Control) => void): () => void {
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
