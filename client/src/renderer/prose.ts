import { element } from "./dom.ts";

/** A sentence with its code: words in backticks become elements. */
export function prose(text: string): readonly Node[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? element("code", {}, part) : document.createTextNode(part)))
    .filter((node) => node.textContent !== "");
}
