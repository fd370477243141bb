import { type Paint, plural, shortHex } from "../base/text.ts";
import { grouped, withMinus } from "../base/units.ts";
import type { Field, Report, Section, Shown, TableSection, TreeNode, TreeSection } from "./report.ts";

export interface TextOptions {
  /** Columns of the terminal. Tables are cut to fit; without it every value is whole. */
  readonly width?: number;
  /** Rows of a table at most; without it all that the report carries. */
  readonly rows?: number | undefined;
  /** Addresses and hashes in tables are short if there is a `width`, even if whole ones would fit. */
  readonly short?: boolean;
  /** Styles parts of the text; by default the text is not styled. */
  readonly paint?: Paint;
  /** Starts with ✓ or ✗. Default true; a face with marks of its own leaves them out. */
  readonly mark?: boolean;
  /** Where the rows are that a table leaves out: `--report json has all`. */
  readonly rest?: string;
}

/** A report as text: the answer first, then what else there is to know, then who gave it. Ends without a line break. */
export function reportText(
  report: Report,
  { width, rows, short = false, paint = (_, text) => text, mark = true, rest }: TextOptions = {},
): string {
  const ok = report.status === "ok";
  const sign = mark ? `${paint(ok ? "green" : "red", ok ? "✓" : "✗")} ` : "";
  const head = `${sign}${paint("bold", report.title)}: ${report.summary}`;
  const facts = report.facts
    .map(({ name, value }) => (name === "endpoint" || name === "time" ? value : `${name} ${value}`))
    .join(" · ");
  const trees = new Set(report.sections.map((section) => isTextTree(section) && section.title));
  const printed = report.sections.filter((section) => section.kind !== "table" || !trees.has(section.title ?? ""));
  const body = printed.map((section) =>
    sectionLines(section, {
      summary: report.summary,
      width: width && Math.max(width - 2, 20),
      rows,
      short,
      paint,
      rest,
    }),
  );
  const quiet = wrap(facts, width && Math.max(width - 2, 20));
  const lines = [
    ...body.flatMap((section, i) => (i > 0 && section.length > 1 ? ["", ...section] : section)),
    ...(facts ? quiet.map((line) => paint("dim", line)) : []),
  ];
  return [head, ...lines.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

interface Layout {
  readonly rows: number | undefined;
  readonly short: boolean;
  readonly rest: string | undefined;
  /** The text that the head line already shows. */
  readonly summary: string;
  readonly width: number | undefined;
  readonly paint: Paint;
}

function sectionLines(section: Section, layout: Layout): readonly string[] {
  switch (section.kind) {
    case "fields":
      return titled(section.title, fieldLines(section.fields, layout), layout);
    case "table":
      return titled(section.title, tableLines(section, layout), layout);
    case "failure":
      return [
        ...(layout.summary.endsWith(section.what) ? [] : wrap(section.what, layout.width)),
        ...(section.todo === "" ? [] : wrap(`→ ${section.todo}`, layout.width)),
        ...fieldLines(section.fields, layout),
      ];
    case "note":
      return wrap(section.text, layout.width);
    case "exact":
      return wrap(section.forms.join(" · "), layout.width).map((line) => layout.paint("dim", line));
    case "flow":
      return wrap(section.text, layout.width);
    case "flame":
      return titled(section.title, wrap(section.text, layout.width), layout);
    case "tree":
      return isTextTree(section) ? titled(section.title, treeLines(section.nodes, 0, layout), layout) : [];
    case "series":
      return [];
    case "text": {
      if (section.isAnswer) return [];
      const cut =
        section.length > section.text.length
          ? [layout.paint("dim", `… ${grouped(section.text.length)} of ${grouped(section.length)} characters`)]
          : [];
      return titled(section.title, [...section.text.split("\n"), ...cut], layout);
    }
  }
}

function isTextTree(section: Section): section is TreeSection {
  return section.kind === "tree" && section.isText === true;
}

/** Each line is a call, indented by its depth. What is closed on a screen is counted. */
function treeLines(nodes: readonly TreeNode[], depth: number, layout: Layout): readonly string[] {
  const { rows = nodes.length, width, paint } = layout;
  const indent = "· ".repeat(Math.min(depth, 20));
  const lines = (text: string): readonly string[] =>
    wrap(text, width && Math.max(width - columnsOf(indent), 20)).map((line) => `${indent}${line}`);
  const shown = nodes.filter(({ open }, at) => at < rows || open);
  const left = nodes.length - shown.length;
  return [
    ...shown.flatMap(({ parts, open, children }) => {
      const closed = open || children.length === 0 ? "" : ` · ${plural(children.length, "line")} inside`;
      const own = lines(`${parts.map(({ text }) => text).join(" ")}${closed}`);
      const isBad = parts.some(({ role }) => role === "bad");
      return [
        ...(isBad ? own.map((line) => paint("red", line)) : own),
        ...(open ? treeLines(children, depth + 1, layout) : []),
      ];
    }),
    ...(left > 0 ? lines(`… ${grouped(left)} more`).map((line) => paint("dim", line)) : []),
  ];
}

function titled(title: string | undefined, lines: readonly string[], { paint }: Layout): readonly string[] {
  return title === undefined ? lines : [paint("bold", title), ...lines];
}

function fieldLines(fields: readonly Field[], { width, paint }: Layout): readonly string[] {
  const column = Math.max(0, ...fields.map(({ name }) => columnsOf(name)));
  return fields.map(({ name, value }) => {
    const room = width && Math.max(width - column - 2, 20);
    // sentences and hashes flow over the edge, for they are there to be read and copied
    const text = value.text.includes(" ") ? value.text : shortened(value.text, room && Math.max(room, 66));
    const extra = extraText(value);
    const shown = room !== undefined && columnsOf(text) + columnsOf(extra) > room ? "" : extra;
    return `${paint("dim", pad(name, column, "left"))}  ${value.role === "bad" ? paint("red", text) : text}${shown && paint("dim", shown)}`;
  });
}

/** The other readings, and the wire form, in brackets. */
function extraText({ text, raw, also = [], role }: Shown): string {
  const wire = raw === undefined || withMinus(raw) === text || role === "amount" ? [] : [withMinus(raw)];
  const extra = [...also.filter((one) => one !== text), ...wire];
  return extra.length > 0 ? ` (${extra.join("; ")})` : "";
}

function tableLines(
  { columns: all, rows: carried, total }: TableSection,
  { width, rows: most = carried.length, short, paint, rest: where }: Layout,
): readonly string[] {
  const { columns, rows, texts, left } = fitted(all, carried.slice(0, most), width, short);
  const room = width === undefined ? undefined : roomFor(columns, width);
  const natural = columnWidths(columns, texts);
  const least = columns.map((_, i) => leastOf(columns, rows, i));
  const widths = room === undefined ? natural : shrink(natural, least, room);
  const line = (cells: readonly string[], style: (text: string, i: number) => string): string =>
    cells
      .map((text, i) => {
        const align = columns[i]?.align ?? "left";
        const last = i === cells.length - 1 && align === "left";
        return style(pad(text, last ? 0 : (widths[i] ?? 0), align), i);
      })
      .join("  ")
      .trimEnd();
  const lines = (cells: readonly string[], style: (text: string, i: number) => string): readonly string[] => {
    const wrapped = cells.map((text, i) => cellLines(text, widths[i]));
    const height = Math.max(1, ...wrapped.map((one) => one.length));
    return Array.from({ length: height }, (_, at) =>
      line(
        wrapped.map((one) => one[at] ?? ""),
        style,
      ),
    );
  };
  const names = columns.map(({ name }) => name);
  const cut = `… the first ${grouped(rows.length)} of ${grouped(total)}${where === undefined ? "" : `; ${where}`}`;
  const rest = total > rows.length ? [paint("dim", cut)] : [];
  const narrow = left.length > 0 ? [paint("dim", `… left out to save space: ${left.join(", ")}`)] : [];
  return [
    ...lines(names, (text) => paint("dim", text)),
    ...texts.flatMap((cells, at) =>
      lines(cells, (text, i) => (rows[at]?.[i]?.role === "bad" ? paint("red", text) : text)),
    ),
    ...rest,
    ...narrow,
  ];
}

/** Columns of a terminal below which a cell says nothing any more; `undefined` for numbers and times, which stay whole. */
function leastOf(columns: TableSection["columns"], rows: TableSection["rows"], at: number): number | undefined {
  if (columns[at]?.align === "right" || rows.some((row) => row[at]?.role === "time")) return undefined;
  return spaced(rows, at) ? 14 : 11; // `transfer(from:` and `0x709…79C8`
}

function roomFor(columns: readonly unknown[], width: number): number {
  return width - 2 * (columns.length - 1);
}

/** The width that a line of text needs to be easy to read. */
const easy = 44;

interface Fitted {
  readonly columns: TableSection["columns"];
  readonly rows: TableSection["rows"];
  readonly texts: readonly (readonly string[])[];
  /** Names of the columns that do not fit. */
  readonly left: readonly string[];
}

/**
 * Fits a table to the screen: whole, else with short hashes, else without the addresses and hashes at its end
 * that would leave sentences no room, else without what is beyond the edge.
 */
function fitted(
  columns: TableSection["columns"],
  rows: TableSection["rows"],
  width: number | undefined,
  short: boolean,
): Fitted {
  const whole = rows.map((row) => row.map(({ text }) => text));
  const fits = (texts: Fitted["texts"], room: number): boolean =>
    sum(columnWidths(columns, texts)) <= roomFor(columns, room);
  if (width === undefined || (fits(whole, width) && (!short || columns.length === 1))) {
    return { columns, rows, texts: whole, left: [] };
  }
  const texts = whole.map((row) => row.map((text) => text.replace(/0x[0-9a-fA-F]{16,}/g, shortHex)));
  const natural = columnWidths(columns, texts);
  const sentences = natural.map((one, i) => (texts.some((row) => row[i]?.includes(" ")) ? Math.min(one, easy) : one));
  const tightest = natural.map((one, i) => Math.min(one, leastOf(columns, rows, i) ?? one));
  const overflows = (widths: readonly number[], count: number): boolean =>
    sum(widths.slice(0, count)) > roomFor(columns.slice(0, count), width);
  let kept = columns.length;
  while (kept > 2 && overflows(sentences, kept) && isHex(rows, kept - 1)) kept--;
  while (kept > 4 && overflows(tightest, kept)) kept--;
  return {
    columns: columns.slice(0, kept),
    rows: rows.map((row) => row.slice(0, kept)),
    texts: texts.map((row) => row.slice(0, kept)),
    left: columns.slice(kept).map(({ name }) => name),
  };
}

function isHex(rows: TableSection["rows"], at: number): boolean {
  const roles = ["address", "hash", "name", "time"];
  return rows.every(
    ({ [at]: cell }) =>
      cell?.text === "" || (roles.includes(cell?.role ?? "") && (cell?.role === "time" || !cell?.text.includes(" "))),
  );
}

function spaced(rows: TableSection["rows"], at: number): boolean {
  return rows.some((row) => row[at]?.text.includes(" "));
}

/** Lines of a cell at most; what is longer ends in `…`. */
const maxLines = 4;

/** A sentence and the name of a stored value flow over several lines of their cell, anything else is cut in the middle. */
function cellLines(text: string, width: number | undefined): readonly string[] {
  if (width !== undefined && columnsOf(text) > width && /^[\w$.]+\[\S+$/.test(text)) return placeLines(text, width);
  if (width === undefined || columnsOf(text) <= width || !text.includes(" ")) return [shortened(text, width)];
  // a call breaks behind its name where the name alone fills a line
  const words = text.split(" ").flatMap((word) => (columnsOf(word) > width ? word.split(/(?<=\()/) : word));
  const lines = wrap(words.join(" "), width);
  const shown =
    lines.length > maxLines ? [...lines.slice(0, maxLines - 1), lines.slice(maxLines - 1).join(" ")] : lines;
  return shown.map((line) => shortened(line, width));
}

/** Breaks `allowance[0x7099…79C8][0x3C44…93BC]` before its keys. */
function placeLines(place: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of place.split(/(?=\[)|(?<=\])(?=\.)/)) {
    const joined = `${lines.at(-1) ?? ""}${part}`;
    if (lines.length > 0 && columnsOf(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines.map((line) => shortened(line, width));
}

function columnWidths(columns: TableSection["columns"], rows: readonly (readonly string[])[]): readonly number[] {
  return columns.map(({ name }, i) => Math.max(columnsOf(name), ...rows.map((row) => columnsOf(row[i] ?? ""))));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/**
 * Takes room from the widest columns until all fit. Amounts and times stay whole, the rest keeps its distinctive part.
 *
 * @param least - Columns that each keeps; of those without a number nothing is taken.
 */
function shrink(natural: readonly number[], least: readonly (number | undefined)[], room: number): readonly number[] {
  const widths = [...natural];
  const spare = (at: number): number => (widths[at] ?? 0) - (least[at] ?? Number.POSITIVE_INFINITY);
  for (let over = sum(widths) - room; over > 0; over--) {
    let widest = -1;
    for (const at of widths.keys()) if (spare(at) > 0 && (widths[at] ?? 0) > (widths[widest] ?? 0)) widest = at;
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Cuts a sentence at its end and a hash or a number in the middle: both its ends tell more than one. */
function shortened(text: string, width: number | undefined): string {
  if (width === undefined || columnsOf(text) <= width) return text;
  const letters = [...text];
  const head = text.includes(" ") ? width - 1 : Math.ceil((width - 1) / 2);
  const tail = width - 1 - head;
  return `${letters.slice(0, head).join("")}…${tail > 0 ? letters.slice(-tail).join("") : ""}`;
}

export function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - columnsOf(text)));
  return align === "right" ? space + text : text + space;
}

/** Columns of a terminal that text takes: East Asian letters and emoji take two, combining marks none. */
export function columnsOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const letter of text) columns += /\p{M}/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return columns;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Breaks a sentence at spaces; what has none, such as a hash, stays whole. */
export function wrap(text: string, width: number | undefined): readonly string[] {
  if (width === undefined) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && columnsOf(line) + 1 + columnsOf(word) <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
