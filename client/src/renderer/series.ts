import { element, svg } from "./dom.ts";
import type { SeriesSection } from "./types.ts";

/** CSS pixels of the drawing, and of the room for its labels. */
const size = { width: 700, height: 96 };
const around = { right: 6, top: 10, bottom: 20 };
/** CSS pixels of a character of a label, at most. */
const characterWidth = 7.5;

/**
 * Numbers in their order, as a line or as bars, with a text that says the same. It is one stop for the Tab key; arrow keys go
 * from value to value, and so does the pointer.
 */
export function seriesView({ title, shape, place, points, text }: SeriesSection): HTMLElement {
  const values = points.map(({ value }) => value);
  const highest = Math.max(...values);
  const lowest = shape === "bars" ? 0 : Math.min(...values);
  const highestText = points.find(({ value }) => value === highest)?.text ?? "";
  const lowestText = shape === "bars" ? "0" : (points.find(({ value }) => value === lowest)?.text ?? "");
  const room = { ...around, left: 10 + characterWidth * Math.max(highestText.length, lowestText.length) };
  const height = size.height - room.top - room.bottom;
  const step = (size.width - room.left - room.right) / points.length;
  const x = (at: number): number => rounded(room.left + step * (at + 0.5));
  const y = (value: number): number =>
    rounded(room.top + height * (highest === lowest ? 0.5 : (highest - value) / (highest - lowest)));
  const bottom = room.top + height;
  const [first, last] = [points[0]?.at ?? "", points.at(-1)?.at ?? ""];
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${size.width} ${size.height}`, width: String(size.width), "aria-hidden": "true" },
    svg("path", { class: "axis", d: `M${room.left} ${room.top}V${bottom}H${size.width - room.right}` }),
    svg("path", { class: "grid", d: `M${room.left} ${room.top + height / 2}H${size.width - room.right}` }),
    shape === "line"
      ? svg("path", {
          class: "line-of",
          d: values.map((value, at) => `${at === 0 ? "M" : "L"}${x(at)} ${y(value)}`).join(""),
        })
      : svg("path", { class: "bars", d: values.map((value, at) => bar(x(at), y(value), bottom, step)).join("") }),
    label(highestText, room.left - 6, room.top + 4, "end"),
    ...(lowestText === highestText ? [] : [label(lowestText, room.left - 6, bottom, "end")]),
    label(`${place} ${first}`, room.left, size.height - 4, "start"),
    label(last, size.width - room.right, size.height - 4, "end"),
  );
  const mark = svg("path", { class: "mark" });
  drawing.append(mark);
  const slider = valueSlider(points.length, title, text, (at) => {
    mark.setAttribute("d", `M${x(at)} ${room.top}V${bottom}`);
    return `${place} ${points[at]?.at ?? ""}: ${points[at]?.text ?? ""}`;
  });
  slider.box.append(drawing);
  slider.box.addEventListener("pointermove", ({ clientX }) => {
    const { left, width } = drawing.getBoundingClientRect();
    slider.show(Math.floor((((clientX - left) / width) * size.width - room.left) / step));
  });
  return element("section", { class: "series" }, element("h4", {}, title), slider.box, slider.line);
}

/**
 * An element in which arrow keys go from one value to another.
 *
 * @param visit - Shows a value, and returns its text.
 */
function valueSlider(count: number, title: string, text: string, visit: (at: number) => string) {
  const line = element("p", { class: "count" }, text);
  const range = { "aria-valuemin": "1", "aria-valuemax": String(count), "aria-valuenow": "1", "aria-valuetext": text };
  const box = element("div", { role: "slider", tabindex: "0", "aria-label": title, ...range });
  let now = 0;
  const show = (at: number): void => {
    now = Math.min(Math.max(at, 0), count - 1);
    const said = visit(now);
    line.textContent = said;
    box.setAttribute("aria-valuenow", String(now + 1));
    box.setAttribute("aria-valuetext", said);
  };
  const far = Math.ceil(count / 10);
  box.addEventListener("keydown", (event) => {
    const to = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      PageUp: now - far,
      PageDown: now + far,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the notebook would handle the key
    show(to);
  });
  return { box, line, show };
}

function bar(x: number, top: number, bottom: number, step: number): string {
  const half = rounded(Math.max(0.5, Math.min(12, step * 0.4)));
  return `M${rounded(x - half)} ${bottom}V${top}H${rounded(x + half)}V${bottom}Z`;
}

function label(text: string, x: number, y: number, anchor: "start" | "end"): SVGElement {
  return svg("text", { x: String(x), y: String(y), "text-anchor": anchor }, text);
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10;
}
