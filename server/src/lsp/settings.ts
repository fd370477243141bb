import {
  DidChangeConfigurationNotification,
  type DidChangeConfigurationParams,
  DidChangeWatchedFilesNotification,
  type DidChangeWatchedFilesParams,
} from "vscode-languageserver";
import type { PickEndpoint } from "../protocol/endpoints.ts";
import type { Settings } from "../protocol/settings.ts";
import type { Ports } from "./host.ts";
import { isObject, settingsOf } from "./options.ts";
import type { Problems } from "./problems.ts";
import type { Session } from "./session.ts";

/** Follows what changes answers without a change of a document: settings, files of endpoints, trust, what was picked. */
export function followSettings(session: Session, ports: Ports, problems: Problems): void {
  const { connection, client, service, guard } = session;
  let settings = client.options.settings ?? {};
  const heard = <Params>(name: string, handler: (params: Params) => void | Promise<void>) =>
    guard(name, undefined, async (params: Params) => {
      await handler(params);
      problems.allAffected();
    });
  const configure = (next: Settings): void => {
    settings = next;
    ports.configure?.(settings);
    service.configure(settings);
  };
  /** Editors push settings, or say that they have changed and answer questions. */
  const ask = async (): Promise<void> => {
    const asked = { items: sections.map((section) => ({ section })) };
    const [rpcNotebook, http] = await connection.sendRequest<readonly unknown[]>("workspace/configuration", asked);
    if (isObject(rpcNotebook) || isObject(http)) configure(settingsOf({ rpcNotebook, http }));
  };
  connection.onInitialized(
    heard("initialized", async () => {
      await register(session);
      if (client.tellsSettings && client.options.settings === undefined) await ask();
    }),
  );
  connection.onDidChangeConfiguration(
    heard("configure", async (params: DidChangeConfigurationParams) => {
      if (isObject(params.settings)) configure(settingsOf(params.settings));
      else if (client.tellsSettings) await ask();
    }),
  );
  connection.onDidChangeWatchedFiles(
    guard("watched files", undefined, ({ changes }: DidChangeWatchedFilesParams) => {
      if (!changes.some(({ uri }) => session.files.asked(uri))) return;
      configure(settings); // whatever stands in files is read again
      problems.allAffected();
    }),
  );
  connection.onNotification(
    "rpcNotebook/pickEndpoint",
    heard("pick endpoint", ({ uri, name }: PickEndpoint) => service.pickEndpoint(uri, name)),
  );
  connection.onNotification(
    "rpcNotebook/secretsChanged",
    heard("secrets", () => configure(settings)),
  );
  connection.onNotification(
    "rpcNotebook/trusted",
    heard("trust", () => service.trust()),
  );
}

const sections = ["rpcNotebook", "http"];
/** Endpoints, ABIs, OpenRPC documents, projects: which of these files matter, the server knows when they change. */
const filesBeside = ["**/*.{json,toml}", "**/.env", "**/hardhat.config.*"];

/** The two things that can only be asked for when all else stands. */
async function register({ connection, client }: Session): Promise<void> {
  if (client.watchesFiles) {
    const watchers = filesBeside.map((globPattern) => ({ globPattern }));
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }
  if (client.watchesSettings) {
    await connection.client.register(DidChangeConfigurationNotification.type, { section: sections });
  }
}
