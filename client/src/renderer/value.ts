import type { Copy } from "./copy.ts";
import { copyButton } from "./copy.ts";
import { element } from "./dom.ts";
import { shortened } from "./hex.ts";
import type { Shown } from "./types.ts";

/** A whole hash of 32 bytes fits on a line. */
const lineLimit = 66;
/** Other readings stand behind the first one and get less room; a whole address fits. */
const asideLimit = 42;

/** A value on a line of its own: the form to read first, then the others, then a button that copies. */
export function valueView(value: Shown, copy: Copy): HTMLElement {
  const exact = exactText(value);
  const others = [...(value.also ?? []), ...(value.raw === undefined ? [] : [value.raw])];
  return element(
    "span",
    { class: "line" },
    element("span", { class: `value ${value.role ?? "plain"}` }, expandable(value.text, lineLimit)),
    ...[...new Set(others)]
      .filter((other) => other !== value.text)
      .map((other) => element("span", { class: "also" }, expandable(other, asideLimit))),
    copyButton(copy, () => exact, `Copy ${shortened(exact, lineLimit)}`),
  );
}

/** What someone wants who copies a value: the wire form of it. */
export function exactText(value: Shown): string {
  return value.raw ?? value.text;
}

/** Everything about a value in lines, for a tooltip. */
export function everything(value: Shown): string {
  return [...new Set([value.text, ...(value.also ?? []), ...(value.raw === undefined ? [] : [value.raw])])].join("\n");
}

/** Long hex as a button that shows all of it; other text as it is. */
function expandable(text: string, limit: number): Node {
  const short = shortened(text, limit);
  if (short === text) return document.createTextNode(text);
  const button = element(
    "button",
    { type: "button", class: "hex", title: text, "aria-expanded": "false", "aria-label": `${short}, show all` },
    short,
  );
  button.addEventListener("click", () => {
    const expand = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(expand));
    button.setAttribute("aria-label", expand ? `${text}, show less` : `${short}, show all`);
    button.textContent = expand ? text : short;
  });
  return button;
}
