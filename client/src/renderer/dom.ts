export type Child = Node | string | undefined;

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

/** An icon of 16 × 16 in the colour of the text, for the eye only. */
export function icon(path: string): SVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  for (const [name, value] of Object.entries({
    viewBox: "0 0 16 16",
    width: "14",
    height: "14",
    "aria-hidden": "true",
  }))
    svg.setAttribute(name, value);
  const drawing = document.createElementNS(namespace, "path");
  drawing.setAttribute("d", path);
  drawing.setAttribute("fill", "currentColor");
  drawing.setAttribute("fill-rule", "evenodd");
  svg.append(drawing);
  return svg;
}
