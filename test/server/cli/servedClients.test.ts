import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPublicClient, http, parseAbi, webSocket } from "viem";
import { type Devchain, startDevchain } from "../../../devchain/devchain.ts";
import { cast, castLogs } from "../../support/cast.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import type { Ended } from "../../support/commandLine.ts";
import { thorough } from "../../support/depth.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const name = "node.rpc.recording.json";

/** Records what the cells ask this chain, with the command that a person types. */
async function record(folder: string, { url, wsUrl }: Devchain, cells: readonly object[], ...options: string[]) {
  writeFileSync(join(folder, "node.rpc.json"), JSON.stringify({ cells }));
  writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ local: { url, ws: wsUrl } }));
  const hosts = [new URL(url).host, new URL(wsUrl).host].flatMap((host) => ["--allow-host", host]);
  const ended = await runCommand(
    ["run", "node.rpc.json", "-e", "local", ...hosts, "--record", name, ...options],
    folder,
  );
  assert.equal(ended.code, 0, ended.out + ended.err);
}

/** Serves the recording with the command that a person types, while `use` runs. */
async function served(folder: string, use: (url: string) => Promise<void>, ...options: string[]): Promise<Ended> {
  const stop = new AbortController();
  let using: Promise<void> | undefined;
  const serving = runCommand(["serve", name, "--port", "0", ...options], folder, {
    signal: stop.signal,
    heard(text) {
      const [url] = /http:\S+/.exec(text) ?? [];
      if (url !== undefined) using ??= use(url).finally(() => stop.abort());
    },
  });
  const ended = await serving;
  await using;
  return ended;
}

describe("viem and cast on a served recording", function () {
  this.timeout(300_000);

  describe("of a chain that stands still", () => {
    let folder = "";
    let castCommands: readonly (readonly string[])[];
    let live: Awaited<ReturnType<typeof answers>>;

    const answers = async (url: string, { contracts, accounts }: Devchain, hash: `0x${string}`) => {
      const client = createPublicClient({ transport: http(url, { retryCount: 0 }) });
      const { address } = contracts.token;
      const abi = parseAbi(["function balanceOf(address) view returns (uint256)"]);
      const viem = await Promise.all([
        client.getChainId(),
        client.getBlockNumber(),
        client.getBalance({ address: accounts.alice.address }),
        client.getTransactionCount({ address: accounts.erin.address }),
        client.getBlock(),
        client.getBlock({ blockNumber: 10n, includeTransactions: true }),
        client.readContract({ address, abi, functionName: "balanceOf", args: [accounts.alice.address] }),
        client.getLogs({ address, fromBlock: 0n, toBlock: "latest" }),
        client.getTransaction({ hash }),
        client.getTransactionReceipt({ hash }),
        client.getCode({ address }),
        client.getGasPrice(),
      ]);
      const cast_ = await Promise.all(castCommands.map((args) => cast(url, ...args)));
      return { viem, cast: cast_ };
    };
    const chain = sharedChain();
    let hash: `0x${string}`;

    before(async () => {
      folder = temporaryFolder();
      const { accounts, contracts } = chain;
      const block = await createPublicClient({ transport: http(chain.url) }).getBlock();
      [hash = "0x"] = block.transactions;
      const [alice, erin, token] = [accounts.alice.address, accounts.erin.address, contracts.token.address];
      castCommands = [
        ["block", "latest", "--json"],
        ["call", token, "balanceOf(address)(uint256)", alice],
        ["logs", "--address", token, "--from-block", "0", "--to-block", "latest"],
        ["receipt", hash],
        ["tx", hash],
        ["storage", token, "0"],
        ["client"],
        ["rpc", "eth_syncing"],
      ];
      const request = (method: string, ...params: readonly unknown[]) => ({ method, params });
      const balanceOf = `0x70a08231${alice.slice(2).padStart(64, "0")}`;
      await record(folder, chain, [
        request("eth_chainId"),
        request("eth_blockNumber"),
        request("eth_getBalance", alice, "latest"),
        request("eth_getTransactionCount", erin, "latest"),
        request("eth_getTransactionCount", `0x${"0".repeat(40)}`, "latest"), // cast asks it before each call
        request("eth_getBlockByNumber", "latest", false),
        request("eth_getBlockByNumber", "0xa", true),
        request("eth_call", { to: token, data: balanceOf }, "latest"),
        request("eth_getLogs", { address: token, fromBlock: "0x0", toBlock: "latest" }),
        request("eth_getTransactionByHash", hash),
        request("eth_getTransactionReceipt", hash),
        request("eth_getCode", token, "latest"),
        request("eth_getStorageAt", token, "0x0", "latest"),
        request("eth_gasPrice"),
        request("web3_clientVersion"),
        request("eth_syncing"),
      ]);
      live = await answers(chain.url, chain, hash);
    });

    it("gives viem and cast what the node gave them", async () => {
      const { code, err } = await served(folder, async (url) => {
        const again = await answers(url, chain, hash);
        assert.deepEqual(again.viem, live.viem);
        assert.deepEqual(
          again.cast.map((text, at) => [castCommands[at]?.join(" "), text]),
          live.cast.map((text, at) => [castCommands[at]?.join(" "), text]),
        );
        assert.equal(live.cast.filter((text) => text.includes("rror")).length, 0, live.cast.join("\n"));
      });
      assert.equal(code, 0);
      assert.match(err, /^anvil_nodeInfo: [^\n]*\n$/); // cast asks whether it is anvil, and goes on without
    });

    it("gives them their answers once with --strict, and says what it does not have", async () => {
      const { err } = await served(
        folder,
        async (url) => {
          assert.equal(await cast(url, "chain-id"), "31337\n");
          assert.match(await cast(url, "chain-id"), /Not in the recording/);
        },
        "--strict",
      );
      assert.match(err, /^eth_chainId: /);
    });
  });

  if (thorough)
    it("delivers subscriptions to viem and cast as the node did", async () => {
      const folder = temporaryFolder();
      const chain = await startDevchain({ traffic: 50, sealEveryMs: 200 });
      const { address } = chain.contracts.token;
      const live = { heads: await openHeads(chain.wsUrl), logs: castLogs(chain.wsUrl, address) };
      try {
        await Promise.all([live.heads.reached(1), live.logs.reached(1)]);
        const cells = [{ params: ["newHeads"] }, { params: ["logs", { address }] }];
        await record(
          folder,
          chain,
          cells.map((cell) => ({ method: "eth_subscribe", ...cell })),
          "--rows",
          "4",
        );
        await Promise.all([
          live.heads.reached(live.heads.heads.length + 2),
          live.logs.reached(live.logs.logs.length + 2),
        ]);
      } finally {
        live.logs.stop();
        await chain.stop();
      }
      const { err } = await served(folder, async (url) => {
        const wsUrl = url.replace("http", "ws");
        const replayed = { heads: await openHeads(wsUrl), logs: castLogs(wsUrl, address) };
        try {
          await Promise.all([replayed.heads.reached(4), replayed.logs.reached(4)]);
          assert.deepEqual(replayed.heads.heads, partFrom(live.heads.heads, replayed.heads.heads));
          assert.deepEqual(replayed.logs.logs, partFrom(live.logs.logs, replayed.logs.logs));
        } finally {
          replayed.heads.stop();
          replayed.logs.stop();
        }
      });
      assert.equal(err, "");
    });
});

/** The part of a list that begins with the first item of another one and is as long. */
function partFrom(all: readonly string[], part: readonly string[]): readonly string[] {
  const start = all.indexOf(part[0] ?? "");
  assert.notEqual(start, -1, "the first one was seen live");
  return all.slice(start, start + part.length);
}

interface Heads {
  /** The heads as JSON. */
  readonly heads: readonly string[];
  reached(count: number): Promise<void>;
  stop(): void;
}

/** Subscribes to heads as a client of viem. */
async function openHeads(url: string): Promise<Heads> {
  const { transport } = createPublicClient({ transport: webSocket(url, { reconnect: false, keepAlive: false }) });
  const heads: string[] = [];
  let changed = (): void => {};
  let failed: unknown;
  await transport.subscribe({
    params: ["newHeads"],
    onData({ result }) {
      heads.push(JSON.stringify(result));
      changed();
    },
    onError(error) {
      failed = error;
      changed();
    },
  });
  const socket = await transport.getRpcClient();
  return {
    heads,
    reached: (count) =>
      new Promise((resolve, reject) => {
        changed = () => {
          if (heads.length >= count) resolve();
          else if (failed !== undefined) reject(failed);
        };
        changed();
      }),
    stop: () => socket.close(),
  };
}
