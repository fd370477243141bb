import assert from "node:assert/strict";
import type { Hex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { call, contracts, type Transaction } from "../../../devchain/contracts.ts";
import { balanceCall } from "../../../server/src/abi/token.ts";
import { type CaseJson, encoded, readCase, sendTransaction } from "../../support/cases.ts";
import { pluck } from "../../support/pluck.ts";
import { sharedChain } from "../../support/sharedChain.ts";

const { alice, bob, erin, grace, ivan } = accounts;
const { token, multicall, relay, reverter } = contracts;

/** Code that returns nothing: `STOP`. */
const creation = "0x60018060093d393df300";

const transactions = {
  ether: { from: alice.address, to: bob.address, value: "0x14d1120d7b160000" },
  tokens: call(erin.address, "token", "transfer", [bob.address, 2_500_000n]),
  approval: call(erin.address, "token", "approve", [bob.address, 100_000_000n]),
  "failing multicall": call(erin.address, "multicall", "aggregate3", [
    [
      { target: token.address, allowFailure: true, callData: encoded("token", "balanceOf", [bob.address]) },
      { target: token.address, allowFailure: false, callData: encoded("token", "transfer", [bob.address, 5n]) },
    ],
  ]),
  "ether inside": {
    ...call(erin.address, "multicall", "aggregate3Value", [
      [
        { target: alice.address, allowFailure: false, value: 5n, callData: "0x" },
        { target: bob.address, allowFailure: false, value: 7n, callData: "0x" },
      ],
    ]),
    value: "0xc",
  },
  "three calls deep": call(erin.address, "relay", "forward", [
    2n,
    reverter.address,
    encoded("reverter", "tooSmall", [5n, 10n]),
  ]),
  creation: { from: grace.address, data: creation },
  collectible: call(grace.address, "collectible", "mint", [bob.address]),
} satisfies Readonly<Record<string, Transaction>>;
type Name = keyof typeof transactions;

describe("the case of a transaction", function () {
  this.timeout(300_000);
  const chain = sharedChain();
  const hashes = new Map<Name, Hex>();
  const caseOf = async (name: Name, endpoint = chain.url): Promise<Awaited<ReturnType<typeof readCase>>> =>
    readCase(endpoint, hashes.get(name) ?? "");

  before(async () => {
    for (const [name, transaction] of Object.entries(transactions)) {
      hashes.set(name as Name, await sendTransaction(chain, transaction)); // a key of the table
      await chain.seal();
    }
    for (let more = 0; more < 3; more++) await chain.seal();
  });

  describe("says in words what it did", () => {
    const words: Readonly<Record<Name, RegExp>> = {
      ether: /^alice sent bob 1\.5 ether$/,
      tokens: /^erin sent bob 2\.5 DUSD$/,
      approval: /^erin allowed bob to spend 100 DUSD$/,
      "failing multicall": /^erin tried to call aggregate3\(2 calls\) of multicall$/,
      "ether inside": /^erin sent multicall 12 wei; multicall sent alice 5 wei; multicall sent bob 7 wei$/,
      "three calls deep": /^erin tried to call forward\(.*\) of relay$/,
      creation: /^grace created contract 0x/,
      collectible: /^the zero address sent bob #\d+ of collectible$/,
    };
    for (const [name, expected] of Object.entries(words))
      it(name, async () => assert.match((await caseOf(name as Name)).json.what, expected)); // a key of the table
  });

  describe("equals what the chain did", () => {
    for (const name of Object.keys(transactions))
      it(name, async () => {
        const { json } = await caseOf(name as Name); // a key of the table
        await checkAgainstChain(json, name as Name);
      });
  });

  async function checkAgainstChain(json: CaseJson, name: Name): Promise<void> {
    const receipt = Object(await chain.rpc("eth_getTransactionReceipt", [hashes.get(name)]));
    assert.equal(json.status, receipt.status === "0x1" ? "succeeded" : "reverted");
    assert.equal(json.block, receipt.blockNumber);
    assert.equal(json.gas.used, receipt.gasUsed);
    assert.equal(BigInt(json.gas.fee ?? 0), BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice));
    const touched = new Set(json.balanceChanges.map(({ address }) => address));
    for (const { address } of [alice, bob, erin, grace, ivan, token, multicall, relay])
      touched.add(address.toLowerCase() as Hex); // the letters are all that changes
    for (const address of touched) {
      assert.equal(changeIn(json, address, ""), await changed(address, "", receipt.blockNumber), `ether of ${address}`);
      const asset = token.address.toLowerCase();
      assert.equal(
        changeIn(json, address, asset),
        await changed(address, asset, receipt.blockNumber),
        `tokens of ${address}`,
      );
    }
  }
  /** The change of a balance by a block, as the chain has it. */
  async function changed(address: string, asset: string, block: Hex): Promise<bigint> {
    const at = (tag: string): Promise<unknown> =>
      asset === ""
        ? chain.rpc("eth_getBalance", [address, tag])
        : chain.rpc("eth_call", [{ to: asset, data: balanceCall(address) }, tag]);
    const before = `0x${(BigInt(block) - 1n).toString(16)}`;
    return BigInt(String(await at(block))) - BigInt(String(await at(before)));
  }

  it("names the frame that reverted, and the way to it", async () => {
    const { json, text } = await caseOf("three calls deep");
    assert.equal(json.revert?.reason, "TooSmall(given: 5, least: 10), in reverter.tooSmall, 4 calls deep");
    assert.deepEqual(
      json.revert?.path?.map(({ path, to }) => [path, to]),
      [
        ["", relay.address.toLowerCase()],
        ["0", relay.address.toLowerCase()],
        ["0.0", relay.address.toLowerCase()],
        ["0.0.0", reverter.address.toLowerCase()],
      ],
    );
    assert.match(
      text,
      /\n {2}· · · reverter tooSmall\(5, 10\) reverted here .*\n {2}· · · · TooSmall\(given: 5, least: 10\)\n/,
    );
  });
  it("shows the reason, the calls down to it, and the cost; the rest is folded, and nothing repeats the calls", async () => {
    const { cell, text } = await caseOf("three calls deep");
    const titles = (isFolded: boolean): readonly unknown[] =>
      cell.output.reports
        .flatMap(({ sections }) => sections)
        .filter(({ folded = false }) => folded === isFolded)
        .map((section) => ("title" in section ? section.title : section.kind));
    assert.deepEqual(titles(false), ["Calls", "Balance changes", "Gas"], "the headline has the reason");
    const rest = ["Reverted", "Status", "Call of forward", "Inner calls", "Nonce", "Gas by call", "Calls"];
    assert.deepEqual(titles(true).slice(0, rest.length), rest);
    const lines = text.split("\n").map((line) => line.trim());
    const places = ["Reverted", "Calls", "Balance changes", "Gas", "Status"].map((title) => lines.indexOf(title));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.equal(text.match(/reverter tooSmall/g)?.length, 1);
    assert.equal(lines.filter((line) => line === "Calls").length, 1);
  });
  it("finds the cause of a failing multicall, which reports another reason", async () => {
    const { text, json } = await caseOf("failing multicall");
    assert.match(
      json.revert?.reason ?? "",
      /^Multicall3: call failed, after token.transfer failed with ERC20InsufficientBalance\(.*\)$/,
    );
    assert.match(text, /multicall aggregate3\(.*\) reverted here .*\n {2}· Multicall3: call failed\n/);
    assert.match(text, /\n {2}· token transfer\(.*\) failed: ERC20InsufficientBalance/);
  });
  it("says where each figure is from", async () => {
    const { text } = await caseOf("ether inside");
    for (const method of ["eth_getTransactionByHash", "eth_getTransactionReceipt", "eth_getBlockByNumber"])
      assert.ok(text.includes(`from ${method}`), method);
  });
  it("is final, with the time of its block", async () => {
    const { json } = await caseOf("ether");
    assert.equal(stagesOf(json), "block block, safe before, finalized before");
    const block = Object(await chain.rpc("eth_getBlockByNumber", [json.block, false]));
    assert.equal(json.life[0]?.at, Number(block.timestamp) * 1000);
  });
  it("is the same by the receipt", async () => {
    const [one, other] = [
      await caseOf("tokens"),
      await readCase(chain.url, hashes.get("tokens") ?? "", "eth_getTransactionReceipt"),
    ];
    const timeless = (json: CaseJson) => ({ ...json, life: stagesOf(json) });
    assert.deepEqual(timeless(other.json), timeless(one.json));
  });

  describe("without traces", () => {
    it("reads the reason again at the block before, and says so", async () => {
      const { json, text } = await caseOf("three calls deep", chain.publicUrl);
      assert.equal(json.revert?.reason, "TooSmall(given: 5, least: 10)");
      assert.match(
        text,
        /Read again with eth_call at the block before, \d+, without the other transactions of its block\./,
      );
    });
    it("says which part is missing, and why", async () => {
      const { json, text } = await caseOf("ether inside", chain.publicUrl);
      assert.deepEqual(
        json.gaps.map(({ what, method }) => [what, method]),
        [["the calls inside", "debug_traceTransaction"]],
      );
      assert.match(text, /Not known: the calls inside, from debug_traceTransaction\. .*not whitelisted/);
      assert.deepEqual(pluck(json.movements, "amount"), ["0xc"]);
      assert.deepEqual([...new Set(pluck(json.balanceChanges, "incomplete"))], [true]);
      assert.match(text, /includes the fee, without what calls inside move/);
      const whole = [await caseOf("ether", chain.publicUrl), await caseOf("ether inside", chain.url)];
      for (const known of whole)
        assert.deepEqual([...new Set(pluck(known.json.balanceChanges, "incomplete"))], [undefined]);
    });
    for (const name of [
      "ether",
      "tokens",
      "approval",
      "failing multicall",
      "three calls deep",
      "creation",
      "collectible",
    ] as const)
      it(`equals what the chain did: ${name}`, async () =>
        checkAgainstChain((await caseOf(name, chain.publicUrl)).json, name));
  });

  it("names the endpoint and its chain if the hash is not found, and asks no other", async () => {
    const { json, text } = await readCase(chain.url, `0x${"12".repeat(32)}`);
    assert.equal(json.status, "unknown");
    assert.match(text, /not found at 127\.0\.0\.1:\d+ \(chain 31337, local chain \(anvil, Hardhat\)\)/);
    assert.match(text, /It may be pending on another node, dropped, or on another chain\./);
    assert.match(text, /Other endpoints to ask: local\./);
  });
  it("shows one that is only pre-confirmed", async () => {
    const hash = await sendTransaction(chain, { from: alice.address, to: bob.address, value: "0x1" });
    const { json, text } = await readCase(chain.url, hash);
    assert.equal(stagesOf(json), "pre-confirmed seen, block waiting, safe waiting, finalized waiting");
    assert.match(text, /pre-confirmed/);
    await chain.seal();
  });
});

describe("the case of a transaction that waits", function () {
  this.timeout(300_000);
  const chain = sharedChain({ kind: "ordinary" });

  it("is pending, with the nonces of its sender", async () => {
    const hash = await sendTransaction(chain, { from: alice.address, to: bob.address, value: "0x1" });
    const { json, text } = await readCase(chain.url, hash);
    assert.equal(json.status, "pending");
    assert.equal(json.what, "alice wants to send bob 1 wei");
    assert.deepEqual(json.senderNonces, { latest: "0x0", pending: "0x1" });
    assert.match(text, /It is next for alice: it waits for a block\./);
    assert.equal(stagesOf(json), "pending seen, block waiting, safe waiting, finalized waiting");
  });
  it("waits for those before it", async () => {
    const hash = await sendTransaction(chain, { from: grace.address, to: bob.address, value: "0x1", nonce: "0xfff" });
    assert.match(
      (await readCase(chain.url, hash)).text,
      /It waits for \d[\d,]* transactions of grace with a lower nonce\./,
    );
  });
});

function stagesOf({ life }: CaseJson): string {
  return life.map(({ stage, how }) => `${stage} ${how}`).join(", ");
}

/** The change of a balance, as the case has it. */
function changeIn({ balanceChanges }: CaseJson, address: string, asset: string): bigint {
  const found = balanceChanges.find(
    (one) => one.address === address.toLowerCase() && one.asset === asset && one.id === undefined,
  );
  const text = found?.change ?? "0x0";
  return text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text);
}
