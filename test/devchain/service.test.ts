import assert from "node:assert/strict";
import { decodeErrorResult, encodeFunctionData, type Hex, toEventSelector } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { ContractName } from "../../devchain/contracts.ts";
import { startDevchain } from "../../devchain/devchain.ts";
import type { Log, Receipt } from "../../devchain/types.ts";
import { pluck } from "../support/pluck.ts";
import { sharedChain } from "../support/sharedChain.ts";
import { type Reply, request } from "./client.ts";

describe("the embedded chain", () => {
  const chain = sharedChain();

  const ask = (method: string, ...params: readonly unknown[]): Promise<Reply> => request(chain.url, method, params);
  const logs = async (filter: object): Promise<readonly Log[]> => (await chain.rpc("eth_getLogs", [filter])) as Log[];
  const data = (name: ContractName, functionName: string, ...args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi: chain.contracts[name].abi, functionName, args });
  const transfer = (amount: bigint): Promise<unknown> =>
    chain.rpc("eth_sendTransaction", [
      {
        from: chain.accounts.alice.address,
        to: chain.contracts.token.address,
        data: data("token", "transfer", chain.accounts.bob.address, amount),
      },
    ]);

  describe("history", () => {
    it("has the contracts at the addresses that examples name", async () => {
      assert.deepEqual(
        Object.fromEntries(Object.entries(chain.contracts).map(([name, { address }]) => [name, address])),
        {
          token: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
          collectible: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
          payments: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
          reverter: "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9",
          proxiedToken: "0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9",
          multicall: "0x5FC8d32690cc91D4c39d9d3abcBD16989F875707",
          relay: "0x0165878A594ca255338adfa4d48449f69242Eb8F",
        },
      );
      for (const { address } of Object.values(chain.contracts)) {
        assert.notEqual(await chain.rpc("eth_getCode", [address, "latest"]), "0x");
      }
    });

    it("holds every event that the service names", async () => {
      const seen = new Set(
        (await logs({ fromBlock: "earliest" })).map(({ topics }) => `${topics[0]} ${topics.length}`),
      );
      for (const [event, topics] of [
        ["Transfer(address,address,uint256)", 3],
        ["Transfer(address,address,uint256)", 4],
        ["Approval(address,address,uint256)", 3],
        ["AuthorizationUsed(address,bytes32)", 3],
        ["AuthorizationCanceled(address,bytes32)", 3],
        ["Memo(address,bytes32)", 3],
        ["PaymentCaptured(bytes32,uint256,uint16,address)", 2],
        ["PayoutSent(address,address,address,uint256,bytes)", 2],
        ["Upgraded(address)", 2],
      ] as const) {
        assert.ok(seen.has(`${toEventSelector(event)} ${topics}`), `${event} with ${topics} topics`);
      }
    });

    it("has failed transactions, a proxy and a delegated account", async () => {
      const head = Number(await chain.rpc("eth_blockNumber"));
      const blocks = await Promise.all(
        Array.from({ length: head + 1 }, (_, i) => chain.rpc("eth_getBlockReceipts", [`0x${i.toString(16)}`])),
      );
      const statuses = (blocks as Receipt[][]).flat().map(({ status }) => status);
      assert.ok(statuses.includes("0x0") && statuses.includes("0x1"));
      const slot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
      assert.equal(
        await chain.rpc("eth_getStorageAt", [chain.contracts.proxiedToken.address, slot, "latest"]),
        `0x${chain.contracts.token.address.slice(2).toLowerCase().padStart(64, "0")}`,
      );
      assert.equal(
        await chain.rpc("eth_getCode", [chain.accounts.ivan.address, "latest"]),
        `0xef0100${chain.contracts.payments.address.slice(2).toLowerCase()}`,
      );
    });

    it("leaves the nonces of alice to dave at 0", async () => {
      const { alice, bob, carol, dave } = chain.accounts;
      for (const { address } of [alice, bob, carol, dave]) {
        assert.equal(await chain.rpc("eth_getTransactionCount", [address, "pending"]), "0x0");
      }
    });
  });

  describe("pre-confirmed state", () => {
    it("shows a transaction at pending at once, and at latest after the seal", async () => {
      const { alice, bob } = chain.accounts;
      const count = async (block: string): Promise<number> =>
        Number(await chain.rpc("eth_getTransactionCount", [alice.address, block]));
      const before = await count("latest");
      await chain.rpc("eth_sendTransaction", [{ from: alice.address, to: bob.address, value: "0x1" }]);
      assert.equal(await count("pending"), before + 1);
      assert.equal(await count("latest"), before);
      await chain.seal();
      assert.equal(await count("latest"), before + 1);
    });

    it("has the logs and receipts that the sealed block will have", async () => {
      for (const amount of [1n, 2n, 10n ** 30n, 3n]) {
        const to = chain.contracts.token.address;
        const input = data("token", "transfer", chain.accounts.carol.address, amount);
        await chain.rpc("eth_sendTransaction", [
          { from: chain.accounts.dave.address, to, data: input, gas: "0x30000" },
        ]);
      }
      const pending = (await chain.rpc("eth_getBlockReceipts", ["pending"])) as Receipt[];
      assert.deepEqual(pluck(pending, "status"), ["0x1", "0x1", "0x0", "0x1"]);
      const pendingLogs = await logs({ fromBlock: "pending", toBlock: "pending" });
      assert.deepEqual(
        pending.flatMap((receipt) => receipt.logs),
        pendingLogs,
      );
      await chain.seal();
      const sealed = (await chain.rpc("eth_getBlockReceipts", ["latest"])) as Receipt[];
      const unsealed = ({ blobGasPrice: _, ...receipt }: Receipt): object => ({
        ...receipt,
        blockHash: null,
        logs: receipt.logs.map((log) => ({ ...log, blockHash: null })),
      });
      assert.deepEqual(sealed.map(unsealed), pending);
      assert.deepEqual(await logs({ fromBlock: "pending", toBlock: "pending" }), []);
    });

    it("adds pending logs to a range up to pending, each log once", async () => {
      const address = chain.contracts.token.address;
      const sealed = await logs({ fromBlock: "0x0", address });
      await transfer(7n);
      const both = await logs({ fromBlock: "0x0", toBlock: "pending", address });
      assert.deepEqual(both.slice(0, -1), sealed);
      assert.equal(both.at(-1)?.blockHash, null);
      assert.deepEqual(await logs({ toBlock: "pending", address }), [
        ...(await logs({ fromBlock: "latest", address })),
        ...both.slice(-1),
      ]);
      assert.deepEqual(await logs({ fromBlock: both.at(-1)?.blockNumber, toBlock: "pending" }), both.slice(-1));
      for (const tag of ["safe", "finalized"]) {
        const sealedSince = await logs({ fromBlock: tag, address });
        assert.deepEqual(await logs({ fromBlock: tag, toBlock: "pending", address }), [
          ...sealedSince,
          ...both.slice(-1),
        ]);
      }
      await chain.seal();
      const after = await logs({ fromBlock: "0x0", toBlock: "pending", address });
      assert.deepEqual(
        pluck(after, "transactionHash"),
        both.map(({ transactionHash }) => transactionHash),
      );
    });

    it("filters pending logs as a node filters sealed ones", async () => {
      await transfer(8n);
      const pending = (filter: object): Promise<readonly Log[]> =>
        logs({ fromBlock: "pending", toBlock: "pending", ...filter });
      const [log] = await pending({});
      assert.ok(log);
      const [event, from, to] = log.topics;
      for (const filter of [
        { address: log.address.toUpperCase().replace("0X", "0x") },
        { address: [chain.contracts.payments.address, log.address] },
        { topics: [] },
        { topics: [event] },
        { topics: [null, from] },
        { topics: [[event, from], [], to] },
      ]) {
        assert.deepEqual(await pending(filter), [log], JSON.stringify(filter));
      }
      for (const filter of [
        { address: chain.contracts.payments.address },
        { topics: [from] },
        { topics: [null, to] },
        { topics: [null, null, null, null] },
      ]) {
        assert.deepEqual(await pending(filter), [], JSON.stringify(filter));
      }
      const wrong = await ask("eth_getLogs", { fromBlock: "pending", toBlock: "pending", address: "0x12" });
      assert.equal(wrong.error?.code, -32602);
      await chain.seal();
    });

    it("answers eth_sendRawTransactionSync with the pre-confirmed receipt", async () => {
      const { carol, dave } = chain.accounts;
      const raw = await privateKeyToAccount(carol.privateKey).signTransaction({
        ...{ chainId: chain.chainId, to: dave.address, value: 5n, gas: 21_000n },
        nonce: Number(await chain.rpc("eth_getTransactionCount", [carol.address, "pending"])),
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 1n,
      });
      const receipt = (await chain.rpc("eth_sendRawTransactionSync", [raw])) as Receipt;
      assert.deepEqual([receipt.status, receipt.gasUsed, receipt.blockHash], ["0x1", "0x5208", null]);
      await chain.seal();
    });

    it("seals a deployment at once, after what was sent before it", async () => {
      const earlier = await transfer(11n);
      const code = "0x60005ff3"; // returns nothing: an empty contract
      const hash = await chain.rpc("eth_sendTransaction", [{ from: chain.accounts.alice.address, data: code }]);
      const receipt = (await chain.rpc("eth_getTransactionReceipt", [hash])) as Receipt;
      assert.match(String(receipt.blockHash), /^0x/);
      assert.match(String(receipt.contractAddress), /^0x/);
      const before = (await chain.rpc("eth_getTransactionReceipt", [earlier])) as Receipt;
      assert.equal(before.blockHash, receipt.blockHash);
    });

    it("follows evm_increaseTime", async () => {
      const own = await startDevchain({ sealEveryMs: 0, traffic: false }); // the shared one would stay late
      const time = async () => Number(Object(await own.rpc("eth_getBlockByNumber", ["latest", false])).timestamp);
      const before = await time();
      await own.rpc("evm_increaseTime", [3600]);
      await own.seal();
      await own.seal();
      assert.ok((await time()) >= before + 3600);
      await own.stop();
    });
  });

  describe("eth_getLogs", () => {
    it("takes a range of 2,000 and refuses one more, as the service does", async () => {
      assert.deepEqual((await ask("eth_getLogs", { fromBlock: "0x0", toBlock: "0x7d0" })).status, 200);
      assert.deepEqual(await ask("eth_getLogs", { fromBlock: "0x0", toBlock: "0x7d1" }), {
        status: 413,
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32614, message: "eth_getLogs is limited to a 2,000 range" },
      });
    });

    it("refuses a range that runs backwards", async () => {
      for (const [fromBlock, toBlock] of [
        ["0x5", "0x2"],
        ["latest", "earliest"],
        ["0xffff", "pending"],
      ]) {
        const { error } = await ask("eth_getLogs", { fromBlock, toBlock });
        assert.deepEqual(error, { code: -32602, message: "invalid block range params" });
      }
    });

    it("ignores a range together with a block hash", async () => {
      const { hash } = (await chain.rpc("eth_getBlockByNumber", ["0x5", false])) as { readonly hash: string };
      const ofBlock = await logs({ blockHash: hash });
      assert.ok(ofBlock.length > 0);
      assert.deepEqual(await logs({ fromBlock: "0x0", blockHash: hash, toBlock: "0xffffff" }), ofBlock);
    });
  });

  describe("reverts", () => {
    const revert = async (functionName: string, ...args: readonly unknown[]): Promise<Reply> => {
      const call = { to: chain.contracts.reverter.address, data: data("reverter", functionName, ...args) };
      const [called, estimated] = [await ask("eth_call", call, "latest"), await ask("eth_estimateGas", call)];
      if (called.error?.code === -32000) assert.deepEqual(estimated, called);
      return called;
    };
    const decoded = (reply: Reply): unknown => {
      const { abi } = chain.contracts.reverter;
      const { errorName, args } = decodeErrorResult({ abi, data: reply.error?.data as Hex }); // decoding fails on others
      return [errorName, ...(args ?? [])];
    };

    it("have one code, one message, and the reason in data", async () => {
      const reply = await revert("requireMoreThanTen", 1n);
      assert.deepEqual([reply.status, reply.error?.code, reply.error?.message], [200, -32000, "execution reverted"]);
      assert.deepEqual(decoded(reply), ["Error", "Reverter: x too small"]);
      assert.deepEqual(decoded(await revert("tooSmall", 1n, 2n)), ["TooSmall", 1n, 2n]);
      assert.deepEqual(decoded(await revert("paused")), ["Paused"]);
      for (const code of [0x01n, 0x11n, 0x12n, 0x21n, 0x22n, 0x31n, 0x32n, 0x41n, 0x51n, 0x99n]) {
        assert.deepEqual(decoded(await revert("panic", code)), ["Panic", code]);
      }
      const nested = await revert("nested");
      assert.match(String(nested.error?.data), /^0x6c544f33.*08c379a0/);
    });

    it("come from a signature that is not the authorizer's", async () => {
      const [nonce, r, s] = ["01", "02", "03"].map((byte) => `0x${byte.repeat(32)}`);
      const input = data("token", "cancelAuthorization", chain.accounts.frank.address, nonce, 27, r, s);
      const { error } = await ask("eth_call", { to: chain.contracts.token.address, data: input }, "latest");
      const reason = decodeErrorResult({ abi: chain.contracts.token.abi, data: error?.data as Hex }); // fails on others
      assert.equal(reason.errorName, "InvalidSignature");
    });

    it("have no data if the contract returned none", async () =>
      assert.deepEqual((await revert("empty")).error, { code: -32000, message: "execution reverted" }));

    it("carry data that is not ABI-encoded unchanged", async () => {
      assert.equal((await revert("rawText")).error?.data, "0x77726f6e672d63616c6c6461746173697a65");
      assert.equal((await revert("threeBytes")).error?.data, "0x010203");
      assert.equal((await revert("malformed")).error?.data, "0x08c379a0ffffffff");
      assert.equal(String((await revert("unpaddedText")).error?.data).length, 2 + 2 * 78);
    });

    it("are different from a halt", async () => {
      assert.deepEqual((await revert("invalidOpcode")).error, { code: -32003, message: "EVM error: InvalidFEOpcode" });
      assert.deepEqual((await revert("endlessLoop")).error, { code: -32003, message: "EVM error: OutOfGas" });
    });
  });

  describe("eth_simulateV1", () => {
    interface Simulated {
      readonly number: string;
      readonly hash: string;
      readonly parentHash: string;
      readonly timestamp: string;
      readonly calls: readonly { readonly status: string; readonly error?: string }[];
    }
    const simulate = async (blockStateCalls: readonly unknown[], block: string): Promise<readonly Simulated[]> =>
      (await chain.rpc("eth_simulateV1", [{ blockStateCalls }, block])) as Simulated[];

    it("counts on from the block it follows", async () => {
      const head = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as Simulated;
      for (const block of ["latest", "pending", head.number, head.hash]) {
        const [first, second, third] = await simulate([{}, { blockOverrides: { number: "0xffff" } }, {}], block);
        assert.deepEqual(
          [first?.number, second?.number, third?.number].map(Number),
          [Number(head.number) + 1, 0xffff, 0x10000],
          block,
        );
        assert.deepEqual([first?.parentHash, second?.parentHash], [head.hash, first?.hash]);
        assert.ok(Number(first?.timestamp) > Number(head.timestamp));
      }
    });

    it("says why a call failed", async () => {
      const to = chain.contracts.reverter.address;
      const calls = [
        { to, data: data("reverter", "requireMoreThanTen", 1n) },
        { to, data: data("reverter", "requireMoreThanTen", 11n) },
        { to, data: data("reverter", "paused") },
      ];
      const [block] = await simulate([{ calls }], "pending");
      assert.deepEqual(
        block?.calls.map(({ error }) => error),
        ["execution reverted: Reverter: x too small", undefined, "execution reverted"],
      );
    });

    it("leaves a request that is not a payload to the node", async () => {
      for (const params of [[], [1, "latest"], [{ blockStateCalls: 1 }], [{ blockStateCalls: [1] }, "latest"]]) {
        assert.equal((await ask("eth_simulateV1", ...params)).error?.code, -32602, JSON.stringify(params));
      }
    });
  });

  describe("the public role", () => {
    it("refuses block receipts and node methods with 403", async () => {
      const refusal = { code: -32601, message: "rpc method is not whitelisted" };
      const { publicUrl } = chain;
      const alone = await request(publicUrl, "eth_getBlockReceipts", ["latest"]);
      assert.deepEqual([alone.status, alone.error], [403, refusal]);
      assert.equal((await request(publicUrl, "anvil_mine")).status, 403);
      assert.equal((await request(publicUrl, "eth_sendTransaction", [{}])).status, 403);
      assert.equal((await request(publicUrl, "eth_sendRawTransaction", ["0x"])).status, 200);
      assert.deepEqual((await request(publicUrl, "eth_chainId")).result, "0x7a69");
      assert.deepEqual((await request(publicUrl, "eth_simulateV1", [{ blockStateCalls: [] }, "pending"])).status, 200);
    });
  });
});
