import assert from "node:assert/strict";
import type { Cache, LookupAnswer, LookupQuestion } from "../../../server/src/base/ports.ts";
import { createDownloads } from "../../../server/src/node/transport.ts";
import type { OpenSourceResult } from "../../../server/src/protocol/lookup.ts";
import { countedChain } from "../../support/countedChain.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { lookupServer, type Verified } from "../../support/lookupServer.ts";
import { createVault } from "../../support/vault.ts";

const uri = "file:///w/a.rpc.json";
const library = "library Math {}\n";
const source = "contract Vault {} // ☃\n";

describe("the sources of a contract", function () {
  this.timeout(120_000);
  const counted = countedChain();
  let places: { readonly vault: string; readonly forwarder: string };
  let lookup: Awaited<ReturnType<typeof lookupServer>>;
  let editor: Editor;
  let answer: LookupAnswer;
  let questions: LookupQuestion[];
  let kept: Map<string, string>;

  before(async () => {
    places = await createVault(counted.chain);
  });
  beforeEach(async () => {
    [answer, questions, kept] = ["once", [], new Map()];
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
  });
  afterEach(() => editor.connection.dispose());

  const vault = (sources: Readonly<Record<string, string>>, main?: string): Verified => ({
    ...{ address: places.vault, name: "Vault", abi: [], sources },
    ...(main !== undefined && { main }),
  });
  const open = async (): Promise<void> => {
    const cache: Cache = {
      read: async (key) => kept.get(key),
      write: async (key, text) => void kept.set(key, text),
    };
    const endpoints = { test: { url: counted.proxy.url, chainId: 8453 } };
    const settings = { rpcNotebook: { endpoints, endpoint: "test", lookupHost: lookup.url } };
    editor = await startEditor({
      initializationOptions: { approvesHosts: true, redrawsResults: true, settings },
      ports: { cache, downloads: createDownloads(() => ({})) },
      answers: {
        "rpcNotebook/approveHost": () => ({ approved: true }),
        "rpcNotebook/approveLookup": (question) => {
          questions.push(question);
          return { approved: answer };
        },
      },
    });
    await editor.openCells(uri, [["cell:/w/a#1", '{ "method": "eth_blockNumber" }']]);
  };
  const sources = (address: string) =>
    editor.connection.sendRequest<OpenSourceResult>("rpcNotebook/openSource", { uri, address });
  const files = async (address: string) => {
    const found = await sources(address);
    return "files" in found ? found.files : assert.fail(found.refused);
  };
  const refusal = async (address: string): Promise<string> => {
    const found = await sources(address);
    return "refused" in found ? found.refused : assert.fail("there are sources");
  };
  const text = async (document: string) => {
    const content = await editor.connection.sendRequest<{ readonly text: string }>("workspace/textDocumentContent", {
      uri: document,
    });
    return content.text;
  };

  it("are asked for after a yes, the main file first, and then kept", async () => {
    lookup = await lookupServer([vault({ "lib/Math.sol": library, "src/Vault.sol": source }, "src/Vault.sol")]);
    await open();
    answer = "no";
    assert.match(await refusal(places.vault), /was not asked/);
    assert.deepEqual(lookup.paths, []);
    answer = "once";
    const found = await files(places.vault);
    assert.deepEqual(
      found.map(({ name }) => name),
      ["src/Vault.sol", "lib/Math.sol"],
    );
    assert.match(found[0]?.uri ?? "", /^rpc-source:\/\/127\.0\.0\.1:\d+\/8453\/0x[0-9a-f]{40}\/0\/Vault\.sol$/);
    assert.equal(await text(found[0]?.uri ?? ""), source);
    assert.equal(await text(found[1]?.uri ?? ""), library);
    assert.deepEqual([lookup.paths.length, questions.length], [1, 2]);
    assert.match(lookup.paths[0] ?? "", /fields=sources/);
    editor.connection.dispose();
    await open();
    assert.equal(await text(found[0]?.uri ?? ""), source);
    assert.equal((await files(places.vault)).length, 2);
    assert.deepEqual([lookup.paths.length, questions.length], [1, 2]);
  });

  it("of a proxy are those of its implementation, then its own", async () => {
    const forwarder = { address: places.forwarder, name: "Forwarder", abi: [], sources: { "Forwarder.sol": "" } };
    lookup = await lookupServer([vault({ "Vault.sol": source }), forwarder]);
    await open();
    const found = await files(places.forwarder);
    assert.deepEqual(
      found.map(({ name, address }) => [name, address.toLowerCase()]),
      [
        ["Vault.sol", places.vault],
        ["Forwarder.sol", places.forwarder],
      ],
    );
    const [question] = questions;
    for (const address of Object.values(places))
      assert.ok(question?.words.detail.join(" ").toLowerCase().includes(address), JSON.stringify(question));
  });

  it("have names that are no paths, whatever a stranger called them", async () => {
    const names = [
      "../../../etc/passwd",
      "a\u0000\u202e\n$(x)/b c?#.sol",
      "__proto__",
      "",
      "https://evil.example/x.sol",
      "/",
    ];
    lookup = await lookupServer([
      { ...vault({}), sources: Object.fromEntries(names.map((name, at) => [name, `text ${at}`])) },
    ]);
    await open();
    const found = await files(places.vault);
    assert.equal(found.length, names.length);
    for (const [at, one] of found.entries()) {
      assert.match(one.uri, /^rpc-source:\/\/[\d.:]+\/8453\/0x[0-9a-f]{40}\/\d+\/[\w.-]+$/);
      assert.doesNotMatch(new URL(one.uri).pathname, /\.\.\//);
      assert.doesNotMatch(one.name, /[\p{Cc}\u202e]/u);
      assert.equal(await text(one.uri), `text ${at}`);
    }
  });

  it("are not opened if there are none, and a message says why", async () => {
    lookup = await lookupServer([vault({})]);
    await open();
    assert.match(await refusal(places.vault), /no sources/);
    assert.match(await refusal(places.forwarder), /no sources/);
    assert.match(await refusal("0xno"), /not an address/);
    assert.match(await refusal(`0x${"ab".repeat(20)}`), /not a contract/);
    lookup = await lookupServer([]);
    editor.connection.dispose();
    await open();
    assert.match(await refusal(places.vault), /no verified sources/);
    for (const odd of [
      "rpc-source://a/1/0x/0/",
      "rpc-source:",
      "file:///etc/passwd",
      `rpc-source://h/1/${places.vault}/9/x`,
    ])
      assert.match(await text(odd), /not kept/);
  });

  it("and a lookup are commands of editors that have none of their own", async () => {
    lookup = await lookupServer([vault({ "Vault.sol": source })]);
    const answers = ["This Time", `Look Up at ${lookup.host}`];
    const shown: string[] = [];
    const endpoints = { test: { url: counted.proxy.url, chainId: 8453 } };
    editor = await startEditor({
      initializationOptions: { settings: { rpcNotebook: { endpoints, endpoint: "test", lookupHost: lookup.url } } },
      capabilities: { window: { showDocument: { support: true } } },
      ports: { downloads: createDownloads(() => ({})) },
      files: { read: async () => undefined, write: async () => ({ kind: "written" }) },
      answers: {
        "window/showMessageRequest": ({ actions }: { readonly actions: readonly { readonly title: string }[] }) =>
          actions.find(({ title }) => answers.includes(title)) ?? null,
        "window/showDocument": ({ uri: one }: { readonly uri: string }) => {
          shown.push(one);
          return { success: true };
        },
      },
    });
    const cell = JSON.stringify({ method: "eth_getBalance", params: [places.vault, "latest"] });
    await editor.open(uri, `[${cell}]`);
    const at = { line: 0, character: cell.indexOf("0x") + 5 };
    const actions = await editor.connection.sendRequest<
      readonly {
        readonly title: string;
        readonly command?: { readonly command: string; readonly arguments: unknown };
      }[]
    >("textDocument/codeAction", {
      textDocument: { uri },
      range: { start: at, end: at },
      context: { diagnostics: [] },
    });
    const press = (title: string) => {
      const { command, arguments: given } = actions.find((one) => one.title === title)?.command ?? assert.fail(title);
      return editor.connection.sendRequest("workspace/executeCommand", { command, arguments: given });
    };
    await press("Open Source of Contract…");
    assert.equal(await text(shown[0] ?? ""), source);
    await press("Look Up Contract…");
    assert.match(JSON.stringify(await editor.until("window/showMessage", () => true)), /Vault at 0x/);
  });

  it("are not larger than an answer may be", async () => {
    lookup = await lookupServer([vault({ "Big.sol": "x".repeat(11_000_000) })]);
    await open();
    assert.match(await refusal(places.vault), /MB|large|size/);
  });
});
