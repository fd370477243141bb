import {
  type Connection,
  type ContentTypeDecoder,
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
} from "vscode-languageserver/node";
import type { Gate } from "../lsp/gate.ts";

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
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout, gate.options);
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
