import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { encodeFunctionData } from "viem";
import type { Downloads } from "../../../server/src/base/ports.ts";
import { createDownloads } from "../../../server/src/node/transport.ts";
import { countedChain } from "../../support/countedChain.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { lookupServer } from "../../support/lookupServer.ts";
import { createVault, vaultContracts } from "../../support/vault.ts";

const uri = "file:///w/a.rpc.json";
const cellUri = (at: number): string => `cell:/w/a#${at}`;
/** Questions that are sent at the same time. */
const atOnce = 4;

describe("lookups after a run", function () {
  this.timeout(300_000);
  const counted = countedChain();
  const { vault } = vaultContracts();
  const data = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [0n] });
  const addresses = Array.from({ length: 10 }, (_, at) => `0x${(0xabc000 + at).toString(16).padStart(40, "5")}`);
  let editor: Editor;
  /** Questions that are held back, in their order. */
  let held: (() => void)[];
  let faults: number;
  let settings: object;

  before(async () => {
    const places = await createVault(counted.chain);
    const code = await counted.chain.rpc("eth_getCode", [places.vault, "latest"]);
    for (const one of addresses) await counted.chain.rpc("anvil_setCode", [one, code]);
  });
  beforeEach(async () => {
    [held, faults] = [[], 0];
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
    const lookup = await lookupServer(addresses.map((address) => ({ address, name: "Vault", abi: vault.abi })));
    const real = createDownloads(() => ({}));
    const get: Downloads["get"] = async (request, signal) => {
      if (faults-- > 0) throw new Error("a bug");
      await new Promise<void>((resolve) => held.push(resolve));
      return real.get(request, signal);
    };
    settings = {
      endpoints: { test: { url: counted.proxy.url, chainId: 8453 } },
      endpoint: "test",
      lookupHost: lookup.url,
    };
    editor = await startEditor({
      initializationOptions: {
        ...{ approvesHosts: true, redrawsResults: true, settings: { rpcNotebook: settings } },
        approvedHosts: [`${new URL(lookup.url).origin} lookup`],
      },
      ports: { downloads: { ...real, get } },
      answers: { "rpcNotebook/approveHost": () => ({ approved: true }) },
    });
    const call = (to: string) => JSON.stringify({ method: "eth_call", params: [{ to, data }, "latest"] });
    await editor.openCells(
      uri,
      addresses.map((to, at) => [cellUri(at), call(to)]),
    );
  });
  afterEach(() => editor.connection.dispose());

  const run = (): Promise<unknown> => {
    const cells = addresses.map((_, at) => ({ uri: cellUri(at) }));
    return editor.connection.sendRequest("rpcNotebook/run", { runId: "1", uri, cells });
  };
  const asked = async (count: number): Promise<void> => {
    while (held.length < count) await setTimeout(5);
  };
  const answerAll = (): void => {
    for (const answer of held) answer();
  };
  const drawn = (): number => editor.count("rpcNotebook/cellRedrawn");

  it("are not waited for, and draw each result when its own contract is known", async () => {
    await run();
    await asked(atOnce);
    held[0]?.();
    while (drawn() === 0) await setTimeout(5);
    assert.equal(drawn(), 1);
    while (drawn() < addresses.length) {
      answerAll();
      await setTimeout(5);
    }
  });

  const ends: Readonly<Record<string, () => Promise<unknown>>> = {
    "the notebook is closed": () =>
      editor.connection.sendNotification("notebookDocument/didClose", {
        notebookDocument: { uri },
        cellTextDocuments: addresses.map((_, at) => ({ uri: cellUri(at) })),
      }),
    "the server ends": () => editor.connection.sendRequest("shutdown"),
    "another host is set": () =>
      editor.connection.sendNotification("workspace/didChangeConfiguration", {
        settings: { rpcNotebook: { ...settings, lookupHost: "https://lookup.invalid" } },
      }),
  };
  for (const [when, end] of Object.entries(ends)) {
    it(`end when ${when}`, async () => {
      await run();
      await asked(atOnce);
      await end();
      if (when !== "the server ends") await editor.connection.sendRequest("rpcNotebook/tests", { uri });
      answerAll();
      for (let at = 0; at < 20; at++) await setTimeout(10);
      assert.equal(held.length, atOnce);
    });
  }

  it("go on after the next run if one ended by a bug", async () => {
    faults = 1;
    await run();
    while (held.length < addresses.length - 1) {
      answerAll();
      await setTimeout(5);
    }
    answerAll();
    await run();
    while (drawn() < addresses.length) {
      answerAll();
      await setTimeout(5);
    }
  });
});
