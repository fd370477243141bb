import { workspace } from "vscode";
import type { Settings } from "../../server/src/protocol/settings.ts";

/** Settings that decide what is sent and where. Their workspace values come with the repository. */
const ownOnly = ["endpoint", "endpoints", "readMethods", "liveHints", "lookupHost"] as const;

/** The settings for the server, those of the workspace apart. */
export function serverSettings(): Settings {
  const ours = workspace.getConfiguration("rpcNotebook");
  const http = workspace.getConfiguration("http");
  const merged = workspace.getConfiguration().get<NonNullable<Settings["rpcNotebook"]>>("rpcNotebook") ?? {};
  const own = Object.fromEntries(ownOnly.map((key) => [key, ours.inspect(key)?.globalValue]));
  const here = Object.fromEntries(ownOnly.map((key) => [key, ofWorkspace(ours.inspect(key))]));
  const proxy = ["proxy", "noProxy", "proxyStrictSSL"].map((key) => [key, http.inspect(key)?.globalValue]);
  // the server checks the types
  return { rpcNotebook: { ...merged, ...own }, http: Object.fromEntries(proxy), workspace: here } as Settings;
}

/** Endpoints of the person's own setting. */
export function ownEndpoints(): Readonly<Record<string, unknown>> {
  return (
    workspace.getConfiguration("rpcNotebook").inspect<Readonly<Record<string, unknown>>>("endpoints")?.globalValue ?? {}
  );
}

/** A folder's value wins over the workspace's. */
function ofWorkspace(found: { workspaceValue?: unknown; workspaceFolderValue?: unknown } | undefined): unknown {
  return found?.workspaceFolderValue ?? found?.workspaceValue;
}
