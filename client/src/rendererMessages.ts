import type { Disposable, NotebookEditor } from "vscode";
import { env, notebooks } from "vscode";
import type { FromRenderer, ToRenderer } from "../../server/src/protocol/runs.ts";
import type { Server } from "./languageClient.ts";
import { notebookType } from "./names.ts";
import { performInResult } from "./resultActions.ts";

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
