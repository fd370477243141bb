import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";

/** Says what a file of logs holds, and which of its bytes are whole. */
export interface LogManifest extends WholePieces {
  /** The versions of this program that wrote rows. */
  readonly programs: readonly string[];
  /** Host and port of the endpoint that answered last, never its address. */
  readonly host: string;
  readonly chainId: number;
  /** The method, and the parameters without the range. */
  readonly request: string;
  readonly columns: readonly string[];
  /** The last block to read. */
  readonly to: number;
  /** A process writes the file, or was killed while it did: there may be bytes after those of the pieces. */
  readonly isOpen: boolean;
}

/** The whole part of a file. */
interface WholePieces {
  /** The first block to read; it is fixed. */
  readonly from: number;
  /** Bytes before the first piece. */
  readonly head: number;
  /** In order, without a gap. */
  readonly pieces: readonly SavedPiece[];
}

/** Blocks whose rows are whole. */
export interface SavedPiece {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** The offset of the byte after its last row. */
  readonly end: number;
  /** Of its rows. */
  readonly sha256: string;
  /** What the end of a Parquet file will say of it, while the file has no end. */
  readonly group?: string;
  /** Hashes of its first and its last block; `null` if the endpoint did not send them. */
  readonly first: string | null;
  readonly last: string | null;
}

/** The offset of the byte after all pieces. */
export function endOf({ head, pieces }: WholePieces): number {
  return pieces.at(-1)?.end ?? head;
}

/** The block after all pieces. */
export function nextBlock({ from, pieces }: WholePieces): number {
  return (pieces.at(-1)?.to ?? from - 1) + 1;
}

export function rowsIn(pieces: readonly SavedPiece[]): number {
  return pieces.reduce((sum, { rows }) => sum + rows, 0);
}

/** Says what is whole, for people. */
export function contentsText(manifest: LogManifest, what: string): string {
  return `${plural(rowsIn(manifest.pieces), what)} of ${blocksText(manifest.from, nextBlock(manifest) - 1)}`;
}

export function blocksText(from: number, to: number): string {
  return from === to ? `block ${grouped(from)}` : `blocks ${grouped(from)} to ${grouped(to)}`;
}

/** The name of the manifest beside a file. */
export const manifestSuffix = ".manifest.json";

export function printManifest({ pieces, request, ...rest }: LogManifest): string {
  const head = { rpcNotebookLogs: 1, ...rest, request: parseJson(request) ?? request, pieces: "" };
  const lines = pieces.map((piece) => `    ${printJson({ ...piece })}`);
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  return `${printJson(head, 2).replace(/"pieces": ""\n}$/, () => `"pieces": ${list}\n}`)}\n`;
}

/** @returns `undefined` if the text is not a manifest. */
export function readManifest(text: string): LogManifest | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value.rpcNotebookLogs !== 1) return undefined;
  const { programs, host, chainId, request, columns, from, to, isOpen, head, pieces: list } = value;
  if (!isTexts(programs) || !isTexts(columns) || typeof host !== "string" || !isObject(request)) return undefined;
  if (!isCount(chainId) || !isCount(from) || !isCount(to) || !isCount(head) || !isArray(list)) return undefined;
  if (typeof isOpen !== "boolean") return undefined;
  const pieces: SavedPiece[] = [];
  for (const item of list) {
    const piece = isObject(item) ? readPiece(item) : undefined;
    const before = { from, head, pieces };
    if (!piece || piece.from !== nextBlock(before) || piece.end < endOf(before)) return undefined;
    pieces.push(piece);
  }
  return { programs, host, chainId, request: printJson(request), columns, from, to, isOpen, head, pieces };
}

function readPiece({ from, to, rows, end, sha256, first, last, group }: JsonObject): SavedPiece | undefined {
  if (!isCount(from) || !isCount(to) || to < from || !isCount(rows) || !isCount(end)) return undefined;
  if (typeof sha256 !== "string" || !isHash(first) || !isHash(last)) return undefined;
  const piece = { from, to, rows, end, sha256, first, last };
  return typeof group === "string" ? { ...piece, group } : piece;
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return isArray(value) && value.every((item) => typeof item === "string");
}

function isHash(value: JsonValue | undefined): value is string | null {
  return value === null || typeof value === "string";
}

/** Says why a file is another query's, as a clause; `undefined` if reading can go on there. */
export function differenceOf(found: LogManifest, wanted: LogManifest): string | undefined {
  const last = nextBlock(found) - 1;
  if (found.chainId !== wanted.chainId) return `it holds logs of chain ${found.chainId}, not ${wanted.chainId}`;
  if (found.request !== wanted.request) return "it holds the logs of another request";
  if (found.from !== wanted.from) return `it begins with block ${found.from}, not ${wanted.from}`;
  if (last > wanted.to)
    return `it holds blocks up to ${last}, and ${wanted.to} is the last now: another range, or a reorganization`;
  return found.columns.join() === wanted.columns.join() ? undefined : "it has other columns";
}
