import type { ExtensionContext } from "vscode";
import { activateWith } from "./extension.ts";
import { findAnvil } from "./localChain.ts";

export { deactivate } from "./extension.ts";

/** Desktop and remote hosts: the server is a Node process of its own. */
export function activate(context: ExtensionContext): void {
  const module = context.asAbsolutePath("dist/server/main.mjs");
  activateWith(
    context,
    async (options) => {
      const { LanguageClient, TransportKind } = await import("vscode-languageclient/node");
      const run = { module, transport: TransportKind.ipc };
      const debug = { ...run, options: { execArgv: ["--nolazy", "--inspect=6019"] } };
      return new LanguageClient("rpcNotebook", "RPC Notebook", { run, debug }, options);
    },
    findAnvil,
  );
}
