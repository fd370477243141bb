import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { countCases } from "../../scripts/lib/caseCounts.mjs";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, startCommandLine } from "../support/commandLine.ts";
import { byCase, type Case, cases, echoNotebook, echoServer, echoStream, leaked, secrets } from "../support/echo.ts";
import type { HostileServer } from "../support/hostileServer.ts";
import type { SocketServer } from "../support/socketServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const variables = Object.fromEntries(
  Object.entries(secrets).map(([name, value]) => [`RPC_NOTEBOOK_SECRET_${name}`, value]),
);

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
  /** Every text that a language server sends about a run and about every hover over a name. */
  const editor = async (name: string): Promise<string> => {
    const { child, ended } = startCommandLine(["lsp", "--stdio"], folder, variables);
    if (!child.stdout || !child.stdin) throw new Error("It has no streams.");
    const heard: unknown[] = [];
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.onNotification((method, params) => void heard.push(method, params));
    connection.onRequest((method, params) => {
      heard.push(method, params);
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
    const uri = pathToFileURL(join(folder, `${name}.rpc.json`)).href;
    const text = echoNotebook(name === "known", server.url);
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "rpc-notebook", version: 1, text },
    });
    heard.push(await connection.sendRequest("rpcNotebook/run", { runId: "1", uri }));
    const textDocument = { uri };
    heard.push(await connection.sendRequest("textDocument/codeLens", { textDocument }));
    for (const method of ["textDocument/diagnostic"])
      heard.push(await connection.sendRequest(method, { textDocument }));
    for (const [line, written] of text.split("\n").entries())
      if (written.includes('"name"'))
        heard.push(
          await connection.sendRequest("textDocument/hover", {
            textDocument,
            position: { line, character: written.indexOf("name") + 9 },
          }),
        );
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    await ended;
    connection.dispose();
    return JSON.stringify(heard);
  };

  const leaksIn = (output: string): readonly Case[] => {
    const parts = byCase(output);
    return cases.filter((one) => leaked(one, parts.get(one.name) ?? "") !== undefined);
  };

  it("does not leak one in the language server, in any encoding and place", async () => {
    countCases(cases.length);
    const [shown, raw] = [await editor("known"), await editor("unknown")];
    const leaks = leaksIn(shown);
    const seen = leaksIn(raw);
    assert.ok(seen.length > cases.length / 3, `without the mask, ${seen.length} of ${cases.length} are found`);
    assert.deepEqual(
      leaks.map(({ secret, encoding, place }) => ({ secret, encoding, place })),
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
