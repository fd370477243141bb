import { readFileSync } from "node:fs";
import { type KeyValue, parquetMetadata, parquetReadObjects, type RowGroup, type SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";

function bytesOf(path: string): ArrayBuffer {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

/** The rows of a Parquet file, read by another program's code. */
export function parquetRows(path: string): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: bytesOf(path) });
}

export function parquetFooter(path: string) {
  return parquetMetadata(bytesOf(path));
}

/** The end of a file that another version of this program would write. */
export function parquetFooterBytes(schema: SchemaElement[], groups: RowGroup[], kvMetadata: KeyValue[]): Uint8Array {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema, kvMetadata, createdBy: "rpc-notebook" });
  file.row_groups = groups;
  file.num_rows = groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
  void file.finish();
  return writer.getBytes().slice(4); // it has written the head
}
