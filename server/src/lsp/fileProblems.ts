import type { Connection, Diagnostic } from "vscode-languageserver";
import type { FileDiagnostic } from "../features/diagnostics.ts";
import type { Service } from "../service.ts";
import { diagnosticSource } from "./actions.ts";
import { positionInFile } from "./filePosition.ts";
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
      const diagnostics = await Promise.all(items.map((one) => toDiagnostic(session, one)));
      if ((told.get(uri) ?? "[]") === key) void connection.sendDiagnostics({ uri, diagnostics }); // else it is told later
    }
  };
}

async function toDiagnostic(session: Pick<Session, "client" | "files">, found: FileDiagnostic): Promise<Diagnostic> {
  const { uri, start, end, severity, code, message } = found;
  return {
    range: { start: await positionInFile(session, uri, start), end: await positionInFile(session, uri, end) },
    severity: severities[severity],
    code,
    ...documented(found, session.client),
    source: diagnosticSource,
    message,
  };
}
