import type { ActivationFunction } from "vscode-notebook-renderer";
import type { FromRenderer, ResultAction, StreamControl, ToRenderer } from "../../../server/src/protocol/runs.ts";
import type { Copy } from "./copy.ts";
import { element } from "./dom.ts";
import { liveControls } from "./liveControls.ts";
import { outputView } from "./reportView.ts";
import { style } from "./style.ts";
import type { AskRows, Report } from "./types.ts";

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
      const shared = {
        copy,
        ask,
        act: context.postMessage && ((result: ResultAction) => context.postMessage?.({ result })),
        output: outputId(item.metadata),
      };
      const live = reports[0]?.live;
      const request = (control: StreamControl): void => context.postMessage?.({ stream: control });
      const controls = live && context.postMessage ? liveControls(place, live, request) : undefined;
      place.replaceChildren(outputView(reports, shared, controls));
    },
  };
};

/** The identity that the client gave to an output; empty if it gave none. */
function outputId(metadata: unknown): string {
  if (typeof metadata !== "object" || metadata === null || !("output" in metadata)) return "";
  return typeof metadata.output === "string" ? metadata.output : "";
}

/** The part of the renderer's context that passes messages. Some hosts have none. */
interface Messages {
  postMessage?(message: unknown): void;
  readonly onDidReceiveMessage?: ((listener: (message: ToRenderer) => void) => unknown) | undefined;
}

/** Requests rows by a message. The answer has the number of its request. */
function askRows({ postMessage, onDidReceiveMessage }: Messages): AskRows {
  if (postMessage === undefined || onDidReceiveMessage === undefined) return undefined;
  const waiting = new Map<number, (result: ToRenderer["result"]) => void>();
  let last = 0;
  onDidReceiveMessage(({ asked, result }) => {
    waiting.get(asked)?.(result);
    waiting.delete(asked);
  });
  return (rows) =>
    new Promise((resolve) => {
      const asked = ++last;
      waiting.set(asked, resolve);
      const message: FromRenderer = { rows, asked };
      postMessage(message);
    });
}
