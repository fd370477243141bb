import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  CancellationTokenSource,
  type CompletionList,
  Message,
  type MessageConnection,
} from "vscode-languageserver/node";
import { createService } from "../../../server/src/service/service.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { pluck } from "../../support/pluck.ts";

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly { readonly code: string; readonly message: string; readonly range: unknown }[];
}

const file = "file:///w/a.rpc.json";
const notebook = "file:///w/b.rpc.json";
const cell = (name: string): string => `vscode-notebook-cell:/w/b.rpc.json#${name}`;

describe("serve, over streams", () => {
  let node: Server;
  let url: string;
  const open: MessageConnection[] = [];

  before(async () => {
    node = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const { id, method } = JSON.parse(body) as { id: number; method: string }; // the requests of these tests are single
      if (method === "eth_blockNumber") return; // never answers
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x7a69" }));
    });
    await once(node.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`; // it listens on TCP
  });
  afterEach(() => {
    for (const connection of open.splice(0)) connection.dispose();
  });
  after(() => {
    node.closeAllConnections();
    node.close();
  });

  async function start(
    capabilities: object = {},
    options: object = {},
    create: typeof createService = createService,
  ): Promise<Editor> {
    const editor = await startEditor({
      capabilities,
      initializationOptions: {
        approvesHosts: true,
        settings: { rpcNotebook: { endpoints: { test: url }, endpoint: "test" } },
        ...options,
      },
      create,
      answers: {
        "workspace/diagnostic/refresh": () => null,
        "workspace/codeLens/refresh": () => null,
        "workspace/inlayHint/refresh": () => null,
        "workspace/semanticTokens/refresh": () => null,
        "client/registerCapability": () => null,
        "workspace/configuration": () => [{ endpoints: { asked: url } }, null],
        "rpcNotebook/readFile": ({ uri }: { readonly uri: string }) =>
          uri.endsWith("/w/rpc-endpoints.json")
            ? { base64: Buffer.from(JSON.stringify({ "Ä-net": url })).toString("base64") }
            : null,
        "window/showMessageRequest": ({ actions }: { readonly actions: readonly { readonly title: string }[] }) =>
          actions.at(-1),
        "rpcNotebook/approveHost": () => ({ approved: true }),
      },
    });
    open.push(editor.connection);
    return editor;
  }

  const openFile = (editor: Editor, text: string): Promise<void> =>
    editor.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri: file, languageId: "rpc-notebook", version: 1, text },
    });
  const at = (line: number, character: number, uri = file): object => ({
    textDocument: { uri },
    position: { line, character },
  });

  it("says what it can do", async () => {
    const { capabilities } = await start();
    assert.deepEqual(capabilities.completionProvider, { triggerCharacters: ['"', "{", "[", ".", "$"] });
    assert.equal(capabilities.diagnosticProvider, undefined);
    assert.deepEqual(capabilities.notebookDocumentSync, {
      notebookSelector: [{ notebook: "rpc-notebook", cells: [{ language: "rpc-request" }] }],
      save: false,
    });
    const pulling = await start({ textDocument: { diagnostic: {} } });
    assert.ok(pulling.capabilities.diagnosticProvider);
  });

  it("pushes the problems of all cells to an editor that asks for that, although it can pull", async () => {
    const editor = await startEditor({
      capabilities: { textDocument: { diagnostic: {} } },
      initializationOptions: { takesPushedProblems: true },
    });
    open.push(editor.connection);
    assert.equal(editor.capabilities.diagnosticProvider, undefined);
    const uris = ["a", "b"].map((name) => `vscode-notebook-cell:${notebook}#${name}`);
    await editor.connection.sendNotification("notebookDocument/didOpen", {
      notebookDocument: {
        uri: notebook,
        version: 1,
        notebookType: "rpc-notebook",
        cells: uris.map((document) => ({ kind: 2, document })),
      },
      cellTextDocuments: uris.map((uri) => ({
        uri,
        languageId: "rpc-request",
        version: 1,
        text: `{ "method": "eth_chain" }`,
      })),
    });
    for (const uri of uris)
      await editor.until(
        "textDocument/publishDiagnostics",
        (message: { readonly uri: string; readonly diagnostics: readonly unknown[] }) =>
          message.uri === uri && message.diagnostics.length === 1,
      );
  });

  it("says so before it is loaded, and then answers what has come meanwhile in its order", async () => {
    let load: () => void = () => {};
    const loading = new Promise<void>((resolve) => {
      load = resolve;
    });
    const [symbols, order]: [string, string[]] = ["textDocument/documentSymbol", []];
    const received = (message: Message): void => {
      if (Message.isRequest(message) && message.method === symbols) order.push("received");
      if (order.length === 2) load(); // only now, so an answer before it would come first
    };
    const { connection, capabilities } = await startEditor({ loading, received });
    open.push(connection);
    assert.equal(capabilities.hoverProvider, true);
    const textDocument = { uri: file, languageId: "rpc-notebook", version: 1 };
    const ask = async (): Promise<unknown> => {
      const answer = await connection.sendRequest(symbols, { textDocument });
      order.push("answered");
      return answer;
    };
    const [, first, , second] = await Promise.all([
      connection.sendNotification("textDocument/didOpen", { textDocument: { ...textDocument, text: "{}" } }),
      ask(),
      connection.sendNotification("textDocument/didChange", {
        textDocument: { uri: file, version: 2 },
        contentChanges: [{ text: `{ "cells": [{ "method": "eth_chainId" }] }` }],
      }),
      ask(),
    ]);
    assert.deepEqual(order, ["received", "received", "answered", "answered"]);
    assert.deepEqual(first, []);
    assert.match(JSON.stringify(second), /eth_chainId/);
  });

  it("logs why it cannot be loaded, and shuts down on request", async () => {
    const loading = Promise.reject(new TypeError("no such file"));
    loading.catch(() => {});
    const { connection, until } = await startEditor({ loading });
    open.push(connection);
    await until<{ message: string }>("window/logMessage", ({ message }) => /cannot start: TypeError/.test(message));
    await assert.rejects(connection.sendRequest("textDocument/hover", {}), /Unhandled method/);
    assert.equal(await connection.sendRequest("shutdown"), null);
  });

  it("completes, explains and checks a text", async () => {
    const editor = await start();
    await openFile(editor, `{ "cells": [\n  { "method": "eth_getBalanc" }\n] }`);
    const { diagnostics } = await editor.until<Published>("textDocument/publishDiagnostics", ({ uri }) => uri === file);
    assert.deepEqual(
      diagnostics.map(({ code, range }) => [code, range]),
      [["unknown-method", { start: { line: 1, character: 14 }, end: { line: 1, character: 29 } }]],
    );
    const list: {
      items: { label: string; insertTextFormat: number; textEdit: { range: unknown; newText: string } }[];
    } = await editor.connection.sendRequest("textDocument/completion", at(1, 20));
    const item = list.items.find(({ label }) => label === "eth_chainId");
    assert.deepEqual(item?.textEdit, {
      range: { start: { line: 1, character: 14 }, end: { line: 1, character: 29 } },
      newText: `"eth_chainId"`,
    });
    await editor.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: file, version: 2 },
      contentChanges: [{ range: item?.textEdit.range, text: `"eth_chainId"` }],
    });
    await editor.until<Published>("textDocument/publishDiagnostics", (message) => message.diagnostics.length === 0);
    const hover: { contents: { value: string } } = await editor.connection.sendRequest("textDocument/hover", at(1, 20));
    assert.match(hover.contents.value, /^\*\*eth_chainId\*\*/);
    assert.equal(await editor.connection.sendRequest("textDocument/hover", at(0, 0)), null);
  });

  it("keeps the quotes around the cursor for Neovim, which replaces only the text before it", async () => {
    for (const [text, expected] of [
      [`{ "method": "eth_chai" }`, [13, 21, "eth_chainId"]],
      [`{ "method": "eth_chai }`, [13, 21, `eth_chainId"`]],
    ] as const) {
      const editor = await startEditor({ name: "Neovim" });
      open.push(editor.connection);
      await openFile(editor, text);
      const { items }: CompletionList = await editor.connection.sendRequest("textDocument/completion", at(0, 21));
      const item = items.find(({ label }) => label === "eth_chainId");
      assert.ok(item?.textEdit && "range" in item.textEdit);
      const { range, newText } = item.textEdit;
      assert.deepEqual([range.start.character, range.end.character, newText], expected);
    }
  });

  it("inserts snippets only if the editor supports them", async () => {
    const snippets = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };
    for (const [capabilities, expected] of [
      [{}, /^"eth_getBalance", "params": \["0x\w{40}", "latest"\]$/],
      [snippets, /"params": \["\$\{1:0x/],
    ] as const) {
      const editor = await start(capabilities);
      await openFile(editor, `{ "method": "" }`);
      const list: { items: { label: string; textEdit: { newText: string } }[] } = await editor.connection.sendRequest(
        "textDocument/completion",
        at(0, 13),
      );
      assert.match(list.items.find(({ label }) => label === "eth_getBalance")?.textEdit.newText ?? "", expected);
    }
  });

  for (const isSlow of [false, true]) {
    it(`knows endpoints at the first completion${isSlow ? ", or marks the list as incomplete" : ""}`, async () => {
      let release: (bytes: Uint8Array | undefined) => void = () => {};
      const file = { uri: "file:///w/a.rpc.json", text: `{ "endpoint": "", "cells": [] }` };
      const bytes = new Promise<Uint8Array | undefined>((resolve) => {
        release = resolve;
      });
      const files = {
        read: (uri: string) => (uri.endsWith("/w/rpc-endpoints.json") ? bytes : Promise.resolve(undefined)),
      };
      const editor = await startEditor({ files, initializationOptions: {} });
      open.push(editor.connection);
      const textDocument = { uri: file.uri, languageId: "rpc-notebook", version: 1, text: file.text };
      await editor.connection.sendNotification("textDocument/didOpen", { textDocument });
      const ask = (method: string, params: object = {}): Promise<CompletionList> =>
        editor.connection.sendRequest(`textDocument/${method}`, { textDocument: { uri: file.uri }, ...params });
      const completion = ask("completion", { position: { line: 0, character: 15 } });
      await ask("foldingRange"); // answered behind it
      if (!isSlow) release(new TextEncoder().encode(`{ "nearby": "http://127.0.0.1:1" }`));
      const { items, isIncomplete } = await completion;
      release(undefined);
      const hasName = items.some(({ label }) => label === "nearby");
      assert.deepEqual([isIncomplete, hasName], [isSlow, !isSlow]);
    });
  }

  it("runs by its command, and shows the result in a message", async () => {
    const editor = await start();
    await openFile(editor, `{ "cells": [{ "method": "eth_chainId" }] }`);
    const lenses: { command: { command: string; title: string; arguments: unknown[] } }[] =
      await editor.connection.sendRequest("textDocument/codeLens", { textDocument: { uri: file } });
    const [lens] = lenses;
    assert.deepEqual(lens?.command, { title: "Run", command: "rpcNotebook.run", arguments: [file, 0] });
    const result = await editor.connection.sendRequest("workspace/executeCommand", lens?.command);
    assert.deepEqual(result, { ok: 1, failed: 0, cancelled: false });
    const { message } = await editor.until<{ message: string }>("window/showMessage", () => true);
    assert.match(message, /31,?337/);
    const ours = ["cellStarted", "cellWaiting", "cellFinished"].map((name) => editor.count(`rpcNotebook/${name}`));
    assert.deepEqual(ours, [0, 0, 0], "only a run that the editor asked for by our own request tells of cells");
    const after: typeof lenses = await editor.connection.sendRequest("textDocument/codeLens", {
      textDocument: { uri: file },
    });
    assert.match(after.at(-1)?.command.title ?? "", /^✓ /);
  });

  it("asks before requests go to a host, and reports each cell", async () => {
    const editor = await start({}, { settings: {} });
    await openFile(editor, `{ "cells": [{ "method": "eth_chainId", "endpoint": "${url}/node" }] }`);
    const result = await editor.connection.sendRequest("rpcNotebook/run", {
      runId: "r1",
      uri: file,
      workDoneToken: "t",
    });
    assert.deepEqual(result, { ok: 1, failed: 0, cancelled: false });
    await editor.until<{ site: string }>("rpcNotebook/approveHost", ({ site }) => url.startsWith(site));
    await editor.until<{ runId: string }>("rpcNotebook/cellStarted", ({ runId }) => runId === "r1");
    const { output } = await editor.until<{ output: { ok: boolean; json: string } }>(
      "rpcNotebook/cellFinished",
      () => true,
    );
    assert.deepEqual([output.ok, /0x7a69/.test(output.json)], [true, true]);
    await editor.until<{ value: { kind: string } }>("$/progress", ({ value }) => value.kind === "end");
  });

  it("cancels a run that waits for an answer", async () => {
    const editor = await start();
    await openFile(editor, `{ "cells": [{ "method": "eth_blockNumber" }] }`);
    const source = new CancellationTokenSource();
    const running = editor.connection.sendRequest("rpcNotebook/run", { runId: "r2", uri: file }, source.token);
    await editor.until("rpcNotebook/cellStarted", () => true);
    source.cancel();
    assert.deepEqual(await running, { ok: 0, failed: 1, cancelled: true });
  });

  it("keeps other cells' problems up to date as a notebook changes", async () => {
    const editor = await start();
    const document = (name: string, text: string): object => ({
      uri: cell(name),
      languageId: "rpc-request",
      version: 1,
      text,
    });
    await editor.connection.sendNotification("notebookDocument/didOpen", {
      notebookDocument: {
        uri: notebook,
        notebookType: "rpc-notebook",
        version: 1,
        cells: [
          { kind: 2, document: cell("a") },
          { kind: 2, document: cell("b") },
        ],
      },
      cellTextDocuments: [
        document("a", `{ "name": "x", "method": "eth_chainId" }`),
        document("b", `{ "method": "eth_getBlockReceipts", "params": ["{{x.result}}"] }`),
      ],
    });
    const change = (cells: object): Promise<void> =>
      editor.connection.sendNotification("notebookDocument/didChange", {
        notebookDocument: { uri: notebook, version: 2 },
        change: { cells },
      });
    await change({
      textContent: [
        {
          document: { uri: cell("a"), version: 2 },
          changes: [{ range: { start: { line: 0, character: 11 }, end: { line: 0, character: 12 } }, text: "y" }],
        },
      ],
    });
    const { diagnostics } = await editor.until<Published>(
      "textDocument/publishDiagnostics",
      ({ uri, diagnostics: all }) => uri === cell("b") && all.length > 0,
    );
    assert.deepEqual(pluck(diagnostics, "code"), ["unresolved-placeholder"]);
    await change({
      structure: {
        array: { start: 0, deleteCount: 0, cells: [{ kind: 2, document: cell("c") }] },
        didOpen: [document("c", `{ "name": "x", "method": "eth_blockNumber" }`)],
      },
    });
    await editor.until<Published>(
      "textDocument/publishDiagnostics",
      ({ uri, diagnostics: all }) => uri === cell("b") && all.length === 0,
    );
  });

  it("sees that a cell only moved", async () => {
    const editor = await start();
    const cells = [
      { kind: 2, document: cell("m") },
      { kind: 2, document: cell("n") },
    ];
    const text = `{ "name": "x", "method": "eth_chainId" }`;
    await editor.connection.sendNotification("notebookDocument/didOpen", {
      notebookDocument: { uri: notebook, notebookType: "rpc-notebook", version: 1, cells },
      cellTextDocuments: cells.map(({ document: uri }) => ({ uri, languageId: "rpc-request", version: 1, text })),
    });
    const isTwice = (name: string) => (message: Published) =>
      message.uri === cell(name) && message.diagnostics.some(({ code }) => code === "duplicate-name");
    await editor.until<Published>("textDocument/publishDiagnostics", isTwice("n"));
    await editor.connection.sendNotification("notebookDocument/didChange", {
      notebookDocument: { uri: notebook, version: 2 },
      change: { cells: { structure: { array: { start: 0, deleteCount: 2, cells: cells.toReversed() } } } },
    });
    await editor.until<Published>("textDocument/publishDiagnostics", isTwice("m"));
  });

  it("keeps a document that is shown as cells, then as text, then as cells again", async () => {
    const editor = await start();
    const text = `{ "method": "eth_chainId" }`;
    const { connection } = editor;
    const ran = async (): Promise<unknown> => connection.sendRequest("rpcNotebook/run", { runId: "r", uri: notebook });
    const notebookDocument = {
      uri: notebook,
      notebookType: "rpc-notebook",
      version: 1,
      cells: [{ kind: 2, document: cell("a") }],
    };
    const textDocument = { uri: notebook, languageId: "rpc-notebook", version: 1, text };
    const cellTextDocuments = [{ uri: cell("a"), languageId: "rpc-request", version: 1, text }];
    await connection.sendNotification("notebookDocument/didOpen", { notebookDocument, cellTextDocuments });
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    await connection.sendNotification("notebookDocument/didClose", { notebookDocument, cellTextDocuments });
    assert.deepEqual(await ran(), { ok: 1, failed: 0, cancelled: false });
    await connection.sendNotification("notebookDocument/didOpen", { notebookDocument, cellTextDocuments });
    await connection.sendNotification("textDocument/didClose", { textDocument });
    assert.deepEqual(await ran(), { ok: 1, failed: 0, cancelled: false });
  });

  it("uses the form that is shown, while the editor reads the other form again", async () => {
    const { connection } = await start();
    const text = `{ "method": "eth_chainId" }`;
    const notebookDocument = {
      uri: notebook,
      notebookType: "rpc-notebook",
      version: 1,
      cells: [{ kind: 2, document: cell("a") }],
    };
    const textDocument = { uri: notebook, languageId: "rpc-notebook", version: 1, text };
    const cellTextDocuments = [{ uri: cell("a"), languageId: "rpc-request", version: 1, text }];
    const hovers = (uri: string): Promise<unknown> =>
      connection.sendRequest("textDocument/hover", {
        textDocument: { uri },
        position: { line: 0, character: text.indexOf("eth_") + 4 },
      });
    await connection.sendNotification("notebookDocument/didOpen", { notebookDocument, cellTextDocuments });
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    await connection.sendNotification("notebookDocument/didChange", {
      notebookDocument: { uri: notebook, version: 2 },
      change: {
        cells: { textContent: [{ document: { uri: cell("a"), version: 2 }, changes: [{ text: `${text} ` }] }] },
      },
    });
    assert.ok(await hovers(notebook));
    await connection.sendNotification("textDocument/didClose", { textDocument });
    assert.ok(await hovers(cell("a")));
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    await connection.sendNotification("notebookDocument/didClose", { notebookDocument, cellTextDocuments });
    await connection.sendNotification("notebookDocument/didOpen", { notebookDocument, cellTextDocuments });
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: notebook, version: 2 },
      contentChanges: [{ text: `${text} ` }],
    });
    assert.ok(await hovers(cell("a")));
  });

  it("asks an editor that pulls to pull again", async () => {
    const editor = await start({
      textDocument: { diagnostic: {} },
      workspace: { diagnostics: { refreshSupport: true } },
    });
    await openFile(editor, `{ "cells": [{ "method": "eth_chainId", "endpoint": "later" }] }`);
    const pull = async (): Promise<readonly string[]> => {
      const report: { items: { code: string }[] } = await editor.connection.sendRequest("textDocument/diagnostic", {
        textDocument: { uri: file },
      });
      return report.items.map(({ code }) => code);
    };
    await pull();
    await editor.connection.sendNotification("workspace/didChangeConfiguration", {
      settings: { rpcNotebook: { endpoints: { later: url } } },
    });
    await editor.until("workspace/diagnostic/refresh", () => true);
    assert.deepEqual(await pull(), []);
  });

  it("sends problems once, and then only that they are unchanged", async () => {
    const editor = await start({ textDocument: { diagnostic: {} } });
    await openFile(editor, `[{ "method": "eth_chain" }]`);
    const pull = (previousResultId?: string): Promise<{ kind: string; resultId: string; items?: unknown[] }> =>
      editor.connection.sendRequest("textDocument/diagnostic", { textDocument: { uri: file }, previousResultId });
    const type = (line: number, character: number, text: string): Promise<void> => {
      const place = { line, character };
      return editor.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri: file, version: 2 },
        contentChanges: [{ range: { start: place, end: place }, text }],
      });
    };
    const first = await pull();
    assert.deepEqual([first.kind, first.items?.length], ["full", 1]);
    await type(0, 26, " ");
    assert.deepEqual(await pull(first.resultId), { kind: "unchanged", resultId: first.resultId });
    assert.equal((await pull()).kind, "full");
    await type(0, 0, " ");
    const moved = await pull(first.resultId);
    assert.deepEqual([moved.kind, moved.items?.length, moved.resultId === first.resultId], ["full", 1, false]);
  });

  it("takes secrets from the editor, asks before they go anywhere, and offers to set one", async () => {
    const asked: unknown[] = [];
    const editor = await startEditor({
      initializationOptions: { approvesHosts: true, keepsSecrets: true, settings: {} },
      answers: {
        "rpcNotebook/secretNames": () => ({ names: ["KEY", 7] }),
        "rpcNotebook/readSecrets": ({ names }: { readonly names: readonly string[] }) => ({
          values: Object.fromEntries(names.filter((name) => name === "KEY").map((name) => [name, "s3cr3t-value"])),
        }),
        "rpcNotebook/approveHost": (question: unknown) => {
          asked.push(question);
          return { approved: true };
        },
      },
    });
    open.push(editor.connection);
    const at = `"endpoint": "${url}"`;
    await openFile(
      editor,
      `{ ${at}, "cells": [{ "method": "eth_call", "params": ["{{$secret.KEY}}", "{{$secret.NO}}"] }] }`,
    );
    const { diagnostics } = await editor.until<{
      diagnostics: readonly { code: string; range: unknown; message: string }[];
    }>("textDocument/publishDiagnostics", ({ diagnostics: all }) => all.some(({ code }) => code === "unset-value"));
    const problem = diagnostics.find(({ code }) => code === "unset-value");
    assert.match(problem?.message ?? "", /`NO`/);
    const actions = await editor.connection.sendRequest<readonly { readonly command?: unknown }[]>(
      "textDocument/codeAction",
      { textDocument: { uri: file }, range: problem?.range, context: { diagnostics: [problem] } },
    );
    const title = "Set the secret NO…";
    assert.deepEqual(actions.find(({ command }) => command)?.command, {
      title,
      command: "rpcNotebook.setSecret",
      arguments: ["NO"],
    });
    await editor.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: file, version: 2 },
      contentChanges: [{ text: `{ ${at}, "cells": [{ "method": "eth_call", "params": ["{{$secret.KEY}}"] }] }` }],
    });
    await editor.connection.sendRequest("rpcNotebook/run", { runId: "s1", uri: file });
    const { host } = new URL(url);
    const site = `http://${host}`;
    const said = { site, inClear: false, source: `The endpoint "${host}" is named by the header.` };
    assert.deepEqual(asked, [{ ...said, values: ["$secret.KEY"], grants: [site, `${site} $secret.KEY`] }]);
    const finished = await editor.until("rpcNotebook/cellFinished", () => true);
    assert.ok(!JSON.stringify(finished).includes("s3cr3t-value"));
  });

  it("asks in a message if the editor has no other way, and sends nothing after a no", async () => {
    const editor = await start({}, { settings: {}, approvesHosts: false });
    await openFile(editor, `{ "cells": [{ "method": "eth_chainId", "endpoint": "https://a.example" }] }`);
    const result = await editor.connection.sendRequest("rpcNotebook/run", { runId: "r3", uri: file });
    assert.deepEqual(result, { ok: 0, failed: 1, cancelled: false });
    await editor.until<{ message: string }>("window/showMessageRequest", ({ message }) =>
      message.startsWith("Send requests to https://a.example?"),
    );
  });

  it("reads files through an editor that reads them", async () => {
    const editor = await start({}, { readsFiles: true });
    await openFile(editor, `{ "cells": [] }`);
    const answer: { endpoints: { name: string }[] } = await editor.connection.sendRequest("rpcNotebook/endpoints", {
      uri: file,
    });
    assert.ok(answer.endpoints.some(({ name }) => name === "Ä-net"));
  });

  it("goes on after an error in one feature, and logs it without what was typed", async () => {
    const editor = await start({}, {}, (host) => ({
      ...createService(host),
      hover: () => {
        throw new TypeError("secret-of-mine");
      },
    }));
    await openFile(editor, `{ "method": "eth_chainId" }`);
    assert.equal(await editor.connection.sendRequest("textDocument/hover", at(0, 14)), null);
    const { message } = await editor.until<{ message: string }>("window/logMessage", () => true);
    assert.match(message, /^hover failed: TypeError at /);
    assert.doesNotMatch(message, /secret-of-mine/);
    assert.ok(await editor.connection.sendRequest("textDocument/completion", at(0, 14)));
  });

  it("goes on after invalid messages", async () => {
    const editor = await start();
    await editor.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: "x:y", version: 1 },
      contentChanges: [{ text: "{" }],
    });
    await editor.connection.sendNotification("notebookDocument/didChange", {
      notebookDocument: { uri: "x:z", version: 1 },
      change: {},
    });
    assert.equal(await editor.connection.sendRequest("textDocument/hover", at(9, 9, "x:none")), null);
    assert.equal(
      await editor.connection.sendRequest("workspace/executeCommand", { command: "rpcNotebook.run", arguments: [7] }),
      null,
    );
    assert.deepEqual(await editor.connection.sendRequest("rpcNotebook/run", { runId: "r", uri: "x:none" }), {
      ok: 0,
      failed: 0,
      cancelled: false,
    });
  });
});
