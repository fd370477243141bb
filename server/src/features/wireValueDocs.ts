import type { Scope } from "../analysis/scope.ts";
import { converterContext } from "../analysis/storage.ts";
import type { TypedToken } from "../analysis/typedTokens.ts";
import { code, codeCut, type Markdown, markdown } from "../base/markdown.ts";
import { readablesAt } from "../evaluate/readable.ts";
import type { Cell } from "../notebook/cell.ts";
import { spanOf } from "../notebook/json.ts";
import { readableAt } from "./readable.ts";
import { storedPlaceDocs } from "./storedVariables.ts";

/** The form in which a readable value is sent: a number, an amount, a block, a function, an event. */
export function wireValueDocs(cell: Cell, word: TypedToken, scope: Scope): Markdown | undefined {
  if (word.kind === "key" || word.param === undefined || inArguments(word, cell, scope)) return undefined;
  const { start, end } = word.span;
  const request = cell.requests.find(({ node }) => spanOf(node).start < start && end < spanOf(node).end);
  const node = request?.members.get("params")?.value?.children?.[word.param];
  const type = word.spec?.params[word.param]?.type;
  if (!node || type === undefined) return undefined;
  const known = converterContext(cell, scope);
  const { found } = readablesAt(cell.text, node, type, known, false);
  const readable = found.find(({ span }) => span.start <= start && end <= span.end);
  if (readable?.head !== undefined)
    return markdown`Counts from the number of ${code(readable.head)}, which a run asks for first.`;
  if (readable?.place) return storedPlaceDocs(readable.place);
  const text = readable?.edits?.map((edit) => edit.text).find((one) => one !== "");
  return text === undefined ? undefined : markdown`On the wire: ${codeCut(text)}`;
}

/** An argument of a call is part of its data, which the name of the function shows. */
function inArguments({ path }: TypedToken, cell: Cell, scope: Scope): boolean {
  const readable = readableAt(path, cell, scope);
  return readable !== undefined && readable.at !== "name";
}
