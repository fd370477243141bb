import type { Position, Range } from "vscode-languageserver";

/** Every request that answers with ranges, or for a position, with parameters that are right, without the document. */
export function requestsAt(position: Position, range: Range): Readonly<Record<string, object>> {
  const options = { tabSize: 2, insertSpaces: true };
  return {
    "textDocument/codeAction": { range, context: { diagnostics: [] } },
    "textDocument/codeLens": {},
    "textDocument/completion": { position },
    "textDocument/definition": { position },
    "textDocument/documentHighlight": { position },
    "textDocument/documentLink": {},
    "textDocument/documentSymbol": {},
    "textDocument/foldingRange": {},
    "textDocument/formatting": { options },
    "textDocument/hover": { position },
    "textDocument/inlayHint": { range },
    "textDocument/prepareRename": { position },
    "textDocument/rangeFormatting": { range, options },
    "textDocument/references": { position, context: { includeDeclaration: true } },
    "textDocument/rename": { position, newName: "b" },
    "textDocument/selectionRange": { positions: [position] },
    "textDocument/semanticTokens/full": {},
    "textDocument/semanticTokens/full/delta": { previousResultId: "0" },
    "textDocument/semanticTokens/range": { range },
    "textDocument/signatureHelp": { position },
  };
}
