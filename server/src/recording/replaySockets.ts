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
      return {
        kind: "open",
        send(body) {
          const ended = unsubscribed(body);
          const reply = ended === undefined ? replay.answer(body, endpoint, { maxBytes, mayRefuse: true }) : undefined;
          // A real answer never comes before `send` has returned.
          void Promise.resolve().then(() => {
            if (reply?.kind === "fault") return end(reply);
            deliver(ended ?? reply?.body ?? "");
            for (const stream of replay.streamsFor(body, endpoint)) void play(stream, deliver, clock, over.signal);
          });
        },
        close: () => end(cancelled),
      };
    },
  };
}

/** Answers the end of a subscription, which always succeeds: it may come earlier than it was recorded. */
function unsubscribed(body: string): string | undefined {
  const [only, ...more] = requestsIn(body) ?? [];
  if (only?.method !== "eth_unsubscribe" || more.length > 0) return undefined;
  return `{"jsonrpc":"2.0","id":${only.id ?? "null"},"result":true}`;
}

async function play(
  { events }: RecordedStream,
  deliver: (text: string) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const began = clock.now();
  for (const { at, text } of events) {
    const wait = at - (clock.now() - began);
    if (wait > 0) await clock.sleep(wait, signal);
    if (signal.aborted) return;
    deliver(text);
  }
}
