import { type JsonValue, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Files } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { fileName } from "../base/uri.ts";
import { saveText } from "../files/updateFile.ts";
import type { SaveProfileParams, SaveRecordingResult, SaveRowsParams } from "../protocol/runs.ts";
import { plainText, plainUnit } from "../report/screenTable.ts";
import { speedscopeFile } from "../report/speedscope.ts";
import type { RowStore } from "../run/result/rowStore.ts";
import type { StoredTable } from "../run/result/storedTable.ts";
import { csvLine } from "./csv.ts";

/** The rows and traces that results have, and how they leave. */
interface SavedFrom {
  readonly rowStore: RowStore;
  readonly files: Files;
  readonly mask: Mask;
}

/**
 * Writes the rows of a table to a file that a person chose, as CSV, or as JSON if its name ends in `.json`. Values
 * are plain, for other programs, and all values of a column have one unit.
 */
export async function saveRows(
  { uri, rest, filter }: SaveRowsParams,
  { rowStore, files, mask }: SavedFrom,
  signal: AbortSignal,
): Promise<SaveRecordingResult> {
  const table = rowStore.table(rest);
  if (!table) return { fault: "RPC Notebook no longer has these rows. Run the cell again." };
  const isJson = uri.toLowerCase().endsWith(".json");
  const names = headsOf(table);
  const lines: string[] = [];
  const hasEnded = await table.each(
    (index) => {
      const values = table.row(index).map((cell) => mask.text(plainText(cell)));
      lines.push(isJson ? jsonLine(names, values) : csvLine(values));
    },
    signal,
    filter,
  );
  if (!hasEnded) return { fault: "Cancelled. Nothing was saved." };
  const text = isJson ? `[\n${lines.join(",\n")}\n]\n` : `${[csvLine(names), ...lines].join("\r\n")}\r\n`;
  const fault = await saveText(files, uri, text);
  if (fault !== undefined) return { fault };
  return { note: `Saved ${plural(lines.length, "row")} in ${fileName(uri)}.` };
}

/** Names of the columns with the units of their values, each once. */
function headsOf({ columns, section }: StoredTable): readonly string[] {
  const names = columns.map(({ name }, at) => {
    const unit = plainUnit(section.rows.flatMap((row) => row[at] ?? []));
    return unit === undefined ? name : `${name} (${unit})`;
  });
  return names.map((name, at) => (names.indexOf(name) < at ? `${name} ${at + 1}` : name));
}

function jsonLine(names: readonly string[], values: readonly string[]): string {
  const row: Record<string, JsonValue> = Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
  return `  ${printJson(row)}`;
}

/** Writes all calls of a trace to a file that a person chose, with gas in place of time. */
export async function saveProfile(
  { uri, rest }: SaveProfileParams,
  { rowStore, files, mask }: SavedFrom,
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
