import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFunctionData, numberToHex, parseAbi } from "viem";
import type { Devchain } from "../../../devchain/devchain.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function symbol() view returns (string)",
  "function transfer(address, uint256) returns (bool)",
]);

interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Returns requests whose answers change, and some whose answers do not. */
function requests({ accounts, contracts }: Devchain): readonly Asked[] {
  const { alice, bob, erin, frank, dave } = accounts;
  const to = contracts.token.address;
  const balanceOf = (who: { readonly address: `0x${string}` }) =>
    encodeFunctionData({ abi, functionName: "balanceOf", args: [who.address] });
  const at = [alice, erin, frank, dave].flatMap(({ address }) =>
    ["eth_getBalance", "eth_getTransactionCount"].map((method) => ({ method, params: [address, "latest"] })),
  );
  const calls = [balanceOf(bob), balanceOf(erin), balanceOf(dave), encodeFunctionData({ abi, functionName: "symbol" })];
  return [
    ...at,
    ...calls.map((data) => ({ method: "eth_call", params: [{ to, data }, "latest"] })),
    { method: "eth_blockNumber", params: [] },
    { method: "eth_getBlockByNumber", params: ["latest", false] },
    { method: "eth_getBlockByNumber", params: ["0xa", true] },
    { method: "eth_getLogs", params: [{ address: to, fromBlock: "0x20" }] },
    { method: "eth_getCode", params: [to, "latest"] },
    { method: "eth_chainId", params: [] },
    { method: "eth_syncing", params: [] },
  ];
}

/** Sends 50 transactions, half of them with a log, in blocks of ten. */
async function transact({ accounts, contracts, rpc, seal }: Devchain): Promise<void> {
  const { alice, bob, erin, frank } = accounts;
  const data = encodeFunctionData({ abi, functionName: "transfer", args: [bob.address, 1n] });
  for (let at = 0; at < 50; at++) {
    const transaction =
      at % 2 === 0
        ? { from: frank.address, to: alice.address, value: numberToHex(at + 1) }
        : { from: erin.address, to: contracts.token.address, data };
    await rpc("eth_sendTransaction", [{ ...transaction, gas: "0x2dc6c0" }]);
    if (at % 10 === 9) await seal();
  }
}

/** The paths at which two answers differ. A list is compared item by item; an item that one of them lacks is one path. */
function changedPaths(before: unknown, after: unknown, path = "result"): readonly string[] {
  if (typeof before !== "object" || typeof after !== "object" || !before || !after)
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [old, now] = [before, after].map((one) => Object.entries(one).find(([name]) => name === key)?.[1]);
    return changedPaths(old, now, Array.isArray(before) ? `${path}[${key}]` : `${path}.${key}`);
  });
}

/** The fields that a comparison lists, by the request. */
function listedFields(text: string): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.trimEnd().split("\n")) {
    if (line.startsWith("  ")) current.push(line.trim().replace(/: .*/, ""));
    else {
      current = [];
      fields.set(line, current);
    }
  }
  return fields;
}

describe("two recordings, before and after 50 transactions", function () {
  this.timeout(60_000);
  const chain = sharedChain();
  const folder = temporaryFolder();
  const [first, second, idle] = ["a.rpc.recording.json", "b.rpc.recording.json", "c.rpc.recording.json"] as const;
  const expected = new Map<string, readonly string[]>();
  const compare = (a: string, b: string) => runCommand(["run", "--replay", a, "--compare", b], folder);

  before(async () => {
    const asked = requests(chain);
    const answers = () => Promise.all(asked.map(({ method, params }) => chain.rpc(method, params)));
    const record = (name: string) =>
      runCommand(
        ["run", "a.rpc.json", "-e", "local", "--allow-host", new URL(chain.url).host, "--record", name],
        folder,
      );
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ local: chain.url }));
    writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ chainId: 31_337, cells: asked }));
    const old = await answers();
    await record(first);
    await transact(chain);
    const now = await answers();
    await record(second);
    await record(idle);
    for (const [at, { method, params }] of asked.entries()) {
      const paths = changedPaths(old[at], now[at]);
      if (paths.length > 0) expected.set(`${method} ${JSON.stringify(params)}`, paths);
    }
  });

  it("differ in what the chain changed, and in nothing else", async () => {
    const { code, out } = await compare(first, second);
    assert.equal(code, 1);
    const sorted = (fields: ReadonlyMap<string, readonly string[]>) =>
      [...fields].map(([title, paths]) => `${title.slice(0, 90)}: ${paths.toSorted().join()}`).sort();
    assert.deepEqual(sorted(listedFields(out)), sorted(expected));
  });

  it("have the changes that 50 transactions make", () => {
    const changed = [...expected.keys()].map((title) => title.split(" ")[0]);
    assert.deepEqual(
      new Set(changed),
      new Set([
        "eth_getBalance",
        "eth_getTransactionCount",
        "eth_call",
        "eth_blockNumber",
        "eth_getBlockByNumber",
        "eth_getLogs",
      ]),
    );
    const logs = [...expected].find(([title]) => title.startsWith("eth_getLogs"))?.[1];
    assert.equal(logs?.length, 25);
  });

  it("are the same when nothing happened in between", async () => {
    assert.deepEqual((await compare(second, idle)).out, "The recordings have the same answers.\n");
  });

  it("have the head that each run saw", () => {
    const head = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")).endpoints.local.head;
    assert.equal(Number(head(second)) - Number(head(first)), 5);
  });
});
