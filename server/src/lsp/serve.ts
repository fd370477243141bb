import type { Connection, InitializeParams } from "vscode-languageserver";
import type { InitializationOptions } from "../protocol/settings.ts";
import { initializeResult } from "./capabilities.ts";
import { clientOf } from "./client.ts";
import { type Gate, refuseLateRequests } from "./gate.ts";
import { placeOf } from "./guard.ts";
import type { Ports } from "./host.ts";
import type { startSession } from "./startSession.ts";

/**
 * Serves one editor over one connection. It answers `initialize` at once and then loads the rest of the server; messages
 * that come earlier wait at the gate.
 *
 * @param connection - Made by the main for its platform, with the options of the gate. This function listens on it.
 * @param openPorts - Opens the ports of the platform, with the options of the editor.
 * @param load - Loads everything but the first handshake.
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
