import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
  InsertTextFormat,
  type Position,
} from "vscode-languageserver";
import { type Span, slice } from "../base/span.ts";
import { type Completion, isCut } from "../features/completion.ts";
import { plain } from "../features/snippet.ts";
import type { CompletionKind } from "../features/suggestion.ts";
import type { Client } from "./client.ts";
import { type OpenText, toMarkup, toRange } from "./positions.ts";
import { atPosition, type Session, textRequest } from "./session.ts";

/** Answers completions, and later the documentation of the one that is selected in the list. */
export function answerCompletion(session: Session): void {
  const { connection, client, service, guard } = session;
  /** The list that the editor shows, for {@link CompletionItem.data}. */
  let offered: OfferedList = { id: 0, completions: [] };

  const listOf = (text: OpenText, position: Position, isComplete: boolean): CompletionList => {
    const offset = text.offsetAt(position);
    const completions = service.completion(text.uri, offset);
    const shown = (client.replacesPastCursor ? insideQuotes : withinQuotes)(completions, text.text(), offset);
    offered = { id: offered.id + 1, completions: shown };
    return toList(text, offered, isComplete, client);
  };
  /** The list after some more characters, for the text without them: editors filter it by what was typed since. */
  const listBehind = (text: OpenText, offset: number, typed: number): CompletionList | undefined => {
    const cursor = offset + typed;
    const found = insideQuotes(service.completion(text.uri, cursor), text.text(), cursor);
    if (found.some(({ span }) => span.start > offset)) return undefined; // another word was begun
    const completions = found.map((one) => ({
      ...one,
      span: { start: one.span.start, end: one.span.end - typed },
    }));
    offered = { id: offered.id + 1, completions };
    return toList(text, offered, false, client);
  };
  connection.onCompletion(
    textRequest<CompletionParams, CompletionList>(
      session,
      "completion",
      (text, { position, context }) => {
        if (isDigit(context?.triggerCharacter) && isNumber(text, position)) return { isIncomplete: false, items: [] };
        const opening = service.opening(text.uri);
        const answer = (isKnown: boolean): CompletionList => listOf(text, position, isKnown);
        return opening === undefined ? answer(true) : opening.then(answer);
      },
      (text, params) => ({ ...atPosition(text, params), completes: true }),
      (text, { position }, before) => {
        const offset = text.offsetAt(position);
        const typed = typedAt(before, text.text(), offset);
        return typed === undefined || !client.replacesPastCursor ? undefined : listBehind(text, offset, typed);
      },
    ),
  );
  connection.onCompletionResolve((item: CompletionItem) =>
    guard("completion resolve", item, () => {
      const { list, index } = item.data;
      const completion = list === offered.id ? offered.completions[index] : undefined;
      return completion ? { ...item, ...documentation(completion, client) } : item;
    })(),
  );
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && /^\d$/.test(character);
}

/** Returns whether a number of JSON is being typed. VS Code asks for the 50 of `last 50` only because of its digits. */
function isNumber(text: OpenText, position: Position): boolean {
  const line = text.text().slice(text.offsetAt({ ...position, character: 0 }), text.offsetAt(position));
  return /(?:^|[\s:,[-])[\d.]+$/.test(line) && !/^\s*[a-z][\w -]*$/i.test(line);
}

/** Returns how many characters were typed at an offset, if nothing else has changed. */
function typedAt(before: string, now: string, offset: number): number | undefined {
  const typed = now.length - before.length;
  const isTyped =
    typed > 0 &&
    now.slice(0, offset) === before.slice(0, offset) &&
    now.slice(offset + typed) === before.slice(offset) &&
    /^[\w$ -]+$/.test(now.slice(offset, offset + typed));
  return isTyped ? typed : undefined;
}

interface OfferedList {
  readonly id: number;
  readonly completions: readonly Completion[];
}

/** @param isComplete - Everything beside the document has been read; else the editor asks again as a person types. */
function toList(text: OpenText, { id, completions }: OfferedList, isComplete: boolean, client: Client): CompletionList {
  const shared = client.takesSharedRange ? sharedSpan(completions) : undefined;
  const items = completions.map((item, index) => ({
    ...toItem(text, item, client, shared !== undefined),
    ...(client.resolvesDocumentation && { data: { list: id, index } }),
  }));
  const itemDefaults = shared && { editRange: toRange(text, shared) };
  return { isIncomplete: isCut(completions) || !isComplete, items, ...(itemDefaults && { itemDefaults }) };
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

/** Returns the span that all completions replace. Sent once with the list, it makes a long list a third shorter. */
function sharedSpan(completions: readonly Completion[]): Span | undefined {
  const [first] = completions;
  return completions.every(({ span }) => span.start === first?.span.start && span.end === first.span.end)
    ? first?.span
    : undefined;
}

/** @param sharesRange - The list has the range, so the item has none. */
function toItem(text: OpenText, item: Completion, client: Client, sharesRange: boolean): CompletionItem {
  const isSnippet = item.snippet && client.takesSnippets;
  const newText = item.snippet && !isSnippet ? plain(item.insert) : item.insert;
  return {
    label: item.label,
    kind: kinds[item.kind],
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...(sharesRange ? { textEditText: newText } : { textEdit: { range: toRange(text, item.span), newText } }),
    ...(item.detail !== undefined && { detail: item.detail }),
    ...(client.showsLabelDetails && labelDetails(item)),
    ...(!client.resolvesDocumentation && documentation(item, client)),
    ...(item.sortText !== undefined && { sortText: item.sortText }),
    ...(item.filterText !== undefined && { filterText: item.filterText }),
    ...(item.also && {
      additionalTextEdits: item.also.map(({ span, insert }) => ({ range: toRange(text, span), newText: insert })),
    }),
  };
}

function labelDetails({ signature: detail, source: description }: Completion): Pick<CompletionItem, "labelDetails"> {
  if (detail === undefined && description === undefined) return {};
  return {
    labelDetails: { ...(detail !== undefined && { detail }), ...(description !== undefined && { description }) },
  };
}

function documentation(
  { documentation }: Completion,
  { readsMarkdown }: Client,
): Pick<CompletionItem, "documentation"> {
  return documentation ? { documentation: toMarkup(documentation(), readsMarkdown.completion) } : {};
}

/**
 * Keeps the quotes around the cursor, for editors that replace only text before it. Neovim does, in every version, and
 * would double the closing quote. Neovim 0.7 also compares the typed word with the start of the
 * new text; newer ones compare the text after the earliest start in the list with `filterText`.
 *
 * @param cursor - UTF-16 code units from the start of the text.
 */
function withinQuotes(completions: readonly Completion[], text: string, cursor: number): readonly Completion[] {
  const opens = ({ span, insert }: Completion) =>
    span.start < cursor && text[span.start] === '"' && insert.startsWith('"');
  const startsAfterQuote = completions.every(opens);
  return completions.map((item) => {
    const { span, insert, filterText } = item;
    const start = opens(item) ? 1 : 0;
    const end = cursor < span.end && text[span.end - 1] === '"' && insert.endsWith('"') ? 1 : 0;
    return {
      ...item,
      span: { start: span.start + start, end: span.end - end },
      insert: slice(insert, { start, end: insert.length - end }),
      ...(startsAfterQuote && filterText !== undefined && { filterText: filterText.slice(1) }),
    };
  });
}

/**
 * Keeps both quotes around the cursor if all completions have them. A tab stop of a snippet lies inside of its quotes, and
 * VS Code forgets the next stops if a completion replaces more than the stop.
 *
 * @param cursor - UTF-16 code units from the start of the text.
 */
function insideQuotes(completions: readonly Completion[], text: string, cursor: number): readonly Completion[] {
  const isInside = ({ span: { start, end }, insert }: Completion) =>
    start < cursor &&
    cursor < end &&
    text[start] === '"' &&
    text[end - 1] === '"' &&
    insert.length > 1 &&
    insert.startsWith('"') &&
    insert.endsWith('"');
  if (!completions.every(isInside)) return completions;
  return completions.map((item) => ({
    ...item,
    span: { start: item.span.start + 1, end: item.span.end - 1 },
    insert: item.insert.slice(1, -1),
    ...(item.filterText !== undefined && { filterText: item.filterText.replace(/^"|"$/g, "") }),
  }));
}
