import type { Copy } from "./copy.ts";
import { copyButton } from "./copy.ts";
import { element } from "./dom.ts";
import { shortened } from "./hex.ts";
import type { Shown } from "./types.ts";

/** A whole hash of 32 bytes fits on a line. */
const lineLimit = 66;
/** Other forms follow the first one and get less room. A whole address fits. */
const otherLimit = 42;

/** Shows a value on a line of its own: the readable form, the others, and a button that copies. */
export function valueView(value: Shown, copy: Copy): HTMLElement {
  const exact = exactText(value);
  const others = [...(value.also ?? []), ...(value.raw === undefined ? [] : [value.raw])];
  return element(
    "span",
    { class: "line" },
    element("span", { class: `value ${value.role ?? "plain"}` }, expandable(value.text, lineLimit)),
    ...[...new Set(others)]
      .filter((other) => other !== value.text)
      .map((other) => element("span", { class: "also" }, expandable(other, otherLimit))),
    copyButton(copy, () => exact, `Copy ${shortened(exact, lineLimit)}`),
  );
}

/** Returns the text to copy: the wire form. */
export function exactText(value: Shown): string {
  return value.raw ?? value.text;
}

/** Returns all forms of a value, one on each line, for a tooltip. */
export function everything(value: Shown): string {
  return [...new Set([value.text, ...(value.also ?? []), ...(value.raw === undefined ? [] : [value.raw])])].join("\n");
}

/** Shows long hex as a button that expands it, and other text as it is. */
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
