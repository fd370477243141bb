import type { Explanation } from "../../base/error.ts";
import type { Mask } from "../../base/mask.ts";
import type { Files } from "../../base/ports.ts";
import { brief, listed, plural } from "../../base/text.ts";
import { formatBytes } from "../../base/units.ts";
import { fileName, homeFolder, isUntitled, parentFolder } from "../../base/uri.ts";
import { type Update, updateFile } from "../../files/updateFile.ts";
import { explainWriteFault } from "../../files/writeFaults.ts";
import { decodeFile } from "../../notebook/bytes.ts";
import type { RunParams, SnapshotResult } from "../../protocol/runs.ts";
import type { ProjectHost } from "../../workspace/host.ts";
import { linkFault, projectOf } from "../../workspace/projectFiles.ts";
import type { CellRun } from "../cellRun.ts";
import { type SnapshotVerdict, snapshotVerdict, updated } from "../judge/snapshot.ts";
import {
  maxRecordedBytes,
  printSnapshot,
  type Recorded,
  readSnapshot,
  type Snapshot,
  snapshotUri,
} from "../judge/snapshotFile.ts";
import type { CellResult } from "./cellResult.ts";

export type SnapshotMode = NonNullable<RunParams["snapshot"]>;

/** The snapshot of a notebook, during one run. */
export interface SnapshotRun {
  /** Compares a cell; `undefined` while the snapshot is being updated. */
  verdictOn(run: CellRun, key: string): SnapshotVerdict | undefined;
  ended(cell: CellResult): void;
  /** Writes the snapshot if it is being updated. @returns `undefined` if there is nothing to report. */
  finish(): Promise<SnapshotResult | undefined>;
}

/** The notebook that a snapshot belongs to. */
interface SnapshotOwner {
  readonly uri: string;
  /** The keys of all its cells, in order. */
  readonly keys: readonly string[];
  /** URIs of the workspace folders. */
  readonly roots: readonly string[];
}

/** Reads the snapshot beside a notebook. */
export async function openSnapshot(
  owner: SnapshotOwner,
  mode: SnapshotMode | undefined,
  files: Files,
  mask: Mask,
): Promise<SnapshotRun | undefined> {
  if (mode === undefined) return undefined;
  const read = await readSnapshotOf(owner.uri, { files, roots: owner.roots });
  if ("fault" in read) {
    const fault = `${read.fault.what} ${read.fault.todo}`;
    return { verdictOn: () => undefined, ended: () => {}, finish: async () => ({ notes: [], fault }) };
  }
  const { snapshot } = read;
  if (mode === "update") return new SnapshotUpdate(owner, snapshot ?? new Map(), files);
  return new SnapshotCheck(owner, mode, snapshot, mask);
}

/** Compares cells with a snapshot. */
class SnapshotCheck implements SnapshotRun {
  readonly #owner: SnapshotOwner;
  readonly #mode: "check" | "show";
  readonly #snapshot: Snapshot | undefined;
  readonly #mask: Mask;
  readonly #cells: CellResult[] = [];

  /** @param snapshot - `undefined` if there is none yet. */
  constructor(owner: SnapshotOwner, mode: "check" | "show", snapshot: Snapshot | undefined, mask: Mask) {
    this.#owner = owner;
    this.#mode = mode;
    this.#snapshot = snapshot;
    this.#mask = mask;
  }

  verdictOn(run: CellRun, key: string): SnapshotVerdict | undefined {
    return snapshotVerdict(run, this.#snapshot?.get(key), this.#mask, this.#mode === "check");
  }
  ended(cell: CellResult): void {
    this.#cells.push(cell);
  }
  async finish(): Promise<SnapshotResult | undefined> {
    if (this.#mode === "show" && !this.#snapshot) return undefined;
    const { uri, keys } = this.#owner;
    return { notes: checkNotes(shownName(snapshotUri(uri)), this.#cells, this.#snapshot ?? new Map(), keys) };
  }
}

/** Records cells, and writes what they add to a snapshot. */
class SnapshotUpdate implements SnapshotRun {
  readonly #owner: SnapshotOwner;
  readonly #snapshot: Snapshot;
  readonly #files: Files;
  readonly #cells: CellResult[] = [];
  readonly #records = new Map<string, Recorded>();
  #bytes = 0;

  constructor(owner: SnapshotOwner, snapshot: Snapshot, files: Files) {
    this.#owner = owner;
    this.#snapshot = snapshot;
    this.#files = files;
  }

  verdictOn(): undefined {
    return undefined;
  }
  ended(cell: CellResult): void {
    this.#cells.push(cell);
    const record = cell.record();
    // A record that cannot be read again would make the whole file unreadable.
    if (!record || !readSnapshot(printSnapshot(new Map([[cell.key, record]])))) return;
    this.#records.set(cell.key, record);
    this.#bytes += cell.answerSize;
  }
  async finish(): Promise<SnapshotResult> {
    const { uri: notebook, roots } = this.#owner;
    const uri = snapshotUri(notebook);
    const name = shownName(uri);
    const within = isUntitled(notebook) ? undefined : homeFolder(notebook, roots, this.#files);
    if (within === undefined) return { notes: [], fault: `${shownName(notebook)} has no file yet. Save it first.` };
    if (this.#bytes > maxRecordedBytes) return { notes: [], fault: tooLarge(name) };
    let notes: readonly string[] = [];
    // Another run may have written since this one began: its records stay.
    const written = await updateFile(this.#files, { uri, name, within }, (before): Update => {
      const current = before === undefined ? new Map() : readSnapshot(before);
      if (!current) return unreadable(uri);
      const next = updated(current, this.#records, { keys: this.#owner.keys, known: this.#snapshot });
      notes = updateNotes(name, next, this.#records.size, this.#unrecordedKeys());
      return next.changed.length + next.gone.length === 0
        ? "unchanged"
        : { text: printSnapshot(next.snapshot, before) };
    });
    return typeof written === "string" ? { notes } : { notes: [], fault: `${written.what} ${written.todo}` };
  }

  #unrecordedKeys(): readonly string[] {
    return this.#cells.filter(({ key }) => !this.#records.has(key)).map(({ key }) => key);
  }
}

/** Returns why a run with the snapshot of a notebook would fail; `undefined` if it would not. */
export async function snapshotFault(
  notebook: string,
  mode: SnapshotMode,
  host: ProjectHost,
): Promise<Explanation | undefined> {
  const { files } = host;
  const read = await readSnapshotOf(notebook, host);
  if ("fault" in read) return read.fault;
  if (mode !== "check" || read.snapshot) return undefined;
  const uri = snapshotUri(notebook);
  const name = shownName(uri);
  const entries = await files.list?.(parentFolder(uri), false);
  if (entries?.some((entry) => entry.name === fileName(uri)))
    return { what: `${name} cannot be read.`, todo: "Check its permissions and its size." };
  const what = `${shownName(notebook)} has no snapshot yet: there is no ${name}.`;
  return { what, todo: "Make one with --snapshot update." };
}

type ReadSnapshotFile = { readonly snapshot: Snapshot | undefined } | { readonly fault: Explanation };

/** Reads the snapshot of a notebook, which is beside it. */
async function readSnapshotOf(notebook: string, host: ProjectHost): Promise<ReadSnapshotFile> {
  const { files } = host;
  const uri = snapshotUri(notebook);
  if (await files.leadsOut?.(uri, projectOf(notebook, host).tops)) {
    const what = `${shownName(uri)} cannot be used: ${linkFault}.`;
    return { fault: { what, todo: "Put the snapshot itself beside the notebook." } };
  }
  const bytes = await files.read(uri);
  if (!bytes) return { snapshot: undefined };
  const decoded = decodeFile(bytes);
  const snapshot = "text" in decoded ? readSnapshot(decoded.text) : undefined;
  return snapshot ? { snapshot } : { fault: unreadable(uri) };
}

function tooLarge(name: string): string {
  const { what } = explainWriteFault({ reason: "too-large", detail: formatBytes(maxRecordedBytes) }, name, false);
  return `${what} Add "snapshot": false to cells with large answers.`;
}

function unreadable(uri: string): Explanation {
  return { what: `${shownName(uri)} cannot be read as a snapshot.`, todo: "Fix it, or delete it and make a new one." };
}

/** Returns the name of a file, safe to show. */
function shownName(uri: string): string {
  return brief(fileName(uri), 120);
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
    ...(stale.length > 0 ? [`${named(stale)}: the request differs from the one in ${name}.`] : []),
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
    ...(unrecorded.length > 0 ? [`${named(unrecorded)}: not recorded; what was recorded before is kept.`] : []),
  ];
}

function named(keys: readonly string[]): string {
  const shown = keys.slice(0, maxListedKeys).map((key) => `\`${brief(key, 60)}\``);
  return keys.length > shown.length ? `${shown.join(", ")} and ${keys.length - shown.length} more` : listed(shown);
}

/** Keys that one note names. */
const maxListedKeys = 10;
