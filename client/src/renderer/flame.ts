import { percentOf } from "../../../server/src/base/units.ts";
import { element, svg } from "./dom.ts";
import type { FlameFrame, FlameSection, RenderContext } from "./types.ts";

const rowHeight = 20;
/** Rows that are drawn; those below come with a zoom. */
const maxRows = 24;
/** Percent of the width: a call without gas can be seen and pointed at too. */
const minWidth = 0.25;
/** Percent of the width: in less, no name can be read. */
const minNamed = 3;
const help = "Arrow keys move, Enter zooms in, Escape zooms out.";

/**
 * The gas of calls inside calls. It is one stop for the Tab key; arrow keys go from call to call, Enter zooms to a call,
 * Escape goes back.
 */
export function flameView(section: FlameSection, { act, output }: RenderContext): HTMLElement {
  const { title, text, note, rest } = section;
  const save =
    act && rest !== undefined
      ? element("button", { type: "button", class: "link" }, "Export for speedscope…")
      : undefined;
  save?.addEventListener("click", () => act?.({ kind: "save-profile", output, rest: rest ?? "" }));
  const flame = new Flame(section);
  return element(
    "section",
    { class: "flame" },
    element("div", { class: "bar" }, element("h4", {}, title), element("span", { class: "space" }), save),
    flame.box,
    flame.line,
    element("p", { class: "count" }, `${text}.${note === undefined ? "" : ` ${note}`}`),
  );
}

/** Places of calls among the frames. */
interface Relatives {
  readonly parent: number | undefined;
  readonly children: number[];
}

class Flame {
  readonly box: HTMLElement;
  /** Says what the call is that has the focus or the pointer. */
  readonly line = element("p", { class: "count" }, help);
  readonly #section: FlameSection;
  readonly #relatives: readonly Relatives[];
  readonly #drawn = new Map<number, SVGElement>();
  /** The calls that were zoomed to; the last one takes the whole width. */
  readonly #zooms: number[] = [];
  #at = 0;

  constructor(section: FlameSection) {
    this.#section = section;
    this.#relatives = relativesOf(section.frames);
    this.box = element("div", { class: "calls", role: "tree", "aria-label": `${section.title}. ${help}` });
    this.box.addEventListener("keydown", (event) => this.#key(event));
    this.box.addEventListener("click", ({ target }) => this.#withCall(target, (_, at) => this.#zoomTo(at)));
    for (const event of ["pointerover", "focusin"])
      this.box.addEventListener(event, ({ target }) => this.#withCall(target, (view) => this.#say(view)));
    this.#draw();
  }

  #draw(): void {
    const { frames, total } = this.#section;
    const from = this.#zooms.at(-1) ?? 0;
    const root = this.#zooms.length === 0 ? undefined : frames[from];
    const { start, width, depth } = root ?? { start: 0, width: total, depth: 0 };
    this.#drawn.clear();
    let rows = 1;
    for (const [at, frame] of frames.entries()) {
      const row = frame.depth - depth;
      if (at < from || row >= maxRows) continue;
      if (root && at > from && row <= 0) break; // after the last call inside
      const left = (100 * (frame.start - start)) / width;
      const view = this.#frameView(at, frame, [left, (100 * frame.width) / width], row);
      this.#drawn.set(at, view);
      rows = Math.max(rows, row + 1);
    }
    const height = String(rows * rowHeight);
    this.box.replaceChildren(svg("svg", { width: "100%", height, role: "presentation" }, ...this.#drawn.values()));
    if (!this.#drawn.has(this.#at)) this.#at = from;
    this.#drawn.get(this.#at)?.setAttribute("tabindex", "0");
  }

  #frameView(
    at: number,
    frame: FlameFrame,
    [left, width]: readonly [left: number, width: number],
    row: number,
  ): SVGElement {
    const name = width < minNamed ? "" : ` ${frame.name}`;
    const text = frame.failed === undefined ? name.trim() : `✗${name}`;
    return svg(
      "svg",
      {
        class: frame.failed === undefined ? "call" : "call failed",
        x: `${rounded(left)}%`,
        y: String(row * rowHeight),
        width: `${rounded(Math.max(width, minWidth))}%`,
        height: String(rowHeight - 1),
        role: "treeitem",
        tabindex: "-1",
        "aria-level": String(frame.depth + 1),
        "aria-label": this.#textOf(frame),
        "data-at": String(at),
      },
      svg("rect", { width: "100%", height: "100%" }),
      ...(text === "" ? [] : [svg("text", { x: "4", y: "14" }, text)]),
    );
  }

  #withCall(target: EventTarget | null, use: (view: SVGElement, at: number) => void): void {
    const view = target instanceof Element ? target.closest<SVGElement>(".call") : undefined;
    if (view) use(view, Number(view.dataset.at));
  }
  /** Says what a call is. Its title is made with the first look at it: there may be many calls. */
  #say(view: SVGElement): void {
    const said = view.getAttribute("aria-label") ?? "";
    this.line.textContent = said;
    if (!view.querySelector("title")) view.prepend(svg("title", {}, said));
  }

  /** @example "Demo Dollar.transfer: 34,468 gas, 40% of all, 12,000 of its own, failed: too small" */
  #textOf({ name, gas, own, width, failed }: FlameFrame): string {
    const share = percentOf(BigInt(Math.round(width)), BigInt(Math.max(1, Math.round(this.#section.total))));
    const parts = [
      gas === undefined ? "gas not known" : `${gas} gas`,
      `${share} of all`,
      ...(own === undefined ? [] : [`${own} of its own`]),
      ...(failed === undefined ? [] : [`failed: ${failed}`]),
    ];
    return `${name}: ${parts.join(", ")}`;
  }

  #key(event: KeyboardEvent): void {
    const { key } = event;
    if (key === "Enter" || key === " ") this.#zoomTo(this.#at);
    else if (key === "Escape") {
      if (this.#zooms.length === 0) return;
      this.#zoomOut();
    } else {
      const next = this.#next(key);
      if (next === undefined) return;
      this.#go(next);
    }
    // The notebook would move to another cell.
    event.preventDefault();
    event.stopPropagation();
  }

  /** The call that an arrow key leads to: down into a call, up out of it, and to its neighbours of the same row. */
  #next(key: string): number | undefined {
    const { parent, children } = this.#relatives[this.#at] ?? { parent: undefined, children: [] };
    const depth = this.#section.frames[this.#at]?.depth;
    const row = [...this.#drawn.keys()].filter((at) => this.#section.frames[at]?.depth === depth);
    const place = row.indexOf(this.#at);
    const moves: Readonly<Record<string, number | undefined>> = {
      ArrowDown: children[0] ?? this.#at,
      ArrowUp: parent ?? this.#at,
      ArrowLeft: row[place - 1] ?? this.#at,
      ArrowRight: row[place + 1] ?? this.#at,
      Home: this.#zooms.at(-1) ?? 0,
      End: row.at(-1),
    };
    return moves[key];
  }

  #go(at: number): void {
    if (!this.#drawn.has(at)) {
      // It is above the call that was zoomed to, or below the last row.
      if (at > this.#at) this.#zooms.push(this.#at);
      else this.#zooms.splice(0, this.#zooms.length, ...(this.#relatives[at]?.parent === undefined ? [] : [at]));
      this.#draw();
    }
    this.#drawn.get(this.#at)?.setAttribute("tabindex", "-1");
    this.#at = at;
    this.#focus();
  }

  /** Zooms to a call; out again if it is that already. */
  #zoomTo(at: number): void {
    if (this.#zooms.at(-1) === at) this.#zooms.pop();
    else this.#zooms.push(at);
    this.#at = at;
    this.#draw();
    this.#focus();
  }

  #zoomOut(): void {
    this.#at = this.#zooms.pop() ?? 0;
    this.#draw();
    this.#focus();
  }

  #focus(): void {
    const view = this.#drawn.get(this.#at);
    view?.setAttribute("tabindex", "0");
    view?.focus({ preventScroll: true });
  }
}

function relativesOf(frames: readonly FlameFrame[]): readonly Relatives[] {
  const line: number[] = [];
  const all: Relatives[] = [];
  for (const [at, { depth }] of frames.entries()) {
    line.length = Math.min(line.length, depth);
    const parent = line.at(-1);
    if (parent !== undefined) all[parent]?.children.push(at);
    all.push({ parent, children: [] });
    line.push(at);
  }
  return all;
}

function rounded(percent: number): number {
  return Math.round(percent * 1000) / 1000;
}
