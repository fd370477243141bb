import type { RecordedExchange, RecordedStream, Recording } from "./recording.ts";
import { requestKey } from "./requestKey.ts";

/**
 * Adds a later recording of the same notebook to an earlier one. Its answers replace the earlier ones to the same requests,
 * since an answer that was given again counts.
 *
 * @param maxLength - Characters that are kept of the answers: the oldest are left out.
 */
export function mergeRecordings(earlier: Recording | undefined, later: Recording, maxLength: number): Recording {
  const { startedAt } = earlier ?? later;
  const answered = new Set(later.exchanges.map(keyOf));
  const subscribed = new Set(later.streams.map(streamKeyOf));
  const shift = later.startedAt - startedAt;
  const exchanges = [
    ...(earlier?.exchanges.filter((one) => !answered.has(keyOf(one))) ?? []),
    ...later.exchanges.map((one) => ({ ...one, at: Math.max(0, one.at + shift) })),
  ];
  const kept = newest(exchanges, maxLength);
  const missed = (earlier?.missed ?? 0) + (later.missed ?? 0) + exchanges.length - kept.length;
  return {
    startedAt,
    tool: later.tool,
    endpoints: { ...earlier?.endpoints, ...later.endpoints },
    exchanges: kept,
    streams: [...(earlier?.streams.filter((one) => !subscribed.has(streamKeyOf(one))) ?? []), ...later.streams],
    ...(missed > 0 && { missed }),
  };
}

function keyOf({ endpoint, method, params }: RecordedExchange): string {
  return `${endpoint} ${requestKey(method, params)}`;
}

function streamKeyOf({ endpoint, params }: RecordedStream): string {
  return `${endpoint} ${requestKey("", params)}`;
}

function newest(exchanges: readonly RecordedExchange[], maxLength: number): readonly RecordedExchange[] {
  let left = maxLength;
  let from = exchanges.length;
  while (from > 0) {
    left -= lengthOf(exchanges[from - 1]);
    if (left < 0) break;
    from--;
  }
  return exchanges.slice(from);
}

function lengthOf(exchange: RecordedExchange | undefined): number {
  if (exchange === undefined || exchange.reply.kind === "fault") return 0;
  const { body } = exchange.reply;
  return "text" in body ? body.text.length : 0; // what was just recorded is text
}
