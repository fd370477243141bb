import { blocksText, widestAge } from "./age.ts";
import { copyButton } from "./copy.ts";
import { element, expectHeight, prose } from "./dom.ts";
import { flameView } from "./flame.ts";
import { flowView } from "./flow.ts";
import { ageView, headlineView, partView } from "./headline.ts";
import { seriesView } from "./series.ts";
import { tableView } from "./tableView.ts";
import type {
  Action,
  FailureSection,
  Field,
  HeadlinePart,
  PageContext,
  RenderContext,
  Report,
  Section,
  TreeNode,
  TreeSection,
} from "./types.ts";
import { exactView, valueView } from "./value.ts";

/** Characters of exact forms that fit beside the answer; longer ones get a line below it. */
const besideLimit = 24;

/** Shows the report of one request: the answer, one quiet line, and the sections. */
function reportView(report: Report, given: RenderContext, isOneOfMany: boolean): HTMLElement {
  const context: RenderContext = { ...given, isLive: report.live !== undefined };
  const parts: readonly HeadlinePart[] = report.headline ?? [{ text: report.summary }];
  const headline = parts.map(({ text }) => text).join(" ");
  const beside = report.sections.find((section) => section.kind === "exact" && isShort(section.forms));
  const open = report.sections.filter((section) => section !== beside && !section.folded);
  const closed = report.sections.flatMap((section) => (section.folded ? [section] : detailsOf(section)));
  const folded = closed.toSorted((a, b) => Number(b.kind === "table") - Number(a.kind === "table"));
  const pill = pillOf(report);
  return element(
    "article",
    { class: `report ${report.status}`, "aria-label": `${report.title}: ${report.summary}` },
    element(
      "header",
      {},
      isOneOfMany ? element("code", { class: "title" }, report.title) : undefined,
      ...headlineView(
        parts,
        pill === undefined ? undefined : element("span", { class: `pill pill-${pill.toLowerCase()}` }, pill),
      ),
      beside?.kind === "exact" ? element("span", { class: "wire" }, beside.forms.join(" · ")) : undefined,
      factsView(report),
    ),
    ...open.flatMap((section) => sectionView(section, headline, context)),
    ...foldedView(folded, headline, context),
  );
}

function isShort(forms: readonly string[]): boolean {
  return forms.join(" · ").length <= besideLimit;
}

/** The fields of a failure that are closed at first. */
function detailsOf(section: Section): readonly Section[] {
  const hasDetails = section.kind === "failure" && section.hasDetails && section.fields.length > 0;
  return hasDetails ? [{ kind: "fields", title: "Details", fields: section.fields }] : [];
}

/** Returns the mark of a result; `undefined` for an ordinary one. */
function pillOf({ status, live, stale }: Report): string | undefined {
  if (live !== undefined) return live.paused ? "Paused" : "Live";
  if (status === "failed") return "Failed";
  return stale ? "Stale" : undefined;
}

function foldedView(
  sections: readonly Section[],
  headline: string,
  context: RenderContext,
): readonly (HTMLElement | undefined)[] {
  if (sections.length === 0) return [];
  const bodies = sections.map((section) => {
    const body = element("div", { class: "fold" });
    body.hidden = true;
    let isDrawn = false;
    const button = element("button", { type: "button", "aria-expanded": "false" }, titleOf(section));
    button.addEventListener("click", () => {
      body.hidden = !body.hidden;
      button.setAttribute("aria-expanded", String(!body.hidden));
      if (!isDrawn) body.append(...sectionView(section, headline, context));
      isDrawn = true;
    });
    return { button, body };
  });
  return [element("p", { class: "folds" }, ...bodies.map(({ button }) => button)), ...bodies.map(({ body }) => body)];
}

function titleOf(section: Section): string {
  const title = "title" in section ? section.title : undefined;
  if (section.kind === "table") return `${title ?? "Table"} (${section.total.toLocaleString("en")})`;
  return title ?? (section.kind === "note" ? "Note" : "Details");
}

function sectionView(section: Section, headline: string, context: RenderContext): readonly HTMLElement[] {
  switch (section.kind) {
    case "fields":
      return [element("section", {}, titleView(section.title), fieldsView(section.fields, context))];
    case "table":
      return [tableView(section, context)];
    case "failure":
      return [
        element(
          "section",
          { class: "failure" },
          ...failureView(section, headline, context),
          section.fields.length === 0 || section.hasDetails ? undefined : fieldsView(section.fields, context),
        ),
      ];
    case "note":
      return [
        element("p", { class: "note" }, ...prose(section.text), ...linksView(section.actions, context)),
        ...[actionsView(section.actions, context)].filter((view) => view !== undefined),
      ];
    case "exact":
      return [exactView(section.forms, context)];
    case "flow":
      return [flowView(section)];
    case "flame":
      return [flameView(section, context)];
    case "series":
      return [seriesView(section)];
    case "tree":
      return [treeView(section)];
    case "text":
      return [
        element(
          "section",
          { class: "text" },
          element(
            "div",
            { class: "bar" },
            titleView(section.title),
            element("p", { class: "count" }, lengthNote(section.text.length, section.length)),
            copyButton(context.copy, () => section.text, "Copy this text", "Copy"),
          ),
          element("pre", { tabindex: "0" }, section.text),
        ),
      ];
  }
}

/** @example lengthNote(4000, 90000); //=> "first 4,000 of 90,000 characters" */
export function lengthNote(shown: number, length: number): string {
  return shown < length ? `first ${shown.toLocaleString("en")} of ${length.toLocaleString("en")} characters` : "";
}

function fieldsView(fields: readonly Field[], context: RenderContext): HTMLElement {
  return element(
    "dl",
    { class: "fields" },
    ...fields.flatMap((field) => [element("dt", {}, field.name), element("dd", {}, valueView(field.value, context))]),
  );
}

function titleView(title: string | undefined): HTMLElement | undefined {
  return title === undefined ? undefined : element("h4", {}, title);
}

/** The reports of one output. @param controls - Shown before them. */
export function outputView(reports: readonly Report[], context: PageContext, controls?: HTMLElement): HTMLElement {
  return element(
    "div",
    { class: "rpcn" },
    controls,
    ...reports.map((report) => reportView(report, { ...context, explorer: report.explorer }, reports.length > 1)),
    element("p", { role: "status", class: "unseen" }),
  );
}

/** Calls with what they caused; those with something inside open and close. */
function treeView({ title, partial, nodes }: TreeSection): HTMLElement {
  const mark = (text: string): HTMLElement =>
    element("p", { class: "note" }, element("span", { class: "pill" }, "Partial"), text);
  // Lines are laid out where they are seen. That would cut off the ends of lines without room.
  const isLong = linesIn(nodes) > longCount && depthOf(nodes) <= maxLongDepth;
  return element(
    "section",
    { class: isLong ? "tree long" : "tree", "aria-label": title },
    partial === undefined ? undefined : mark(partial),
    listView(nodes, isLong),
  );
}

/** Levels of a tree whose lines have enough room to be broken. */
const maxLongDepth = 12;
const longCount = 100;
/** CSS pixels of a line, and its characters in an output of usual width. */
const usualLine = { height: 24, length: 110 };

function depthOf(nodes: readonly TreeNode[]): number {
  return nodes.reduce((most, { children }) => Math.max(most, 1 + depthOf(children)), 0);
}

/** About how many lines are open. */
function linesIn(nodes: readonly TreeNode[]): number {
  return nodes.reduce((sum, { parts, open, children }) => {
    const length = parts.reduce((sum, { text }) => sum + text.length + 1, 0);
    return sum + Math.ceil(length / usualLine.length) + (open ? linesIn(children) : 0);
  }, 0);
}

function listView(nodes: readonly TreeNode[], isLong: boolean): HTMLElement {
  const items = nodes.map((node) => {
    const item = element("li", {}, nodeView(node, isLong));
    if (isLong) expectHeight(item, linesIn([node]) * usualLine.height);
    return item;
  });
  return element("ul", {}, ...items);
}

function nodeView({ parts, open, children }: TreeNode, isLong: boolean): HTMLElement {
  const line = parts.flatMap((part) => [partView(part), " "]);
  if (children.length === 0) return element("div", { class: "leaf" }, ...line);
  return element("details", open ? { open: "" } : {}, element("summary", {}, ...line), listView(children, isLong));
}

/** One quiet line on who answered and when; a click shows all facts. */
function factsView({ facts, ranAt, blockMs, title, live }: Report): HTMLElement | undefined {
  if (facts.length === 0) return undefined;
  const parts = facts.flatMap(({ short, role }) =>
    short === undefined ? [] : [element("span", { class: role ?? "fact" }, short)],
  );
  const hasAge = ranAt !== undefined && live === undefined;
  // An age that grows must not begin a new line: cells below would move, and the editor closes lists in a cell that moves.
  const room = hasAge && { "data-room": [...parts.map((part) => part.textContent), widestAge(blockMs)].join(" · ") };
  if (hasAge) parts.push(ageView(ranAt, (ageMs) => blocksText(ageMs, blockMs)));
  const rows = [{ name: "request", value: title }, ...facts];
  return element(
    "details",
    { class: "about" },
    element("summary", { ...room }, ...parts.flatMap((part, at) => (at === 0 ? [part] : [" · ", part]))),
    element(
      "dl",
      {},
      ...rows.map(({ name, value }) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    ),
  );
}

/** Shows what went wrong (unless the headline says it), what to do, and buttons that do it. */
function failureView(
  { what, todo, actions }: FailureSection,
  headline: string,
  context: RenderContext,
): readonly (HTMLElement | undefined)[] {
  const isSaid = headline.toLowerCase().includes(what.replace(/\.$/, "").toLowerCase());
  return [
    ...(isSaid ? [] : [element("p", { class: "what" }, ...prose(what))]),
    ...(todo === "" ? [] : [element("p", { class: "todo" }, ...prose(todo))]),
    actionsView(actions, context),
  ];
}

function actionsView(actions: readonly Action[] = [], context: RenderContext): HTMLElement | undefined {
  const others = actions.filter((action) => !isQuiet(action));
  if (!context.act || others.length === 0) return undefined;
  return element("p", { class: "actions" }, ...others.map((action) => buttonOf(action, "action", context)));
}

/** Links in the line of a note. */
function linksView(actions: readonly Action[] = [], context: RenderContext): readonly (HTMLElement | string)[] {
  const quiet = context.act ? actions.filter(isQuiet) : [];
  return quiet.flatMap((action) => [" ", buttonOf(action, "action quiet", context)]);
}

function isQuiet({ kind }: Action): boolean {
  return kind === "look-up-names";
}

function buttonOf(action: Action, className: string, { act, output }: RenderContext): HTMLElement {
  const made = element("button", { type: "button", class: className }, action.label);
  made.addEventListener("click", () => act?.({ kind: "action", output, action }));
  return made;
}
