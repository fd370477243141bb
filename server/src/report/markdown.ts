import { code, escaped, figure, joined, type Markdown, markdown } from "../base/markdown.ts";
import { plural } from "../base/text.ts";
import type { Report, Section, Shown, TableSection } from "./report.ts";

/** Rows and columns that fit into a hover. */
const most = { rows: 8, columns: 5, length: 60 };

export function summaryMarkdown(summary: Report["summary"]): Markdown {
  return markdown`**${escaped(summary, 300)}**`;
}

/** The sections of a report, cut to the size of a hover. */
export function sectionsMarkdown(sections: Report["sections"]): Markdown {
  return joined(sections.map(sectionMarkdown), "\n\n");
}

function sectionMarkdown(section: Section): Markdown {
  switch (section.kind) {
    case "fields":
      return joined(
        section.fields.map(({ name, value }) => markdown`- ${escaped(name)}: ${escaped(value.text, 200)}`),
        "\n",
      );
    case "table":
      return tableMarkdown(section);
    case "failure":
      return joined([escaped(section.what, 400), escaped(section.todo, 400)], "\n\n");
    case "note":
    case "flow":
    case "flame":
    case "series":
      return escaped(section.text, 400);
    case "exact":
      return escaped(section.forms.join(" · "), 200);
    case "tree":
      return markdown``;
    case "text":
      return section.isAnswer ? markdown`` : code(section.text, 200);
  }
}

function tableMarkdown({ title, columns, rows, total }: TableSection): Markdown {
  const shown = columns.slice(0, most.columns);
  const body = rows
    .slice(0, most.rows)
    .map((row) => tableLine(shown.map((_, at) => (row[at] ? cell(row[at]) : markdown``))));
  const left = total - body.length;
  const lines = [
    tableLine(shown.map(({ name }) => escaped(name))),
    tableLine(shown.map(({ align }) => (align === "right" ? markdown`--:` : markdown`---`))),
    ...body,
  ];
  return joined(
    [
      title === undefined ? undefined : escaped(title),
      joined(lines, "\n"),
      left > 0 ? markdown`… and ${figure(plural(left, "row"))} more` : undefined,
    ],
    "\n\n",
  );
}

function tableLine(cells: readonly Markdown[]): Markdown {
  return cells.reduce((line, one) => markdown`${line} ${one} |`, markdown`|`);
}

function cell({ text }: Shown): Markdown {
  return escaped(text, most.length);
}
