import { parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { readText } from "./recordedText.ts";
import { maxRecordingBytes, type RecordedReply, type Recording } from "./recording.ts";

/**
 * Hides values of the host wherever a recording has them. An answer without any keeps its bytes.
 *
 * @returns Also how many exchanges and streams were changed.
 */
export function maskRecording(
  recording: Recording,
  mask: Mask,
): { readonly recording: Recording; readonly masked: number } {
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
