import type { NotebookData } from "../../../server/src/notebook/data.ts";
import { openNotebook } from "../../../server/src/notebook/open.ts";
import { saveNotebook } from "../../../server/src/notebook/save.ts";

/** Opens a file by its text. */
export function open(text: string): NotebookData {
  return openNotebook(new TextEncoder().encode(text));
}

/** Returns the bytes that would be in the file. */
export function save(data: NotebookData): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(saveNotebook(data));
}
