import type { Connection, Diagnostic, Position } from "vscode-languageserver";
import type { LineColumn } from "../base/text.ts";
import type { FileDiagnostic } from "../features/diagnostics.ts";
import type { Service } from "../service/service.ts";
import { diagnosticSource } from "./actions.ts";
import { positionsIn } from "./filePosition.ts";
import { documented, severities } from "./problems.ts";
import type { Session } from "./session.ts";

/**
 * Shows what is wrong in files that the server reads and no editor hands over: those of endpoints. Pushed, as nobody
 * pulls for them.
 *
 * @returns To be called when they may have been read anew.
 */
export function fileProblems(
  connection: Connection,
  service: Pick<Service, "fileDiagnostics">,
  session: Pick<Session, "client" | "files">,
): () => Promise<void> {
  const told = new Map<string, string>();
  return async () => {
    const found = service.fileDiagnostics();
    for (const uri of new Set([...told.keys(), ...found.map((one) => one.uri)])) {
      const items = found.filter((one) => one.uri === uri);
      const key = JSON.stringify(items);
      if ((told.get(uri) ?? "[]") === key) continue;
      if (items.length > 0) told.set(uri, key);
      else told.delete(uri);
      const positionOf = items.length > 0 ? await positionsIn(session, uri) : undefined;
      const diagnostics = positionOf ? items.map((one) => toDiagnostic(one, session.client, positionOf)) : [];
      if ((told.get(uri) ?? "[]") === key) void connection.sendDiagnostics({ uri, diagnostics }); // else it is told later
    }
  };
}

function toDiagnostic(
  found: FileDiagnostic,
  client: Session["client"],
  positionOf: (place: LineColumn) => Position,
): Diagnostic {
  const { start, end, severity, code, message } = found;
  return {
    range: { start: positionOf(start), end: positionOf(end) },
    severity: severities[severity],
    code,
    ...documented(found, client),
    source: diagnosticSource,
    message,
  };
}
