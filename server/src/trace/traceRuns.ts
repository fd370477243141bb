import type { AccountFacts, Answer, KnownState, Running, Task } from "./task.ts";
import { traceCall } from "./traceCall.ts";

/** One run of a call, with the state that was read since the run before it. */
export interface TraceRun {
  readonly task: Task;
  readonly more: KnownState;
  /** It is the first one of its trace: no state is known. */
  readonly begins: boolean;
}

/** The runs of one call. Keeps the state that they were given. */
export class TraceRuns {
  readonly #accounts = new Map<string, AccountFacts>();
  readonly #slots = new Map<string, string>();
  readonly #hashes = new Map<bigint, string>();

  /** @param say - Called now and then. */
  async run({ task, more }: Omit<TraceRun, "begins">, say?: (message: Running) => void): Promise<Answer> {
    for (const [address, facts] of more.accounts) this.#accounts.set(address, facts);
    for (const [key, word] of more.slots) this.#slots.set(key, word);
    for (const [number, hash] of more.hashes) this.#hashes.set(number, hash);
    const known = { accounts: this.#accounts, slots: this.#slots, hashes: this.#hashes };
    return traceCall(task, known, (steps) => say?.({ kind: "running", steps }));
  }
}
