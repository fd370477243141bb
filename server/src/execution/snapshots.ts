import type { Explanation } from "../base/explanation.ts";
import type { Mask } from "../base/mask.ts";
import type { Files } from "../base/ports.ts";
import { brief, listed, percentDecoded, plural } from "../base/text.ts";
import { homeFolder, isUntitled } from "../endpoints/known.ts";
import { type Update, updateFile } from "../files/updateFile.ts";
import { explainWriteFault } from "../files/writeFaults.ts";
import { decodeFile } from "../notebook/bytes.ts";
import type { RunParams, SnapshotResult } from "../protocol/runs.ts";
import type { CellResult } from "../run/cellResult.ts";
import type { CellRun } from "../run/cellRun.ts";
import { type SnapshotVerdict, snapshotVerdict, updated } from "../run/snapshot.ts";
import {
  maxRecordedBytes,
  printSnapshot,
  type Recorded,
  readSnapshot,
  type Snapshot,
  snapshotUri,
} from "../run/snapshotFile.ts";

export type SnapshotMode = NonNullable<RunParams["snapshot"]>;

/** The snapshot of a notebook, during one run. */
export interface SnapshotRun {
  /** What it says of a cell; nothing while it is being made afresh. */
  verdictOn(run: CellRun, key: string): SnapshotVerdict | undefined;
  ended(cell: CellResult): void;
  /** Writes what is to be written. @returns `undefined` where there is nothing to tell. */
  finish(): Promise<SnapshotResult | undefined>;
}

/** The notebook that a snapshot belongs to. */
interface SnapshotOwner {
  readonly uri: string;
  /** Of all its cells, in order. */
  readonly keys: readonly string[];
  /** URIs of the workspace folders. */
  readonly roots: readonly string[];
}

/** Reads the snapshot beside a notebook. */
export async function openSnapshot(
  { uri: notebook, keys, roots }: SnapshotOwner,
  mode: SnapshotMode | undefined,
  files: Files,
  mask: Mask,
): Promise<SnapshotRun | undefined> {
  if (mode === undefined) return undefined;
  const known = await readBeside(notebook, files);
  if ("fault" in known) {
    const fault = `${known.fault.what} ${known.fault.todo}`;
    return { verdictOn: () => undefined, ended: () => {}, finish: async () => ({ notes: [], fault }) };
  }
  const { snapshot = new Map() } = known;
  const uri = snapshotUri(notebook);
  const name = nameOf(uri);
  const records = new Map<string, Recorded>();
  let bytes = 0;
  const cells: CellResult[] = [];
  return {
    verdictOn: (run, key) =>
      mode === "update" ? undefined : snapshotVerdict(run, snapshot.get(key), mask, mode === "check"),
    ended(cell) {
      cells.push(cell);
      const record = mode === "update" ? cell.record() : undefined;
      // a record that cannot be read again would make the whole file unreadable
      if (!record || !readSnapshot(printSnapshot(new Map([[cell.key, record]])))) return;
      records.set(cell.key, record);
      bytes += cell.answerSize;
    },
    async finish() {
      if (mode === "show" && !known.snapshot) return undefined;
      if (mode !== "update") return { notes: checkNotes(name, cells, snapshot, keys) };
      const within = isUntitled(notebook) ? undefined : homeFolder(notebook, roots);
      if (within === undefined) return { notes: [], fault: `${nameOf(notebook)} has no file yet. Save it first.` };
      if (bytes > maxRecordedBytes) return { notes: [], fault: tooLarge(name) };
      const unrecorded = cells.filter(({ key }) => !records.has(key)).map(({ key }) => key);
      let notes: readonly string[] = [];
      // Another run may have written since this one began: what it recorded stays.
      const done = await updateFile(files, { uri, name, within }, (before): Update => {
        const there = before === undefined ? new Map() : readSnapshot(before);
        if (!there) return unreadable(uri);
        const next = updated(there, records, { keys, known: snapshot });
        notes = updateNotes(name, next, records.size, unrecorded);
        return next.changed.length + next.gone.length === 0 ? "unchanged" : { text: printSnapshot(next.snapshot) };
      });
      return typeof done === "string" ? { notes } : { notes: [], fault: `${done.what} ${done.todo}` };
    },
  };
}

/** Why a run with this snapshot would make no sense; `undefined` where it does. */
export async function snapshotFault(
  notebook: string,
  mode: SnapshotMode,
  files: Files,
): Promise<Explanation | undefined> {
  const known = await readBeside(notebook, files);
  if ("fault" in known) return known.fault;
  if (mode !== "check" || known.snapshot) return undefined;
  const uri = snapshotUri(notebook);
  const [folder, name] = [uri.slice(0, uri.lastIndexOf("/")), nameOf(uri)];
  const isThere = (await files.list?.(folder, false))?.some((one) => one.name === name);
  if (isThere) return { what: `${name} cannot be read.`, todo: "Check its permissions and its size." };
  const what = `${nameOf(notebook)} has no snapshot yet: there is no ${name}.`;
  return { what, todo: "Make one with --snapshot update." };
}

type ReadSnapshotFile = { readonly snapshot: Snapshot | undefined } | { readonly fault: Explanation };

async function readBeside(notebook: string, files: Files): Promise<ReadSnapshotFile> {
  const uri = snapshotUri(notebook);
  const bytes = await files.read(uri);
  if (!bytes) return { snapshot: undefined };
  const decoded = decodeFile(bytes);
  const snapshot = "text" in decoded ? readSnapshot(decoded.text) : undefined;
  return snapshot ? { snapshot } : { fault: unreadable(uri) };
}

function tooLarge(name: string): string {
  const { what } = explainWriteFault({ reason: "too-large", detail: "" }, name, false);
  return `${what} Say "snapshot": false in cells with large answers.`;
}

function unreadable(uri: string): Explanation {
  return { what: `${nameOf(uri)} cannot be read as a snapshot.`, todo: "Fix it, or delete it and make a new one." };
}

/** The last part of a URI, safe to show. */
function nameOf(uri: string): string {
  return brief(percentDecoded(uri.slice(uri.lastIndexOf("/") + 1)), 120);
}

function checkNotes(
  name: string,
  cells: readonly CellResult[],
  snapshot: Snapshot,
  keys: readonly string[],
): readonly string[] {
  const of = (kind: SnapshotVerdict["kind"]): readonly string[] =>
    cells.filter((cell) => cell.snapshot?.kind === kind).map(({ key }) => key);
  const compared = of("same").length + of("differs").length;
  const stale = of("stale");
  const gone = [...snapshot.keys()].filter((key) => !keys.includes(key));
  return [
    ...(compared > 0 ? [`${plural(compared, "cell")} compared with ${name}.`] : []),
    ...(stale.length > 0 ? [`${named(stale)}: the request is another one than in ${name}.`] : []),
    ...(gone.length > 0 ? [`${named(gone)}: recorded in ${name}, and no longer in the notebook.`] : []),
  ];
}

function updateNotes(
  name: string,
  { changed, gone }: { readonly changed: readonly string[]; readonly gone: readonly string[] },
  recorded: number,
  unrecorded: readonly string[],
): readonly string[] {
  const parts = [
    ...(changed.length > 0 ? [`${changed.length} new or changed`] : ["nothing changed"]),
    ...(gone.length > 0 ? [`${gone.length} removed`] : []),
  ];
  return [
    `${name}: ${plural(recorded, "cell")} recorded, ${listed(parts)}.`,
    ...(unrecorded.length > 0 ? [`${named(unrecorded)}: not recorded; what was recorded before stays.`] : []),
  ];
}

function named(keys: readonly string[]): string {
  const shown = keys.slice(0, 10).map((key) => `\`${brief(key, 60)}\``);
  return keys.length > shown.length ? `${shown.join(", ")} and ${keys.length - shown.length} more` : listed(shown);
}
