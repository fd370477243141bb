import { code, escaped } from "../base/markdown.ts";
import { plural } from "../base/text.ts";
import type { Report, Section, Shown, TableSection } from "./report.ts";

/** Rows and columns that fit into a hover. */
const most = { rows: 8, columns: 5, length: 60 };

/** A report as Markdown, for hovers: the summary and what it is made of, cut to what fits there. */
export function reportMarkdown({ summary, sections }: Report): string {
  return [`**${escaped(summary, 300)}**`, ...sections.map(sectionMarkdown)].filter((part) => part).join("\n\n");
}

function sectionMarkdown(section: Section): string {
  switch (section.kind) {
    case "fields":
      return section.fields.map(({ name, value }) => `- ${escaped(name)}: ${escaped(value.text, 200)}`).join("\n");
    case "table":
      return tableMarkdown(section);
    case "failure":
      return [escaped(section.what, 400), escaped(section.todo, 400)].filter((part) => part).join("\n\n");
    case "note":
      return escaped(section.text, 400);
    case "text":
      return code(section.text, 200);
  }
}

function tableMarkdown({ title, columns, rows, total }: TableSection): string {
  const shown = columns.slice(0, most.columns);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const body = rows.slice(0, most.rows).map((row) => line(shown.map((_, at) => (row[at] ? cell(row[at]) : ""))));
  const left = total - body.length;
  const heading = title === undefined ? "" : `${escaped(title)}\n\n`;
  const table = [
    line(shown.map(({ name }) => escaped(name))),
    line(shown.map(({ align }) => (align === "right" ? "--:" : "---"))),
    ...body,
  ].join("\n");
  return `${heading}${table}${left > 0 ? `\n\n… and ${plural(left, "row")} more` : ""}`;
}

function cell({ text }: Shown): string {
  return escaped(text, most.length);
}
