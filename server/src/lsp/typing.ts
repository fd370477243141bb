import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
  InsertTextFormat,
  type SignatureHelp as LspSignatureHelp,
  type Position,
  type SignatureHelpParams,
} from "vscode-languageserver";
import { type Span, slice } from "../base/span.ts";
import { type Completion, isCut } from "../features/completion.ts";
import type { SignatureHelp } from "../features/signatureHelp.ts";
import { plain } from "../features/snippet.ts";
import type { CompletionKind } from "../features/suggestion.ts";
import type { Client } from "./client.ts";
import { toMarkup, toRange } from "./convert.ts";
import type { OpenText } from "./positions.ts";
import { about, atPosition, type Session } from "./session.ts";
import { withinQuotes } from "./withinQuotes.ts";

/** What helps while one types. */
export function answerTyping(session: Session): void {
  const { connection, client, service, guard } = session;
  /** The list that the editor shows; it asks for the documentation of what a person looks at. */
  let offered: { readonly list: number; readonly completions: readonly Completion[] } = { list: 0, completions: [] };

  connection.onCompletion(
    about<CompletionParams, CompletionList>(
      session,
      "completion",
      (asked, { position }) => {
        const opening = service.opening(asked.uri);
        const answer = (isKnown: boolean): CompletionList =>
          listOf(session.texts.get(asked.uri) ?? asked, position, isKnown);
        return opening === undefined ? answer(true) : opening.then(answer);
      },
      (text, params) => ({ ...atPosition(text, params), completes: true }),
    ),
  );
  const listOf = (text: OpenText, position: Position, isKnown: boolean): CompletionList => {
    const offset = text.offsetAt(position);
    const found = service.completion(text.uri, offset);
    const completions = client.replacesPastCursor ? found : withinQuotes(found, text.text(), offset);
    offered = { list: offered.list + 1, completions };
    const shared = client.takesSharedRange ? sharedSpan(completions) : undefined;
    const items = completions.map((item, index) => ({
      ...toCompletionItem(text, item, client, shared !== undefined),
      ...(client.resolvesDocumentation && { data: { list: offered.list, index } }),
    }));
    const itemDefaults = shared && { editRange: toRange(text, shared) };
    return { isIncomplete: isCut(completions) || !isKnown, items, ...(itemDefaults && { itemDefaults }) };
  };
  connection.onCompletionResolve((item: CompletionItem) =>
    guard("completion resolve", item, () => {
      const { list, index } = item.data;
      const found = list === offered.list ? offered.completions[index] : undefined;
      return found ? { ...item, ...documentation(found, client) } : item;
    })(),
  );
  connection.onSignatureHelp(
    about<SignatureHelpParams, LspSignatureHelp | null>(
      session,
      "signature help",
      (text, { position }) => {
        const found = service.signatureHelp(text.uri, text.offsetAt(position));
        return found ? toSignatureHelp(found, client) : null;
      },
      atPosition,
    ),
  );
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
  function: CompletionItemKind.Function,
  event: CompletionItemKind.Event,
};

/** What all of a list replace: said once, a long list is a third shorter. */
function sharedSpan(completions: readonly Completion[]): Span | undefined {
  const [first] = completions;
  return completions.every(({ span }) => span.start === first?.span.start && span.end === first.span.end)
    ? first?.span
    : undefined;
}

/** @param shares - Its range is said with the list. */
function toCompletionItem(text: OpenText, item: Completion, client: Client, shares: boolean): CompletionItem {
  const isSnippet = item.snippet && client.takesSnippets;
  const newText = item.snippet && !isSnippet ? plain(item.insert) : item.insert;
  return {
    label: item.label,
    kind: kinds[item.kind],
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...(shares ? { textEditText: newText } : { textEdit: { range: toRange(text, item.span), newText } }),
    ...(item.detail !== undefined && { detail: item.detail }),
    ...(!client.resolvesDocumentation && documentation(item, client)),
    ...(item.sortText !== undefined && { sortText: item.sortText }),
    ...(item.filterText !== undefined && { filterText: item.filterText }),
    ...(item.also && {
      additionalTextEdits: item.also.map(({ span, insert }) => ({ range: toRange(text, span), newText: insert })),
    }),
  };
}

function documentation(
  { documentation }: Completion,
  { readsMarkdown }: Client,
): Pick<CompletionItem, "documentation"> {
  return documentation ? { documentation: toMarkup(documentation(), readsMarkdown.completion) } : {};
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
    activeParameter: help.active ?? parameters.length, // an ordinal behind the last one marks none
  };
}
