import type { Connection, DocumentDiagnosticReport } from "vscode-languageserver";
import { createService } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { answerActions } from "./actions.ts";
import type { Client } from "./client.ts";
import { answerCommands } from "./commands.ts";
import { followDocuments } from "./documents.ts";
import { answerFormatting } from "./edits.ts";
import { fileProblems } from "./fileProblems.ts";
import { guardWith } from "./guard.ts";
import { hostOf, logOf, type Ports } from "./host.ts";
import { answerMarks } from "./marks.ts";
import { answerNames } from "./names.ts";
import type { OpenText } from "./positions.ts";
import { problems } from "./problems.ts";
import { answerReading } from "./reading.ts";
import { refresher } from "./refresh.ts";
import { runs } from "./runs.ts";
import type { Session } from "./session.ts";
import { followSettings } from "./settings.ts";
import { answerTyping } from "./typing.ts";

const noProblems: DocumentDiagnosticReport = { kind: "full", items: [] };

/** Opens the service for one editor, and answers with it from now on. */
export function startSession(connection: Connection, client: Client, ports: Ports, create = createService): void {
  let changed: Host["changed"] = () => {};
  const refresh = refresher(connection, client);
  const told = { changed: (uri: string) => changed(uri), hinted: () => refresh("inlayHint") };
  const host = hostOf(connection, client, ports, told);
  const service = create(host);
  const guard = guardWith(logOf(connection));
  const texts = new Map<string, OpenText>();
  const pushFiles = fileProblems(connection, service, { client, files: host.files });
  const shown = problems(connection, service, texts, client, ports.clock, refresh, pushFiles);
  changed = shown.affected;
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
}
