import type { StreamControl } from "../../../server/src/protocol/runs.ts";
import { element } from "./dom.ts";
import type { Report } from "./types.ts";

/** What is wanted of a stream. */
type Live = NonNullable<Report["live"]>;

interface Controls {
  readonly bar: HTMLElement;
  show(live: Live): void;
}

/** By the place of the output: five drawings a second must not take the focus out of a text that is being typed. */
const known = new WeakMap<HTMLElement, Controls>();

/** Pause, stop, and a filter, for an output that changes by itself. */
export function liveControls(place: HTMLElement, live: Live, wish: (control: StreamControl) => void): HTMLElement {
  const controls = known.get(place) ?? made(live, wish);
  known.set(place, controls);
  controls.show(live);
  const { bar } = controls;
  const active = activeIn(bar);
  const focused = bar.contains(active) ? active : undefined;
  // It is put anew into the page, which takes the focus away
  if (focused instanceof HTMLElement) queueMicrotask(() => focused.focus({ preventScroll: true }));
  return bar;
}

/** Milliseconds without a key after which a filter counts. */
const pause = 250;

function made(first: Live, wish: (control: StreamControl) => void): Controls {
  let { uri, cell, paused } = first;
  const pauseButton = element("button", { type: "button" });
  const stopButton = element("button", { type: "button" }, "Stop");
  const filter = element("input", {
    type: "search",
    class: "filter",
    placeholder: "Filter",
    "aria-label": "Filter the stream: rows that contain this text",
    spellcheck: "false",
    value: first.filter,
  });
  pauseButton.addEventListener("click", () => wish({ uri, cell, paused: !paused }));
  stopButton.addEventListener("click", () => wish({ uri, cell, stop: true }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  filter.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => wish({ uri, cell, filter: filter.value }), pause);
  });
  // The notebook takes keys for itself.
  filter.addEventListener("keydown", (event) => event.stopPropagation());
  return {
    bar: element("div", { class: "live", role: "toolbar", "aria-label": "Stream" }, pauseButton, stopButton, filter),
    show(live) {
      ({ uri, cell, paused } = live);
      pauseButton.textContent = paused ? "Resume" : "Pause";
      if (activeIn(filter) !== filter) filter.value = live.filter;
    },
  };
}

/** The element with the focus, in the page or the shadow root that this one is in. */
function activeIn(node: Node): Element | null {
  const root = node.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}
