import { blocksText, widestAge } from "./age.ts";
import { element } from "./dom.ts";
import { ageView } from "./headline.ts";
import type { Report } from "./types.ts";

/** One quiet line on who answered and when; a click shows all facts. */
export function factsView({ facts, ranAt, blockMs, title, live }: Report): HTMLElement | undefined {
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
