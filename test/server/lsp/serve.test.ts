import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  CancellationTokenSource,
  type CompletionList,
  Message,
  type MessageConnection,
  type Range,
} from "vscode-languageserver/node";
import { createService } from "../../../server/src/service/service.ts";
import { type Editor, type EditorOptions, notebookOf, startEditor } from "../../support/editor.ts";
import { fastClock } from "../../support/fastClock.ts";
import { pluck } from "../../support/pluck.ts";

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly { readonly code: string; readonly message: string; readonly range: unknown }[];
}

const file = "file:///w/a.rpc.json";
const notebook = "file:///w/b.rpc.json";
const cell = (name: string): string => `vscode-notebook-cell:/w/b.rpc.json#${name}`;

const changeCells = ({ connection }: Editor, cells: object): Promise<void> =>
  connection.sendNotification("notebookDocument/didChange", {
    notebookDocument: { uri: notebook, version: 2 },
    change: { cells },
  });

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

  async function started(options: EditorOptions): Promise<Editor> {
    const editor = await startEditor(options);
    open.push(editor.connection);
    return editor;
  }
  const start = (
    capabilities: object = {},
    options: object = {},
    create: typeof createService = createService,
  ): Promise<Editor> =>
    started({
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
  const run = (editor: Editor, uri = file, options: object = {}): Promise<unknown> =>
    editor.connection.sendRequest("rpcNotebook/run", { runId: "r", uri, ...options });
  const oneOk = { ok: 1, failed: 0, cancelled: false };
  const at = (line: number, character: number): object => ({ position: { line, character } });
  /** Waits until the problems of a document, as they were pushed, are these. */
  const problems = async (editor: Editor, uri: string, codes: readonly string[]): Promise<Published["diagnostics"]> => {
    const isRight = (message: Published): boolean =>
      message.uri === uri && String(pluck(message.diagnostics, "code")) === String(codes);
    return (await editor.until<Published>("textDocument/publishDiagnostics", isRight)).diagnostics;
  };
  const suggested = (list: CompletionList, label: string): { readonly range: Range; readonly newText: string } => {
    const edit = list.items.find((one) => one.label === label)?.textEdit;
    assert.ok(edit && "range" in edit);
    return edit;
  };

  it("says what it can do", async () => {
    const { capabilities } = await start();
    const triggerCharacters = ['"', "{", "[", ".", "$", ..."0123456789"];
    assert.deepEqual(capabilities.completionProvider, { triggerCharacters });
    assert.equal(capabilities.diagnosticProvider, undefined);
    assert.deepEqual(capabilities.notebookDocumentSync, {
      notebookSelector: [{ notebook: "rpc-notebook", cells: [{ language: "rpc-request" }] }],
      save: false,
    });
    const pulling = await start({ textDocument: { diagnostic: {} } });
    assert.ok(pulling.capabilities.diagnosticProvider);
  });

  it("pushes the problems of all cells to an editor that asks for that, although it can pull", async () => {
    const editor = await started({
      capabilities: { textDocument: { diagnostic: {} } },
      initializationOptions: { takesPushedProblems: true },
    });
    assert.equal(editor.capabilities.diagnosticProvider, undefined);
    await editor.openCells(notebook, [
      [cell("a"), `{ "method": "eth_chain" }`],
      [cell("b"), `{ "method": "eth_chain" }`],
    ]);
    for (const name of ["a", "b"]) await problems(editor, cell(name), ["unknown-method"]);
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
    const { capabilities, open, ask, change } = await started({ loading, received });
    assert.equal(capabilities.hoverProvider, true);
    const answered = async (): Promise<unknown> => {
      const answer = await ask("documentSymbol", file);
      order.push("answered");
      return answer;
    };
    const [, first, , second] = await Promise.all([
      open(file, "{}"),
      answered(),
      change(file, { text: `{ "cells": [{ "method": "eth_chainId" }] }` }),
      answered(),
    ]);
    assert.deepEqual(order, ["received", "received", "answered", "answered"]);
    assert.deepEqual(first, []);
    assert.match(JSON.stringify(second), /eth_chainId/);
  });

  it("logs why it cannot be loaded, and shuts down on request", async () => {
    const loading = Promise.reject(new TypeError("no such file"));
    loading.catch(() => {});
    const { connection, until } = await started({ loading });
    await until<{ message: string }>("window/logMessage", ({ message }) => /cannot start: TypeError/.test(message));
    await assert.rejects(connection.sendRequest("textDocument/hover", {}), /Unhandled method/);
    assert.equal(await connection.sendRequest("shutdown"), null);
  });

  it("completes, explains and checks a text", async () => {
    const editor = await start();
    await editor.open(file, `{ "cells": [\n  { "method": "eth_getBalanc" }\n] }`);
    const range = { start: { line: 1, character: 14 }, end: { line: 1, character: 29 } };
    assert.deepEqual(pluck(await problems(editor, file, ["unknown-method"]), "range"), [range]);
    const edit = suggested(await editor.ask("completion", file, at(1, 20)), "eth_chainId");
    assert.deepEqual(edit, { range, newText: `"eth_chainId"` });
    await editor.change(file, { range, text: edit.newText });
    await problems(editor, file, []);
    const hover: { contents: { value: string } } = await editor.ask("hover", file, at(1, 20));
    assert.match(hover.contents.value, /^\*\*eth_chainId\*\*/);
    assert.equal(await editor.ask("hover", file, at(0, 0)), null);
  });

  it("keeps the quotes around the cursor for Neovim, which replaces only the text before it", async () => {
    for (const [text, expected] of [
      [`{ "method": "eth_chai" }`, [13, 21, "eth_chainId"]],
      [`{ "method": "eth_chai }`, [13, 21, `eth_chainId"`]],
      [`{ "method": "eth_cha" }`, [13, 21, `eth_chainId"`]],
    ] as const) {
      const editor = await started({ name: "Neovim" });
      await editor.open(file, text);
      const { range, newText } = suggested(await editor.ask("completion", file, at(0, 21)), "eth_chainId");
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
      await editor.open(file, `{ "method": "" }`);
      assert.match(suggested(await editor.ask("completion", file, at(0, 13)), "eth_getBalance").newText, expected);
    }
  });

  it("answers a digit in words, and not in a number of JSON", async () => {
    const editor = await start();
    const digit = { context: { triggerKind: 2, triggerCharacter: "0" } };
    await editor.openCells(notebook, [
      [cell("a"), "last 50"],
      [cell("b"), `{ "method": "eth_chainId", "id": 50 }`],
    ]);
    const ask = (uri: string, character: number): Promise<CompletionList> =>
      editor.ask("completion", uri, { ...at(0, character), ...digit });
    const words = await ask(cell("a"), 7);
    assert.equal(words.isIncomplete, true);
    assert.match(suggested(words, "Logs of the last 50 blocks").newText, /latest - 50/);
    assert.deepEqual((await ask(cell("b"), 35)).items, []);
  });

  for (const isSlow of [false, true])
    it(`knows endpoints at the first completion${isSlow ? ", or marks the list as incomplete" : ""}`, async () => {
      let release: (bytes: Uint8Array | undefined) => void = () => {};
      const bytes = new Promise<Uint8Array | undefined>((resolve) => {
        release = resolve;
      });
      const files = {
        read: (uri: string) => (uri.endsWith("/w/rpc-endpoints.json") ? bytes : Promise.resolve(undefined)),
      };
      const hurried = isSlow && { clock: fastClock(10) };
      const editor = await started({ files, ...hurried, initializationOptions: {} });
      await editor.open(file, `{ "endpoint": "", "cells": [] }`);
      const completion = editor.ask<CompletionList>("completion", file, at(0, 15));
      await editor.ask("foldingRange", file); // answered behind it
      if (!isSlow) release(new TextEncoder().encode(`{ "nearby": "http://127.0.0.1:1" }`));
      const { items, isIncomplete } = await completion;
      release(undefined);
      const hasName = items.some(({ label }) => label === "nearby");
      assert.deepEqual([isIncomplete, hasName], [isSlow, !isSlow]);
    });

  it("runs by its command, and shows the result in a message", async () => {
    const editor = await start();
    await editor.open(file, `{ "cells": [{ "method": "eth_chainId" }] }`);
    const lenses = (): Promise<readonly { readonly command: { readonly title: string } }[]> =>
      editor.ask("codeLens", file);
    const [lens] = await lenses();
    assert.deepEqual(lens?.command, { title: "Run", command: "rpcNotebook.run", arguments: [file, 0] });
    assert.deepEqual(await editor.connection.sendRequest("workspace/executeCommand", lens?.command), oneOk);
    const { message } = await editor.until<{ message: string }>("window/showMessage", () => true);
    assert.match(message, /31,?337/);
    const ours = ["cellStarted", "cellWaiting", "cellFinished"].map((name) => editor.count(`rpcNotebook/${name}`));
    assert.deepEqual(ours, [0, 0, 0], "only a run that the editor asked for by our own request tells of cells");
    assert.match((await lenses()).at(-1)?.command.title ?? "", /^✓ /);
  });

  it("asks before requests go to a host, and reports each cell", async () => {
    const editor = await start({}, { settings: {} });
    await editor.open(file, `{ "cells": [{ "method": "eth_chainId", "endpoint": "${url}/node" }] }`);
    assert.deepEqual(await run(editor, file, { workDoneToken: "t" }), oneOk);
    await editor.until<{ site: string }>("rpcNotebook/approveHost", ({ site }) => url.startsWith(site));
    await editor.until<{ runId: string }>("rpcNotebook/cellStarted", ({ runId }) => runId === "r");
    const { output } = await editor.until<{ output: { ok: boolean; json: string } }>(
      "rpcNotebook/cellFinished",
      () => true,
    );
    assert.deepEqual([output.ok, /0x7a69/.test(output.json)], [true, true]);
    await editor.until<{ value: { kind: string } }>("$/progress", ({ value }) => value.kind === "end");
  });

  it("cancels a run that waits for an answer", async () => {
    const editor = await start();
    await editor.open(file, `{ "cells": [{ "method": "eth_blockNumber" }] }`);
    const source = new CancellationTokenSource();
    const running = editor.connection.sendRequest("rpcNotebook/run", { runId: "r", uri: file }, source.token);
    await editor.until("rpcNotebook/cellStarted", () => true);
    source.cancel();
    assert.deepEqual(await running, { ok: 0, failed: 1, cancelled: true });
  });

  it("keeps other cells' problems up to date as a notebook changes", async () => {
    const editor = await start();
    await editor.openCells(notebook, [
      [cell("a"), `{ "name": "x", "method": "eth_chainId" }`],
      [cell("b"), `{ "method": "eth_getBlockReceipts", "params": ["{{x.result}}"] }`],
    ]);
    const range = { start: { line: 0, character: 11 }, end: { line: 0, character: 12 } };
    const changes = [{ range, text: "y" }];
    await changeCells(editor, { textContent: [{ document: { uri: cell("a"), version: 2 }, changes }] });
    await problems(editor, cell("b"), ["unresolved-placeholder"]);
    const text = `{ "name": "x", "method": "eth_blockNumber" }`;
    await changeCells(editor, {
      structure: {
        array: { start: 0, deleteCount: 0, cells: [{ kind: 2, document: cell("c") }] },
        didOpen: [{ uri: cell("c"), languageId: "rpc-request", version: 1, text }],
      },
    });
    await problems(editor, cell("b"), []);
  });

  it("sees that a cell only moved", async () => {
    const editor = await start();
    const text = `{ "name": "x", "method": "eth_chainId" }`;
    await editor.openCells(notebook, [
      [cell("m"), text],
      [cell("n"), text],
    ]);
    await problems(editor, cell("n"), ["duplicate-name"]);
    const cells = ["n", "m"].map((name) => ({ kind: 2, document: cell(name) }));
    await changeCells(editor, { structure: { array: { start: 0, deleteCount: 2, cells } } });
    await problems(editor, cell("m"), ["duplicate-name"]);
  });

  it("uses the form that is shown, of a document that is shown as cells, then as text, then as cells again", async () => {
    const editor = await start();
    const text = `{ "method": "eth_chainId" }`;
    const cells = [[cell("a"), text]] as const;
    const hovers = (uri: string): Promise<unknown> => editor.ask("hover", uri, at(0, text.indexOf("eth_") + 4));
    const close = (): Promise<void> =>
      editor.connection.sendNotification("notebookDocument/didClose", notebookOf(notebook, cells));
    const closeText = (): Promise<void> =>
      editor.connection.sendNotification("textDocument/didClose", { textDocument: { uri: notebook } });
    await editor.openCells(notebook, cells);
    await editor.open(notebook, text);
    const changes = [{ text: `${text} ` }];
    await changeCells(editor, { textContent: [{ document: { uri: cell("a"), version: 2 }, changes }] });
    assert.ok(await hovers(notebook));
    await closeText();
    assert.ok(await hovers(cell("a")));
    await editor.open(notebook, text);
    await close();
    assert.deepEqual(await run(editor, notebook), oneOk);
    await editor.openCells(notebook, cells);
    await editor.change(notebook, { text: `${text} ` });
    assert.ok(await hovers(cell("a")));
    await closeText();
    assert.deepEqual(await run(editor, notebook), oneOk);
  });

  it("asks an editor that pulls to pull again", async () => {
    const editor = await start({
      textDocument: { diagnostic: {} },
      workspace: { diagnostics: { refreshSupport: true } },
    });
    await editor.open(file, `{ "cells": [{ "method": "eth_chainId", "endpoint": "later" }] }`);
    const pull = async (): Promise<unknown> =>
      (await editor.ask<{ readonly items: readonly unknown[] }>("diagnostic", file)).items;
    await pull();
    await editor.connection.sendNotification("workspace/didChangeConfiguration", {
      settings: { rpcNotebook: { endpoints: { later: url } } },
    });
    await editor.until("workspace/diagnostic/refresh", () => true);
    assert.deepEqual(await pull(), []);
  });

  it("sends problems once, and then only that they are unchanged", async () => {
    const editor = await start({ textDocument: { diagnostic: {} } });
    await editor.open(file, `[{ "method": "eth_chain" }]`);
    const pull = (previousResultId?: string): Promise<{ kind: string; resultId: string; items?: unknown[] }> =>
      editor.ask("diagnostic", file, { previousResultId });
    const type = (line: number, character: number, text: string): Promise<void> =>
      editor.change(file, { range: { start: { line, character }, end: { line, character } }, text });
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
    const editor = await started({
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
    const using = (...names: readonly string[]): string =>
      `{ "endpoint": "${url}", "cells": [{ "method": "eth_call", "params": ${JSON.stringify(names)} }] }`;
    await editor.open(file, using("{{$secret.KEY}}", "{{$secret.NO}}"));
    const { diagnostics } = await editor.until<Published>("textDocument/publishDiagnostics", ({ diagnostics: all }) =>
      all.some(({ code }) => code === "unset-value"),
    );
    const problem = diagnostics.find(({ code }) => code === "unset-value");
    assert.match(problem?.message ?? "", /`NO`/);
    const actions = await editor.ask<readonly { readonly command?: object }[]>("codeAction", file, {
      range: problem?.range,
      context: { diagnostics: [problem] },
    });
    const command = actions.find((one) => one.command)?.command;
    assert.deepEqual(command, { title: "Set the secret NO…", command: "rpcNotebook.setSecret", arguments: ["NO"] });
    await editor.change(file, { text: using("{{$secret.KEY}}") });
    await run(editor);
    const { host } = new URL(url);
    const site = `http://${host}`;
    const source = `The endpoint "${host}" is named by the header.`;
    const words = {
      question: `Send requests to ${site} with $secret.KEY?`,
      detail: [source],
      more: "You are asked once for each host in this workspace.",
      yes: ["Allow"],
      no: "Don't Allow",
    };
    assert.deepEqual(asked, [
      { words, site, inClear: false, source, values: ["$secret.KEY"], grants: [site, `${site} $secret.KEY`] },
    ]);
    const finished = await editor.until("rpcNotebook/cellFinished", () => true);
    assert.ok(!JSON.stringify(finished).includes("s3cr3t-value"));
  });

  it("asks in a message if the editor has no other way, and sends nothing after a no", async () => {
    const editor = await start({}, { settings: {}, approvesHosts: false });
    await editor.open(file, `{ "cells": [{ "method": "eth_chainId", "endpoint": "https://a.example" }] }`);
    assert.deepEqual(await run(editor), { ok: 0, failed: 1, cancelled: false });
    await editor.until<{ message: string }>("window/showMessageRequest", ({ message }) =>
      message.startsWith("Send requests to https://a.example?"),
    );
  });

  it("reads files through an editor that reads them", async () => {
    const editor = await start({}, { readsFiles: true });
    await editor.open(file, `{ "cells": [] }`);
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
    await editor.open(file, `{ "method": "eth_chainId" }`);
    assert.equal(await editor.ask("hover", file, at(0, 14)), null);
    const { message } = await editor.until<{ message: string }>("window/logMessage", () => true);
    assert.match(message, /^hover failed: TypeError at /);
    assert.doesNotMatch(message, /secret-of-mine/);
    assert.ok(await editor.ask("completion", file, at(0, 14)));
  });

  it("goes on after invalid messages", async () => {
    const editor = await start();
    await editor.change("x:y", { text: "{" });
    await editor.connection.sendNotification("notebookDocument/didChange", {
      notebookDocument: { uri: "x:z", version: 1 },
      change: {},
    });
    assert.equal(await editor.ask("hover", "x:none", at(9, 9)), null);
    const command = { command: "rpcNotebook.run", arguments: [7] };
    assert.equal(await editor.connection.sendRequest("workspace/executeCommand", command), null);
    assert.deepEqual(await run(editor, "x:none"), { ok: 0, failed: 0, cancelled: false });
  });
});
