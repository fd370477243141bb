import type { CodeLensParams, Command, CodeLens as LspCodeLens } from "vscode-languageserver";
import { memoByObject } from "../base/memo.ts";
import type { Placed } from "../editor/cellQueries.ts";
import type { CodeLens, LensAction } from "../features/codeLens.ts";
import { lensCommand } from "./commandNames.ts";
import { joinedAnswers } from "./joined.ts";
import { piecesBy } from "./pieces.ts";
import type { OpenText } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Actions of lenses that a notebook has no buttons for. */
const actionsInCells: ReadonlySet<LensAction> = new Set(["explain", "wire-form", "copy-as", "update-snapshot"]);

/** Lenses with a command in the answer. The editor asks for the commands of further ones when it shows them. */
const maxResolvedLenses = 500;

/** The last answer about a text. */
interface Answered {
  readonly placed: readonly Placed<CodeLens>[];
  readonly pieces: readonly (readonly LspCodeLens[])[];
}

/** Answers with lenses, and later with the commands of those beyond {@link maxResolvedLenses}. */
export function answerCodeLens(session: Session): void {
  const { connection, documents, guard, service } = session;
  const answered = new WeakMap<OpenText, Answered>();
  const joined = joinedAnswers();
  let lastNumber = 0;
  const numberOf = memoByObject((_text: OpenText) => ++lastNumber);
  const resolved = piecesBy((lenses: readonly CodeLens[], rangeOf, text) =>
    shown(session, text, lenses).map((lens) => ({
      range: rangeOf(lens.span),
      command: commandOf(session, text, lens),
    })),
  );
  const unresolved = piecesBy((lenses: readonly CodeLens[], rangeOf, text) =>
    shown(session, text, lenses).map(({ span, index }, at) => ({
      range: rangeOf(span),
      data: [numberOf(text), index, at],
    })),
  );
  connection.onCodeLens(
    textRequest<CodeLensParams, LspCodeLens[]>(session, "code lens", (text) => {
      const placed = service.codeLenses(text.uri);
      const cells = resolvedCells(placed);
      const pieces = [...resolved(text, placed.slice(0, cells)), ...unresolved(text, placed.slice(cells))];
      answered.set(text, { placed, pieces });
      return joined<LspCodeLens>(text, pieces);
    }),
  );
  connection.onCodeLensResolve((lens) =>
    guard("code lens resolve", lens, () => {
      const [number, index, at]: readonly number[] = lens.data;
      const text = [...documents.texts.values()].find((one) => numberOf(one) === number);
      const { placed = [], pieces = [] } = (text && answered.get(text)) ?? {};
      const cell = placed.findIndex(({ items }) => items[0]?.index === index);
      const isThere = pieces[cell]?.[at ?? -1]?.range.start.line === lens.range.start.line; // the cell may have moved since
      const match = text && isThere && shown(session, text, placed[cell]?.items ?? [])[at ?? -1];
      return match ? { ...lens, command: commandOf(session, text, match) } : lens;
    })(),
  );
}

/** Returns how many cells get lenses with commands. */
function resolvedCells(placed: readonly Placed<CodeLens>[]): number {
  let count = 0;
  const past = placed.findIndex(({ items }) => {
    count += items.length;
    return count > maxResolvedLenses;
  });
  return past === -1 ? placed.length : past;
}

/** Keeps the lenses that this editor has a command for. A notebook has buttons for some, and shows results by itself. */
function shown({ client, documents }: Session, { uri }: OpenText, lenses: readonly CodeLens[]): readonly CodeLens[] {
  const isCell = client.options.runsCells === true && documents.notebookOf(uri) !== undefined;
  return lenses.filter(
    ({ action }) =>
      (isCell ? actionsInCells.has(action) : action !== "explain") && lensCommand(action, client) !== undefined,
  );
}

function commandOf({ client }: Session, { uri }: OpenText, { title, action, index }: CodeLens): Command {
  return { title, command: lensCommand(action, client) ?? "", arguments: [uri, index] };
}
