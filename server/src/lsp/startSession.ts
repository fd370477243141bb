import type { Connection, DocumentDiagnosticReport } from "vscode-languageserver";
import { createService } from "../service/service.ts";
import { type Client, refresher } from "./client.ts";
import { Diagnostics, fileDiagnostics } from "./diagnostics.ts";
import { followDocuments, OpenDocuments } from "./documents.ts";
import { answerExecuteCommand } from "./executeCommand.ts";
import { answerFeatures } from "./features.ts";
import { guardWith } from "./guard.ts";
import { hostOf, logOf, type Ports } from "./host.ts";
import { answerOwnRequests } from "./ownRequests.ts";
import { runs } from "./runs.ts";
import type { Session } from "./session.ts";
import { followSettings } from "./settings.ts";

const noDiagnostics: DocumentDiagnosticReport = { kind: "full", items: [] };

/** Opens the service for one editor, and answers with it from now on. */
export function startSession(connection: Connection, client: Client, ports: Ports, create = createService): void {
  const refresh = refresher(connection, client);
  const host = hostOf(connection, client, ports, {
    changed: (uri) => diagnostics.affected(uri),
    hinted: () => refresh("inlayHint"),
  });
  const service = create(host);
  const { files } = host;
  const guard = guardWith(logOf(connection));
  const pushFiles = fileDiagnostics(connection, service, { client, files });
  const { clock } = ports;
  const texts = () => documents.texts;
  const diagnostics = new Diagnostics({ connection, service, texts, client, clock, refresh, pushFiles });
  const documents = new OpenDocuments(service, client.encoding, diagnostics);
  const notebookOf = (uri: string) => documents.notebookOf(uri);
  const session: Session = { connection, client, service, texts: documents.texts, files, guard, notebookOf };
  const running = runs(connection, service, () => refresh("codeLens", "inlayHint", "results"));
  followDocuments(connection, documents, guard);
  answerFeatures(session);
  answerOwnRequests(session, running);
  answerExecuteCommand(session, running);
  connection.languages.diagnostics.on(
    guard("diagnostics", noDiagnostics, ({ textDocument, previousResultId }) =>
      diagnostics.pull(textDocument.uri, previousResultId),
    ),
  );
  followSettings(session, ports, diagnostics);
  connection.onShutdown(() => {
    running.stop();
    service.showWatches(false);
  });
}
