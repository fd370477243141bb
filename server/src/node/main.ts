import { setMaxListeners } from "node:events";
import {
  type Connection,
  type ContentTypeDecoder,
  type ContentTypeEncoder,
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { type Gate, openGate } from "../lsp/gate.ts";
import { placeOf } from "../lsp/guard.ts";
import { printed } from "../lsp/joined.ts";
import { serve } from "../lsp/serve.ts";
import { clock, environment } from "./environment.ts";
import { cache, files, openTracer, readCode, signatures } from "./files.ts";
import { createSockets } from "./socket.ts";
import { createDownloads, createTransport } from "./transport.ts";

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
        openTracer,
        readCode,
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

const contentTypeEncoder: ContentTypeEncoder = {
  name: "application/json",
  encode: async (message) => Buffer.concat(printed(message)),
};

/** Checks only that a message begins and ends as one. The connection reads it. */
const contentTypeDecoder: ContentTypeDecoder = {
  name: "application/json",
  async decode(bytes) {
    const [start, end] = [bytes.subarray(0, 100), bytes.subarray(-100)].map((part) =>
      new TextDecoder().decode(part).trim(),
    );
    if (!start?.startsWith("{") || !end?.endsWith("}")) throw new Error("Not an object.");
    return { jsonrpc: "2.0" };
  },
};

/**
 * Connects to the editor that started this process, over standard input and output or as its arguments say. Input that
 * cannot be read ends the process, since the begin of the next message is unknown.
 */
export function connectionToEditor(gate: Gate): Connection {
  if (!process.argv.includes("--stdio")) return createConnection(ProposedFeatures.all, gate.options);
  const output = new StreamMessageWriter(process.stdout, { contentTypeEncoder });
  const connection = createConnection(
    ProposedFeatures.all,
    process.stdin, // as a stream, since the library ends the process with it
    output as unknown as NodeJS.WritableStream, // it takes a writer as well
    gate.options,
  );
  const frames = new StreamMessageReader(process.stdin, { contentTypeDecoder });
  const end = (what: string): void => {
    const message = `The language server ends: ${what}. Check the Content-Length that the editor sends.`;
    process.stderr.write(`${message}\n`);
    connection.window.showErrorMessage(message);
    setImmediate(() => process.exit(1));
  };
  frames.onError(() => end("a message is not a JSON object"));
  frames.onPartialMessage(({ waitingTime }) =>
    end(`the rest of a message did not arrive within ${waitingTime / 1000} s`),
  );
  frames.listen(() => {});
  return connection;
}
