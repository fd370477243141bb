import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeFunctionData } from "viem";
import type { Cache, Downloads } from "../../server/src/base/ports.ts";
import { countedChain } from "../support/countedChain.ts";
import { seed, times } from "../support/depth.ts";
import { startEditor } from "../support/editor.ts";
import { lookupServer } from "../support/lookupServer.ts";
import { createVault, vaultContracts } from "../support/vault.ts";

const [uri, header, first, second] = ["file:///w/a.rpc.json", "cell:/w/a#0", "cell:/w/a#1", "cell:/w/a#2"];

describe("a lookup host, before a person has said yes", function () {
  this.timeout(300_000);
  const counted = countedChain();
  const { vault } = vaultContracts();
  const data = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [0n] });
  let places: { readonly vault: string; readonly forwarder: string };

  before(async () => {
    places = await createVault(counted.chain);
  });

  it("hears nothing, whatever settings, notebooks, recordings and files of a repository say", async () => {
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
    const evil = await lookupServer([{ address: places.vault, name: "Evil", abi: vault.abi }]);
    const asked: string[] = [];
    let questions = 0;
    const downloads: Downloads = {
      get: async ({ url }) => {
        asked.push(url);
        return { kind: "fault", reason: "refused", detail: "" };
      },
    };
    const grants = [`${evil.url} lookups`, `lookup ${evil.url} always`, `${evil.url} always`, "*", evil.url];
    /** What a repository may try, in each place. */
    const claims = {
      lookupHost: evil.url,
      contracts: evil.url,
      lookup: "always",
      approvedHosts: grants,
      approvedLookups: { [evil.url]: "always" },
      rpcNotebook: { lookupHost: evil.url },
      "rpcNotebook.lookupHost": evil.url,
    };
    const some = fc.subarray(Object.entries(claims)).map((entries): object => Object.fromEntries(entries));
    const workspaces = fc.record({
      settings: some,
      head: some,
      entry: some,
      cell: some,
      file: some,
      hasOwnHost: fc.boolean(),
      trusted: fc.boolean(),
      answer: fc.constantFrom("no", "never", "closed"),
    });
    const property = fc.asyncProperty(workspaces, async ({ settings, head, entry, cell, file, ...person }) => {
      const cache: Cache = { read: async () => undefined, write: async () => {} };
      const own = { endpoint: "mine", ...(person.hasOwnHost && { lookupHost: "https://lookup.example" }) };
      const files = new Map([
        ["file:///w/rpc-endpoints.json", { mine: { url: counted.proxy.url, chainId: 8453, ...entry } }],
        ["file:///w/a.recording.json", { ...file, exchanges: [{ ...file, host: evil.url }] }],
        ["file:///w/contracts/Evil.json", { ...file, address: places.vault, lookedUp: { host: evil.host } }],
        ["file:///w/.vscode/settings.json", file],
      ]);
      const editor = await startEditor({
        initializationOptions: {
          ...{ approvesHosts: true, redrawsResults: true, trusted: person.trusted, approvedHosts: [] },
          settings: { rpcNotebook: own, workspace: settings },
        },
        files: {
          read: async (path) => {
            const json = files.get(path);
            return json && new TextEncoder().encode(JSON.stringify(json));
          },
        },
        ports: { cache, downloads },
        answers: {
          "rpcNotebook/approveHost": () => ({ approved: true }),
          "rpcNotebook/approveLookup": () => {
            questions++;
            return person.answer === "closed" ? null : { approved: person.answer };
          },
        },
      });
      const call = (to: string) =>
        JSON.stringify({ ...cell, method: "eth_call", params: [{ to, data, ...cell }, "latest"] });
      const top = { ...head, endpoint: "mine", recording: "a.recording.json", labels: { [places.vault]: evil.url } };
      const { recording: _, ...live } = top;
      await editor.openCells(uri, [
        [header, JSON.stringify(person.hasOwnHost ? top : live)],
        [first, call(places.vault)],
        [second, call(places.forwarder)],
      ]);
      const { connection } = editor;
      const place = { textDocument: { uri: first }, position: { line: 0, character: call("").indexOf('"to"') + 8 } };
      for (const method of ["textDocument/hover", "textDocument/completion", "textDocument/diagnostic"])
        await connection.sendRequest(method, place);
      await connection.sendRequest("rpcNotebook/run", { runId: "1", uri, cells: [{ uri: first }, { uri: second }] });
      await connection.sendRequest("rpcNotebook/lookup", { uri, address: places.vault });
      await connection.sendRequest("rpcNotebook/openSource", { uri, address: places.vault });
      await connection.sendRequest("rpcNotebook/lookUpNames", { uri });
      await connection.sendRequest("rpcNotebook/saveContracts", { uri });
      connection.dispose();
      assert.deepEqual([asked, evil.paths], [[], []]);
    });
    const plain = { settings: {}, head: {}, entry: {}, cell: {}, file: {}, hasOwnHost: false, trusted: true } as const;
    await fc.assert(property, { numRuns: times(30, 6), seed, examples: [[{ ...plain, answer: "no" }]] });
    assert.ok(questions > 0, "nobody was asked, so nothing is shown");
  });
});
