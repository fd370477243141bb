import { plural } from "../base/text.ts";
import { childUri, fileName, isUntitled, notebookStem, parentFolder } from "../base/uri.ts";
import { recordingSuffix } from "../endpoints/replayAddress.ts";
import { saveText } from "../files/updateFile.ts";
import type { SaveBugReportParams, SaveRecordingResult } from "../protocol/runs.ts";
import { fullText } from "../recording/maxRecordingBytes.ts";
import { printRecording } from "../recording/recording.ts";
import type { RunSupport } from "./documentRun.ts";

/**
 * Writes the last recorded run of a document to a file beside it: NAME.rpc.recording.json.
 *
 * @returns A sentence that says what was written, or a fault.
 */
export async function saveRecording(
  uri: string,
  { recordings, files }: Pick<RunSupport, "recordings" | "files">,
): Promise<SaveRecordingResult> {
  const recorded = recordings.of(uri);
  if (!recorded || recorded.recording.exchanges.length === 0)
    return { fault: "Nothing was recorded: nothing was sent, or two addresses have one name." };
  if (isUntitled(uri)) return { fault: "Save the notebook first: the recording is written beside it." };
  const folder = parentFolder(uri);
  const name = notebookStem(fileName(uri)) + recordingSuffix;
  const fault = await saveText(files, childUri(folder, name), printRecording(recorded.recording));
  if (fault !== undefined) return { fault };
  const { recording, masked } = recorded;
  const hidden = masked > 0 ? ` Secrets were masked in ${masked} of them.` : "";
  const full = recording.missed === undefined ? "" : ` ${fullText(recording.missed)}`;
  const use = `To replay it, add "recording": ${JSON.stringify(name)} to the file, beside "cells".`;
  const note = `Recorded ${plural(recording.exchanges.length, "exchange")} in ${name}.${hidden}${full} ${use}`;
  return { note, recording: name };
}

/** Writes a bug report to the file that a person chose; an old file is replaced. */
export async function saveBugReport(
  { uri, text }: SaveBugReportParams,
  { files }: Pick<RunSupport, "files">,
): Promise<SaveRecordingResult> {
  const fault = await saveText(files, uri, text);
  return fault === undefined ? { note: `Saved ${fileName(uri)}.` } : { fault };
}
