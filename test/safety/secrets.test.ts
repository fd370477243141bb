import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { countCases } from "../../scripts/lib/caseCounts.mjs";
import { initializeResult } from "../../server/src/lsp/capabilities.ts";
import { clientOf } from "../../server/src/lsp/client.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, startCommandLine } from "../support/commandLine.ts";
import { some } from "../support/depth.ts";
import { cases, echoNotebook, echoServer, echoStream, leaked, openedText, secrets } from "../support/echo.ts";
import type { HostileServer } from "../support/hostileServer.ts";
import type { SocketServer } from "../support/socketServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const variables = Object.fromEntries(
  Object.entries(secrets).map(([name, value]) => [`RPC_NOTEBOOK_SECRET_${name}`, value]),
);

interface Place {
  readonly uri: string;
  readonly text: string;
  readonly folder: string;
  readonly name: string;
  /** Of tables and flame graphs. */
  readonly rests: readonly string[];
}

const address = `0x${"12".repeat(20)}`;
const traceNotebook = (endpoint: string): string =>
  JSON.stringify({
    endpoint,
    cells: [
      { method: "debug_traceTransaction", params: [`0x${"ab".repeat(32)}`, { tracer: "callTracer" }] },
      { method: "eth_call", params: [{ to: address }, "latest"], expect: { result: "0x1" } },
    ],
  });
/** Asks about the names of cells, and about the places behind them. */
const atNames = ({ uri, text }: Place): readonly object[] => {
  const places = text
    .split("\n")
    .flatMap((line, at) => (line.includes('"name"') ? [{ line: at, character: line.indexOf("name") + 9 }] : []));
  return some(places, 12).map((position) => ({
    textDocument: { uri },
    position,
    context: { includeDeclaration: true, triggerKind: 1 },
  }));
};
const document = ({ uri }: Place) => [{ textDocument: { uri } }];
const inRange = ({ uri }: Place) => [
  {
    textDocument: { uri },
    range: { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } },
    context: { diagnostics: [] },
    positions: [{ line: 3, character: 5 }],
    options: { tabSize: 2, insertSpaces: true },
  },
];

/** What is asked in an editor. A text says why a request shows nothing. */
const requests: Readonly<Record<string, string | ((place: Place) => readonly object[])>> = {
  "rpcNotebook/run": "asked before all others",
  "rpcNotebook/saveRecording": ({ uri }) => [{ uri }],
  "rpcNotebook/bugReport": ({ uri, text }) => [{ uri, text }],
  "rpcNotebook/saveBugReport": "writes what the editor sends",
  "rpcNotebook/tests": ({ uri }) => [{ uri }],
  "rpcNotebook/address": ({ uri }) => [{ uri, text: address, offset: 9 }],
  "rpcNotebook/probe": ({ uri }) => [{ uri }],
  "rpcNotebook/audit": ({ uri }) => [{ uri, forMs: 100 }],
  "rpcNotebook/storageContracts": ({ uri }) => [{ uri }],
  "rpcNotebook/contractStorage": ({ uri }) => [{ uri, contract: "Vault", address, blocks: ["latest"] }],
  "rpcNotebook/compare": ({ uri }) =>
    cases
      .flatMap(({ place }, at) => (place === "revert reason" ? { uri, index: at + 1, tags: ["latest", "safe"] } : []))
      .slice(0, 8),
  "rpcNotebook/findWhen": ({ folder, name }) => [
    { uri: `${folder}/trace${name}.rpc.json`, index: 1, range: ["0x1", "0x4"] },
  ],
  "rpcNotebook/lookup": "names the host of a setting, and an address that the editor sends",
  "rpcNotebook/addContract": ({ uri }) => [
    { uri, address },
    { uri, address, guess: true },
  ],
  "rpcNotebook/openSource": ({ uri }) => [{ uri, address }],
  "rpcNotebook/lookUpNames": ({ uri }) => [{ uri }],
  "rpcNotebook/saveContracts": ({ uri }) => [{ uri }],
  "rpcNotebook/registry": "says what can be downloaded",
  "rpcNotebook/getRegistry": "says what was downloaded",
  "rpcNotebook/descriptorPaths": "says names that are in the text that the editor sends",
  "rpcNotebook/label": ({ uri }) => [{ uri, address, name: "some" }],
  "rpcNotebook/watch": ({ uri }) => [
    { id: "1", uri, address },
    ...cases.map((_, at) => ({ id: `w${at}`, uri, index: at + 1 })),
  ],
  "rpcNotebook/staleness": ({ uri }) => [{ uri }],
  "rpcNotebook/rows": ({ rests }) => rests.map((rest) => ({ rest, from: 0, count: 200, json: true })),
  "rpcNotebook/saveRows": ({ rests, folder, name }) =>
    rests.flatMap((rest, at) => ["csv", "json"].map((end) => ({ uri: `${folder}/saved-${name}${at}.${end}`, rest }))),
  "rpcNotebook/saveProfile": ({ rests, folder, name }) =>
    rests.map((rest) => ({ uri: `${folder}/saved-${name}.speedscope.json`, rest })),
  "rpcNotebook/endpoints": ({ uri }) => [{ uri }],
  "rpcNotebook/checkAddress": ({ uri }) => [{ uri, text: "http://127.0.0.1:1/v2/key" }],
  "rpcNotebook/localPort": "says a word",
  "rpcNotebook/addEndpoint": "says that it has written what the editor sent",
  "rpcNotebook/export": ({ uri }) => [
    ...["bash", "powershell", "cmd"].flatMap((shell) => ["curl", "cast"].map((to) => ({ uri, to, shell, all: true }))),
    { uri, to: "viem", all: true },
  ],
  "rpcNotebook/exportTargets": "names programs and shells",
  "rpcNotebook/exportPage": () => [
    {
      title: "page",
      cells: cases.map(({ payload }) => ({ kind: "request", text: JSON.stringify(payload), reports: [] })),
      script: "",
    },
  ],
  "rpcNotebook/import": ({ uri }) => [{ uri, text: address }],
  "rpcNotebook/explain": ({ uri }) => [{ uri, text: address }],
  "rpcNotebook/templates": ({ uri }) => [{ uri }],
  "rpcNotebook/wireForm": ({ uri }) => [0, 1, 2].map((index) => ({ uri, index })),
  "textDocument/hover": atNames,
  "textDocument/completion": atNames,
  "textDocument/signatureHelp": atNames,
  "textDocument/definition": atNames,
  "textDocument/references": atNames,
  "textDocument/documentHighlight": atNames,
  "textDocument/prepareRename": atNames,
  "textDocument/codeLens": document,
  "textDocument/diagnostic": document,
  "textDocument/documentSymbol": document,
  "textDocument/documentLink": document,
  "textDocument/foldingRange": document,
  "textDocument/semanticTokens/full": document,
  "textDocument/formatting": inRange,
  "textDocument/rangeFormatting": inRange,
  "textDocument/codeAction": inRange,
  "textDocument/inlayHint": inRange,
  "textDocument/selectionRange": inRange,
};

/** What shows something of the answers of a server here. */
const showing = ["cellFinished", "bugReport", "address", "probe", "compare", "findWhen", "rows", "exportPage"]
  .map((name) => `rpcNotebook/${name}`)
  .concat([
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "unknown.rpc.recording.json",
    "saved-unknown.speedscope.json",
  ]);

/** Methods whose names are not those of their capabilities. */
const otherNames: Readonly<Record<string, string>> = {
  documentFormatting: "formatting",
  documentRangeFormatting: "rangeFormatting",
  rename: "prepareRename",
  semanticTokens: "semanticTokens/full",
};

describe("a server that returns secrets", function () {
  this.timeout(300_000);
  let folder = "";
  let server: HostileServer;
  let stream: SocketServer;
  before(async () => {
    buildCommandLine();
    [server, stream] = await Promise.all([echoServer(), echoStream()]);
    folder = temporaryFolder();
    writeFileSync(join(folder, "known.rpc.json"), echoNotebook(true));
    writeFileSync(join(folder, "unknown.rpc.json"), echoNotebook(false));
    const values = Object.keys(secrets).map((name) => `{{$secret.${name}}}`);
    const cell = (params: readonly string[]): string =>
      JSON.stringify({ cells: [{ name: "s", method: "eth_subscribe", params: ["echo", ...params] }] });
    writeFileSync(join(folder, "knownStream.rpc.json"), cell(values));
    writeFileSync(join(folder, "unknownStream.rpc.json"), cell([]));
  });
  after(() => Promise.all([server.close(), stream.close()]));

  const run = async (name: string, ...options: readonly string[]): Promise<string> => {
    const at = name.endsWith("Stream") ? stream : server;
    const args = ["run", `${name}.rpc.json`, "--endpoint", at.url, "--allow-host", at.host, ...options];
    const { out, err } = await runCommand(args, folder, { variables });
    return out + err;
  };
  /** Everything that a language server sends, by the request that it answers; `events` for the rest. */
  const editor = async (name: string): Promise<ReadonlyMap<string, string>> => {
    const { child, ended } = startCommandLine(["lsp", "--stdio"], folder, variables);
    if (!child.stdout || !child.stdin) throw new Error("It has no streams.");
    const heard = new Map<string, string>();
    const hear = (key: string, value: unknown) =>
      void heard.set(key, `${heard.get(key) ?? ""}${JSON.stringify(value)}\n`);
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.onNotification((method, params) => hear(method, params));
    connection.onRequest((method, params) => {
      hear(method, params);
      return null;
    });
    connection.listen();
    await connection.sendRequest("initialize", {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: {},
      initializationOptions: {
        trusted: true,
        approvedHosts: [server.host, `${server.host} *`, `http://${server.host}`, `http://${server.host} *`],
      },
    });
    await connection.sendNotification("initialized", {});
    const uriOf = (file: string) => pathToFileURL(join(folder, file)).href;
    const open = (file: string, text: string) =>
      connection.sendNotification("textDocument/didOpen", {
        textDocument: { uri: uriOf(file), languageId: "rpc-notebook", version: 1, text },
      });
    const uri = uriOf(`${name}.rpc.json`);
    const text = echoNotebook(name === "known", server.url);
    await open(`${name}.rpc.json`, text);
    await open(`trace${name}.rpc.json`, traceNotebook(server.url));
    const ask = async (method: string, params: unknown) => {
      const answer: unknown = await connection.sendRequest(method, params);
      const isReport = method === "rpcNotebook/bugReport";
      hear(method, isReport ? openedText((answer as { readonly text: string }).text) : answer); // it was recorded
      return answer;
    };
    for (const [runId, one] of [uri, uriOf(`trace${name}.rpc.json`)].entries())
      await ask("rpcNotebook/run", { runId: String(runId), uri: one, record: true, trace: true });
    const finished = heard.get("rpcNotebook/cellFinished") ?? "";
    const place = {
      uri,
      text,
      folder: uriOf(""),
      name,
      rests: [...new Set([...finished.matchAll(/"rest":"([^"]+)"/g)].map(([, rest]) => rest ?? ""))],
    };
    for (const [method, params] of Object.entries(requests))
      for (const one of typeof params === "string" ? [] : params(place)) await ask(method, one);
    for (const file of readdirSync(folder))
      if (file.startsWith(`saved-${name}`) || file === `${name}.rpc.recording.json`)
        hear(file, openedText(readFileSync(join(folder, file), "utf8")));
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    await ended;
    connection.dispose();
    return heard;
  };

  it("does not leak one in anything that a language server sends, in any encoding and place", async () => {
    const [shown, raw] = await Promise.all([editor("known"), editor("unknown")]);
    const seenIn = (text: string) => cases.filter((one) => leaked(one, text) !== undefined);
    for (const [method, text] of raw) {
      const seen = seenIn(text);
      countCases(seen.length);
      if (showing.includes(method)) assert.ok(seen.length > 0, `without the mask, ${method} shows none`);
      const leaks = seenIn(shown.get(method.replace("unknown", "known")) ?? "");
      assert.deepEqual(
        leaks.map(({ secret, encoding, place }) => ({ secret, encoding, place })),
        [],
        method,
      );
    }
    assert.deepEqual(
      showing.filter((method) => !raw.has(method)),
      [],
      "they were asked",
    );
  });

  it("has a row here for everything that a language server answers", () => {
    const protocol = readFileSync(new URL("../../server/src/protocol/methods.ts", import.meta.url), "utf8");
    const own = [
      ...protocol.slice(0, protocol.indexOf("ClientNotifications")).matchAll(/"(rpcNotebook\/\w+)": \[/g),
    ].map(([, method]) => method);
    const { capabilities } = initializeResult(clientOf({ processId: null, rootUri: null, capabilities: {} }));
    const standard = Object.keys(capabilities)
      .flatMap((name) => /^(?!executeCommand|notebook)(.+)Provider$/.exec(name)?.[1] ?? [])
      .map((name) => `textDocument/${otherNames[name] ?? name}`);
    assert.ok(own.length > 20 && standard.length > 10);
    assert.deepEqual(
      [...own, ...standard].filter((method = "") => !(method in requests)),
      [],
    );
  });

  it("does not leak one in messages of a subscription", async () => {
    const bounds = ["--rows", String(cases.filter(({ place }) => place === "result").length)];
    const [shown, raw] = [await run("knownStream", ...bounds), await run("unknownStream", ...bounds)];
    const sent = cases.filter(({ place }) => place === "result");
    const seen = sent.filter((one) => leaked(one, raw) !== undefined);
    assert.ok(
      seen.length > sent.length / 2,
      `without the mask, ${seen.length} of ${sent.length} are found: ${raw.slice(0, 500)}`,
    );
    assert.deepEqual(
      sent.flatMap((one) => leaked(one, shown) ?? []),
      [],
    );
  });

  it("has no command that prints without the mask", () => {
    const folder = new URL("../../server/src/cli/", import.meta.url);
    const direct = readdirSync(folder).filter((name) =>
      /createService\(/.test(readFileSync(new URL(name, folder), "utf8")),
    );
    assert.deepEqual(direct, ["openService.ts"]);
  });
});
