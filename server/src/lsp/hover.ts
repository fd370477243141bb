import type { HoverParams, Hover as LspHover } from "vscode-languageserver";
import { joined, markdown } from "../base/markdown.ts";
import { toMarkup, toRange } from "./convert.ts";
import type { Session } from "./session.ts";
import { atPosition, textRequest } from "./textRequest.ts";

/** Answers hovers: what the catalogue says, below what the chain says now. */
export function answerHover(session: Session): void {
  const { connection, client, service } = session;
  connection.onHover(
    textRequest<HoverParams, LspHover | null>(
      session,
      "hover",
      async (text, { position }, signal) => {
        const offset = text.offsetAt(position);
        const hover = service.hover(text.uri, offset);
        if (!hover) return null;
        const range = toRange(text, hover.span);
        const live = await service.liveHover(text.uri, offset, signal);
        const shown = live === undefined ? hover.markdown : joined([live, markdown`---`, hover.markdown], "\n\n");
        return { range, contents: toMarkup(shown, client.readsMarkdown.hover) };
      },
      atPosition,
    ),
  );
}
