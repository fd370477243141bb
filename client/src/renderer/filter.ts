import { element } from "./dom.ts";

/** Milliseconds without a key after which a filter is applied. */
const debounceMs = 250;

/** Makes an input that filters rows. @param what - Names the rows for screen readers. */
export function filterInput(what: string, apply: (text: string) => void): HTMLInputElement {
  const input = element("input", {
    type: "search",
    class: "filter",
    placeholder: "Filter",
    "aria-label": `Filter ${what}: rows that contain this text`,
    spellcheck: "false",
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => apply(input.value), debounceMs);
  });
  // The notebook would handle the key.
  input.addEventListener("keydown", (event) => event.stopPropagation());
  return input;
}
