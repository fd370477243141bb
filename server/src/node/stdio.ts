import {
  type Connection,
  type ContentTypeDecoder,
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
} from "vscode-languageserver/node";
import type { Gate } from "../lsp/gate.ts";

/** Looks only at whether a message begins and ends as one: the connection reads it. */
const contentTypeDecoder: ContentTypeDecoder = {
  name: "application/json",
  async decode(bytes) {
    const [start, end] = [bytes.subarray(0, 100), bytes.subarray(-100)].map((part) =>
      new TextDecoder().decode(part).trim(),
    );
    if (!start?.startsWith("{") || !end?.endsWith("}")) throw new Error("It is not an object.");
    return { jsonrpc: "2.0" };
  },
};

/**
 * Connects to the editor that started this process: over standard input and output, or as its arguments say. What comes
 * over standard input and cannot be read ends the process: where the next message begins is not known.
 */
export function connectionToEditor(gate: Gate): Connection {
  if (!process.argv.includes("--stdio")) return createConnection(ProposedFeatures.all, gate.options);
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout, gate.options);
  const frames = new StreamMessageReader(process.stdin, { contentTypeDecoder });
  const give = (what: string): void => {
    const said = `The language server ends: ${what}. Check the Content-Length of what the editor sends.`;
    process.stderr.write(`${said}\n`);
    connection.window.showErrorMessage(said);
    setImmediate(() => process.exit(1));
  };
  frames.onError(() => give("a message could not be read"));
  frames.onPartialMessage(({ waitingTime }) =>
    give(`the rest of a message did not come within ${waitingTime / 1000} s`),
  );
  frames.listen(() => {});
  return connection;
}
