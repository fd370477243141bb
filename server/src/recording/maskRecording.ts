import { parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { maxRecordingBytes } from "./maxRecordingBytes.ts";
import { readText } from "./recordedText.ts";
import type { RecordedReply, Recording } from "./recording.ts";

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
