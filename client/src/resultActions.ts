import {
  commands,
  type Disposable,
  env,
  type NotebookCell,
  type NotebookDocument,
  type NotebookEditor,
  NotebookRange,
  notebooks,
  Range,
  Selection,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import type { FromRenderer, ResultAction, ToRenderer } from "../../server/src/protocol/runs.ts";
import type { Action } from "../../server/src/report/report.ts";
import { explainBelow } from "./explain.ts";
import type { Server } from "./languageClient.ts";
import { lookUpNames } from "./lookup.ts";
import { notebookType } from "./names.ts";
import { runCell } from "./notebook.ts";
import { saveProfile, saveRows } from "./saveRows.ts";

/** Does what a person asked for in a result: by a button of a failure, or in the menu of an address or a hash. */
async function performInResult(server: Server, notebook: NotebookDocument, result: ResultAction): Promise<void> {
  switch (result.kind) {
    case "label":
      return commands.executeCommand("rpcNotebook.labelAddress", result.address);
    case "look-up":
      return commands.executeCommand("rpcNotebook.lookUpContract", result.address);
    case "open-source":
      return commands.executeCommand("rpcNotebook.openSource", result.address);
    case "watch":
      return commands.executeCommand("rpcNotebook.watchAddress", result.address);
    case "open": {
      const page = Uri.parse(result.page);
      if (page.scheme === "https") await env.openExternal(page);
      return;
    }
    case "save-rows":
      return saveRows(server, notebook, cellOf(notebook, result.output), result);
    case "save-profile":
      return saveProfile(server, notebook, cellOf(notebook, result.output), result.rest);
    case "about":
      return explainBelow(server, notebook, cellOf(notebook, result.output), result.value, false);
    case "action": {
      const cell = cellOf(notebook, result.output);
      if (cell) await perform(server, cell, result.action);
    }
  }
}

/** The cell that shows an output. Its metadata identifies it. */
function cellOf(notebook: NotebookDocument, output: string): NotebookCell | undefined {
  return notebook.getCells().find((cell) => cell.outputs.some(({ metadata }) => metadata?.output === output));
}

async function perform(server: Server, cell: NotebookCell, action: Action): Promise<void> {
  const { document } = cell;
  switch (action.kind) {
    case "show":
      return show(cell, action);
    case "fix": {
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, rangeOf(cell, action), action.text);
      await workspace.applyEdit(edit);
      return show(cell, { start: action.start, end: action.start + action.text.length });
    }
    case "run":
      return runCell(cell);
    case "start-local-chain":
      if (await commands.executeCommand<boolean>("rpcNotebook.startLocalChain", cell.notebook.uri)) await runCell(cell);
      return;
    case "open-docs":
      return commands.executeCommand("rpcNotebook.openDocs");
    case "choose-endpoint":
      return commands.executeCommand("rpcNotebook.pickEndpoint");
    case "set-secret":
      return commands.executeCommand("rpcNotebook.setSecret", action.name);
    case "look-up-names":
      return lookUpNames(server, cell.notebook);
    case "trust":
      return commands.executeCommand("workbench.trust.manage");
    case "open-setting":
      return commands.executeCommand("workbench.action.openSettings", action.setting);
    case "show-log":
      return commands.executeCommand("rpcNotebook.showLog");
    case "explain":
      return explainBelow(server, cell.notebook, cell, action.text, true);
    case "trace":
      return commands.executeCommand("rpcNotebook.traceCell", document.uri.toString(), cell.index);
    case "update-snapshot":
      return commands.executeCommand("rpcNotebook.updateSnapshot", document.uri.toString(), cell.index);
  }
}

/** UTF-16 code units of a cell. */
interface Place {
  readonly start: number;
  readonly end: number;
}

function rangeOf({ document }: NotebookCell, { start, end }: Place): Range {
  return new Range(document.positionAt(start), document.positionAt(end));
}

/** Puts the cursor on a place of a cell. */
async function show(cell: NotebookCell, place: Place): Promise<void> {
  const range = rangeOf(cell, place);
  const selections = [new NotebookRange(cell.index, cell.index + 1)];
  await window.showNotebookDocument(cell.notebook, { selections });
  await window.showTextDocument(cell.document, { selection: new Selection(range.start, range.end) });
}

/**
 * Answers messages of outputs: further rows of a table, the clipboard if their webview may not write it, and buttons. A
 * notebook of another type can contain an output of our type that a stranger wrote; its buttons do nothing.
 */
export function answerRenderer(server: Server): Disposable {
  const messages = notebooks.createRendererMessaging("rpc-notebook-report");
  return messages.onDidReceiveMessage(
    async ({ editor, message }: { editor: NotebookEditor; message: FromRenderer }) => {
      if (editor.notebook.notebookType !== notebookType) return;
      if ("copy" in message) return env.clipboard.writeText(message.copy);
      if ("stream" in message) return server.notify("rpcNotebook/stream", message.stream);
      if ("result" in message) return performInResult(server, editor.notebook, message.result);
      const answer = server.request("rpcNotebook/rows", message.rows).catch(() => null); // the client has logged why
      const reply: ToRenderer = { asked: message.asked, result: await answer };
      await messages.postMessage(reply, editor);
    },
  );
}
