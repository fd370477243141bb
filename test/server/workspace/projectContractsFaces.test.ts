import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { itemFromJson } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { buildCommandLine, commandLine } from "../../support/commandLine.ts";
import { hostileServer, replying } from "../../support/hostileServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));
const word = (value: bigint): string => value.toString(16).padStart(64, "0");

/** Topic 0 or selector of what an artifact of the fixtures declares. */
function hashOf(file: string, name: string): string {
  const { abi } = JSON.parse(readFileSync(join(fixtures, file), "utf8"));
  const item = itemFromJson(abi.find((one: { readonly name?: string }) => one.name === name) as JsonValue, ""); // of an artifact
  assert.ok(item);
  return item.hash;
}

describe("contracts of the workspace", function () {
  this.timeout(300_000);
  let folder: string;
  before(() => buildCommandLine());
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it("encode and decode on the command line", async () => {
    cpSync(join(fixtures, "foundry-project"), folder, { recursive: true });
    const token = "build/Token.sol/Token.json";
    const [minted, capExceeded] = [
      hashOf(`foundry-project/${token}`, "Minted"),
      hashOf(`foundry-project/${token}`, "CapExceeded"),
    ];
    const sent: string[] = [];
    const data = `${capExceeded.slice(0, 10)}${word(100n)}${word(500n)}`;
    const log = { address: `0x${"11".repeat(20)}`, topics: [minted, `0x${word(0xabcn)}`], data: `0x${word(77n)}` };
    const server = await hostileServer(
      replying((method, params) => {
        const [first] = params as readonly { readonly data?: string; readonly topics?: readonly string[] }[]; // of the notebook
        sent.push(first?.data ?? first?.topics?.[0] ?? "");
        return method === "eth_call" ? { error: { code: 3, message: "execution reverted", data } } : { result: [log] };
      }),
    );
    try {
      const checked = await runCommand(["check", "notebooks/mint.rpc.json"], folder);
      assert.deepEqual([checked.code, checked.out], [0, "1 notebook: no problems\n"]);
      const args = ["run", "notebooks/mint.rpc.json", "--endpoint", server.url];
      const { out } = await runCommand(args, folder);
      assert.match(out, /CapExceeded/);
      assert.match(out, /asked\W+500/);
      assert.match(out, /Minted/);
      assert.match(out, /units[\s\S]*\b77\b/);
      assert.ok(sent.includes(minted));
      const { out: json } = await runCommand([...args, "--report", "json"], folder);
      assert.match(json, /"name": "Minted"/);
    } finally {
      await server.close();
    }
  });

  it("are found by the server over standard input and output, and read again when they change", async () => {
    cpSync(join(fixtures, "hardhat-project"), folder, { recursive: true });
    const notebook = join(folder, "vault.rpc.json");
    const uri = pathToFileURL(notebook).href;
    const text = readFileSync(notebook, "utf8");
    const server = spawn(process.execPath, [commandLine, "lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    const connection = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    connection.listen();
    const watched: string[] = [];
    connection.onRequest("client/registerCapability", ({ registrations }) => {
      for (const { registerOptions } of registrations)
        for (const one of registerOptions?.watchers ?? []) watched.push(one.globPattern);
      return null;
    });
    await connection.sendRequest("initialize", {
      processId: null,
      rootUri: null,
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "hardhat" }],
      capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
    });
    await connection.sendNotification("initialized", {});
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "rpc-notebook", version: 1, text },
    });
    const hover = async (name: string): Promise<string> => {
      const [before = ""] = text.split(`"${name}"`);
      const lines = before.split("\n");
      const position = { line: lines.length - 1, character: (lines.at(-1)?.length ?? 0) + 2 };
      const found = await connection.sendRequest("textDocument/hover", { textDocument: { uri }, position });
      return JSON.stringify(found);
    };
    assert.match(await hover("lock"), /uint64 until.*Vault/);
    assert.match(await hover("price"), /bytes32 feed.*Oracle/);
    const oracle = join(folder, "abi/Oracle.json");
    writeFileSync(oracle, `["function price(bytes32 pair) returns (int256)"]`);
    const changes = [{ uri: pathToFileURL(oracle).href, type: 2 }];
    await connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
    await connection.sendRequest("textDocument/diagnostic", { textDocument: { uri } }); // waits for what is being read
    assert.match(await hover("price"), /bytes32 pair/);
    assert.deepEqual(watched, ["**/*.{json,toml}", "**/.env", "**/hardhat.config.*"]);
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    const [code] = await once(server, "exit");
    assert.equal(code, 0);
    connection.dispose();
  });
});
