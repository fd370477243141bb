import type { Mask } from "../base/mask.ts";
import type { Gate } from "../gate/gate.ts";
import { type MaskedRecording, maskRecording, mergeRecordings } from "../recording/editRecording.ts";
import type { Recording } from "../recording/recording.ts";
import type { WorkspaceHost } from "../workspace/host.ts";

/** Characters of answers that are kept of each document without a recording. */
const maxSeen = 8_000_000;

/**
 * Records runs, and keeps the last recording of each document until the document is closed. Of other runs it keeps what a
 * person has seen, as much as fits.
 */
export class RunRecordings {
  readonly #host: WorkspaceHost;
  readonly #mask: Mask;
  readonly #last = new Map<string, MaskedRecording>();
  readonly #seen = new Map<string, Recording>();

  constructor(host: WorkspaceHost, mask: Mask) {
    this.#host = host;
    this.#mask = mask;
  }

  /** Opens the gate of a run that is recorded. `end` keeps what was recorded. */
  begin(uri: string): { readonly gate: Gate; end(signal: AbortSignal): Promise<void> } {
    const recorder = this.#host.gate.recorded();
    return {
      gate: recorder.gate,
      end: async (signal) => {
        if (recorder.ambiguous().length > 0) return this.forget(uri);
        const recording = await recorder.finish(this.#tool, signal);
        this.#last.set(uri, maskRecording(recording, this.#mask));
        this.#seen.set(uri, recording);
      },
    };
  }
  /** Opens the gate of a run of which a person sees the answers. `end` keeps them, and sends nothing. */
  keep(uri: string): { readonly gate: Gate; end(): void } {
    const recorder = this.#host.gate.recorded({ messages: 0, answers: maxSeen });
    return {
      gate: recorder.gate,
      end: () => {
        const recording = recorder.recording(this.#tool);
        if (recorder.ambiguous().length > 0) this.#seen.delete(uri);
        else if (recording.exchanges.length > 0)
          this.#seen.set(uri, mergeRecordings(this.#seen.get(uri), recording, maxSeen));
      },
    };
  }
  /** Returns the last run that was recorded as a whole. */
  of(uri: string): MaskedRecording | undefined {
    return this.#last.get(uri);
  }
  /** Returns the last answers of a document to each of its requests, as a person has seen them. */
  seen(uri: string): MaskedRecording | undefined {
    const recording = this.#seen.get(uri);
    return recording && maskRecording(recording, this.#mask);
  }
  forget(uri: string): void {
    this.#last.delete(uri);
    this.#seen.delete(uri);
  }
  get #tool(): string {
    const { version } = this.#host;
    return version === undefined ? "rpc-notebook" : `rpc-notebook ${version}`;
  }
}
