import { readFileSync } from "node:fs";
import { parquetMetadata, parquetReadObjects } from "hyparquet";

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
