import type { Connection } from "vscode-languageserver";
import type { Client, Refreshable } from "./client.ts";

/** Asks the editor to ask again for what it shows. */
export type Refresh = (...kinds: readonly Refreshable[]) => void;

/** Each kind is asked for once at a time: what comes while the editor is busy waits, and is then asked for once. */
export function refresher(connection: Connection, { refreshes }: Client): Refresh {
  const due = new Set<Refreshable>();
  let asking = false;
  const askAll = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    while (due.size > 0) {
      const kinds = [...due];
      due.clear();
      // An editor that refuses, or that has left, needs nothing.
      await Promise.allSettled(kinds.map((kind) => connection.sendRequest(requests[kind])));
    }
    asking = false;
  };
  return (...kinds) => {
    for (const kind of kinds) if (refreshes.has(kind)) due.add(kind);
    void askAll();
  };
}

const requests: Readonly<Record<Refreshable, string>> = {
  codeLens: "workspace/codeLens/refresh",
  inlayHint: "workspace/inlayHint/refresh",
  semanticTokens: "workspace/semanticTokens/refresh",
  diagnostics: "workspace/diagnostic/refresh",
  results: "rpcNotebook/refreshResults",
};
