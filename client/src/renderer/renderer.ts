import type { ActivationFunction } from "vscode-notebook-renderer";
import type { StreamControl } from "../../../server/src/protocol/runs.ts";
import type { Copy } from "./copy.ts";
import { element } from "./dom.ts";
import { liveControls } from "./liveControls.ts";
import { askRows } from "./moreRows.ts";
import { reportView } from "./reportView.ts";
import { style } from "./style.ts";
import type { Report } from "./types.ts";

/** Called by the notebook's webview when the first output of our type is shown. */
export const activate: ActivationFunction = (context) => {
  document.head.append(element("style", {}, style));
  const copy: Copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Some hosts do not let webviews use the clipboard. The extension always can.
      context.postMessage?.({ copy: text });
      return context.postMessage !== undefined;
    }
  };
  const ask = askRows(context);
  return {
    renderOutputItem(item, place) {
      const reports: readonly Report[] = item.json(); // written by our own kernel, under our own MIME type
      const live = reports[0]?.live;
      const request = (control: StreamControl): void => context.postMessage?.({ stream: control });
      place.replaceChildren(
        element(
          "div",
          { class: "rpcn" },
          live && context.postMessage ? liveControls(place, live, request) : undefined,
          ...reports.map((report) => reportView(report, copy, ask)),
          element("p", { role: "status", class: "unseen" }),
        ),
      );
    },
  };
};
