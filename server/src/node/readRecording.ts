import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { RecordingFile } from "../cli/commandLineHost.ts";
import { maxRecordingBytes } from "../recording/maxRecordingBytes.ts";

/** Reads a recording's file in one piece, in another thread: modules load meanwhile. */
export async function readRecordingFile(path: string): Promise<RecordingFile> {
  try {
    const file = await open(resolve(path));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return "missing";
      const { size } = stats;
      if (size > maxRecordingBytes) return "too-large";
      const bytes = Buffer.allocUnsafe(size);
      let length = 0;
      for (let last = 1; last > 0 && length < size; length += last)
        last = (await file.read(bytes, length, size - length)).bytesRead;
      return bytes.subarray(0, length);
    } finally {
      await file.close();
    }
  } catch {
    return "missing";
  }
}
