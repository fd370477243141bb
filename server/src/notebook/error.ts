import { RpcNotebookError } from "../base/error.ts";
import type { LineColumn } from "../base/text.ts";

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
