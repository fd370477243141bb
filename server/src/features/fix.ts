import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import { labelText } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { replace } from "./edits.ts";
import type { Replacement } from "./formatting.ts";
import type { CellEdit } from "./location.ts";

/** A change that takes a problem away. */
export interface Fix {
  readonly title: string;
  /** The one answer: it needs no thought. */
  readonly preferred: boolean;
  readonly edits: readonly CellEdit[];
  /** In place of edits: a person is asked for the value of this secret. */
  readonly setsSecret?: string;
}

/** Where a problem is. */
export interface Site {
  readonly cell: Cell;
  readonly scope: Scope;
}

/** A fix in the cell that is looked at. */
export function fix(
  { cell }: Site,
  title: string,
  preferred: boolean,
  ...edits: readonly Replacement[]
): readonly Fix[] {
  return [{ title, preferred, edits: edits.map((edit) => ({ cell, ...edit })) }];
}

/** Writes JSON in place of what is there. */
export function write(site: Site, at: Span, json: string, preferred = true): readonly Fix[] {
  return fix(site, `Write ${inTitle(json)}`, preferred, replace(at, json));
}

/** Text from any source. A title is not Markdown. */
export function inTitle(text: string): string {
  return labelText(text, 60);
}
