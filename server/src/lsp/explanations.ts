import type {
  HoverParams,
  InlayHintParams,
  Hover as LspHover,
  InlayHint as LspInlayHint,
  SignatureHelp as LspSignatureHelp,
  SignatureHelpParams,
} from "vscode-languageserver";
import { joined, markdown } from "../base/markdown.ts";
import { slice } from "../base/span.ts";
import type { SignatureHelp } from "../features/signatureHelp.ts";
import type { Client } from "./client.ts";
import { spanOf, toMarkup, toRange } from "./positions.ts";
import { atPosition, type Session, textRequest } from "./session.ts";

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

/** Answers with the parameters of the method at a position. */
export function answerSignatureHelp(session: Session): void {
  const { connection, client, service } = session;
  connection.onSignatureHelp(
    textRequest<SignatureHelpParams, LspSignatureHelp | null>(
      session,
      "signature help",
      (text, { position }) => {
        const help = service.signatureHelp(text.uri, text.offsetAt(position));
        return help ? toSignatureHelp(help, client) : null;
      },
      atPosition,
    ),
  );
}

function toSignatureHelp(help: SignatureHelp, { readsMarkdown, takesLabelOffsets }: Client): LspSignatureHelp {
  const { label } = help;
  const parameters = help.params.map(({ span, documentation }) => ({
    label: takesLabelOffsets ? ([span.start, span.end] satisfies [number, number]) : slice(label, span),
    documentation: toMarkup(documentation, readsMarkdown.signature),
  }));
  return {
    signatures: [{ label, documentation: toMarkup(help.documentation, readsMarkdown.signature), parameters }],
    activeSignature: 0,
    activeParameter: help.active ?? parameters.length, // an ordinal after the last one highlights none
  };
}

/** Answers with the hints in a range. */
export function answerInlayHints(session: Session): void {
  const { connection, client, service } = session;
  connection.languages.inlayHint.on(
    textRequest<InlayHintParams, LspInlayHint[]>(
      session,
      "inlay hints",
      (text, { range }) => {
        const hints = service.inlayHints(text.uri, spanOf(text, range));
        // An editor that runs cells shows the result of each one below or beside it.
        const shown = client.options.runsCells === true ? hints.filter(({ kind }) => kind !== "result") : hints;
        return shown.map(({ span, label }) => ({
          position: text.positionAt(span.start),
          label,
          paddingLeft: true,
        }));
      },
      () => "cells",
    ),
  );
}
