import assert from "node:assert/strict";
import { encodeFunctionData } from "viem";
import { checksummed } from "../../../server/src/abi/address.ts";
import type { Cache, LookupAnswer, LookupQuestion } from "../../../server/src/base/ports.ts";
import { shortHex } from "../../../server/src/base/text.ts";
import { createDownloads } from "../../../server/src/node/transport.ts";
import type { CellFinished, CellRedrawn } from "../../../server/src/protocol/runs.ts";
import { countedChain } from "../../support/countedChain.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { lookupServer } from "../../support/lookupServer.ts";
import { createVault, vaultContracts } from "../../support/vault.ts";

const [uri, first, second] = ["file:///w/a.rpc.json", "cell:/w/a#1", "cell:/w/a#2"];

describe("results with contracts that the project does not know", function () {
  this.timeout(300_000);
  const counted = countedChain();
  const { vault } = vaultContracts();
  const data = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [0n] });
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
    lookup = await lookupServer([{ address: places.vault, name: "Vault", abi: vault.abi }]);
  });
  afterEach(() => editor.connection.dispose());

  const open = async (more: object = {}, chain: object = { chainId: 8453 }): Promise<void> => {
    const endpoints = { test: { url: counted.proxy.url, ...chain } };
    const cache: Cache = {
      read: async (key) => kept.get(key),
      write: async (key, text) => void kept.set(key, text),
    };
    const settings = { rpcNotebook: { endpoints, endpoint: "test", lookupHost: lookup.url } };
    editor = await startEditor({
      initializationOptions: { approvesHosts: true, redrawsResults: true, settings, ...more },
      ports: { cache, downloads: createDownloads(() => ({})) },
      answers: {
        "rpcNotebook/approveHost": () => ({ approved: true }),
        "rpcNotebook/approveLookup": (question) => {
          questions.push(question);
          return { approved: answer };
        },
      },
    });
    const call = (to: string) => JSON.stringify({ method: "eth_call", params: [{ to, data }, "latest"] });
    await editor.openCells(uri, [
      [first, call(places.vault)],
      [second, call(places.forwarder)],
    ]);
  };
  const run = (...cells: readonly string[]) => runIn(uri, ...cells);
  const runIn = async (document: string, ...cells: readonly string[]): Promise<readonly CellFinished[]> => {
    const before = editor.count("rpcNotebook/cellFinished");
    const refs = cells.map((cell) => ({ uri: cell }));
    await editor.connection.sendRequest("rpcNotebook/run", { runId: `${before}`, uri: document, cells: refs });
    const finished = cells.map((cell) =>
      editor.until<CellFinished>(
        "rpcNotebook/cellFinished",
        (one) => one.runId === `${before}` && "uri" in one.cell && one.cell.uri === cell,
      ),
    );
    return Promise.all(finished);
  };
  const press = (document = uri) =>
    editor.connection.sendRequest<{ readonly note?: string }>("rpcNotebook/lookUpNames", { uri: document });
  const redrawn = (cell: string, text: RegExp) =>
    editor.until<CellRedrawn>(
      "rpcNotebook/cellRedrawn",
      (one) => "uri" in one.cell && one.cell.uri === cell && text.test(one.output.text),
    );
  const offers = ({ output }: Pick<CellRedrawn, "output">): boolean =>
    JSON.stringify(output.reports).includes("look-up-names");

  it("have an offer, and names after a question that says what the host learns", async () => {
    await open();
    const [one, other] = await run(first, second);
    assert.ok(one && other && offers(one) && offers(other));
    assert.deepEqual([lookup.paths, questions], [[], []]);
    assert.deepEqual(await press(), { note: `2 contracts looked up at ${lookup.host}.`, canSave: true });
    const [question] = questions;
    const said = question?.words.detail.join(" ") ?? "";
    assert.ok(question?.words.question.includes(lookup.url), question?.words.question);
    for (const text of ["chain 8453", places.vault, places.forwarder])
      assert.ok(said.toLowerCase().includes(text.toLowerCase()), said);
    assert.equal(offers(await redrawn(first, /TooLow\(level: 0\)/)), false);
    assert.equal(offers(await redrawn(second, /TooLow\(level: 0\)/)), false);
    const { length } = lookup.paths;
    for (const { output } of await run(first, second)) assert.match(output.text, /TooLow/);
    assert.equal(lookup.paths.length, length);
  });

  it("have names at once, without a question, if an earlier session has asked", async () => {
    await open();
    await run(first);
    await press();
    editor.connection.dispose();
    await open();
    const [one] = await run(first);
    assert.match(one?.output.text ?? "", /TooLow/);
    assert.deepEqual([lookup.paths.length, questions.length], [1, 1]);
  });

  it("have no offer any more if the host has no sources, and a note says so", async () => {
    lookup = await lookupServer([]);
    await open();
    await run(first);
    const { note = "" } = await press();
    assert.equal(offers(await redrawn(first, /unknown error/)), false);
    assert.ok(note.includes(`no verified sources of ${shortHex(checksummed(places.vault))}`), note);
  });

  it("stay as they are after a no", async () => {
    answer = "no";
    await open();
    await run(first);
    await press();
    assert.deepEqual(lookup.paths, []);
    assert.equal(editor.count("rpcNotebook/cellRedrawn"), 0);
  });

  it("have no offer after never", async () => {
    answer = "never";
    await open();
    await run(first);
    await press();
    assert.equal(offers(await redrawn(first, /unknown error/)), false);
    const [again] = await run(first);
    assert.ok(again && !offers(again));
    await press();
    assert.equal(questions.length, 1);
    assert.deepEqual(lookup.paths, []);
  });

  for (const [how, given] of [
    ["by an answer", undefined],
    ["by an approval of an earlier session", "lookup"],
  ] as const)
    it(`are looked up by themselves if that is allowed for always, ${how}`, async () => {
      answer = "always";
      await open(given === undefined ? {} : { approvedHosts: [`${new URL(lookup.url).origin} ${given}`] });
      if (given === undefined) {
        await run(second);
        await press();
      }
      const [one] = await run(first);
      assert.ok(one && !offers(one));
      await redrawn(first, /TooLow/);
      assert.equal(questions.length, given === undefined ? 1 : 0);
    });

  it("are shown without names if a host that is allowed for always fails, which is said once", async () => {
    await lookup.close();
    await open({ approvedHosts: [`${new URL(lookup.url).origin} lookup`] });
    const said = () => editor.count("window/showMessage");
    for (let round = 0; round < 3; round++) await run(first);
    await editor.until("window/showMessage", () => true);
    await run(second);
    assert.equal(said(), 1);
  });

  it("have no offer on a local chain", async () => {
    await counted.replacing(() => undefined);
    await open({}, { chainId: 31337 });
    const [local] = await run(first);
    assert.ok(local && !offers(local));
    editor.connection.dispose();
    await open({}, {});
    const [unknown] = await run(first);
    assert.ok(unknown && !offers(unknown));
    await press();
    assert.deepEqual([lookup.paths, questions], [[], []]);
  });

  it("have no offer in an editor that does not draw results again", async () => {
    await open({ redrawsResults: false });
    const [one] = await run(first);
    assert.ok(one && !offers(one));
    assert.deepEqual(lookup.paths, []);
  });

  it("are never asked about by settings and grants of a repository", async () => {
    const evil = await lookupServer([{ address: places.vault, name: "Evil", abi: vault.abi }]);
    const workspace = { lookupHost: evil.url, endpoints: { other: { url: counted.proxy.url, contracts: evil.url } } };
    await open({ settings: { rpcNotebook: { endpoint: "other" }, workspace }, approvedHosts: [`${evil.url} lookups`] });
    await run(first);
    assert.deepEqual([evil.paths, lookup.paths, questions], [[], [], []]);
  });

  it("are asked about at the host of the endpoint's entry, which the question names", async () => {
    const other = await lookupServer([{ address: places.vault, name: "Vault", abi: vault.abi }]);
    answer = "no";
    await open({}, { chainId: 8453, contracts: `${other.url}/` });
    const [one] = await run(first);
    assert.ok(one && offers(one));
    await press();
    assert.ok(questions[0]?.words.question.includes(other.url), JSON.stringify(questions));
    assert.deepEqual([other.paths, lookup.paths], [[], []]);
    answer = "once";
    await press();
    await redrawn(first, /TooLow/);
    assert.deepEqual([other.paths.length, lookup.paths.length], [1, 0]);
    const params = { uri, address: places.vault };
    const asked = await editor.connection.sendRequest<{ readonly host: string }>("rpcNotebook/lookup", params);
    assert.equal(asked.host, other.host);
    await editor.connection.sendRequest("rpcNotebook/addContract", params);
    await editor.connection.sendRequest("rpcNotebook/addContract", params); // without a question
    assert.deepEqual([other.paths.length, lookup.paths.length], [2, 1]);
    editor.connection.dispose();
    const otherSite = `${new URL(lookup.url).origin} lookup`;
    await open({ approvedHosts: [otherSite] }, { chainId: 8453, contracts: "http://127.0.0.1:9/" });
    const [again] = await run(first);
    assert.ok(again && offers(again));
    assert.equal(lookup.paths.length, 1);
  });

  it("have a note for each host: what one does not know, and that the other failed", async () => {
    const [failing, empty] = [await lookupServer([], () => 500), await lookupServer([])];
    const { url } = counted.proxy;
    const endpoints = {
      test: { url, chainId: 8453, contracts: failing.url },
      other: { url, chainId: 8453, contracts: empty.url },
    };
    await open({ settings: { rpcNotebook: { endpoints, endpoint: "test" } } });
    const call = { method: "eth_call", params: [{ to: places.vault, data }, "latest"] };
    const [document, cells] = ["file:///w/b.rpc.json", ["cell:/w/b#1", "cell:/w/b#2"] as const];
    await editor.openCells(document, [
      [cells[0], JSON.stringify(call)],
      [cells[1], JSON.stringify({ ...call, endpoint: "other" })],
    ]);
    await runIn(document, ...cells);
    const { note = "" } = await press(document);
    assert.deepEqual([failing.paths.length, empty.paths.length], [1, 1]);
    assert.ok(note.includes(`${empty.host} has no verified sources of ${shortHex(checksummed(places.vault))}.`), note);
    assert.ok(!note.includes(`${failing.host} has no`), note);
    assert.equal(note.split(failing.host).length, 2, note);
  });

  it("are as before if the host fails, with one note", async () => {
    await lookup.close();
    await open();
    await run(first, second);
    const { note = "" } = await press();
    assert.match(note, /127\.0\.0\.1/);
    assert.equal(editor.count("rpcNotebook/cellRedrawn"), 0);
  });
});
