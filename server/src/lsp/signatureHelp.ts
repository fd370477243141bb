import type { SignatureHelp as LspSignatureHelp, SignatureHelpParams } from "vscode-languageserver";
import { slice } from "../base/span.ts";
import type { SignatureHelp } from "../features/signatureHelp.ts";
import type { Client } from "./client.ts";
import { toMarkup } from "./convert.ts";
import type { Session } from "./session.ts";
import { atPosition, textRequest } from "./textRequest.ts";

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
