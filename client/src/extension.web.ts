import type { ExtensionContext } from "vscode";
import { Uri, workspace } from "vscode";
import { activateWith } from "./extension.ts";

export { deactivate } from "./extension.ts";

/** Browser hosts: the server is a worker, made from a blob because a worker may not be loaded from another origin. */
export function activate(context: ExtensionContext): void {
  const file = Uri.joinPath(context.extensionUri, "dist/server/worker.js");
  activateWith(context, async (options) => {
    const { LanguageClient } = await import("vscode-languageclient/browser");
    const startWorker = async (): Promise<Worker> => {
      const source = await workspace.fs.readFile(file);
      return new Worker(URL.createObjectURL(new Blob([Uint8Array.from(source)], { type: "text/javascript" })));
    };
    return new LanguageClient("rpcNotebook", "RPC Notebook", startWorker, options);
  });
}
