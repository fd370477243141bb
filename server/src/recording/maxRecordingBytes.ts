import { plural } from "../base/text.ts";

/** Bytes of a file that is read, and of one answer when it is masked. */
export const maxRecordingBytes = 256_000_000;

/**
 * Characters that a recording keeps of the messages of subscriptions, which a file has in clear, and of answers, which it
 * has compressed: so much that the file can be written and read again.
 */
export const maxKept = { messages: 24_000_000, answers: 200_000_000 } as const;

/** Says in a sentence that a recording has less than there was. */
export function fullText(missed: number): string {
  return `The recording is full. It leaves out ${plural(missed, "message or answer", "messages or answers")}.`;
}
