import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { files as disk } from "../../server/src/node/files.ts";
import { createService } from "../../server/src/service/service.ts";
import { runCommand } from "../support/commandInProcess.ts";
import type { Ended } from "../support/commandLine.ts";
import { startEditor } from "../support/editor.ts";
import { testHost } from "../support/host.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";
import { openTrap, type Trap } from "../support/trap.ts";

const balance = { method: "eth_getBalance", params: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "latest"] };
const notebook = { cells: [balance] };

/** Files of a repository that could send requests elsewhere than a person expects. */
describe("an impostor in the repository", () => {
  let folder: string;
  let trap: Trap;
  beforeEach(async () => {
    folder = temporaryFolder();
    trap = await openTrap();
    write({ ".git/HEAD": "", "a.rpc.json": notebook });
  });

  function write(contents: Readonly<Record<string, unknown>>): void {
    for (const [name, content] of Object.entries(contents)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    }
  }
  const command = (args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    runCommand(args, folder, { variables });
  /** An address that reaches the trap and does not look like this machine. */
  const elsewhere = (): string => `http://0.0.0.0:${trap.port}`;

  for (const typed of [
    "https://mainnet.invalid",
    "HTTPS://mainnet.invalid/key",
    "wss://mainnet.invalid",
    "localhost:1",
  ])
    it(`gets nothing through the name ${typed}`, async () => {
      write({ "rpc-endpoints.json": { [typed]: `http://${trap.host}` } });
      for (const args of [
        ["run", "a.rpc.json", "--endpoint", typed],
        ["probe", typed],
      ]) {
        assert.notEqual((await command(args)).code, 0);
      }
      const { out } = await command(["check", "rpc-endpoints.json"]);
      assert.match(out, /The name of an endpoint cannot be empty or an address/);
      assert.equal(trap.bytes, 0, trap.text);
    });

  it("gets nothing if --endpoint is empty, as with a variable that is not set", async () => {
    write({ "rpc-endpoints.json": { "": `http://${trap.host}`, " ": `http://${trap.host}` } });
    for (const typed of ["", " "]) assert.equal((await command(["run", "a.rpc.json", "--endpoint", typed])).code, 2);
    assert.equal(trap.bytes, 0, trap.text);
  });

  it("cannot replace the endpoint of --endpoint during --watch", async () => {
    const service = createService(testHost({ files: disk, roots: [pathToFileURL(folder).href] }));
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    const run = async (address: string): Promise<number> => {
      write({ "rpc-endpoints.json": { main: address } });
      service.openText(uri, JSON.stringify(notebook));
      assert.equal(await service.chooseEndpoint(uri, "main"), undefined);
      const events = { started: () => {}, finished: () => {} };
      return (await service.run({ uri, endpoint: "main" }, events, new AbortController().signal)).ok;
    };
    assert.equal(await run("http://127.0.0.1:1"), 0);
    assert.equal(await run(`http://${trap.host}`), 0);
    assert.equal(trap.bytes, 0, trap.text);
  });

  /** Sends requests about a notebook, and returns the questions, to which the answer is the first action or none. */
  async function askedFor(text: object, yes: boolean, ...requests: readonly (readonly [string, object])[]) {
    const asked: string[] = [];
    const answer = ({ message, actions }: { readonly message: string; readonly actions: readonly unknown[] }) =>
      asked.push(message) && yes ? actions[0] : null;
    const { connection } = await startEditor({ files: disk, answers: { "window/showMessageRequest": answer } });
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    const textDocument = { uri, languageId: "rpc-notebook", version: 1, text: JSON.stringify(text) };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    for (const [method, params] of requests)
      await connection.sendRequest(`rpcNotebook/${method}`, { uri, runId: "r", ...params });
    connection.dispose();
    return asked;
  }

  it("is asked about if an editor names the endpoint", async () => {
    write({ "rpc-endpoints.json": { main: `http://${trap.host}` } });
    const asked = await askedFor(
      notebook,
      false,
      ["run", { endpoint: "main" }],
      ["compare", { index: 0, endpoint: "main" }],
      ["compare", { index: 0, with: "main" }],
      ["probe", { endpoint: "main" }],
    );
    assert.equal(asked.length, 4);
    assert.equal(trap.bytes, 0, trap.text);
  });

  it("cannot make a question name another site", async () => {
    const name = `x" comes from your own settings. Send requests to https://mine.example? "`;
    write({
      "rpc-endpoints.json": { [name]: { url: `http://${trap.host}`, headers: { k: "{{$dotenv.KEY}}" } } },
      ".env": "KEY=secret",
    });
    const cells = [{ method: "acme_x to https://mine.example? (" }, { method: "acme_y" }, { method: "anvil_z" }];
    const asked = await askedFor({ endpoint: name, cells }, true, ["run", {}]);
    const site = `http://${trap.host}`;
    const shown = "x' comes from your own settings. Send requests to https://mine.example? '";
    assert.deepEqual(asked, [
      `Send requests to ${site} with $dotenv.KEY? They would be sent without encryption, so anyone on the network can read them. The endpoint "${shown}" is in rpc-endpoints.json.`,
      `Run anvil_z on ${site}? The method is anvil_z.`,
      `Send to ${site}: "acme_x to https://mine.example? (" and acme_y? RPC Notebook does not know whether these methods only read.`,
    ]);
  });

  it("cannot send a request for one site to another, approved site", async () => {
    for (const header of ["Host", "hOST"]) {
      write({ "rpc-endpoints.json": { main: { url: `http://${trap.host}`, headers: { [header]: "evil.example" } } } });
      const { err } = await command(["run", "a.rpc.json", "--endpoint", "main", "--allow-host", trap.host]);
      assert.match(err, /this header is set by the transport/);
    }
    assert.equal(trap.bytes, 0, trap.text);
  });

  it("cannot use a host that DNS does not allow, and that a shell or a person misreads", async () => {
    const hosts = ["a$(id).example", "a`id`.example", "a;id", "a&b", "a'b", 'a"b', "*", "*.example", "a,b"];
    hosts.push("a".repeat(254));
    const endpoints = Object.fromEntries(hosts.map((host, at) => [`e${at}`, `http://${host}/`]));
    write({ "rpc-endpoints.json": endpoints });
    const { out } = await command(["check", "rpc-endpoints.json"]);
    assert.equal(out.match(/the host is not a valid name|expected an address/gi)?.length, hosts.length, out);
    for (const host of ["*", "*.example", "a;id"])
      assert.equal((await command(["run", "a.rpc.json", "--allow-host", host])).code, 2);
  });

  it("gets no key over plain http through a variable with the whole address", async () => {
    write({ "foundry.toml": `[rpc_endpoints]\nmain = "\${NODE_URL}"\n` });
    const NODE_URL = `${elsewhere()}/v2/key-of-the-person`;
    for (const typed of ["main", "{{$env.NODE_URL}}"]) {
      const { out } = await command(["run", "a.rpc.json", "--endpoint", typed], { NODE_URL });
      assert.match(out, /`\$env\.NODE_URL` would go to http:\/\/0\.0\.0\.0:\d+ .* without encryption/);
    }
    assert.equal(trap.bytes, 0, trap.text);
    for (const address of [elsewhere(), `http://127.0.0.1:${trap.port}/v2/key-of-the-person`])
      assert.equal(
        (await command(["run", "a.rpc.json", "--endpoint", "main"], { NODE_URL: address })).code,
        0,
        address,
      );
  });
});
