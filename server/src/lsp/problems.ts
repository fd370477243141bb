import type { Connection, Diagnostic, DocumentDiagnosticReport } from "vscode-languageserver";
import type { Clock } from "../base/ports.ts";
import type { Service } from "../service.ts";
import type { Client } from "./client.ts";
import { toDiagnostic } from "./convert.ts";
import type { DocumentEvents, Texts } from "./documents.ts";

/** Shows problems: pushed to editors that do not pull, pulled by the others. */
export interface Problems extends DocumentEvents {
  /** Something that all documents depend on has changed: settings, endpoints, trust. */
  allAffected(): void;
  pull(uri: string): Promise<DocumentDiagnosticReport>;
}

/** Milliseconds without a change after which the other cells are looked at. */
const quiet = 150;
/** Milliseconds of looking, after which requests get their turn. */
const turn = 8;

export function problems(
  connection: Connection,
  service: Service,
  texts: Texts,
  client: Client,
  clock: Clock,
): Problems {
  /** What the editor was told last, by document. */
  const told = new Map<string, string>();
  /** What has to be looked at once it is quiet. */
  const due = new Set<string>();
  let waiting: AbortController | undefined;
  /** The editor shows something that is no longer so. */
  let stale = false;

  const current = (uri: string): readonly Diagnostic[] => {
    const document = texts.get(uri);
    return document ? service.diagnostics(uri).map((problem) => toDiagnostic(document, problem)) : [];
  };
  const push = (uri: string): void => {
    const diagnostics = current(uri);
    const key = JSON.stringify(diagnostics);
    if (told.get(uri) === key || (diagnostics.length === 0 && !told.has(uri))) return;
    told.set(uri, key);
    const version = texts.get(uri)?.version;
    void connection.sendDiagnostics({ uri, diagnostics: [...diagnostics], ...(version !== undefined && { version }) });
  };
  /** @returns Whether the editor has to pull again. */
  const settle = (uri: string): boolean => {
    if (!client.pullsDiagnostics) push(uri);
    else return told.has(uri) && told.get(uri) !== JSON.stringify(current(uri));
    return false;
  };
  const settleDue = async (signal: AbortSignal): Promise<void> => {
    await clock.sleep(quiet, signal);
    let since = clock.now();
    for (const uri of due) {
      if (clock.now() - since > turn) {
        await clock.sleep(0, signal);
        since = clock.now();
      }
      if (!signal.aborted) await service.settled(uri);
      if (signal.aborted) return;
      due.delete(uri);
      stale = settle(uri) || stale;
    }
    if (!stale || !client.refreshesDiagnostics) return;
    stale = false;
    await connection.languages.diagnostics.refresh();
  };
  const later = (uris: readonly string[]): void => {
    for (const uri of uris) due.add(uri);
    waiting?.abort();
    waiting = new AbortController();
    settleDue(waiting.signal).catch(() => connection.console.error("Problems could not be refreshed."));
  };
  return {
    changed(uri) {
      if (!client.pullsDiagnostics) push(uri);
      later(service.siblings(uri).filter((other) => other !== uri && texts.has(other)));
    },
    affected: (uri) => later(service.siblings(uri).filter((other) => texts.has(other))),
    closed(uri) {
      if (!client.pullsDiagnostics && told.has(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
      told.delete(uri);
      due.delete(uri);
    },
    allAffected: () => later([...texts.keys()]),
    async pull(uri) {
      await service.settled(uri);
      const items = current(uri);
      told.set(uri, JSON.stringify(items));
      return { kind: "full", items: [...items] };
    },
  };
}
