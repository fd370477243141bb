import type { Connection, InitializeParams } from "vscode-languageserver";
import type { InitializationOptions } from "../protocol/settings.ts";
import { initializeResult } from "./capabilities.ts";
import { clientOf } from "./client.ts";
import { type Gate, refuseLateRequests } from "./gate.ts";
import { placeOf } from "./guard.ts";
import type { Ports } from "./host.ts";
import type { startSession } from "./startSession.ts";

/**
 * Serves one editor over one connection, and decides nothing. The editor hears at once what this server can do; what does
 * it is loaded meanwhile, and the messages that come before it is there wait for it.
 *
 * @param connection - Made by the main for its platform, with the options of the gate; this function listens on it.
 * @param openPorts - Lends what the core needs of the platform, once the editor has said what it wants.
 * @param load - Everything but the first handshake.
 */
export function serve(
  connection: Connection,
  gate: Gate,
  openPorts: (options: InitializationOptions) => Ports,
  load: () => Promise<{ readonly startSession: typeof startSession }>,
): void {
  connection.onInitialize((params: InitializeParams) => {
    const client = clientOf(params);
    const started = load()
      .then((session) => session.startSession(connection, client, openPorts(client.options)))
      .catch((error: unknown) => connection.console.error(`The server cannot start: ${placeOf(error)}`));
    gate.hold(started);
    return initializeResult(client);
  });
  refuseLateRequests(connection);
  connection.listen();
}
