import { type JsonObject, printJson } from "../base/json.ts";
import { capitalized } from "../base/text.ts";
import { jsonText } from "./jsonText.ts";
import type { Section } from "./report.ts";

/** Folds the fields of an object, since its headline shows the most important ones. */
export function foldedFields(section: Section): Section {
  return section.kind === "fields" && section.title === undefined
    ? { ...section, title: "All fields", folded: true }
    : section;
}

export function foldedTable(section: Section): Section {
  return section.kind === "table" ? { ...section, title: capitalized(section.title ?? "Rows"), folded: true } : section;
}

/** Characters of JSON that a report shows. */
export const maxJson = 20_000;

/** Returns the answer as JSON, folded. */
export function answerSection(answer: JsonObject, title = "Raw JSON"): Section {
  return { kind: "text", title, ...jsonText(printJson(answer), maxJson), folded: true, isAnswer: true };
}
