type Child = Node | string | undefined;

/**
 * Makes an element. Children that are strings become text nodes, so nothing that comes from a chain is ever read as
 * HTML.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Makes an element of a drawing. Strings become text nodes. */
export function svg(
  tag: "svg" | "path" | "rect" | "text" | "title",
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (SVGElement | string)[]
): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** An icon of 16 × 16 in the colour of the text, for the eye only. */
export function icon(path: string): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: "14", height: "14", "aria-hidden": "true" },
    svg("path", { d: path, fill: "currentColor", "fill-rule": "evenodd" }),
  );
}

/** Makes an element at least so many CSS pixels high, so that VS Code does not cut off a menu that ends below it. */
export function reserve({ style }: HTMLElement, height: number | undefined): void {
  style.minHeight = height === undefined ? "" : `${Math.ceil(height)}px`;
}

/** Says about how high an element will be, in CSS pixels, until it is laid out. */
export function expectHeight({ style }: HTMLElement, height: number): void {
  style.containIntrinsicHeight = `auto ${Math.ceil(height)}px`;
}

/** Puts an element at a place of its container, in CSS pixels. Only numbers can come into a style. */
export function placeAt({ style }: HTMLElement, left: number, top: number): void {
  style.left = `${Math.round(left)}px`;
  style.top = `${Math.round(top)}px`;
}

/** Makes an element as wide as so many digits and pixels; as wide as its content without them. */
export function setWidth({ style }: HTMLElement, digits?: number, pixels = 0): void {
  style.width = digits === undefined ? "" : `calc(${Math.ceil(digits)}ch + ${Math.ceil(pixels)}px)`;
}

export function setHeight({ style }: HTMLElement, pixels: number): void {
  style.height = `${Math.max(0, Math.round(pixels))}px`;
}

/** Leaves room for so many digits at the right, beside that of a cell. */
export function padDigits({ style }: HTMLElement, digits: number): void {
  style.paddingRight = `calc(12px + ${Math.round(digits)}ch)`;
}

/** A sentence with its code: words in backticks become elements. */
export function prose(text: string): readonly Node[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? element("code", {}, part) : document.createTextNode(part)))
    .filter((node) => node.textContent !== "");
}

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
