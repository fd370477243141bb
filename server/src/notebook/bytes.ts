import { RpcNotebookError } from "../base/error.ts";
import { type LineColumn, lineColumn } from "../base/text.ts";

/** Bytes that are no UTF-8 text, with the place of the first bad one. */
interface EncodingFault extends LineColumn {
  readonly what: string;
  readonly hint: string;
}

type Decoded = { readonly text: string } | { readonly fault: EncodingFault };

/** Reads UTF-8. A byte order mark stays part of the text, and nothing is replaced. */
export function decodeFile(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const what = "the file is written in UTF-16";
    return { fault: { line: 1, column: 1, what, hint: "Save it as UTF-8: “Save with Encoding” in the text editor." } };
  }
  try {
    return { text: decode(bytes) };
  } catch {
    const at = firstBadByte(bytes);
    const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, at));
    const place = lineColumn(before, before.length);
    const what = `byte 0x${(bytes[at] ?? 0).toString(16).padStart(2, "0")} is not UTF-8`;
    const hint = "Open it with the encoding that it was written in, and save it as UTF-8.";
    return { fault: { ...place, what, hint } };
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/**
 * The lead byte of the first sequence that is ill-formed.
 * @see https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27506 (table 3-7)
 */
function firstBadByte(bytes: Uint8Array): number {
  let i = 0;
  while (i < bytes.length) {
    const length = sequenceLength(bytes, i);
    if (length === 0) return i;
    i += length;
  }
  return i;
}

/** Returns the length of a UTF-8 sequence; 0 if no well-formed sequence begins here. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : (lead & 0xf0) === 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  for (let k = 1; k < length; k++) {
    const byte = bytes[at + k] ?? 0;
    const low = k > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = k > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (byte < low || byte > high) return 0;
  }
  return length;
}

export type NotebookFileCode = "notebook.encoding" | "notebook.conflict" | "notebook.syntax" | "notebook.form";

/** The bytes are not a notebook, so nothing was opened; the file is untouched and reopens as text. */
export class NotebookFileError extends RpcNotebookError {
  readonly code: NotebookFileCode;
  readonly line: number;
  readonly column: number;

  /** @param what - What is wrong, in one clause without a full stop. */
  constructor(code: NotebookFileCode, { line, column }: LineColumn, what: string, hint: string) {
    super(`Line ${line}, column ${column}: ${what}.`, { hint });
    this.code = code;
    this.line = line;
    this.column = column;
  }
}
