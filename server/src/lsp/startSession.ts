import type { Connection, DocumentDiagnosticReport } from "vscode-languageserver";
import { createService } from "../service/service.ts";
import { type Client, refresher } from "./client.ts";
import { answerCodeActions } from "./codeActions.ts";
import { answerCodeLens } from "./codeLens.ts";
import { answerCompletion } from "./completion.ts";
import { Diagnostics } from "./diagnostics.ts";
import { followDocuments, OpenDocuments } from "./documents.ts";
import { answerExecuteCommand } from "./executeCommand.ts";
import { answerHover, answerInlayHints, answerSignatureHelp } from "./explanations.ts";
import { guardWith } from "./guard.ts";
import { hostOf, logOf, type Ports } from "./host.ts";
import { answerDefinition, answerHighlights, answerReferences, answerRename } from "./names.ts";
import { answerOwnRequests } from "./ownRequests.ts";
import { answerRuns, runs } from "./runs.ts";
import { answerSemanticTokens } from "./semanticTokens.ts";
import type { Session } from "./session.ts";
import { followSettings } from "./settings.ts";
import { answerFolding, answerFormatting, answerLinks, answerSelectionRanges, answerSymbols } from "./structure.ts";

const noDiagnostics: DocumentDiagnosticReport = { kind: "full", items: [] };

/** Opens the service for one editor, and answers with it from now on. */
export function startSession(connection: Connection, client: Client, ports: Ports, create = createService): void {
  const refresh = refresher(connection, client);
  const changed = (uri: string): void => diagnostics.affected(uri);
  const host = hostOf(connection, client, ports, changed, () => refresh("inlayHint"));
  const service = create(host);
  const { files } = host;
  const guard = guardWith(logOf(connection));
  const { clock } = ports;
  const texts = () => documents.texts;
  const diagnostics = new Diagnostics({ connection, service, texts, client, files, clock, refresh });
  const documents = new OpenDocuments(service, client.encoding, diagnostics);
  const session: Session = { connection, client, service, documents, files, guard };
  const editorRuns = runs(connection, service, () => refresh("codeLens", "inlayHint", "results"));
  followDocuments(connection, documents, guard);
  answerFeatures(session);
  answerRuns(session, editorRuns);
  answerOwnRequests(session);
  answerExecuteCommand(session, editorRuns);
  connection.languages.diagnostics.on(
    guard("diagnostics", noDiagnostics, ({ textDocument, previousResultId }) =>
      diagnostics.pull(textDocument.uri, previousResultId),
    ),
  );
  followSettings(session, ports, diagnostics);
  connection.onShutdown(() => {
    editorRuns.stop();
    service.stop();
  });
}

const features: readonly ((session: Session) => void)[] = [
  answerCodeActions,
  answerCodeLens,
  answerCompletion,
  answerDefinition,
  answerFolding,
  answerFormatting,
  answerHighlights,
  answerHover,
  answerInlayHints,
  answerLinks,
  answerReferences,
  answerRename,
  answerSelectionRanges,
  answerSemanticTokens,
  answerSignatureHelp,
  answerSymbols,
];

/** Answers the requests of the protocol about open texts: one file for each feature. */
export function answerFeatures(session: Session): void {
  for (const answer of features) answer(session);
}
