import { isAscii } from "node:buffer";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Files } from "../base/ports.ts";
import { oneLine, plural } from "../base/text.ts";
import { compareRecordings, comparisonText } from "../recording/compareRecordings.ts";
import { type Recording, readRecording } from "../recording/recording.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/**
 * Reads a recording, and reports why if that failed.
 *
 * @param name - The path as typed.
 */
export async function openRecording(
  name: string,
  { files }: { readonly files: Pick<Files, "read"> },
  terminal: Terminal,
): Promise<Recording | undefined> {
  const bytes = await files.read(pathToFileURL(resolve(name)).href);
  if (!bytes) {
    terminal.complain(`${oneLine(name)} does not exist or cannot be read.`, "Check its path and its permissions.");
    return undefined;
  }
  const recording = readRecording(textOf(bytes));
  if (!("fault" in recording)) return recording;
  terminal.complain(`${oneLine(name)}: ${recording.fault}`);
  return undefined;
}

/** Decodes UTF-8. Text of ASCII only, as nearly all recordings are, takes a tenth of the time. */
function textOf(bytes: Uint8Array): string {
  if (!isAscii(bytes)) return new TextDecoder().decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Opens a recording that answers in place of the network, and notes that it does. */
export async function openReplay(
  name: string,
  host: Parameters<typeof openRecording>[1],
  terminal: Terminal,
): Promise<Recording | undefined> {
  const recording = await openRecording(name, host, terminal);
  if (!recording) return undefined;
  const at = new Date(recording.startedAt).toISOString().replace("T", " ").slice(0, 19);
  terminal.note(
    `Nothing is sent: ${plural(recording.exchanges.length, "answer")} recorded at ${at} UTC in ${oneLine(name)}.`,
  );
  return recording;
}

/** Prints what two recordings answered differently. @returns The exit code. */
export async function compareRecordingFiles(
  first: string,
  second: string,
  host: Parameters<typeof openRecording>[1],
  terminal: Terminal,
): Promise<number> {
  const [before, after] = [await openRecording(first, host, terminal), await openRecording(second, host, terminal)];
  if (!before || !after) return exitCodes.usage;
  const differences = compareRecordings(before, after);
  terminal.print(comparisonText(differences));
  return differences.length === 0 ? exitCodes.ok : exitCodes.failed;
}
