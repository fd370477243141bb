import {
  type Connection,
  DiagnosticSeverity,
  type DocumentDiagnosticReport,
  type Diagnostic as LspDiagnostic,
} from "vscode-languageserver";
import type { Clock } from "../base/ports.ts";
import type { Diagnostic } from "../features/diagnostics.ts";
import type { Service } from "../service/service.ts";
import { diagnosticSource } from "./actions.ts";
import type { Client } from "./client.ts";
import { toRange } from "./convert.ts";
import type { DocumentEvents, Texts } from "./documents.ts";
import type { OpenText } from "./positions.ts";
import type { Refresh } from "./refresh.ts";

/** Shows problems: pushed to editors that do not pull, pulled by the others. */
export interface Problems extends DocumentEvents {
  /** Something that all documents depend on has changed: settings, endpoints, trust. */
  allAffected(): void;
  /** @param previousResultId - Names the report that the editor has. */
  pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport>;
}

/** What an editor was told of a document. */
interface Report {
  /** Another one for every change of what it says. */
  readonly id: string;
  readonly found: readonly Diagnostic[];
  readonly items: readonly LspDiagnostic[];
  /** The items as text, which tells whether they are others. */
  readonly key: string;
}

/** Milliseconds without a change after which the other cells are looked at. */
const quiet = 150;
/** Characters of a text that is looked at only when it is quiet: what is typed next must not wait for that. */
const long = 500_000;
/** Milliseconds of looking, after which requests get their turn. */
const turn = 8;

export function problems(
  connection: Connection,
  service: Service,
  texts: Texts,
  client: Client,
  clock: Clock,
  refresh: Refresh,
  pushFiles: () => Promise<void>,
): Problems {
  const told = new Map<string, Report>();
  /** Documents that have to be looked at once it is quiet: a text, or the cells of a notebook. */
  const due = new Set<readonly string[]>();
  let reports = 0;
  let waiting: AbortController | undefined;
  /** The editor shows something that is no longer so. */
  let stale = false;

  const look = (uri: string): Report => {
    const before = told.get(uri);
    const text = texts.get(uri);
    const found = text ? service.diagnostics(uri) : [];
    if (before?.found === found) return before;
    const items = text ? found.map((problem) => toDiagnostic(text, problem, client)) : [];
    const key = JSON.stringify(items);
    return before?.key === key ? { ...before, found } : { id: String(++reports), found, items, key };
  };
  const push = (uri: string): void => {
    const before = told.get(uri);
    const now = look(uri);
    told.set(uri, now);
    if (now.id === before?.id || (!before && now.items.length === 0)) return;
    const version = texts.get(uri)?.version;
    void connection.sendDiagnostics({ uri, diagnostics: [...now.items], ...(version !== undefined && { version }) });
  };
  const settle = (uri: string): void => {
    if (!texts.has(uri)) return;
    if (!client.pullsDiagnostics) push(uri);
    else if (told.has(uri) && look(uri).id !== told.get(uri)?.id) stale = true;
  };
  const settleDue = async (signal: AbortSignal): Promise<void> => {
    await clock.sleep(quiet, signal);
    let since = clock.now();
    for (const uris of due) {
      if (!signal.aborted && uris[0] !== undefined) await service.settled(uris[0]);
      for (const uri of uris) {
        if (clock.now() - since > turn) {
          await clock.sleep(0, signal);
          since = clock.now();
        }
        if (signal.aborted) return;
        settle(uri);
      }
      due.delete(uris);
    }
    refresh("codeLens", "inlayHint", "semanticTokens", "results", ...(stale ? (["diagnostics"] as const) : []));
    stale = false;
    await pushFiles();
  };
  const later = (...groups: readonly (readonly string[])[]): void => {
    for (const uris of groups) due.add(uris);
    waiting?.abort();
    waiting = new AbortController();
    settleDue(waiting.signal).catch(() => connection.console.error("Problems could not be refreshed."));
  };
  return {
    changed(uri) {
      const siblings = service.siblings(uri);
      const waits = (texts.get(uri)?.text().length ?? 0) > long;
      if (!client.pullsDiagnostics && !waits) push(uri);
      if (siblings.length > 1 || (waits && !client.pullsDiagnostics)) later(siblings);
    },
    affected: (uri) => later(service.siblings(uri)),
    closed(uri) {
      if (!client.pullsDiagnostics && told.get(uri)?.items.length)
        void connection.sendDiagnostics({ uri, diagnostics: [] });
      told.delete(uri);
      later(); // of the files beside it nothing is said any more
    },
    allAffected: () => later(...new Set([...texts.keys()].map(service.siblings))),
    async pull(uri, previousResultId) {
      await service.settled(uri);
      const report = look(uri);
      told.set(uri, report);
      const { id, items } = report;
      if (id === previousResultId) return { kind: "unchanged", resultId: id };
      return { kind: "full", resultId: id, items: [...items] };
    },
  };
}

export const severities: Readonly<Record<Diagnostic["severity"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Where it is explained, for an editor that says where the documentation is. */
export function documented(
  { docs }: Pick<Diagnostic, "docs">,
  { options }: Client,
): { readonly codeDescription?: { readonly href: string } } {
  if (options.docs === undefined || docs === undefined) return {};
  return { codeDescription: { href: new URL(docs, options.docs).href } };
}

function toDiagnostic(text: OpenText, problem: Diagnostic, client: Client): LspDiagnostic {
  const { span, severity, code, message } = problem;
  return {
    range: toRange(text, span),
    severity: severities[severity],
    code,
    ...documented(problem, client),
    source: diagnosticSource,
    message,
  };
}
