import { shortHex } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { Field, Report, Section, Shown, TableSection } from "./report.ts";

export interface TextOptions {
  /** Columns of the terminal. Tables are cut to fit; without it every value is whole. */
  readonly width?: number;
  readonly color?: boolean;
  /** Starts with ✓ or ✗. Default true; a face with marks of its own leaves them out. */
  readonly mark?: boolean;
}

/** A report as text: the answer first, then what else there is to know, then who gave it. Ends without a line break. */
export function reportText(report: Report, { width, color = false, mark = true }: TextOptions = {}): string {
  const paint: Paint = color ? (style, text) => `\u001b[${styles[style]}m${text}\u001b[0m` : (_, text) => text;
  const ok = report.status === "ok";
  const sign = mark ? `${paint(ok ? "good" : "bad", ok ? "✓" : "✗")} ` : "";
  const head = `${sign}${paint("strong", report.title)}: ${report.summary}`;
  const facts = report.facts
    .map(({ name, value }) => (name === "endpoint" || name === "time" ? value : `${name} ${value}`))
    .join(" · ");
  const body = report.sections.map((section) =>
    sectionLines(section, { summary: report.summary, width: width && Math.max(width - 2, 20), paint }),
  );
  const lines = [
    ...body.flatMap((section, i) => (i > 0 && section.length > 1 ? ["", ...section] : section)),
    ...(facts ? [paint("dim", facts)] : []),
  ];
  return [head, ...lines.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

/** @see https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters */
const styles = { strong: "1", dim: "2", bad: "31", good: "32" } as const;
type Paint = (style: keyof typeof styles, text: string) => string;

interface Layout {
  /** What the head line says already. */
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
        ...(layout.summary.endsWith(section.what) ? [] : wrap(section.what, layout)),
        ...wrap(`→ ${section.todo}`, layout),
        ...fieldLines(section.fields, layout),
      ];
    case "note":
      return wrap(section.text, layout);
    case "text": {
      const cut =
        section.length > section.text.length
          ? [layout.paint("dim", `… ${grouped(section.text.length)} of ${grouped(section.length)} characters`)]
          : [];
      return titled(section.title, [...section.text.split("\n"), ...cut], layout);
    }
  }
}

function titled(title: string | undefined, lines: readonly string[], { paint }: Layout): readonly string[] {
  return title === undefined ? lines : [paint("strong", title), ...lines];
}

function fieldLines(fields: readonly Field[], { width, paint }: Layout): readonly string[] {
  const column = Math.max(0, ...fields.map(({ name }) => columnsOf(name)));
  return fields.map(({ name, value }) => {
    const room = width && Math.max(width - column - 2, 20);
    // sentences and hashes flow over the edge, for they are there to be read and copied
    const text = value.text.includes(" ") ? value.text : shortened(value.text, room && Math.max(room, 66));
    const extra = extraText(value);
    const shown = room !== undefined && columnsOf(text) + columnsOf(extra) > room ? "" : extra;
    return `${paint("dim", pad(name, column, "left"))}  ${value.role === "bad" ? paint("bad", text) : text}${shown && paint("dim", shown)}`;
  });
}

/** The other readings, and the wire form, in brackets. */
function extraText({ text, raw, also = [], role }: Shown): string {
  const wire = raw === undefined || raw === text || role === "amount" ? [] : [raw];
  const extra = [...also.filter((one) => one !== text), ...wire];
  return extra.length > 0 ? ` (${extra.join("; ")})` : "";
}

function tableLines({ columns, rows, total }: TableSection, { width, paint }: Layout): readonly string[] {
  const room = width === undefined ? undefined : width - 2 * (columns.length - 1);
  const whole = rows.map((row) => row.map(({ text }) => text));
  // Short hashes leave room for what people read first.
  const texts =
    room !== undefined && sum(columnWidths(columns, whole)) > room
      ? whole.map((row) => row.map((text) => text.replace(/0x[0-9a-fA-F]{16,}/g, shortHex)))
      : whole;
  const natural = columnWidths(columns, texts);
  const elastic = columns.map(({ align }, i) => align === "left" && rows.every((row) => row[i]?.role !== "time"));
  const widths = room === undefined ? natural : shrink(natural, elastic, room);
  const line = (cells: readonly string[], style: (text: string, i: number) => string): string =>
    cells
      .map((text, i) => {
        const align = columns[i]?.align ?? "left";
        const last = i === cells.length - 1 && align === "left";
        return style(pad(shortened(text, widths[i]), last ? 0 : (widths[i] ?? 0), align), i);
      })
      .join("  ")
      .trimEnd();
  const names = columns.map(({ name }) => name);
  const rest = total > rows.length ? [paint("dim", `… the first ${grouped(rows.length)} of ${grouped(total)}`)] : [];
  return [
    line(names, (text) => paint("dim", text)),
    ...texts.map((cells, at) => line(cells, (text, i) => (rows[at]?.[i]?.role === "bad" ? paint("bad", text) : text))),
    ...rest,
  ];
}

function columnWidths(columns: TableSection["columns"], rows: readonly (readonly string[])[]): readonly number[] {
  return columns.map(({ name }, i) => Math.max(columnsOf(name), ...rows.map((row) => columnsOf(row[i] ?? ""))));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Takes room from the widest columns until all fit. Amounts and times stay whole, the rest keeps what tells it apart. */
function shrink(natural: readonly number[], elastic: readonly boolean[], room: number): readonly number[] {
  const widths = [...natural];
  const least = 11; // `0x709…79C8`
  for (let over = sum(widths) - room; over > 0; over--) {
    const widest = Math.max(...widths.map((one, i) => (elastic[i] ? one : 0)));
    if (widest <= least) break;
    widths[widths.findIndex((one, i) => elastic[i] && one === widest)] = widest - 1;
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

function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - columnsOf(text)));
  return align === "right" ? space + text : text + space;
}

/** Columns of a terminal that text takes: East Asian letters and emoji take two, combining marks none. */
function columnsOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const letter of text) columns += /\p{M}/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return columns;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Breaks a sentence at spaces; what has none, such as a hash, stays whole. */
function wrap(text: string, { width }: Layout): readonly string[] {
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
