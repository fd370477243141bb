import {
  DidChangeConfigurationNotification,
  type DidChangeConfigurationParams,
  DidChangeWatchedFilesNotification,
  type DidChangeWatchedFilesParams,
  type WorkspaceFoldersChangeEvent,
} from "vscode-languageserver";
import { type NameRules, uriKey } from "../base/uri.ts";
import type { PickEndpoint } from "../protocol/endpoints.ts";
import type { Settings } from "../protocol/settings.ts";
import { isObject, settingsOf } from "./client.ts";
import type { Diagnostics } from "./diagnostics.ts";
import type { Ports } from "./host.ts";
import type { Session } from "./session.ts";

/** Follows settings, workspace folders, files of endpoints, trust and picked endpoints: they change answers without a change of a document. */
export function followSettings(session: Session, ports: Ports, diagnostics: Diagnostics): void {
  const { connection, client, service, guard } = session;
  let settings = client.options.settings ?? {};
  const onChange = <Params>(name: string, handler: (params: Params) => void | Promise<void>) =>
    guard(name, undefined, async (params: Params) => {
      await handler(params);
      diagnostics.allAffected();
    });
  const configure = (next: Settings): void => {
    settings = next;
    ports.configure?.(settings);
    service.configure(settings);
  };
  /** For editors that only say that settings have changed. */
  const ask = async (): Promise<void> => {
    const params = { items: sections.map((section) => ({ section })) };
    const [rpcNotebook, http] = await connection.sendRequest<readonly unknown[]>("workspace/configuration", params);
    if (isObject(rpcNotebook) || isObject(http)) configure(settingsOf({ rpcNotebook, http }));
  };
  connection.onInitialized(
    onChange("initialized", async () => {
      await register(session);
      if (client.answersConfiguration && client.options.settings === undefined) await ask();
    }),
  );
  connection.onDidChangeConfiguration(
    onChange("configure", async (params: DidChangeConfigurationParams) => {
      if (isObject(params.settings)) configure(settingsOf(params.settings));
      else if (client.answersConfiguration) await ask();
    }),
  );
  connection.onDidChangeWatchedFiles(
    guard("watched files", undefined, ({ changes }: DidChangeWatchedFilesParams) => {
      if (!changes.some(({ uri }) => session.files.wasRead(uri))) return;
      configure(settings); // reads the files again
      diagnostics.allAffected();
    }),
  );
  if (client.changesFolders) {
    let { roots } = client;
    connection.workspace.onDidChangeWorkspaceFolders(
      onChange("folders", (change: WorkspaceFoldersChangeEvent) => {
        roots = rootsAfter(change, roots, session.files);
        service.setRoots(roots);
      }),
    );
  }
  connection.onNotification(
    "rpcNotebook/pickEndpoint",
    onChange("pick endpoint", ({ uri, name }: PickEndpoint) => service.pickEndpoint(uri, name)),
  );
  connection.onNotification(
    "rpcNotebook/secretsChanged",
    onChange("secrets", () => configure(settings)),
  );
  connection.onNotification(
    "rpcNotebook/trusted",
    onChange("trust", () => service.trust()),
  );
}

function rootsAfter(
  { added, removed }: WorkspaceFoldersChangeEvent,
  roots: readonly string[],
  names: NameRules,
): readonly string[] {
  const key = (uri: string): string => uriKey(uri, names);
  const changed = new Set([...added, ...removed].map(({ uri }) => key(uri)));
  return [...roots.filter((uri) => !changed.has(key(uri))), ...added.map(({ uri }) => uri)];
}

const sections = ["rpcNotebook", "http"];
/** Endpoints, ABIs, OpenRPC documents, projects. When one changes, the server knows whether it has read it. */
const watchedFiles = ["**/*.{json,toml}", "**/.env", "**/hardhat.config.*"];

/** Registers what the protocol allows only after `initialized`. */
async function register({ connection, client }: Session): Promise<void> {
  if (client.watchesFiles) {
    const watchers = watchedFiles.map((globPattern) => ({ globPattern }));
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }
  if (client.watchesSettings) {
    await connection.client.register(DidChangeConfigurationNotification.type, { section: sections });
  }
}
