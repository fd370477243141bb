import {
  type CompletionItem,
  CompletionItemKind,
  DiagnosticSeverity,
  InsertTextFormat,
  type CodeLens as LspCodeLens,
  type Diagnostic as LspDiagnostic,
  type Hover as LspHover,
  type Range,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Span } from "../base/span.ts";
import type { CodeLens } from "../features/codeLens.ts";
import type { Completion } from "../features/completion.ts";
import type { Diagnostic } from "../features/diagnostics.ts";
import type { Hover } from "../features/hover.ts";
import { plain } from "../features/snippet.ts";
import type { CompletionKind } from "../features/suggestion.ts";
import { runCommand } from "./capabilities.ts";
import type { Client } from "./client.ts";

function toRange(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

const kinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  request: CompletionItemKind.Snippet,
  method: CompletionItemKind.Method,
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  tag: CompletionItemKind.EnumMember,
  address: CompletionItemKind.Constant,
  reference: CompletionItemKind.Variable,
  endpoint: CompletionItemKind.Interface,
};

export function toCompletionItem(document: TextDocument, item: Completion, client: Client): CompletionItem {
  const isSnippet = item.snippet && client.takesSnippets;
  const newText = item.snippet && !isSnippet ? plain(item.insert) : item.insert;
  return {
    label: item.label,
    kind: kinds[item.kind],
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: toRange(document, item.span), newText },
    ...(item.detail !== undefined && { detail: item.detail }),
    ...(item.documentation !== undefined && { documentation: { kind: "markdown", value: item.documentation() } }),
    ...(item.sortText !== undefined && { sortText: item.sortText }),
    ...(item.filterText !== undefined && { filterText: item.filterText }),
    ...(item.also && {
      additionalTextEdits: item.also.map(({ span, insert }) => ({ range: toRange(document, span), newText: insert })),
    }),
  };
}

export function toHover(document: TextDocument, { span, markdown }: Hover, client: Client): LspHover {
  return {
    range: toRange(document, span),
    contents: { kind: client.readsMarkdown ? "markdown" : "plaintext", value: markdown },
  };
}

const severities: Readonly<Record<Diagnostic["severity"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export function toDiagnostic(document: TextDocument, problem: Diagnostic): LspDiagnostic {
  return {
    range: toRange(document, problem.span),
    severity: severities[problem.severity],
    code: problem.code,
    source: "rpc-notebook",
    message: problem.message,
  };
}

/** A result that is only shown has a title and no command. */
export function toCodeLens(document: TextDocument, lens: CodeLens, client: Client): LspCodeLens {
  const run = client.options.runsCells === true ? "rpcNotebook.runCell" : runCommand;
  return {
    range: toRange(document, lens.span),
    command: { title: lens.title, command: lens.action === "run" ? run : "", arguments: [document.uri, lens.index] },
  };
}
