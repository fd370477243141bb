import type { CodeLensParams, CodeLens as LspCodeLens } from "vscode-languageserver";
import type { CodeLens, LensAction } from "../features/codeLens.ts";
import { lensCommand } from "./commandNames.ts";
import { toRange } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Actions of lenses that a notebook has no buttons for. */
const actionsInCells: ReadonlySet<LensAction> = new Set(["explain", "wire-form", "copy-as", "update-snapshot"]);

/** Lenses with a command in the answer. The editor asks for the commands of further ones when it shows them. */
const maxResolvedLenses = 500;

/** The lenses of a document that have no command yet, under the number of the answer that named them. */
interface UnresolvedLenses {
  readonly list: number;
  readonly lenses: readonly CodeLens[];
}

/** Answers with lenses, and later with the commands of those beyond {@link maxResolvedLenses}. */
export function answerCodeLens(session: Session): void {
  const { connection, client, texts, guard } = session;
  const unresolved = new Map<string, UnresolvedLenses>();
  let list = 0;
  const commandOf = (uri: string, { title, action, index }: CodeLens): Pick<LspCodeLens, "command"> => {
    const command = lensCommand(action, client);
    return command === undefined ? {} : { command: { title, command, arguments: [uri, index] } };
  };
  connection.onCodeLens(
    textRequest<CodeLensParams, LspCodeLens[]>(session, "code lens", (text) => {
      const { uri } = text;
      const lenses = lensesOf(session, uri);
      list++;
      for (const each of unresolved.keys()) if (!texts.has(each)) unresolved.delete(each);
      if (lenses.length > maxResolvedLenses) unresolved.set(uri, { list, lenses });
      else unresolved.delete(uri);
      return lenses.map((lens, at) => ({
        range: toRange(text, lens.span),
        ...(at < maxResolvedLenses ? commandOf(uri, lens) : { data: [list, at] }),
      }));
    }),
  );
  connection.onCodeLensResolve((lens) =>
    guard("code lens resolve", lens, () => {
      const [of, at]: readonly (number | undefined)[] = lens.data;
      for (const [uri, { list, lenses }] of unresolved) {
        const match = list === of ? lenses[at ?? -1] : undefined;
        if (match) return { ...lens, ...commandOf(uri, match) };
      }
      return lens;
    })(),
  );
}

/** Returns the lenses that this editor has a command for. A notebook has buttons for some, and shows results by itself. */
function lensesOf({ client, service, notebookOf }: Session, uri: string): readonly CodeLens[] {
  const isCell = client.options.runsCells === true && notebookOf(uri) !== undefined;
  return service
    .codeLenses(uri)
    .filter(
      ({ action }) =>
        (isCell ? actionsInCells.has(action) : action !== "explain") && lensCommand(action, client) !== undefined,
    );
}
