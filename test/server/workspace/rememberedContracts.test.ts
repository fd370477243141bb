import assert from "node:assert/strict";
import { contractFileText, verifiedContract } from "../../../server/src/abi/verifiedContract.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { textDocument } from "../../../server/src/workspace/documents.ts";
import { openKnownContracts } from "../../../server/src/workspace/knownContracts.ts";
import { RememberedContracts } from "../../../server/src/workspace/rememberedContracts.ts";

const [uri, api] = ["file:///w/a.rpc.json", "https://lookup.example"];
const place = { chainId: 8453n, address: `0x${"ab".repeat(20)}` };
const other = { chainId: 8453n, address: `0x${"cd".repeat(20)}` };

describe("contracts that lookup hosts have described", () => {
  it("are told to the editor when a host describes one that a document names, once, and no other one", async () => {
    const changes: string[] = [];
    let tell = (): void => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const known = openKnownContracts(undefined, clock, log);
    const remembered = new RememberedContracts(
      (one) => {
        changes.push(one);
        tell();
      },
      {} as never, // nobody is asked
      {
        of: () => ({ endpoint: { chainId: 8453n } }) as never, // nothing else of it is read
        lookupHost: () => ({ api, downloads: {} as never, verdict: "ask" }), // nothing is asked
        settled: async () => {},
      },
      known,
    );
    remembered.follow(
      textDocument(uri, JSON.stringify([{ method: "eth_getBalance", params: [place.address, "latest"] }])),
    );
    const keep = async ({ chainId, address }: typeof place): Promise<void> => {
      const answer = { match: "exact_match", chainId: "8453", address, abi: [], compilation: { name: "Vault" } };
      const contract = verifiedContract(answer, { chainId, address });
      assert.ok(typeof contract !== "string", String(contract));
      const file = { contract, implementations: [], fits: true, host: "lookup.example", date: "2026-11-28" };
      await known.keep(api, { chainId, address }, contractFileText(file));
    };
    await remembered.settled(uri);
    assert.deepEqual(changes, []);
    await keep(other);
    await remembered.settled(uri);
    assert.deepEqual(changes, []);
    await keep(place);
    await told; // without a question for what is remembered
    assert.deepEqual(changes, [uri]);
    assert.deepEqual([...remembered.of(uri).names], [[place.address, "Vault"]]);
    await keep(other);
    await remembered.settled(uri);
    assert.deepEqual(changes, [uri]);
  }).timeout(10_000);
});
