import type { DocumentPasteEditProvider, TextDocument } from "vscode";
import {
  commands,
  Disposable,
  DocumentDropOrPasteEditKind,
  l10n,
  languages,
  NotebookCellData,
  NotebookCellKind,
  NotebookEdit,
  Range,
  WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import type { ImportResult } from "../../server/src/protocol/conversion.ts";
import type { Server } from "./languageClient.ts";
import { inform } from "./messages.ts";
import { cellLanguage } from "./names.ts";
import { requestCell } from "./notebook.ts";
import { labelText } from "./plainText.ts";

/** A paste that is not in its cell yet. */
interface PendingPaste {
  readonly document: TextDocument;
  readonly raw: string;
  readonly converted: ImportResult;
}

/**
 * Converts requests, values and error messages that are pasted into an empty cell. The editor first inserts the text as it is, and the conversion is
 * an edit of its own: one Undo brings the text back.
 */
export function registerPasteConversion(server: Server): Disposable {
  let pending: PendingPaste | undefined;
  const provider: DocumentPasteEditProvider = {
    async provideDocumentPasteEdits(document, ranges, dataTransfer, _context, token) {
      const raw = lines((await dataTransfer.get("text/plain")?.asString()) ?? "");
      if (!replacesAll(document, ranges) || !mayBeRequest(raw)) return undefined;
      const converted = await server.request("rpcNotebook/import", { uri: document.uri.toString(), text: raw }, token);
      pending = converted.summary === undefined ? undefined : { document, raw, converted };
      return undefined;
    },
  };
  const kind = DocumentDropOrPasteEditKind.Text.append("rpcRequest");
  return Disposable.from(
    languages.registerDocumentPasteEditProvider({ language: cellLanguage }, provider, {
      providedPasteEditKinds: [kind],
      pasteMimeTypes: ["text/plain"],
    }),
    workspace.onDidChangeTextDocument(({ document }) => {
      const paste = pending;
      if (paste?.document !== document) return;
      pending = undefined;
      if (lines(document.getText()) === paste.raw) void convert(paste);
    }),
  );
}

function lines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Whether a paste leaves nothing of the cell. */
function replacesAll(document: TextDocument, ranges: readonly Range[]): boolean {
  const before = document.getText();
  const [range] = ranges;
  return ranges.length === 1 && range !== undefined && document.getText(range).trim() === before.trim();
}

/** Longer texts are files: the command line imports them. */
const maxLength = 200_000;

/** Whether it is worth asking the server. Cells of a notebook are pasted as they are. */
export function mayBeRequest(text: string): boolean {
  if (text.length > maxLength) return false;
  if (/^\s*[[{]/.test(text) && /"(?:method|batch|markdown|cells)"/.test(text)) return text.includes('"jsonrpc"');
  return /\bcurl\b|\bcast\b|\b(?:fetch|axios|post|send|request|make_request)\s*\(|^(?:GET|POST)\s|0x[\da-fA-F]{8}|^\s*https?:\/\/|^\s*[\da-fA-F]{64}\s*$|^\s*0x[\da-fA-F]+\s*$/m.test(
    text,
  );
}

/** Replaces the pasted text with its first request, and inserts the other cells around it. */
async function convert({
  document,
  converted: { cells, summary = "", notes, needsEndpoint },
}: PendingPaste): Promise<void> {
  const first = cells.findIndex(({ kind }) => kind === "request");
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), cells[first]?.text ?? "");
  const notebook = workspace.notebookDocuments.find((one) => one.getCells().some((cell) => cell.document === document));
  const at = notebook?.getCells().findIndex((cell) => cell.document === document) ?? -1;
  if (notebook && cells.length > 1) {
    edit.set(notebook.uri, [
      NotebookEdit.insertCells(at + 1, toCells(cells.slice(first + 1))),
      NotebookEdit.insertCells(at, toCells(cells.slice(0, first))),
    ]);
  }
  if (!(await workspace.applyEdit(edit))) return;
  window.setStatusBarMessage(`${labelText(summary)} ${l10n.t("Undo restores the text.")}`, 10_000);
  if (notes.length > 0) await showNotes([summary, ...notes], needsEndpoint);
}

/** Says what was left out, and offers to choose the endpoint that was. */
export async function showNotes(lines: readonly string[], needsEndpoint: true | undefined): Promise<void> {
  const choose = l10n.t("Choose Endpoint");
  const choice = await inform(lines.join("\n"), ...(needsEndpoint ? [choose] : []));
  if (choice === choose) await commands.executeCommand("rpcNotebook.pickEndpoint");
}

export function toCells(cells: ImportResult["cells"]): NotebookCellData[] {
  return cells.map(({ kind, text }) =>
    kind === "markdown" ? new NotebookCellData(NotebookCellKind.Markup, text, "markdown") : requestCell(text),
  );
}
