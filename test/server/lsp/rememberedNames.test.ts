import assert from "node:assert/strict";
import { encodeEventTopics, encodeFunctionData } from "viem";
import type { Cache } from "../../../server/src/base/ports.ts";
import { createDownloads } from "../../../server/src/node/transport.ts";
import { countedChain } from "../../support/countedChain.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { lookupServer } from "../../support/lookupServer.ts";
import { createVault, vaultContracts } from "../../support/vault.ts";

const refresh = "rpcNotebook/refreshResults";
const [uri, first] = ["file:///w/a.rpc.json", "cell:/w/a#1"];

describe("what a lookup host said earlier", function () {
  this.timeout(300_000);
  const counted = countedChain();
  const { vault } = vaultContracts();
  const kept = new Map<string, string>();
  const written = new Map<string, string>();
  let places: { readonly vault: string; readonly forwarder: string };
  let lookup: Awaited<ReturnType<typeof lookupServer>>;
  let editor: Editor;

  const cell = (name = "lift") =>
    JSON.stringify({
      method: "eth_call",
      params: [{ to: places.vault, data: { function: name, args: ["7"] } }, "latest"],
    });
  const open = async (more: object = {}, chainId = 8453, text = cell()): Promise<void> => {
    const cache: Cache = {
      read: async (key) => kept.get(key),
      write: async (key, value) => void kept.set(key, value),
    };
    const endpoints = { test: { url: counted.proxy.url, chainId } };
    const settings = { rpcNotebook: { endpoints, endpoint: "test", lookupHost: lookup.url } };
    editor = await startEditor({
      initializationOptions: { approvesHosts: true, redrawsResults: true, settings, ...more },
      ports: { cache, downloads: createDownloads(() => ({})) },
      files: {
        read: async (file) => (written.has(file) ? new TextEncoder().encode(written.get(file)) : undefined),
        write: async (file, { text }) => {
          written.set(file, text);
          return { kind: "written" };
        },
      },
      answers: {
        "rpcNotebook/approveHost": () => ({ approved: true }),
        "rpcNotebook/approveLookup": () => ({ approved: "once" }),
        [refresh]: () => null,
      },
    });
    await editor.openCells(uri, [[first, text]]);
  };
  const hover = async (word: string): Promise<string> => {
    const character = cell().indexOf(word) + 3;
    const position = { textDocument: { uri: first }, position: { line: 0, character } };
    return JSON.stringify(await editor.connection.sendRequest("textDocument/hover", position)).replaceAll("\\", "");
  };
  const problems = async (): Promise<string> =>
    JSON.stringify(await editor.connection.sendRequest("textDocument/diagnostic", { textDocument: { uri: first } }));
  /** Reads again whenever the server says that what it shows has changed. */
  const eventually = async (read: () => Promise<string>, wanted: RegExp): Promise<string> => {
    for (;;) {
      const heard = editor.count(refresh);
      const text = await read();
      if (wanted.test(text)) return text;
      await editor.until(refresh, () => editor.count(refresh) > heard);
    }
  };

  before(async () => {
    places = await createVault(counted.chain);
  });
  beforeEach(async () => {
    kept.clear();
    written.clear();
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
    lookup = await lookupServer([{ address: places.vault, name: "Vault", abi: vault.abi }]);
    const data = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [0n] });
    const plain = JSON.stringify({ method: "eth_call", params: [{ to: places.vault, data }, "latest"] });
    await open({}, 8453, plain);
    await editor.connection.sendRequest("rpcNotebook/run", { runId: "1", uri, cells: [{ uri: first }] });
    await editor.until("rpcNotebook/cellFinished", () => true);
    await editor.connection.sendRequest("rpcNotebook/lookUpNames", { uri });
    assert.equal(kept.size, 1);
    editor.connection.dispose();
  });
  afterEach(() => editor.connection.dispose());

  it("is known to problems, completion and hovers of a later session, with its origin", async () => {
    await open();
    assert.doesNotMatch(await eventually(problems, /"items":\[\]/), /unknown-function/);
    const text = await eventually(() => hover(places.vault), /exact match/);
    assert.ok(text.includes(`Vault`) && text.includes(`${lookup.host}, exact match`), text);
    assert.match(await hover("lift"), /exact match/);
    const character = cell().indexOf("lift") + 1;
    const at = { textDocument: { uri: first }, position: { line: 0, character } };
    const list = JSON.stringify(await editor.connection.sendRequest("textDocument/completion", at));
    assert.ok(list.includes("lift(uint256"), list);
    assert.equal(lookup.paths.length, 1);
  });
  it("is beside call data and topics of its contract, and of no other one", async () => {
    const data = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [7n] });
    const topics = encodeEventTopics({ abi: vault.abi, eventName: "Floored" });
    const cellFor = (address: string) =>
      JSON.stringify([
        { method: "eth_call", params: [{ to: address, data }, "latest"] },
        { method: "eth_getLogs", params: [{ address, topics }] },
      ]);
    const hints = async (): Promise<string> => {
      const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
      const place = { textDocument: { uri: first }, range };
      return JSON.stringify(await editor.connection.sendRequest("textDocument/inlayHint", place));
    };
    await open({}, 8453, cellFor(places.vault));
    await problems(); // waits for what is kept
    assert.match(await hints(), /lift.*Floored/);
    editor.connection.dispose();
    await open({}, 8453, cellFor(places.forwarder));
    await hover(places.vault);
    assert.doesNotMatch(await hints(), /lift|Floored/);
  });
  it("is saved to the project, which asks nothing", async () => {
    await open();
    const save = () => editor.connection.sendRequest("rpcNotebook/saveContracts", { uri });
    assert.match(JSON.stringify(await save()), /1 contract written/);
    assert.deepEqual([...written.keys()], ["file:///w/contracts/Vault.json"]);
    assert.match([...written.values()].join(), /"exact match"/);
    await save();
    assert.deepEqual([written.size, lookup.paths.length], [1, 1]);
  });
  it("is not saved from a workspace that is not trusted, and not for a notebook of another chain", async () => {
    for (const [more, chainId] of [
      [{ trusted: false }, 8453],
      [{}, 10],
    ] as const) {
      await open(more, chainId);
      await editor.connection.sendRequest("rpcNotebook/saveContracts", { uri });
      assert.equal(written.size, 0);
      if (chainId === 8453) editor.connection.dispose();
    }
  });
  for (const [when, more, chainId] of [
    ["of another chain", {}, 10],
    ["of a local chain", {}, 31337],
    ["of a workspace that is not trusted", { trusted: false }, 8453],
  ] as const)
    it(`is not used in a notebook ${when}`, async () => {
      await open(more, chainId);
      await editor.connection.sendRequest("textDocument/hover", {
        textDocument: { uri: first },
        position: { line: 0, character: 3 },
      });
      assert.match(await problems(), /unknown-function/);
      assert.doesNotMatch(await hover(places.vault), /Vault/);
    });
});
