import { printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Clock, Sockets, Transport, TransportFault } from "../base/ports.ts";
import { isReplay, replayId } from "../endpoints/replayAddress.ts";
import { compress, decompress } from "./compression.ts";
import { maxRecordingBytes, type Recording, readRecording, recordingJson } from "./recording.ts";
import { Replay } from "./replay.ts";
import { replaySockets } from "./replaySockets.ts";

/** A recording that requests can be answered from. */
export interface OpenReplay {
  readonly id: string;
  readonly replay: Replay;
}

/** How a recording in a notebook begins. */
const packedPrefix = "deflate:";

/** Returns whether a text is a whole recording, compressed, and not the path of one. */
export function isPacked(text: string): boolean {
  return text.startsWith(packedPrefix);
}

/** Returns a recording as one short text, for a notebook that contains it. */
export function packed(recording: Recording): string {
  return packedPrefix + compress(printJson(recordingJson(recording, false)));
}

/** The open recordings, and the transports that answer from them. */
export class Replays {
  readonly #clock: Clock;
  readonly #mask: Mask;
  readonly #open = new Map<string, OpenReplay>();
  /** By where the recording is: opened again only if its content is another. */
  readonly #byPlace = new Map<string, { readonly content: string; readonly open: OpenReplay | string }>();

  /** @param mask - Hides in requests what it hid when they were recorded. */
  constructor(clock: Clock, mask: Mask) {
    this.#clock = clock;
    this.#mask = mask;
  }

  /**
   * Opens a recording; the one that is open already if its content is the same.
   *
   * @param place - A URI; of the notebook for a recording in a notebook.
   * @param content - The text of a file, or a packed recording.
   * @returns A clause that says what is wrong with it if it cannot be opened.
   */
  open(place: string, content: string): OpenReplay | string {
    const last = this.#byPlace.get(place);
    if (last?.content === content) return last.open;
    const open = this.#read(content);
    if (typeof last?.open === "object") this.#open.delete(last.open.id);
    this.#byPlace.set(place, { content, open });
    return open;
  }
  /** Answers the requests that name a recording. What was not recorded goes on, unless only the recording may answer. */
  transport(inner: Transport): Transport {
    return {
      post: async (request, signal) => {
        if (request.replay === undefined) return inner.post(request, signal);
        if (signal.aborted) return { kind: "fault", reason: "cancelled", detail: "", sent: false };
        const replay = this.#open.get(request.replay)?.replay;
        const mayRefuse = isReplay(request.url);
        const reply = replay?.answer(this.#mask.text(request.body), request.endpoint, {
          maxBytes: request.maxBytes,
          mayRefuse,
        });
        if (!replay || !reply) return mayRefuse ? closed : inner.post(request, signal);
        return reply.kind === "fault" || mayRefuse ? reply : { ...reply, source: recordedOn(replay.recording) };
      },
    };
  }
  sockets(inner: Sockets): Sockets {
    const own = replaySockets(({ url }) => this.#open.get(replayId(url) ?? "")?.replay, this.#clock);
    return {
      open: (request, events, signal) => (isReplay(request.url) ? own : inner).open(request, events, signal),
    };
  }

  /** Opens a recording that was read. */
  add(recording: Recording): OpenReplay {
    const last = [...this.#open.values()].find(({ replay }) => replay.recording === recording);
    if (last) return last;
    const open = { id: String(nextId++), replay: new Replay(recording) };
    this.#open.set(open.id, open);
    return open;
  }

  #read(content: string): OpenReplay | string {
    const text = isPacked(content) ? decompress(content.slice(packedPrefix.length), maxRecordingBytes) : content;
    if (text === undefined) return "the recording in this notebook is damaged";
    const recording = readRecording(text);
    return "fault" in recording ? recording.fault : this.add(recording);
  }
}

let nextId = 1;

const closed: TransportFault = {
  kind: "fault",
  reason: "reset",
  detail: "the recording was opened again: run again",
  sent: false,
};

/** Says for people that answers are recorded, and since when: `recorded 2026-11-22`. */
export function recordedOn({ startedAt }: Recording): string {
  return `recorded ${new Date(startedAt).toISOString().slice(0, 10)}`;
}
