import { compress, decompress } from "../base/compression.ts";
import { printJson } from "../base/json.ts";
import { itemTexts } from "../base/jsonScan.ts";
import type { Mask } from "../base/mask.ts";
import type { Clock, Files, HttpRequest, HttpResponse, Sockets, Transport, TransportFault } from "../base/ports.ts";
import { isReplay, replayId } from "../endpoints/site.ts";
import { type Recording, readRecording, recordingJson } from "./recording.ts";
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
  readonly #files: Partial<Files>;
  readonly #open = new Map<string, OpenReplay>();
  /** By where the recording is: opened again only if its content is another. */
  readonly #byPlace = new Map<string, { readonly content: string; readonly open: OpenReplay | string }>();

  /** @param mask - Hides in requests what it hid when they were recorded. */
  constructor(clock: Clock, mask: Mask, files: Partial<Files> = {}) {
    this.#clock = clock;
    this.#mask = mask;
    this.#files = files;
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
      post: (request, signal) => {
        if (request.replay === undefined) return inner.post(request, signal);
        const replay = this.#use(request.replay);
        if (signal.aborted) return Promise.resolve({ ...closed, reason: "cancelled" });
        if (!isReplay(request.url))
          return replay ? this.#answerOrAsk(replay, request, inner, signal) : inner.post(request, signal);
        return Promise.resolve(replay ? this.#answer(replay, request) : closed);
      },
    };
  }
  sockets(inner: Sockets): Sockets {
    const own = replaySockets(({ url }) => this.#use(replayId(url) ?? ""), this.#clock);
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

  /** Returns an open recording. From now on its file is one that was used. */
  #use(id: string): Replay | undefined {
    const [place] = [...this.#byPlace].find(([, { open }]) => typeof open === "object" && open.id === id) ?? [];
    if (place !== undefined) this.#files.markRead?.(place);
    return this.#open.get(id)?.replay;
  }
  #answer(replay: Replay, { body, endpoint, maxBytes }: HttpRequest): HttpResponse | TransportFault {
    return replay.answer(body, endpoint, { maxBytes, mask: this.#mask });
  }
  /** Answers what was recorded, and asks the endpoint for the rest of the message. */
  async #answerOrAsk(
    replay: Replay,
    request: HttpRequest,
    inner: Transport,
    signal: AbortSignal,
  ): Promise<HttpResponse | TransportFault> {
    const has = replay.hasEach(request.body, request.endpoint, this.#mask);
    if (!has?.includes(true)) return inner.post(request, signal);
    const source = recordedOn(replay.recording);
    const parts = itemTexts(request.body);
    const isWhole = !has.includes(false);
    const body = isWhole ? request.body : listOf(parts.filter((_, at) => has[at]));
    const recorded = this.#answer(replay, { ...request, body });
    if (recorded.kind === "fault") return recorded;
    if (isWhole) return { ...recorded, source };
    const rest = parts.filter((_, at) => !has[at]);
    const asked = await inner.post({ ...request, body: listOf(rest) }, signal);
    // The requests that the endpoint did not answer have no response in the message.
    const isAnswered = asked.kind === "response" && asked.status === 200 && asked.body.trimStart().startsWith("[");
    if (!isAnswered) return { ...recorded, source };
    const { host } = new URL(request.url);
    const all = listOf([...itemTexts(recorded.body), ...itemTexts(asked.body)]);
    return { ...asked, body: all, source: `${source}, else ${host}` };
  }

  #read(content: string): OpenReplay | string {
    const text = isPacked(content) ? decompress(content.slice(packedPrefix.length), maxPackedBytes) : content;
    if (text === undefined) return "the recording in this notebook is damaged";
    const recording = readRecording(text);
    return "fault" in recording ? recording.fault.replace(/\.$/, "") : this.add(recording);
  }
}

let nextId = 1;

/** Bytes of a recording that a notebook contains: it is opened with the notebook. */
const maxPackedBytes = 32_000_000;

function listOf(texts: readonly string[]): string {
  return `[${texts.join(",")}]`;
}

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
