import type { Connection } from "vscode-languageserver";
import type { Client, Refreshable } from "./client.ts";

/** Tells the editor to ask again for what it shows. */
export type Refresh = (...kinds: readonly Refreshable[]) => void;

/** Sends one request of each kind at a time. Calls meanwhile are joined into one request after it. */
export function refresher(connection: Connection, { refreshes }: Client): Refresh {
  const pending = new Set<Refreshable>();
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    while (pending.size > 0) {
      const kinds = [...pending];
      pending.clear();
      // An editor that refuses, or has closed the connection, needs no refresh.
      await Promise.allSettled(kinds.map((kind) => connection.sendRequest(requests[kind])));
    }
    isSending = false;
  };
  return (...kinds) => {
    for (const kind of kinds) if (refreshes.has(kind)) pending.add(kind);
    void sendAll();
  };
}

const requests: Readonly<Record<Refreshable, string>> = {
  codeLens: "workspace/codeLens/refresh",
  inlayHint: "workspace/inlayHint/refresh",
  semanticTokens: "workspace/semanticTokens/refresh",
  diagnostics: "workspace/diagnostic/refresh",
  results: "rpcNotebook/refreshResults",
};
