import type { Copy } from "./copy.ts";
import { copyButton } from "./copy.ts";
import { element } from "./dom.ts";
import { tableView } from "./tableView.ts";
import type { AskRows, FailureSection, Field, Report, Section } from "./types.ts";
import { valueView } from "./value.ts";

/** Shows the report of one request: the summary, the sections, and small facts. */
export function reportView(report: Report, copy: Copy, ask: AskRows): HTMLElement {
  const ok = report.status === "ok";
  const { live } = report;
  const status = live === undefined ? (ok ? "✓ OK" : "✗ Failed") : live.paused ? "‖ Paused" : "● Live";
  return element(
    "article",
    { class: `report ${report.status}`, "aria-label": `${report.title}: ${report.summary}` },
    element(
      "header",
      {},
      element("span", { class: "status" }, status),
      element("h3", {}, report.summary),
      element("code", { class: "title" }, report.title),
    ),
    ...report.sections.map((section) => sectionView(section, copy, ask)),
    report.facts.length === 0
      ? undefined
      : element(
          "dl",
          { class: "facts" },
          ...report.facts.map((fact) =>
            element("div", {}, element("dt", {}, fact.name), element("dd", {}, fact.value)),
          ),
        ),
  );
}

function sectionView(section: Section, copy: Copy, ask: AskRows): HTMLElement {
  switch (section.kind) {
    case "fields":
      return element("section", {}, titleView(section.title), fieldsView(section.fields, copy));
    case "table":
      return tableView(section, copy, ask);
    case "failure":
      return failureView(section, copy);
    case "note":
      return element("p", { class: "note" }, element("strong", {}, "Note"), section.text);
    case "text":
      return element(
        "section",
        { class: "text" },
        element(
          "div",
          { class: "bar" },
          titleView(section.title),
          element("p", { class: "count" }, lengthNote(section.text.length, section.length)),
          copyButton(copy, () => section.text, "Copy this text", "Copy"),
        ),
        element("pre", { tabindex: "0" }, section.text),
      );
  }
}

/** @example lengthNote(4000, 90000); //=> "first 4,000 of 90,000 characters" */
export function lengthNote(shown: number, length: number): string {
  return shown < length ? `first ${shown.toLocaleString("en")} of ${length.toLocaleString("en")} characters` : "";
}

function failureView(failure: FailureSection, copy: Copy): HTMLElement {
  return element(
    "section",
    { class: "failure" },
    element("p", { class: "what" }, failure.what),
    failure.todo === ""
      ? undefined
      : element("p", { class: "todo" }, element("strong", {}, "What to do"), failure.todo),
    failure.fields.length === 0 ? undefined : fieldsView(failure.fields, copy),
  );
}

function fieldsView(fields: readonly Field[], copy: Copy): HTMLElement {
  return element(
    "dl",
    { class: "fields" },
    ...fields.flatMap((field) => [element("dt", {}, field.name), element("dd", {}, valueView(field.value, copy))]),
  );
}

function titleView(title: string | undefined): HTMLElement | undefined {
  return title === undefined ? undefined : element("h4", {}, title);
}
