import type { StreamControl } from "../../../server/src/protocol/runs.ts";
import { element, filterInput } from "./dom.ts";
import type { Report } from "./types.ts";

type Live = NonNullable<Report["live"]>;

type Controls = ReturnType<typeof createControls>;

/** Controls by the element of their output: it is drawn five times a second, and the filter must keep the focus. */
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

function createControls(first: Live, request: (control: StreamControl) => void) {
  let { uri, cell, paused } = first;
  const pauseButton = element("button", { type: "button" });
  const stopButton = element("button", { type: "button" }, "Stop");
  const filter = filterInput("the stream", (text) => request({ uri, cell, filter: text }));
  filter.value = first.filter;
  pauseButton.addEventListener("click", () => request({ uri, cell, paused: !paused }));
  stopButton.addEventListener("click", () => request({ uri, cell, stop: true }));
  return {
    bar: element(
      "div",
      { class: "live", role: "toolbar", "aria-label": "Stream" },
      ...(first.onlyStop ? [stopButton] : [pauseButton, stopButton, filter]),
    ),
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
