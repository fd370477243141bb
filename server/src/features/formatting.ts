import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import type { FileText } from "../notebook/readFile.ts";

export interface FormattingOptions {
  /** One level: spaces or a tab. */
  readonly indent: string;
}

export interface Replacement {
  readonly span: Span;
  readonly insert: string;
}

/**
 * Lays a cell out afresh: short arrays and objects on one line, the rest a member a line. Numbers, strings and
 * placeholders stay as they are written; twice gives the same as once.
 *
 * @returns Nothing where the text is as it should be, and where it is no JSON.
 */
export function formatCell(_cell: Cell, _options: FormattingOptions): readonly Replacement[] {
  return [];
}

/** As {@link formatCell}, for a whole file: its frame, its header and its cells. */
export function formatFile(_file: FileText, _options: FormattingOptions): readonly Replacement[] {
  return [];
}
