import { parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { requestKey } from "./match.ts";
import { maxRecordingBytes } from "./maxRecordingBytes.ts";
import { readText } from "./recordedText.ts";
import type { RecordedExchange, RecordedReply, RecordedStream, Recording } from "./recording.ts";

/** A recording without values of the host. */
export interface MaskedRecording {
  readonly recording: Recording;
  /** Exchanges and streams that had something to hide. */
  readonly masked: number;
}

/** Hides values of the host wherever a recording has them. An answer without any keeps its bytes. */
export function maskRecording(recording: Recording, mask: Mask): MaskedRecording {
  if (mask.isEmpty) return { recording, masked: 0 };
  const exchanges = recording.exchanges.map((one) => {
    const reply = maskedReply(one.reply, mask);
    return mask.value(reply === one.reply ? one : { ...one, reply });
  });
  const streams = recording.streams.map((one) => {
    const events = one.events.map((event) => {
      const text = maskedText(event.text, mask);
      return text === event.text ? event : { ...event, text };
    });
    return mask.value(events.every((event, at) => event === one.events[at]) ? one : { ...one, events });
  });
  const masked = [
    ...exchanges.filter((one, at) => one !== recording.exchanges[at]),
    ...streams.filter((one, at) => one !== recording.streams[at]),
  ].length;
  return { recording: { ...mask.value({ ...recording, exchanges: [], streams: [] }), exchanges, streams }, masked };
}

function maskedReply(reply: RecordedReply, mask: Mask): RecordedReply {
  if (reply.kind === "fault") return reply;
  const text = readText(reply.body, maxRecordingBytes) ?? "";
  const hidden = maskedText(text, mask);
  return hidden === text ? reply : { ...reply, body: { text: hidden } };
}

/** Searches the values of JSON, and the text of anything else. */
function maskedText(text: string, mask: Mask): string {
  const value = parseJson(text);
  if (value === undefined) return mask.text(text);
  const hidden = mask.value(value);
  return hidden === value ? text : printJson(hidden);
}

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
