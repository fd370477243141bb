import { BrowserMessageReader, BrowserMessageWriter, createConnection } from "vscode-languageserver/browser";
import type { Files, ReadTable } from "../base/ports.ts";
import { openGate } from "../lsp/gate.ts";
import { serve } from "../lsp/serve.ts";
import { startSession } from "../lsp/startSession.ts";
import type { OpenTracer } from "../trace/task.ts";
import { startTracer } from "./tracer.ts";
import { clock, createSockets, createTransport } from "./transport.ts";

/** A worker has no disk. Editors that start one answer `rpcNotebook/readFile`. */
const files: Files = { read: async () => undefined };

const tracerFrom =
  (code: ReadTable): OpenTracer =>
  async (signal) =>
    startTracer(signal, await code());

const scope = self as unknown as DedicatedWorkerGlobalScope; // the compiler's `self` is that of any worker
const gate = openGate();
const connection = createConnection(new BrowserMessageReader(scope), new BrowserMessageWriter(scope), gate.options);
serve(
  connection,
  gate,
  () => ({ transport: createTransport(), sockets: createSockets(), files, clock, tracerFrom }),
  async () => ({ startSession }),
);
