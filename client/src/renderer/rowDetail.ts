import { copyButton } from "./copy.ts";
import { element } from "./dom.ts";
import type { Column, RenderContext, Shown } from "./types.ts";
import { valueView } from "./value.ts";

/**
 * Shows all values of a row, also of hidden columns, and its part of the answer as JSON.
 *
 * @param resized - Called when the height has changed.
 */
export function detailView(
  row: readonly Shown[],
  columns: readonly Column[],
  json: () => Promise<string | undefined>,
  context: RenderContext,
  resized: () => void,
): HTMLElement {
  const fields = row.flatMap((value, at) =>
    value.text === "" ? [] : [element("dt", {}, columns[at]?.name ?? ""), element("dd", {}, valueView(value, context))],
  );
  const button = element("button", { type: "button", class: "link", "aria-expanded": "false" }, "Raw JSON");
  const view = element("div", { class: "row-detail" }, element("dl", { class: "fields" }, ...fields), button);
  let raw: Promise<HTMLElement> | undefined;
  button.addEventListener("click", async () => {
    raw ??= json().then((text = noJson) => rawView(text, context));
    const shown = await raw;
    const isShown = shown.isConnected;
    if (isShown) shown.remove();
    else view.append(shown);
    button.setAttribute("aria-expanded", String(!isShown));
    resized();
  });
  return view;
}

const noJson = "The JSON of this row is not available. Run the cell again.";

function rawView(text: string, { copy }: RenderContext): HTMLElement {
  return element(
    "div",
    { class: "raw" },
    copyButton(copy, () => text, "Copy this JSON", "Copy"),
    element("pre", { tabindex: "0" }, text),
  );
}
