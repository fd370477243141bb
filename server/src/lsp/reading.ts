import {
  type DocumentLink,
  type DocumentLinkParams,
  type DocumentSymbolParams,
  type FoldingRangeParams,
  type HoverParams,
  type DocumentSymbol as LspDocumentSymbol,
  type FoldingRange as LspFoldingRange,
  type Hover as LspHover,
  type Range,
  type SelectionRange,
  type SelectionRangeParams,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver";
import { joined, markdown } from "../base/markdown.ts";
import type { DocumentSymbol } from "../features/symbols.ts";
import { toMarkup, toRange } from "./convert.ts";
import { signalOf } from "./guard.ts";
import type { OpenText } from "./positions.ts";
import { about, atPosition, type Session } from "./session.ts";

/** What helps to read a text and to find one's way in it. */
export function answerReading(session: Session): void {
  const { connection, client, service } = session;
  connection.onHover(
    about<HoverParams, LspHover | null>(
      session,
      "hover",
      async (text, { position }, token) => {
        const offset = text.offsetAt(position);
        const found = service.hover(text.uri, offset);
        const live = service.liveHover(text.uri, offset, signalOf(token));
        const range = found && toRange(text, found.span); // the text may be another one when the chain has answered
        const now = await live;
        if (!found || !range) return null;
        const shown = now === undefined ? found.markdown : joined([now, markdown`---`, found.markdown], "\n\n");
        return { range, contents: toMarkup(shown, client.readsMarkdown.hover) };
      },
      atPosition,
    ),
  );
  connection.onDocumentSymbol(
    about<DocumentSymbolParams, LspDocumentSymbol[] | SymbolInformation[]>(session, "symbols", (text) => {
      const found = service.symbols(text.uri);
      return client.nestsSymbols ? found.map((symbol) => toSymbol(text, symbol)) : flat(text, found);
    }),
  );
  connection.onFoldingRanges(
    about<FoldingRangeParams, LspFoldingRange[]>(session, "folding", (text) =>
      service.foldingRanges(text.uri).flatMap(({ span }) => {
        const { start, end } = toRange(text, span);
        return start.line < end.line ? [{ startLine: start.line, endLine: end.line }] : [];
      }),
    ),
  );
  connection.onSelectionRanges(
    about<SelectionRangeParams, SelectionRange[]>(session, "selection ranges", (text, { positions }) =>
      positions.map((position) => {
        const offset = text.offsetAt(position);
        const spans = service.selectionRanges(text.uri, offset);
        return (
          nested(spans.map((span) => toRange(text, span))) ?? { range: toRange(text, { start: offset, end: offset }) }
        );
      }),
    ),
  );
  connection.onDocumentLinks(
    about<DocumentLinkParams, DocumentLink[]>(session, "links", (text) =>
      service
        .links(text.uri)
        .map(({ span, target, tooltip }) => ({ range: toRange(text, span), target, ...(tooltip && { tooltip }) })),
    ),
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

function flat(text: OpenText, symbols: readonly DocumentSymbol[], containerName?: string): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, span, children }) => [
    {
      name: name || "…",
      kind: symbolKinds[kind],
      location: { uri: text.uri, range: toRange(text, span) },
      ...(containerName !== undefined && { containerName }),
    },
    ...flat(text, children, name),
  ]);
}

/** @param ranges - The innermost first. */
function nested(ranges: readonly Range[]): SelectionRange | undefined {
  return ranges.reduceRight<SelectionRange | undefined>(
    (parent, range) => ({ range, ...(parent && { parent }) }),
    undefined,
  );
}
