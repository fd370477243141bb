import {
  type CancellationToken,
  Disposable,
  type Disposable as DisposableType,
  EventEmitter,
  l10n,
  languages,
  TabInputText,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import type { CellRef } from "../../server/src/notebook/cell.ts";
import type { CellFinished } from "../../server/src/protocol/runs.ts";
import type { CellOutput } from "../../server/src/report/report.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import { nextRunId } from "./executions.ts";
import type { Server } from "./languageClient.ts";
import { showProgress } from "./messages.ts";
import { resultLanguage, resultScheme } from "./names.ts";
import { cellAt, runCell } from "./notebook.ts";
import { brokenOff } from "./output.ts";
import type { Tests } from "./tests.ts";

type TextOf = (token: CancellationToken) => Promise<string | undefined>;
type Ask = (token: CancellationToken) => Promise<CellOutput | null>;

export type TextView = ReturnType<typeof textView>;

/** Runs cells of a text and shows their results in one document beside it. */
export function textView(server: Server, picker: EndpointPicker, tests: Tests) {
  const result = resultDocument();
  const work = async (document: Uri, title: string, textOf: TextOf, confirm = async () => true): Promise<void> => {
    const text = await picker
      .withEndpoint(document, async () => ((await confirm()) ? showProgress(title, textOf) : undefined))
      .catch(() => brokenOff().text);
    if (text !== undefined) await result.show(text);
  };
  const run = (document: Uri, title: string, cells: Omit<TextRun, "document">): Promise<void> =>
    work(document, title, (token) => runText(server, tests, { document, ...cells }, token));
  return Object.assign(Disposable.from(result), {
    /** @param index - Ordinal of the cell among the cells of the text; `undefined` for all of them. */
    run: async (document: Uri, index: number | undefined): Promise<void> => {
      if (await runInNotebook(document)) return;
      if (index === undefined) await run(document, l10n.t("Running all cells"), { indices: undefined });
      else await run(document, l10n.t("Running the cell"), { indices: [index] });
    },
    /** Runs a cell, and shows the calls inside its calls. */
    trace: (document: Uri, index: number): Promise<void> =>
      run(document, l10n.t("Running the cell"), { indices: [index], trace: true }),
    /** Runs all cells from the first one to this one. */
    runTo: (document: Uri, index: number): Promise<void> => {
      const indices = Array.from({ length: index + 1 }, (_, ordinal) => ordinal);
      return run(document, l10n.t("Running the cells up to here"), { indices });
    },
    /**
     * Asks the server for something that needs the endpoint of a document, and shows the result.
     *
     * @param confirm - Called when the endpoint is chosen, before anything is asked.
     */
    report: (document: Uri, title: string, ask: Ask, confirm?: () => Promise<boolean>) =>
      work(document, title, (token) => reportText(ask, token), confirm),
    /** Shows a text in the document of results. */
    show: result.show,
  });
}

interface TextRun {
  readonly document: Uri;
  /** Ordinals of the cells to run; `undefined` for all. */
  readonly indices: readonly number[] | undefined;
  /** The calls inside their calls are shown. */
  readonly trace?: true;
}

/** @returns The text to show; `undefined` if the run was cancelled before the first result. */
async function runText(
  server: Server,
  tests: Tests,
  { document, indices, trace }: TextRun,
  token: CancellationToken,
): Promise<string | undefined> {
  const runId = nextRunId();
  const cells: readonly CellRef[] | undefined = indices?.map((index) => ({ index }));
  const finished: CellFinished[] = [];
  const listener = server.on("rpcNotebook/cellFinished", (event) => event.runId === runId && finished.push(event));
  try {
    const params = { runId, uri: document.toString(), keep: true, ...(cells && { cells }), ...(trace && { trace }) };
    await server.request("rpcNotebook/run", params, token);
  } catch {
    // Refused because of the cancellation, or there is no server any more; the client has logged which.
    if (!token.isCancellationRequested) return brokenOff().text;
  } finally {
    listener.dispose();
  }
  void tests.show(document, finished);
  return resultText(finished, indices, l10n.t("JSON-RPC answer:"));
}

async function reportText(ask: Ask, token: CancellationToken): Promise<string | undefined> {
  try {
    return (await ask(token))?.text;
  } catch {
    return token.isCancellationRequested ? undefined : brokenOff().text; // as in `runText`
  }
}

/** A lens inside a notebook's cell runs the cell as the notebook's own button does. */
async function runInNotebook(document: Uri): Promise<boolean> {
  const cell = cellAt(document.toString());
  if (cell) await runCell(cell);
  return cell !== undefined;
}

/** One read-only document that every run reuses; it opens beside, wraps its lines, and leaves the cursor where it is. */
function resultDocument(): DisposableType & { show(text: string): Promise<void> } {
  const uri = Uri.from({ scheme: resultScheme, path: `/${l10n.t("RPC result")}.txt` });
  const changed = new EventEmitter<Uri>();
  let text = "";
  const provider = workspace.registerTextDocumentContentProvider(resultScheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: () => text,
  });
  return Object.assign(Disposable.from(provider, changed), {
    async show(next: string) {
      text = next;
      changed.fire(uri);
      const document = await languages.setTextDocumentLanguage(
        await workspace.openTextDocument(uri),
        resultLanguage, // its default settings wrap lines
      );
      const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
      const open = tabs.find(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString());
      await window.showTextDocument(document, {
        viewColumn: open?.group.viewColumn ?? ViewColumn.Beside,
        preserveFocus: true,
        preview: true,
      });
    },
  });
}

const line = "─".repeat(72);

/**
 * Writes the results of a run as one text.
 *
 * @param indices - Ordinals of the cells to run; `undefined` for all. The results of cells that they refer to are shown only
 *   if none of these has one.
 * @returns `undefined` without a result.
 */
export function resultText(
  finished: readonly CellFinished[],
  indices: readonly number[] | undefined,
  answerTitle: string,
): string | undefined {
  const chosen = finished.filter(
    ({ cell }) => indices === undefined || ("index" in cell && indices.includes(cell.index)),
  );
  const shown = chosen.length > 0 ? chosen : finished;
  if (shown.length === 0) return undefined;
  return shown.map((cell) => resultBlock(cell, answerTitle)).join(`\n\n${line}\n\n`);
}

function resultBlock({ output }: CellFinished, answerTitle: string): string {
  const json = output.json === "" ? "" : `\n\n${answerTitle}\n${output.json}`;
  return `${output.text.trimEnd()}${json}`;
}
