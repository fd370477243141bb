import { oneLine, plural } from "../base/text.ts";
import { compareRecordings, comparisonText } from "../recording/compareRecordings.ts";
import { maxRecordingBytes } from "../recording/maxRecordingBytes.ts";
import type { Recording } from "../recording/recording.ts";
import type { CommandLineHost, RecordingFile } from "./commandLineHost.ts";
import { readRecordingBytes } from "./recordingBytes.ts";
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
  { recording: read, terminal }: Pick<CommandLineHost, "recording" | "terminal">,
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
