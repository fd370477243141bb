import type { FileMetaData, RowGroup, SchemaElement } from "hyparquet";
import { parquetMetadata } from "hyparquet/src/metadata.js";
import { parquetReadObjects } from "hyparquet/src/read.js";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import type { LogReader } from "../abi/decodeLog.ts";
import { sha256Of } from "../abi/sha256.ts";
import { base64Of, bytesOf } from "../base/compression.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Files } from "../base/ports.ts";
import type { LogFormat } from "./logFormat.ts";
import { endOf, printManifest, readManifest } from "./logManifest.ts";
import { argumentColumns, argumentsOf, type LogRow, logColumns, valueIn } from "./logRows.ts";

/** The name of the manifest in the metadata of a file. */
const manifestKey = "rpc_notebook_logs";
/** The name of the hash of the footer, which has zeros in place of the hash. Files of earlier versions have none. */
const hashKey = "rpc_notebook_footer_sha256";
const noHash = "0".repeat(64);
const creator = "rpc-notebook";
const magic = "PAR1";

interface Column {
  readonly name: string;
  readonly type: "INT64" | "STRING" | "DOUBLE";
  readonly value: (row: LogRow) => bigint | string | number | null;
}

/**
 * Apache Parquet. A piece is a row group. What the footer says of it is kept in the manifest until the file is finished.
 *
 * @see https://parquet.apache.org/docs/file-format/
 */
export function openParquet(filter: JsonValue, reader: LogReader, mask: Mask): LogFormat {
  const columns = columnsFor(filter, reader, mask);
  const schema: SchemaElement[] = [{ name: "root", num_children: columns.length }, ...columns.map(elementOf)];
  return {
    columns: columns.map(({ name }) => name),
    head: magic,
    pieceMs: (elapsed) => Math.max(1_000, Math.min(elapsed / 10, 60_000)),
    piece(rows, start) {
      const lists: ReturnType<Column["value"]>[][] = columns.map(() => []);
      for (const row of rows) for (const [at, column] of columns.entries()) lists[at]?.push(column.value(row));
      const rowGroupSize = lists[0]?.length ?? 0;
      if (rowGroupSize === 0) return { parts: [] };
      const { writer, file } = openFile(schema, start);
      const columnData = columns.map(({ name }, at) => ({ name, data: lists[at] ?? [], offsetIndex: false }));
      void file.write({ columnData, rowGroupSize }); // it waits for writers that flush
      return { parts: [writer.getBytes()], group: base64Of(footer(schema, file.row_groups)) };
    },
    end({ pieces, ...manifest }) {
      const value = printManifest({
        ...manifest,
        isOpen: false,
        pieces: pieces.map(({ group: _, ...piece }) => piece),
      });
      const groups = pieces.flatMap(({ group }) => (group === undefined ? [] : readFooter(bytesOf(group)).row_groups));
      const withHash = (hash: string): Uint8Array =>
        footer(schema, groups, [
          { key: manifestKey, value },
          { key: hashKey, value: hash },
        ]);
      return withHash(sha256Of(withHash(noHash)));
    },
  };
}

/** Integers of any size are text, which is exact, and have an approximation beside them. */
function columnsFor(filter: JsonValue, reader: LogReader, mask: Mask): readonly Column[] {
  const text = (value: JsonValue): string | null =>
    value === null ? null : mask.text(typeof value === "string" ? value : printJson(value));
  const fixed = logColumns.map((name, at): Column => {
    const jsonOf = ({ texts }: LogRow): string => texts[at] ?? "null";
    if (!numbers.has(name)) return { name, type: "STRING", value: (row) => text(valueIn(jsonOf(row))) };
    const value = (row: LogRow): bigint | null => (jsonOf(row) === "null" ? null : BigInt(jsonOf(row)));
    return { name, type: "INT64", value };
  });
  const names = argumentColumns(filter, reader);
  if (!names) return [...fixed, { name: "arguments", type: "STRING", value: (row) => text(argumentsOf(row)) }];
  const decoded = [...names].flatMap(([name, isInteger]): readonly Column[] => {
    const argumentOf = ({ names, values }: LogRow): JsonValue => values[names.indexOf(name)] ?? null;
    const exact: Column = { name, type: "STRING", value: (row) => text(argumentOf(row)) };
    const [double, value] = [
      `${name}_f64`,
      (row: LogRow) => (argumentOf(row) === null ? null : Number(argumentOf(row))),
    ];
    return isInteger && !names.has(double) ? [exact, { name: double, type: "DOUBLE", value }] : [exact];
  });
  return [...fixed, ...decoded];
}

const numbers: ReadonlySet<string> = new Set(["block_number", "transaction_index", "log_index", "chain_id"]);

function elementOf({ name, type }: Column): SchemaElement {
  const column = { name, repetition_type: "OPTIONAL" } as const;
  return type === "STRING" ? { ...column, type: "BYTE_ARRAY", converted_type: "UTF8" } : { ...column, type };
}

/** Opens a part of a file, which begins at an offset. */
function openFile(schema: SchemaElement[], start: number, kvMetadata: { key: string; value: string }[] = []) {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema, kvMetadata, createdBy: creator });
  [writer.index, writer.offset] = [0, start]; // it has written the head
  return { writer, file };
}

function footer(schema: SchemaElement[], groups: RowGroup[], metadata?: { key: string; value: string }[]): Uint8Array {
  const { writer, file } = openFile(schema, 0, metadata);
  file.row_groups = groups;
  file.num_rows = groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
  void file.finish();
  return writer.getBytes();
}

function readFooter(bytes: Uint8Array) {
  return parquetMetadata(bytes, { geoparquet: false });
}

/** Whether a footer is as it was written; `undefined` if it has no hash. */
function isUnchanged(bytes: Uint8Array, { key_value_metadata: entries = [], created_by }: FileMetaData) {
  if (entries.length === 1 && created_by === creator) return undefined;
  const hash = entries.find(({ key }) => key === hashKey)?.value ?? "";
  const place = new TextDecoder("latin1").decode(bytes).lastIndexOf(hash);
  const written = bytes.slice();
  written.set(new TextEncoder().encode(noHash), place);
  return hash.length === noHash.length && sha256Of(written) === hash;
}

/** Reads columns of some rows. @returns `undefined` if the file has no such rows. */
export async function readParquetRows(
  { files, uri, size }: { readonly files: Files; readonly uri: string; readonly size: number },
  columns: string[],
  [rowStart, rowEnd]: readonly [start: number, end: number],
): Promise<readonly Readonly<Record<string, unknown>>[] | undefined> {
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
    const part = await files.part?.(uri, start, end);
    return part ? part.bytes.slice().buffer : new ArrayBuffer(0);
  };
  return parquetReadObjects({ file: { byteLength: size, slice }, columns, rowStart, rowEnd }).catch(() => undefined);
}

/** Bytes of the length and the magic number after the footer. */
const endBytes = 8;

/** Reads the manifest from the footer of a finished file. @returns `undefined` if it is not a file of logs. */
export async function readParquetManifest(files: Files, uri: string, size: number) {
  const last = size > endBytes ? await files.part?.(uri, size - endBytes, size) : undefined;
  if (!last) return undefined;
  const length = new DataView(last.bytes.buffer, last.bytes.byteOffset).getUint32(0, true);
  const start = size - endBytes - length;
  const part = start > 0 ? await files.part?.(uri, start, size) : undefined;
  const head = await files.part?.(uri, 0, magic.length);
  try {
    if (!part || !head) return undefined;
    const decoded = readFooter(part.bytes);
    const { key_value_metadata: entries = [], row_groups: groups, schema } = decoded;
    const manifest = readManifest(entries.find(({ key }) => key === manifestKey)?.value ?? "");
    if (!manifest) return undefined;
    const left = groups.map((group) => ({ rows: Number(group.num_rows), text: base64Of(footer(schema, [group])) }));
    const pieces = manifest.pieces.map((piece) => {
      const group = piece.rows === 0 ? undefined : left.shift();
      return group?.rows === piece.rows ? { ...piece, group: group.text } : piece;
    });
    const isListed = left.length === 0 && pieces.every(({ rows, group }) => rows === 0 || group !== undefined);
    const isWhole = isUnchanged(part.bytes, decoded);
    const isFramed = start === endOf(manifest) && new TextDecoder().decode(head.bytes) === magic;
    const isExact = isListed && isFramed && isWhole !== false;
    return { manifest: { ...manifest, pieces }, isExact, isUnhashed: isWhole === undefined };
  } catch {
    return undefined;
  }
}
