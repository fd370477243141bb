import type { Mask } from "../base/mask.ts";
import type { Transport } from "../base/ports.ts";
import { maskRecording } from "../recording/maskRecording.ts";
import { openRecorder } from "../recording/recorder.ts";
import type { Recording } from "../recording/recording.ts";
import { noSockets, openSocketPool, type SocketPool } from "../rpc/socketPool.ts";
import type { Host } from "../workspace/host.ts";

/** A run that was recorded, with secrets masked. */
export interface RecordedRun {
  readonly recording: Recording;
  /** How many exchanges and streams had something to hide. */
  readonly masked: number;
}

/** Records runs, and keeps the last recording of each document until the document is closed. */
export class RunRecordings {
  readonly #host: Host;
  readonly #mask: Mask;
  readonly #last = new Map<string, RecordedRun>();

  constructor(host: Host, mask: Mask) {
    this.#host = host;
    this.#mask = mask;
  }

  /** Opens the ports of a run that is recorded. `end` keeps what was recorded. */
  begin(uri: string): {
    readonly transport: Transport;
    readonly sockets: SocketPool;
    end(signal: AbortSignal): Promise<void>;
  } {
    const { clock, version } = this.#host;
    const recorder = openRecorder(this.#host);
    const tool = version === undefined ? "rpc-notebook" : `rpc-notebook ${version}`;
    return {
      transport: recorder.transport,
      sockets: openSocketPool(recorder.sockets ?? noSockets, clock),
      end: async (signal) => {
        if (recorder.ambiguous().length > 0) this.#last.delete(uri);
        else this.#last.set(uri, maskRecording(await recorder.finish(tool, signal), this.#mask));
      },
    };
  }
  of(uri: string): RecordedRun | undefined {
    return this.#last.get(uri);
  }
  forget(uri: string): void {
    this.#last.delete(uri);
  }
}
