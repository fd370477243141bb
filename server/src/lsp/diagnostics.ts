import {
  type Connection,
  DiagnosticSeverity,
  type DocumentDiagnosticReport,
  type Diagnostic as LspDiagnostic,
  type Position,
} from "vscode-languageserver";
import type { Clock } from "../base/ports.ts";
import type { LineColumn } from "../base/text.ts";
import type { Diagnostic, FileDiagnostic } from "../features/diagnostics.ts";
import type { Service } from "../service/service.ts";
import type { Client, Refresh } from "./client.ts";
import type { DocumentEvents, Texts } from "./documents.ts";
import { positionsIn } from "./locations.ts";
import { type OpenText, toRange } from "./positions.ts";
import type { FileSession } from "./session.ts";

/** The last diagnostics of a document that the editor has. */
interface Report {
  /** Changes when the items change. */
  readonly id: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly items: readonly LspDiagnostic[];
  /** The items as JSON, to compare them. */
  readonly key: string;
}

/** Milliseconds without a change after which the other cells are checked. */
const quietMs = 150;
/** Characters of a text that is checked only after {@link quietMs}: typing must not wait for it. */
const longText = 500_000;
/** Milliseconds of checking after which requests get their turn. */
const turnMs = 8;

interface DiagnosticsHost extends FileSession {
  readonly connection: Connection;
  readonly service: Service;
  texts(): Texts;
  readonly clock: Clock;
  readonly refresh: Refresh;
}

/** Sends diagnostics to editors that do not pull them, and answers those that do. */
export class Diagnostics implements DocumentEvents {
  readonly #host: DiagnosticsHost;
  readonly #reports = new Map<string, Report>();
  /** Documents to check after a pause: each a text, or the cells of a notebook. */
  readonly #pending = new Set<readonly string[]>();
  #lastId = 0;
  #waiting: AbortController | undefined;
  /** The editor shows a report that is no longer right. */
  #isStale = false;
  /** Sends the diagnostics of files that are not open. */
  readonly #pushFiles: () => Promise<void>;

  constructor(host: DiagnosticsHost) {
    this.#host = host;
    this.#pushFiles = fileDiagnostics(host);
  }

  changed(uri: string): void {
    const { service, client } = this.#host;
    const siblings = service.siblings(uri);
    const isLong = (this.#text(uri)?.text().length ?? 0) > longText;
    if (!client.pullsDiagnostics && !isLong) this.#push(uri);
    if (siblings.length > 1 || (isLong && !client.pullsDiagnostics)) this.#checkLater(siblings);
  }

  affected(uri: string): void {
    this.#checkLater(this.#host.service.siblings(uri));
  }

  closed(uri: string): void {
    const { client, connection } = this.#host;
    if (!client.pullsDiagnostics && this.#reports.get(uri)?.items.length)
      void connection.sendDiagnostics({ uri, diagnostics: [] });
    this.#reports.delete(uri);
    this.#checkLater(); // the files that only this document refers to have no diagnostics any more
  }

  /** Checks all documents: settings, endpoints or trust have changed. */
  allAffected(): void {
    const { service, texts } = this.#host;
    this.#checkLater(...new Set([...texts().keys()].map(service.siblings)));
  }

  /** @param previousResultId - Names the report that the editor has. */
  async pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
    await this.#host.service.settled(uri);
    const report = this.#check(uri);
    this.#reports.set(uri, report);
    const { id, items } = report;
    if (id === previousResultId) return { kind: "unchanged", resultId: id };
    return { kind: "full", resultId: id, items: [...items] };
  }

  #text(uri: string): OpenText | undefined {
    return this.#host.texts().get(uri);
  }

  #check(uri: string): Report {
    const before = this.#reports.get(uri);
    const text = this.#text(uri);
    const diagnostics = text ? this.#host.service.diagnostics(uri) : [];
    if (before?.diagnostics === diagnostics) return before;
    const items = text ? diagnostics.map((one) => toDiagnostic(text, one, this.#host.client)) : [];
    const key = JSON.stringify(items);
    return before?.key === key ? { ...before, diagnostics } : { id: String(++this.#lastId), diagnostics, items, key };
  }

  #push(uri: string): void {
    const before = this.#reports.get(uri);
    const now = this.#check(uri);
    this.#reports.set(uri, now);
    if (now.id === before?.id || (!before && now.items.length === 0)) return;
    const version = this.#text(uri)?.version;
    const params = { uri, diagnostics: [...now.items], ...(version !== undefined && { version }) };
    void this.#host.connection.sendDiagnostics(params);
  }

  #settle(uri: string): void {
    if (!this.#text(uri)) return;
    if (!this.#host.client.pullsDiagnostics) this.#push(uri);
    else if (this.#reports.has(uri) && this.#check(uri).id !== this.#reports.get(uri)?.id) this.#isStale = true;
  }

  #checkLater(...groups: readonly (readonly string[])[]): void {
    for (const uris of groups) this.#pending.add(uris);
    this.#waiting?.abort();
    this.#waiting = new AbortController();
    this.#checkPending(this.#waiting.signal).catch(() =>
      this.#host.connection.console.error("Diagnostics could not be refreshed."),
    );
  }

  async #checkPending(signal: AbortSignal): Promise<void> {
    const { clock, service, refresh } = this.#host;
    await clock.sleep(quietMs, signal);
    let since = clock.now();
    for (const uris of this.#pending) {
      if (!signal.aborted && uris[0] !== undefined) await service.settled(uris[0]);
      for (const uri of uris) {
        if (clock.now() - since > turnMs) {
          await clock.sleep(0, signal);
          since = clock.now();
        }
        if (signal.aborted) return;
        this.#settle(uri);
      }
      this.#pending.delete(uris);
    }
    const stale = this.#isStale ? (["diagnostics"] as const) : [];
    this.#isStale = false;
    refresh("codeLens", "inlayHint", "semanticTokens", "results", ...stale);
    await this.#pushFiles();
  }
}

function toDiagnostic(text: OpenText, diagnostic: Diagnostic, client: Client): LspDiagnostic {
  const { span, severity, code, message } = diagnostic;
  return {
    range: toRange(text, span),
    severity: severities[severity],
    code,
    ...documented(diagnostic.docs, client),
    source: diagnosticSource,
    message,
  };
}

/** The `source` of our diagnostics. */
export const diagnosticSource = "rpc-notebook";

const severities: Readonly<Record<Diagnostic["severity"], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Returns the link to the documentation of a problem, if the editor has said where the documentation is. */
function documented(
  docs: string | undefined,
  { options }: Client,
): { readonly codeDescription?: { readonly href: string } } {
  if (options.docs === undefined || docs === undefined) return {};
  return { codeDescription: { href: new URL(docs, options.docs).href } };
}

/**
 * Sends the diagnostics of files that the server reads itself: those of endpoints. No editor pulls diagnostics of
 * files that it has not opened.
 *
 * @returns A function to call when the files may have been read again.
 */
function fileDiagnostics({ connection, service, ...session }: DiagnosticsHost): () => Promise<void> {
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
      const diagnostics = positionOf ? items.map((one) => toFileDiagnostic(one, session.client, positionOf)) : [];
      const isNewest = (sent.get(uri) ?? "[]") === key; // else a later call sends them
      if (isNewest) void connection.sendDiagnostics({ uri, diagnostics });
    }
  };
}

function toFileDiagnostic(
  diagnostic: FileDiagnostic,
  client: Client,
  positionOf: (place: LineColumn) => Position,
): LspDiagnostic {
  const { start, end, severity, code, message } = diagnostic;
  return {
    range: { start: positionOf(start), end: positionOf(end) },
    severity: severities[severity],
    code,
    ...documented(diagnostic.docs, client),
    source: diagnosticSource,
    message,
  };
}
