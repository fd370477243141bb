import { fileName } from "../base/uri.ts";
import { saveText } from "../files/updateFile.ts";
import type { SaveProfileParams, SaveRecordingResult } from "../protocol/runs.ts";
import { speedscopeFile } from "../report/speedscope.ts";
import type { RunSupport } from "../run/documentRun.ts";

/** Writes all calls of a trace to a file that a person chose, with gas in place of time. */
export async function saveProfile(
  { uri, rest }: SaveProfileParams,
  { rowStore, files, mask }: Pick<RunSupport, "rowStore" | "files" | "mask">,
): Promise<SaveRecordingResult> {
  const profile = rowStore.profile(rest);
  if (!profile) return { fault: "RPC Notebook no longer has these calls. Run the cell again." };
  const title = mask.text(profile.title);
  const masked = { ...profile, title, names: profile.names.map(mask.text) };
  const text = speedscopeFile(title, [masked]);
  const fault = await saveText(files, uri, text);
  if (fault !== undefined) return { fault };
  return { note: `Saved the calls in ${fileName(uri)}. Open it at speedscope.app.` };
}
