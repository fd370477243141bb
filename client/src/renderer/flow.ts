import { element, svg } from "./dom.ts";
import type { FlowSection } from "./types.ts";

const line = 26;
const box = { width: 120, height: 30 };
const gap = 210;

/** Draws transfers of value, a row for each pair of accounts, with a text that says the same. */
export function flowView({ moves, balances, text }: FlowSection): HTMLElement {
  const pairs = new Map<string, { readonly from: string; readonly to: string; readonly amounts: string[] }>();
  for (const { from, to, amount } of moves) {
    const key = JSON.stringify([from, to]);
    const pair = pairs.get(key) ?? { from, to, amounts: [] };
    pair.amounts.push(amount);
    pairs.set(key, pair);
  }
  let top = 4;
  const drawn: SVGElement[] = [];
  for (const pair of pairs.values()) {
    const height = Math.max(box.height, pair.amounts.length * line);
    drawn.push(...pairView(pair, top, height));
    top += height + 12;
  }
  const width = 2 * box.width + gap + 4;
  const picture = svg(
    "svg",
    { width: String(width), height: String(top), viewBox: `0 0 ${width} ${top}`, role: "img", "aria-label": text },
    ...drawn,
  );
  return element(
    "section",
    { class: "flow" },
    picture,
    element("ul", {}, ...balances.map((balance) => element("li", {}, balance))),
  );
}

function pairView(
  { from, to, amounts }: { readonly from: string; readonly to: string; readonly amounts: readonly string[] },
  top: number,
  height: number,
): readonly SVGElement[] {
  const middle = top + height / 2;
  const right = 2 + box.width + gap;
  const arrows = amounts.flatMap((amount, at) => {
    const y = top + (height / amounts.length) * (at + 0.5) + 5;
    return [
      svg("path", { class: "arrow", d: `M${box.width + 4} ${y}H${right - 8}` }),
      svg("path", { class: "tip", d: `M${right - 8} ${y - 4}l8 4l-8 4z` }),
      label(amount, box.width + 2 + gap / 2, y - 5),
    ];
  });
  return [...party(from, 2, middle), ...party(to, right, middle), ...arrows];
}

function party(name: string, x: number, middle: number): readonly SVGElement[] {
  const y = String(middle - box.height / 2);
  const frame = svg("rect", {
    class: "party",
    x: String(x),
    y,
    width: String(box.width),
    height: String(box.height),
    rx: "4",
  });
  return [frame, label(name.length > 16 ? `${name.slice(0, 15)}…` : name, x + box.width / 2, middle + 4)];
}

function label(text: string, x: number, y: number): SVGElement {
  return svg("text", { x: String(x), y: String(y), "text-anchor": "middle" }, text);
}
