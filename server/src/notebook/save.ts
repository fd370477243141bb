import { skipSpace } from "../base/jsonScan.ts";
import type { NotebookCell, NotebookData } from "./data.ts";
import { stringOf } from "./data.ts";
import type { Frame } from "./frame.ts";
import { asArray, blankIn, frameIn, withHeader } from "./frame.ts";
import { headerIndex } from "./header.ts";
import { isJson } from "./json.ts";
import type { Place, Style } from "./layout.ts";
import { indentAfter, lay, lift, placeOf, styleOf, toShown } from "./layout.ts";
import type { LinesForm } from "./lines.ts";
import { heldText, linesForms, printLines, replaceLines } from "./lines.ts";
import { scanFile } from "./scan.ts";

/** Saves a notebook: always JSON, whatever has been typed into the cells. */
export function saveNotebook(data: NotebookData): Uint8Array {
  return new TextEncoder().encode(printNotebook(data));
}

function printNotebook({ cells, metadata }: NotebookData): string {
  const blank = blankIn(metadata);
  if (blank !== undefined && cells.length === 0) return blank;
  const frame = frameIn(metadata);
  const style = styleOf(frame, metadata);
  const header = headerIndex(
    cells.map(({ kind, text, metadata }) => ({ kind, text: toShown(text), header: markOf(metadata?.header) })),
    frame.header,
  );
  const rest = cells.filter((_, i) => i !== header);
  const alone = header < 0 && frame.form === "object" ? printAlone(rest, style) : undefined;
  if (alone !== undefined) return frame.before + alone + frame.after;
  const target = withHeader(asArray(frame), cells[header]?.text ?? frame.header, style.eol, style.unit);
  const turned = target.form !== frame.form;
  return printList(target, rest, turned ? { ...style, base: styleOf(target, {}).base } : style);
}

function markOf(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function printList({ before, after }: Frame, cells: readonly NotebookCell[], style: Style): string {
  if (cells.length === 0) return before + style.empty + after;
  const printed = cells.map((cell, i) => {
    const place = placeOf(style, cell.metadata);
    return `${i === 0 ? "" : `${place.comma},`}${place.space}${printCell(cell, place, style)}`;
  });
  return before + printed.join("") + style.tail + after;
}

/** The text of a bare object; `undefined` unless there is one cell, and it can be a file by itself. */
function printAlone([cell, second]: readonly NotebookCell[], style: Style): string | undefined {
  if (!cell || second || cell.kind !== "code" || !isOwnForm(cell.text)) return undefined;
  const text = printCell(cell, { ...placeOf(style, cell.metadata), space: "" }, style);
  const { list, members } = scanFile(text);
  const request = !list && members.some(({ key }) => key === "method" || key === "batch");
  return request ? text : undefined;
}

function printCell(cell: NotebookCell, { space, indent, ends }: Place, { base, unit }: Style): string {
  const json = cellJson(cell, unit);
  const line = indentAfter(space, base);
  const slice = lay(json, indent ?? line, ends);
  // elsewhere, or with other lines, its own indent may not come off again
  return lift(slice, line).text === json ? slice : lay(json, line, ends);
}

/** A cell as JSON, with LF and without the indent of its place. */
function cellJson({ kind, text, metadata }: NotebookCell, unit: string): string {
  const shown = toShown(text);
  const key = kind === "markdown" ? "markdown" : "text";
  const raw = stringOf(metadata, "raw", /^/);
  const held = raw !== undefined && isJson(raw) ? heldText(raw) : undefined;
  if (raw !== undefined && held?.key === key && held.text === shown) return raw;
  if (kind === "code" && (isOwnForm(shown) || (metadata?.form === "value" && isValue(shown)))) return trimmed(shown);
  if (raw !== undefined && held?.key === key) return replaceLines(raw, key, shown);
  return printLines(
    key,
    shown,
    linesForms.find((form: LinesForm) => form === metadata?.form),
    unit,
  );
}

/** The text can be in the file as it is: read from there, it would be a code cell with this text again. */
export function isOwnForm(text: string): boolean {
  return /^[ \t\r\n]*[[{]/.test(text) && isJson(text) && heldText(text) === undefined;
}

/** A number or another scalar, as some arrays have among their requests. */
function isValue(text: string): boolean {
  return isJson(text) && !/^[[{]/.test(trimmed(text));
}

/** Without the white space of JSON around it. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\r\n".includes(text.charAt(end - 1))) end--;
  return text.slice(Math.min(skipSpace(text, 0), end), end);
}
