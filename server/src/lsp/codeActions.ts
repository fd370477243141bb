import { type CodeActionParams, CodeAction as LspCodeAction } from "vscode-languageserver";
import { together } from "../editor/cellQueries.ts";
import type { Service } from "../service/service.ts";
import {
  codeActionKinds,
  commands,
  getRegistryCommand,
  lensCommand,
  nameAddressCommand,
  setSecretCommand,
} from "./commandNames.ts";
import { diagnosticSource } from "./diagnostics.ts";
import { toWorkspaceEdit } from "./locations.ts";
import { type OpenText, spanOf, toRange } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Answers with fixes of problems, refactorings, and commands for editors that show no lenses. */
export function answerCodeActions(session: Session): void {
  const { connection, service } = session;
  connection.onCodeAction(
    textRequest<CodeActionParams, LspCodeAction[]>(
      session,
      "code actions",
      async (text, params) => [
        ...actionsFor(service, text, params)
          .filter(
            ({ edits, namesAddress }) =>
              namesAddress === undefined || edits.length > 0 || session.client.options.namesAddresses,
          )
          .map((action) => toCodeAction(session, text, action, params)),
        ...lensCommands(session, text, params),
        ...lookupActions(session, text, params),
        ...(await registryAction(session, text, params)),
      ],
      () => "cells",
    ),
  );
}

type Action = ReturnType<Service["codeActions"]>[number];

/** Returns the actions for a range and for the problems that the editor names, of the kinds that it asks for. */
function actionsFor(service: Service, text: OpenText, { range, context }: CodeActionParams): readonly Action[] {
  const isWanted = ({ kind }: Action): boolean =>
    context.only === undefined || context.only.some((only) => `${codeActionKinds[kind]}.`.startsWith(`${only}.`));
  // "Fix all" means the whole text: the range is only where the cursor is.
  const isSource = context.only?.some((only) => only.startsWith("source")) === true;
  const span = isSource ? { start: 0, end: text.text().length } : spanOf(text, range);
  const actions = service.codeActions(text.uri, span).filter(isWanted);
  const ofNamed = isSource ? [] : fixesOfNamed(service, text, context).filter(isWanted);
  const keys = new Set(actions.map(keyOf));
  const fixes = [...actions.filter(isFix), ...ofNamed.filter((action) => !keys.has(keyOf(action)))];
  return [...fixes, ...actions.filter(({ kind }) => kind === "refactor"), ...fixAll(actions)];
}

/** Returns the fixes of named problems. An editor that asks for a line names its problems; the cursor may be elsewhere. */
function fixesOfNamed(service: Service, text: OpenText, context: CodeActionParams["context"]): readonly Action[] {
  const named = (context.diagnostics ?? []).filter(({ source }) => source === diagnosticSource);
  const fixes = named
    .slice(0, maxNamedProblems)
    .flatMap(({ range, code }) =>
      service.codeActions(text.uri, spanOf(text, range)).filter((each) => isFix(each) && each.fixes?.code === code),
    );
  return [...new Map(fixes.map((action) => [keyOf(action), action])).values()];
}

/** Problems that fixes are listed for: a longer list is of no use. */
const maxNamedProblems = 20;

function isFix({ kind }: Action): boolean {
  return kind === "quickfix";
}

function keyOf({ title, fixes }: Action): string {
  return `${title}\n${fixes?.code}\n${fixes?.span.start}`;
}

/** Joins the "fix all" actions of the cells: applying one changes the text that the next one was made for. */
function fixAll(actions: readonly Action[]): readonly Action[] {
  const all = actions.filter(({ kind }) => kind === "source.fixAll");
  const [first] = all;
  return first ? [{ ...first, edits: all.flatMap(({ edits }) => edits) }] : [];
}

function toCodeAction(
  session: Session,
  text: OpenText,
  { title, kind, fixes, preferred, edits, setsSecret, namesAddress }: Action,
  { context }: CodeActionParams,
): LspCodeAction {
  const range = fixes && toRange(text, fixes.span);
  const fixed = context.diagnostics?.filter(
    (each) => range && each.code === fixes?.code && JSON.stringify(each.range) === JSON.stringify(range),
  );
  const asks =
    setsSecret !== undefined
      ? { title, command: setSecretCommand, arguments: [setsSecret] }
      : namesAddress !== undefined && session.client.options.namesAddresses
        ? { title, command: nameAddressCommand, arguments: [namesAddress] }
        : undefined;
  return {
    ...(asks
      ? LspCodeAction.create(title, asks, codeActionKinds[kind])
      : LspCodeAction.create(title, toWorkspaceEdit(session, edits), codeActionKinds[kind])),
    ...(fixed && fixed.length > 0 && { diagnostics: fixed }),
    ...(preferred && { isPreferred: true }),
  };
}

/** Offers to look up the address at the cursor, and to open its sources. The commands ask before they do. */
function lookupActions({ client, service }: Session, text: OpenText, { range, context }: CodeActionParams) {
  if (context.only !== undefined) return [];
  const at = client.options.runsCells ? [] : [text.uri];
  const all = [
    { title: "Look Up Contract…", command: commands.lookUpContract },
    { title: "Open Source of Contract…", command: commands.openSource },
  ];
  return service
    .codeActions(text.uri, spanOf(text, range))
    .flatMap(({ namesAddress }) => namesAddress ?? [])
    .flatMap((address) =>
      all.map((one) =>
        LspCodeAction.create(one.title, { ...one, arguments: [...at, address] }, codeActionKinds.refactor),
      ),
    );
}

/** Offers the registry of descriptors for a call without words. The command asks before it downloads. */
async function registryAction(
  { client, service }: Session,
  text: OpenText,
  { range, context }: CodeActionParams,
): Promise<LspCodeAction[]> {
  if (!client.options.runsCells || context.only !== undefined) return [];
  const title = "Get Registry of Descriptors…";
  const isOffered = await service.offersRegistry(text.uri, text.offsetAt(range.start));
  return isOffered
    ? [LspCodeAction.create(title, { title, command: getRegistryCommand }, codeActionKinds.refactor)]
    : [];
}

/** Returns the commands of lenses, for editors that show no lenses. */
function lensCommands(
  { client, service }: Session,
  text: OpenText,
  { range, context }: CodeActionParams,
): LspCodeAction[] {
  if (client.showsLenses || context.only !== undefined) return [];
  const cell = service.cellAt(text.uri, text.offsetAt(range.start));
  const ofCell = together(service.codeLenses(text.uri)).filter(({ index }) => index === cell);
  const all = [
    ...ofCell.map(({ title, action, index }) => ({ title, command: lensCommand(action, client), at: [index] })),
    { title: "Choose endpoint", command: commands.pickEndpoint, at: [] },
  ];
  return all.flatMap(({ title, command, at }) =>
    command ? [LspCodeAction.create(title, { title, command, arguments: [text.uri, ...at] })] : [],
  );
}
