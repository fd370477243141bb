import {
  type DocumentSymbolParams,
  type DocumentSymbol as LspDocumentSymbol,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver";
import type { DocumentSymbol } from "../features/symbols.ts";
import { toRange } from "./convert.ts";
import type { OpenText } from "./positions.ts";
import type { Session } from "./session.ts";
import { textRequest } from "./textRequest.ts";

/** Answers with the outline of a text: nested, or as a list for editors that do not nest symbols. */
export function answerSymbols(session: Session): void {
  const { connection, client, service } = session;
  connection.onDocumentSymbol(
    textRequest<DocumentSymbolParams, LspDocumentSymbol[] | SymbolInformation[]>(session, "symbols", (text) => {
      const symbols = service.symbols(text.uri);
      return client.nestsSymbols ? symbols.map((symbol) => toSymbol(text, symbol)) : toList(text, symbols);
    }),
  );
}

const symbolKinds: Readonly<Record<DocumentSymbol["kind"], SymbolKind>> = {
  header: SymbolKind.Module,
  variable: SymbolKind.Variable,
  label: SymbolKind.Constant,
  request: SymbolKind.Method,
  batch: SymbolKind.Array,
  markdown: SymbolKind.String,
};

function toSymbol(
  text: OpenText,
  { name, detail, kind, span, selection, children }: DocumentSymbol,
): LspDocumentSymbol {
  return {
    name: name || "…", // editors refuse a symbol without a name, and all others with it
    kind: symbolKinds[kind],
    range: toRange(text, span),
    selectionRange: toRange(text, selection),
    ...(detail && { detail }),
    ...(children.length > 0 && { children: children.map((child) => toSymbol(text, child)) }),
  };
}

function toList(text: OpenText, symbols: readonly DocumentSymbol[], containerName?: string): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, span, children }) => [
    {
      name: name || "…",
      kind: symbolKinds[kind],
      location: { uri: text.uri, range: toRange(text, span) },
      ...(containerName !== undefined && { containerName }),
    },
    ...toList(text, children, name),
  ]);
}
