import { isAscii } from "node:buffer";
import { parseJson } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { compareRecordings, comparisonText } from "../recording/compareRecordings.ts";
import { maxRecordingBytes } from "../recording/maxRecordingBytes.ts";
import type { LeftOut } from "../recording/recordedText.ts";
import { type ReadRecording, type Recording, readRecording } from "../recording/recording.ts";
import type { CommandLineHost, RecordingFile } from "./commandLineHost.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/**
 * Reads a recording, and reports why if that failed.
 *
 * @param name - The path as typed.
 */
export function openRecording(name: string, file: RecordingFile, terminal: Terminal): Recording | undefined {
  if (typeof file === "string") {
    if (file === "missing")
      terminal.complain(`${oneLine(name)} does not exist or cannot be read.`, "Check its path and its permissions.");
    else
      terminal.complain(
        `${oneLine(name)} is larger than ${maxRecordingBytes / 1e6} MB.`,
        "Record fewer cells in one file.",
      );
    return undefined;
  }
  const recording = readRecordingBytes(file);
  if (!("fault" in recording)) return recording;
  terminal.complain(`${oneLine(name)}: ${recording.fault}`);
  return undefined;
}

/** Opens a recording that answers in place of the network, and notes that it does. */
export function openReplay(name: string, file: RecordingFile, terminal: Terminal): Recording | undefined {
  const recording = openRecording(name, file, terminal);
  if (!recording) return undefined;
  const at = new Date(recording.startedAt).toISOString().replace("T", " ").slice(0, 19);
  terminal.note(
    `Nothing is sent: ${plural(recording.exchanges.length, "answer")} recorded at ${at} UTC in ${oneLine(name)}.`,
  );
  return recording;
}

/** Prints what two recordings answered differently. @returns The exit code. */
export async function compareRecordingFiles(
  [first, firstFile]: readonly [name: string, file: RecordingFile],
  second: string,
  { recording: read, terminal }: CommandLineHost,
): Promise<number> {
  const [before, after] = [
    openRecording(first, firstFile, terminal),
    openRecording(second, await read(second), terminal),
  ];
  if (!before || !after) return exitCodes.usage;
  const differences = compareRecordings(before, after);
  terminal.print(comparisonText(differences));
  return differences.length === 0 ? exitCodes.ok : exitCodes.failed;
}

/**
 * Reads the file of a recording. Its compressed texts, which are most of a large file, stay bytes until they are asked for.
 */
export function readRecordingBytes(file: Uint8Array): ReadRecording {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const { rest, leftOut } = withoutLongTexts(bytes);
  const read = leftOut.size > 0 ? readRecording(textOf(rest), leftOut) : undefined;
  // Only the whole text tells what is wrong with it.
  return read && !("fault" in read) ? read : readRecording(textOf(bytes));
}

/** How a file begins a compressed text. */
const key = Buffer.from(`"deflate": "`);
const quote = 0x22;
const backslash = 0x5c;
/** Bytes of a text that is worth leaving out. */
const minLength = 2000;

function withoutLongTexts(file: Buffer): { readonly rest: Buffer; readonly leftOut: LeftOut } {
  const mark = `${Math.random()}:`; // a file cannot contain it
  const parts: Buffer[] = [];
  const leftOut: LeftOut = new Map();
  let kept = 0;
  for (let at = file.indexOf(key); at >= 0; at = file.indexOf(key, at)) {
    const start = at + key.length;
    at = file.indexOf(quote, start);
    if (at < 0) break;
    if (at - start < minLength || file[at - 1] === backslash) continue;
    const text = file.subarray(start, at);
    const name = `${mark}${leftOut.size}`;
    leftOut.set(name, () => unquoted(text));
    parts.push(file.subarray(kept, start), Buffer.from(name));
    kept = at;
  }
  return { rest: Buffer.concat([...parts, file.subarray(kept)]), leftOut };
}

/** The text between two quotes of JSON; nothing if it is damaged. */
function unquoted(bytes: Buffer): string {
  const text = parseJson(`"${textOf(bytes)}"`);
  return typeof text === "string" ? text : "";
}

/** Decodes UTF-8. Text of ASCII only, as nearly all recordings are, takes a tenth of the time. */
function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString("latin1") : new TextDecoder().decode(bytes);
}
