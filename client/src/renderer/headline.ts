import { ageText, keepAge } from "./age.ts";
import { element, prose, svg } from "./dom.ts";
import { clockText } from "./text.ts";
import type { HeadlinePart } from "./types.ts";

/** The parts of a headline, the answer as a heading. @param mark - Goes before it. */
export function headlineView(parts: readonly HeadlinePart[], mark?: HTMLElement): readonly HTMLElement[] {
  return parts.map((part, at) =>
    at === 0 || part.role === undefined
      ? element("h3", partAttributes(part), at === 0 ? mark : undefined, ...partContent(part))
      : partView(part),
  );
}

export function partView(part: HeadlinePart): HTMLElement {
  return element("span", partAttributes(part), ...partContent(part));
}

function partAttributes({ role, exact }: HeadlinePart): Record<string, string> {
  return { class: role ?? "answer", ...(exact !== undefined && { title: exact }) };
}

function partContent({ text, share, at, since }: HeadlinePart): readonly (Node | string)[] {
  return [
    ...(share === undefined ? [] : [bar(share)]),
    ...prose(text),
    ...(since === undefined ? [] : [` since ${clockText(since)}`]),
    ...(at === undefined ? [] : [", ", ageView(at)]),
  ];
}

/** Text that counts up. */
export function ageView(at: number, more: (ageMs: number) => string = () => ""): HTMLElement {
  const age = element("span", { class: "age" });
  keepAge(age, at, (ageMs) => `${ageText(ageMs)}${more(ageMs)}`);
  return age;
}

function bar(share: number): SVGElement {
  const size = { width: "90", height: "8" };
  const filled = String(Math.round(Math.max(0, Math.min(1, share)) * 90));
  return svg(
    "svg",
    { class: "gauge", ...size, viewBox: "0 0 90 8", "aria-hidden": "true" },
    svg("rect", { class: "whole", ...size, rx: "2" }),
    svg("rect", { class: "filled", ...size, width: filled, rx: "2" }),
  );
}
