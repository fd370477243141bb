import type { Connection, Diagnostic, Position } from "vscode-languageserver";
import type { LineColumn } from "../base/text.ts";
import type { FileDiagnostic } from "../features/diagnostics.ts";
import type { Service } from "../service/service.ts";
import { diagnosticSource, documented, severities } from "./diagnosticFields.ts";
import { positionsIn } from "./filePosition.ts";
import type { Session } from "./session.ts";

/**
 * Sends the diagnostics of files that the server reads itself: those of endpoints. No editor pulls diagnostics of
 * files that it has not opened.
 *
 * @returns A function to call when the files may have been read again.
 */
export function fileDiagnostics(
  connection: Connection,
  service: Pick<Service, "fileDiagnostics">,
  session: Pick<Session, "client" | "files">,
): () => Promise<void> {
  const sent = new Map<string, string>();
  return async () => {
    const all = service.fileDiagnostics();
    for (const uri of new Set([...sent.keys(), ...all.map((one) => one.uri)])) {
      const items = all.filter((one) => one.uri === uri);
      const key = JSON.stringify(items);
      if ((sent.get(uri) ?? "[]") === key) continue;
      if (items.length > 0) sent.set(uri, key);
      else sent.delete(uri);
      const positionOf = items.length > 0 ? await positionsIn(session, uri) : undefined;
      const diagnostics = positionOf ? items.map((one) => toDiagnostic(one, session.client, positionOf)) : [];
      const isNewest = (sent.get(uri) ?? "[]") === key; // else a later call sends them
      if (isNewest) void connection.sendDiagnostics({ uri, diagnostics });
    }
  };
}

function toDiagnostic(
  diagnostic: FileDiagnostic,
  client: Session["client"],
  positionOf: (place: LineColumn) => Position,
): Diagnostic {
  const { start, end, severity, code, message } = diagnostic;
  return {
    range: { start: positionOf(start), end: positionOf(end) },
    severity: severities[severity],
    code,
    ...documented(diagnostic, client),
    source: diagnosticSource,
    message,
  };
}
