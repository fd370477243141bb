import { isArray, isObject, parseJson, printJson } from "../base/json.ts";
import type { Clock, SocketRequest, Sockets, TransportFault } from "../base/ports.ts";
import type { RecordedStream } from "./recording.ts";
import type { Replay } from "./replay.ts";
import { requestsIn } from "./wireMessages.ts";

const cancelled: TransportFault = { kind: "fault", reason: "cancelled", detail: "cancelled", sent: false };

/** Opens WebSockets that a replay answers. A subscription delivers what was recorded, at the recorded times. */
export function replaySockets(replayOf: (request: SocketRequest) => Replay | undefined, clock: Clock): Sockets {
  return {
    async open(request, events, signal) {
      const replay = replayOf(request);
      if (!replay || signal.aborted) return cancelled;
      const over = new AbortController();
      const deliver = (text: string): void => {
        if (!over.signal.aborted) events.message(text, text.length);
      };
      const end = (fault: TransportFault): void => {
        if (over.signal.aborted) return;
        over.abort();
        events.closed(fault);
      };
      const { endpoint, maxBytes } = request;
      const playing = new Map<string, AbortController>();
      const begin = (stream: RecordedStream): void => {
        const stop = new AbortController();
        playing.set(stream.subscription, stop);
        // After the answer.
        void Promise.resolve().then(() => play(stream, deliver, clock, AbortSignal.any([over.signal, stop.signal])));
      };
      /** Begins what an answer subscribes to. @returns The answer, with another id for a subscription that is open already. */
      const subscribe = (answer: string): string => {
        const streams = replay.streamsFor(answer, endpoint);
        const [only] = streams;
        const isOpenTwice = streams.length === 1 && only && playing.has(only.subscription);
        const begun = isOpenTwice ? [withSubscription(only, `0x${(nextSubscription++).toString(16)}`)] : streams;
        begun.forEach(begin);
        return isOpenTwice ? withResult(answer, begun[0]?.subscription ?? "") : answer;
      };
      return {
        kind: "open",
        send(body) {
          const ended = unsubscribed(body, playing);
          const reply = ended === undefined ? replay.answer(body, endpoint, { maxBytes }) : undefined;
          // A real answer never comes before `send` has returned.
          void Promise.resolve().then(() => {
            if (reply?.kind === "fault") return end(reply);
            const answer = ended ?? reply?.body ?? "";
            if (answer === "") return; // nothing answers notifications
            deliver(body.includes("eth_subscribe") ? subscribe(answer) : answer);
          });
        },
        close: () => end(cancelled),
      };
    },
  };
}

/** Ends a subscription, which always succeeds: that may come earlier than it was recorded. @returns The answer. */
function unsubscribed(body: string, playing: ReadonlyMap<string, AbortController>): string | undefined {
  const [only, ...more] = requestsIn(body) ?? [];
  if (only?.method !== "eth_unsubscribe" || more.length > 0) return undefined;
  const [id] = isArray(only.params) ? only.params : [];
  playing.get(String(id))?.abort();
  return `{"jsonrpc":"2.0","id":${only.id ?? "null"},"result":true}`;
}

/** The next id for a second subscription. It has 16 digits, which nodes do not use. */
let nextSubscription = 0xd00d_0000_0000_0001n;

function withSubscription(stream: RecordedStream, subscription: string): RecordedStream {
  const events = stream.events.map(({ at, text }) => {
    const value = parseJson(text);
    const params = isObject(value) ? value.params : undefined;
    if (!isObject(value) || !isObject(params)) return { at, text };
    return { at, text: printJson({ ...value, params: { ...params, subscription } }) };
  });
  return { ...stream, subscription, events };
}

function withResult(answer: string, result: string): string {
  const value = parseJson(answer);
  return isObject(value) ? printJson({ ...value, result }) : answer;
}

/** Events that are delivered without a pause. */
const maxAtOnce = 100;

async function play(
  { events }: RecordedStream,
  deliver: (text: string) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const began = clock.now();
  for (const [index, { at, text }] of events.entries()) {
    const wait = at - (clock.now() - began);
    if (wait > 0 || index % maxAtOnce === maxAtOnce - 1) await clock.sleep(Math.max(0, wait), signal);
    if (signal.aborted) return;
    deliver(text);
  }
}
