import type { ExtensionContext } from "vscode";
import { Uri, workspace } from "vscode";
import { activateWith } from "./extension.ts";

export { deactivate } from "./extension.ts";

/** Browser hosts: the server is a worker, made from a blob because a worker may not be loaded from another origin. */
export function activate(context: ExtensionContext): void {
  const file = Uri.joinPath(context.extensionUri, "dist/server/worker.js");
  activateWith(context, async (options) => {
    const { BrowserMessageReader, BrowserMessageWriter, LanguageClient } = await import(
      "vscode-languageclient/browser"
    );
    // Given a worker, the library checks its class, which is another one in VS Code's own worker.
    const startWorker = async () => {
      const source = await workspace.fs.readFile(file);
      const blob = new Blob([Uint8Array.from(source)], { type: "text/javascript" });
      const worker = new Worker(URL.createObjectURL(blob));
      return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
    };
    return new LanguageClient("rpcNotebook", "RPC Notebook", startWorker, options);
  });
}
