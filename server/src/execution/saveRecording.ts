import { plural } from "../base/text.ts";
import { childUri, fileName, isUntitled, parentFolder } from "../base/uri.ts";
import { recordingSuffix } from "../endpoints/replayAddress.ts";
import { updateFile } from "../files/updateFile.ts";
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
): Promise<{ readonly note: string } | { readonly fault: string }> {
  const recorded = recordings.of(uri);
  if (!recorded || recorded.recording.exchanges.length === 0)
    return { fault: "Nothing was recorded: nothing was sent, or two addresses have one name." };
  if (isUntitled(uri)) return { fault: "Save the notebook first: the recording is written beside it." };
  const folder = parentFolder(uri);
  const name = fileName(uri).replace(/(?:\.rpc)?\.json$/, "") + recordingSuffix;
  const text = printRecording(recorded.recording);
  const written = await updateFile(files, { uri: childUri(folder, name), name, within: folder }, () => ({ text }));
  if (typeof written === "object") return { fault: `${written.what} ${written.todo}` };
  const { recording, masked } = recorded;
  const hidden = masked > 0 ? ` Secrets were masked in ${masked} of them.` : "";
  return { note: `Recorded ${plural(recording.exchanges.length, "exchange")} in ${name}.${hidden}` };
}
