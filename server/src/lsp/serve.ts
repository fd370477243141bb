import type { Connection, DocumentDiagnosticReport, InitializeParams } from "vscode-languageserver";
import type { Host } from "../host.ts";
import type { InitializationOptions } from "../protocol.ts";
import type { Service } from "../service.ts";
import { answerActions } from "./actions.ts";
import { initializeResult } from "./capabilities.ts";
import { type Client, clientOf } from "./client.ts";
import { answerCommands } from "./commands.ts";
import { followDocuments } from "./documents.ts";
import { answerFormatting } from "./edits.ts";
import { fileProblems } from "./fileProblems.ts";
import { guardWith } from "./guard.ts";
import { type EditorHost, hostOf, logOf, type Ports } from "./host.ts";
import { answerMarks } from "./marks.ts";
import { answerNames } from "./names.ts";
import type { OpenText } from "./positions.ts";
import { type Problems, problems } from "./problems.ts";
import { answerReading } from "./reading.ts";
import { type Refresh, refresher } from "./refresh.ts";
import { runs } from "./runs.ts";
import type { Session } from "./session.ts";
import { followSettings } from "./settings.ts";
import { answerTyping } from "./typing.ts";

/**
 * Serves one editor over one connection, and decides nothing.
 *
 * @param connection - Made by the main for its platform; this function listens on it.
 * @param openPorts - Lends what the core needs of the platform, once the editor has said what it wants.
 * @param createService - The façade over everything that is not LSP.
 */
export function serve(
  connection: Connection,
  openPorts: (options: InitializationOptions) => Ports,
  createService: (host: Host) => Service,
): void {
  connection.onInitialize((params: InitializeParams) => {
    const client = clientOf(params);
    const ports = openPorts(client.options);
    let changed: Host["changed"] = () => {};
    const refresh = refresher(connection, client);
    const told = { changed: (uri: string) => changed(uri), hinted: () => refresh("inlayHint") };
    const host = hostOf(connection, client, ports, told);
    changed = startSession(connection, client, createService(host), host, ports, refresh).affected;
    return initializeResult(client);
  });
  connection.listen();
}

const noProblems: DocumentDiagnosticReport = { kind: "full", items: [] };

/** @returns What to tell of documents that changed without a change of their text. */
function startSession(
  connection: Connection,
  client: Client,
  service: Service,
  host: EditorHost,
  ports: Ports,
  refresh: Refresh,
): Problems {
  const guard = guardWith(logOf(connection));
  const texts = new Map<string, OpenText>();
  const pushFiles = fileProblems(connection, service, { client, files: host.files });
  const shown = problems(connection, service, texts, client, ports.clock, refresh, pushFiles);
  const notebookOf = followDocuments(connection, service, texts, client.encoding, guard, shown);
  const session: Session = { connection, client, service, texts, files: host.files, notebookOf, guard };
  answerTyping(session);
  answerReading(session);
  answerNames(session);
  answerActions(session);
  answerFormatting(session);
  answerMarks(session);
  answerCommands(
    session,
    runs(connection, service, () => refresh("codeLens", "inlayHint", "results")),
  );
  connection.languages.diagnostics.on(
    guard("diagnostics", noProblems, ({ textDocument, previousResultId }) =>
      shown.pull(textDocument.uri, previousResultId),
    ),
  );
  followSettings(session, ports, shown);
  return shown;
}
