import { type CodeActionParams, CodeAction as LspCodeAction } from "vscode-languageserver";
import type { Service } from "../service/service.ts";
import { codeActionKinds } from "./codeActionKinds.ts";
import { commands, lensCommand, setSecretCommand } from "./commandNames.ts";
import { toRange } from "./convert.ts";
import { toWorkspaceEdit } from "./edits.ts";
import { type OpenText, spanOf } from "./positions.ts";
import { about, type Session } from "./session.ts";

/** What can be done about problems, and what else may be wanted. */
export function answerActions(session: Session): void {
  const { connection, service } = session;
  connection.onCodeAction(
    about<CodeActionParams, LspCodeAction[]>(
      session,
      "code actions",
      (text, params) => [
        ...actionsFor(service, text, params).map((action) => toCodeAction(session, text, action, params)),
        ...commandsAt(session, text, params),
      ],
      () => "cells",
    ),
  );
}

type Action = ReturnType<Service["codeActions"]>[number];

/** What can be done about a range and about the problems that the editor names, of the kinds that it asks for. */
function actionsFor(service: Service, text: OpenText, { range, context }: CodeActionParams): readonly Action[] {
  const wants = ({ kind }: Action): boolean =>
    context.only === undefined || context.only.some((wanted) => `${codeActionKinds[kind]}.`.startsWith(`${wanted}.`));
  // Who asks for nothing but to mend all means the whole text: the range is where the cursor happens to be.
  const isSource = context.only?.some((wanted) => wanted.startsWith("source")) === true;
  const span = isSource ? { start: 0, end: text.text().length } : spanOf(text, range);
  const found = service.codeActions(text.uri, span).filter(wants);
  const elsewhere = isSource ? [] : fixesOfNamed(service, text, context).filter(wants);
  const known = new Set(found.map(keyOf));
  const all = [...found.filter(isFix), ...elsewhere.filter((action) => !known.has(keyOf(action)))];
  return [...all, ...found.filter(({ kind }) => kind === "refactor"), ...mendingAll(found)];
}

/** Editors that ask for a line have the cursor anywhere in it, and name the problems of the line. */
function fixesOfNamed(service: Service, text: OpenText, context: CodeActionParams["context"]): readonly Action[] {
  const named = (context.diagnostics ?? []).filter(({ source }) => source === diagnosticSource).slice(0, mostNamed);
  const found = named.flatMap(({ range, code }) =>
    service.codeActions(text.uri, spanOf(text, range)).filter((action) => isFix(action) && action.fixes?.code === code),
  );
  return [...new Map(found.map((action) => [keyOf(action), action])).values()];
}

/** What our problems name as their source. */
export const diagnosticSource = "rpc-notebook";
/** More problems than this on a line nobody picks one fix from. */
const mostNamed = 20;

function isFix({ kind }: Action): boolean {
  return kind === "quickfix";
}

function keyOf({ title, fixes }: Action): string {
  return `${title}\n${fixes?.code}\n${fixes?.span.start}`;
}

/** Each cell has one of its own; an editor that applies them one after the other would find the text changed. */
function mendingAll(found: readonly Action[]): readonly Action[] {
  const all = found.filter(({ kind }) => kind === "source.fixAll");
  const [first] = all;
  return first ? [{ ...first, edits: all.flatMap(({ edits }) => edits) }] : [];
}

function toCodeAction(
  session: Session,
  text: OpenText,
  { title, kind, fixes, preferred, edits, setsSecret }: Action,
  { context }: CodeActionParams,
): LspCodeAction {
  const range = fixes && toRange(text, fixes.span);
  const mended = context.diagnostics?.filter(
    (each) => range && each.code === fixes?.code && JSON.stringify(each.range) === JSON.stringify(range),
  );
  return {
    ...(setsSecret === undefined
      ? LspCodeAction.create(title, toWorkspaceEdit(session, edits), codeActionKinds[kind])
      : LspCodeAction.create(
          title,
          { title, command: setSecretCommand, arguments: [setsSecret] },
          codeActionKinds[kind],
        )),
    ...(mended && mended.length > 0 && { diagnostics: mended }),
    ...(preferred && { isPreferred: true }),
  };
}

/** What lenses offer elsewhere, for editors that show none. */
function commandsAt(
  { client, service }: Session,
  text: OpenText,
  { range, context }: CodeActionParams,
): LspCodeAction[] {
  if (client.showsLenses || context.only !== undefined) return [];
  const cell = service.cellAt(text.uri, text.offsetAt(range.start));
  const ofCell = service.codeLenses(text.uri).filter(({ index }) => index === cell);
  const all = [
    ...ofCell.map(({ title, action, index }) => ({ title, command: lensCommand(action, client), at: [index] })),
    { title: "Choose endpoint", command: commands.pickEndpoint, at: [] },
  ];
  return all.flatMap(({ title, command, at }) =>
    command ? [LspCodeAction.create(title, { title, command, arguments: [text.uri, ...at] })] : [],
  );
}
