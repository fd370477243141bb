import type { Explanation } from "../base/error.ts";
import { isUnchanged } from "../base/hash.ts";
import type { Files } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { childUri, fileName, isUntitled, notebookStem, parentFolder } from "../base/uri.ts";
import { recordingSuffix } from "../endpoints/site.ts";
import { updateFile } from "../files/updateFile.ts";
import type { SaveRecordingResult } from "../protocol/runs.ts";
import { fullText } from "../recording/maxRecordingBytes.ts";
import { hasAnswers, printRecording, type Recording, recordingKind } from "../recording/recording.ts";
import type { RunRecordings } from "../run/runRecordings.ts";

/**
 * Writes the last recorded run of a document to a file beside it: NAME.rpc.recording.json.
 *
 * @returns A sentence that says what was written, or a fault.
 */
export async function saveRecording(
  uri: string,
  { recordings, files }: { readonly recordings: RunRecordings; readonly files: Files },
): Promise<SaveRecordingResult> {
  const recorded = recordings.of(uri);
  if (!recorded || recorded.recording.exchanges.length === 0)
    return { fault: "Nothing was recorded: nothing was sent, or two addresses have one name." };
  if (isUntitled(uri)) return { fault: "Save the notebook first: the recording is written beside it." };
  const folder = parentFolder(uri);
  const recordedText = { text: printRecording(recorded.recording) };
  const name = notebookStem(fileName(uri)) + recordingSuffix;
  const file = { uri: childUri(folder, name), name, within: folder };
  const written = await updateFile(files, file, (before) => kept(name, before, recorded.recording) ?? recordedText);
  if (typeof written === "object") return { fault: `${written.what} ${written.todo}` };
  const { recording, masked } = recorded;
  const hidden = masked > 0 ? ` Secrets were masked in ${masked} of them.` : "";
  const full = recording.missed === undefined ? "" : ` ${fullText(recording.missed)}`;
  const use = `To replay it, add "recording": ${JSON.stringify(name)} to the file, beside "cells".`;
  const note = `Recorded ${plural(recording.exchanges.length, "exchange")} in ${name}.${hidden}${full} ${use}`;
  return { note, recording: name };
}

/** Says why an earlier recording stays: a person has changed it, or the new one has no answer. */
function kept(name: string, before: string | undefined, recording: Recording): Explanation | undefined {
  if (before === undefined || before === "") return undefined;
  const todo = `To record again, rename or delete ${name}.`;
  if (!isUnchanged(before, recordingKind))
    return { what: `${name} was not written: it exists, and is not recognized as an unchanged recording.`, todo };
  if (hasAnswers(recording)) return undefined;
  return { what: `${name} was not written: no cell has an answer, and the earlier recording would be lost.`, todo };
}
