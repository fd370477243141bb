import { isAddress } from "../../../server/src/base/hex.ts";
import { copyButton } from "./copy.ts";
import { element } from "./dom.ts";
import { type Reference, referenceButton } from "./menu.ts";
import { shortened } from "./text.ts";
import type { RenderContext, Shown } from "./types.ts";

/** A whole hash of 32 bytes fits on a line. */
const lineLimit = 66;
/** Other forms follow the first one and get less room. A whole address fits. */
const otherLimit = 42;

/** Shows a value on a line of its own: the readable form, the others, and a button that copies. */
export function valueView(value: Shown, context: RenderContext): HTMLElement {
  const exact = exactText(value);
  const reference = referenceOf(value);
  const others =
    value.role === "amount" ? [] : [...(value.also ?? []), ...(value.raw === undefined ? [] : [value.raw])];
  const text = value.short ?? value.text;
  const first = reference
    ? referenceButton(shortened(text, lineLimit), reference, context)
    : expandable(text, lineLimit);
  return element(
    "span",
    { class: "line" },
    element("span", { class: `value ${value.role ?? "plain"}`, title: everything(value) }, first),
    ...[...new Set(others)]
      .filter((other) => other !== value.text)
      .map((other) => element("span", { class: "also" }, expandable(other, otherLimit))),
    copyButton(context.copy, () => exact, `Copy ${shortened(exact, lineLimit)}`),
  );
}

/** The address or the hash that a value is; `undefined` for others. */
export function referenceOf(value: Shown): Reference | undefined {
  const exact = exactText(value);
  if (isAddress(exact)) return { value: exact, kind: "address" };
  return value.role === "hash" && /^0x[0-9a-fA-F]{64}$/.test(exact) ? { value: exact, kind: "hash" } : undefined;
}

/** Shows the exact forms of a value on one line, with a button that copies the last of them: the wire form. */
export function exactView(forms: readonly string[], context: RenderContext): HTMLElement {
  const wire = forms.at(-1) ?? "";
  return element(
    "p",
    { class: "exact line" },
    ...forms.flatMap((form, at) => [
      ...(at === 0 ? [] : [element("span", { "aria-hidden": "true" }, "·")]),
      element("span", {}, expandable(form, lineLimit)),
    ]),
    copyButton(context.copy, () => wire, `Copy ${shortened(wire, lineLimit)}`),
  );
}

/** Returns the text to copy: the wire form. */
function exactText(value: Shown): string {
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
