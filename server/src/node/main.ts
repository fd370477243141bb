import { setMaxListeners } from "node:events";
import { openGate } from "../lsp/gate.ts";
import { placeOf } from "../lsp/guard.ts";
import { serve } from "../lsp/serve.ts";
import { cache } from "./cache.ts";
import { clock } from "./clock.ts";
import { createDownloads } from "./downloads.ts";
import { environment } from "./environment.ts";
import { files, signatures } from "./files.ts";
import { createSockets } from "./socket.ts";
import { connectionToEditor } from "./stdio.ts";
import { createTransport } from "./transport.ts";

/** Serves the editor that started this process, over the transport in its arguments (`--stdio`, `--node-ipc`). */
export function startServer(): void {
  setMaxListeners(0); // one signal ends many requests
  const gate = openGate();
  const connection = connectionToEditor(gate);
  // work that nothing waits for must not end the server
  process.on("unhandledRejection", (error) => connection.console.error(`Unexpected failure: ${placeOf(error)}`));
  serve(
    connection,
    gate,
    ({ settings = {} }) => {
      let now = settings;
      const network = () => ({
        proxy: now.http?.proxy,
        noProxy: now.http?.noProxy,
        strictSSL: now.http?.proxyStrictSSL,
      });
      return {
        transport: createTransport(network),
        sockets: createSockets(network),
        files,
        signatures,
        cache,
        downloads: createDownloads(network),
        environment,
        clock,
        configure: (changed) => {
          now = changed;
        },
      };
    },
    () => import("../lsp/startSession.ts"),
  );
}
