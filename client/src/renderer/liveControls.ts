import type { StreamControl } from "../../../server/src/protocol/runs.ts";
import { element } from "./dom.ts";
import type { Report } from "./types.ts";

/** The state of the controls of a stream. */
type Live = NonNullable<Report["live"]>;

type Controls = ReturnType<typeof createControls>;

/** By the element of the output: it is drawn five times a second, and the filter must keep the focus. */
const controlsByElement = new WeakMap<HTMLElement, Controls>();

/** Shows pause, stop and a filter for an output that changes by itself. */
export function liveControls(place: HTMLElement, live: Live, request: (control: StreamControl) => void): HTMLElement {
  const controls = controlsByElement.get(place) ?? createControls(live, request);
  controlsByElement.set(place, controls);
  controls.show(live);
  const { bar } = controls;
  const active = activeIn(bar);
  const focused = bar.contains(active) ? active : undefined;
  // adding the bar to the page again removes the focus
  if (focused instanceof HTMLElement) queueMicrotask(() => focused.focus({ preventScroll: true }));
  return bar;
}

/** Milliseconds without a key after which a filter is applied. */
const debounceMs = 250;

function createControls(first: Live, request: (control: StreamControl) => void) {
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
  pauseButton.addEventListener("click", () => request({ uri, cell, paused: !paused }));
  stopButton.addEventListener("click", () => request({ uri, cell, stop: true }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  filter.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => request({ uri, cell, filter: filter.value }), debounceMs);
  });
  // The notebook would handle the key.
  filter.addEventListener("keydown", (event) => event.stopPropagation());
  return {
    bar: element("div", { class: "live", role: "toolbar", "aria-label": "Stream" }, pauseButton, stopButton, filter),
    show(live: Live): void {
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
