import assert from "node:assert/strict";
import { decodedResult } from "../../../server/src/abi/decodedResult.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { alice, answered, bob, textOf, topic, transferTopic } from "./outcomes.ts";

const seconds = 1_721_808_580n;
const hex = (value: bigint): string => `0x${value.toString(16)}`;
const time = { blockTimestamp: hex(seconds), blockTimestampMs: hex(seconds * 1000n + 200n) };
const log = {
  address: bob,
  topics: [transferTopic, topic(alice), topic(bob)],
  data: topic("0x5"),
  blockNumber: "0x64",
  blockHash: topic("0x3"),
  logIndex: "0x3",
};
const zeros = topic("0x0");

describe("a table of logs", () => {
  it("has the time of each log, from the service's blockTimestamp", () => {
    assert.match(
      textOf("eth_getLogs", [{}], [{ ...log, blockTimestamp: time.blockTimestamp }]),
      /Contract +Time\n.*2024-07-24 08:09:40 UTC/,
    );
    assert.match(textOf("eth_getLogs", [{}], [{ ...log, blockTimestamp: Number(seconds) }]), /2024-07-24 08:09:40 UTC/);
    assert.doesNotMatch(textOf("eth_getLogs", [{}], [log]), /Time/);
  });
  it("has it in milliseconds where the node proves them, and where they are of that second", () => {
    assert.match(textOf("eth_getLogs", [{}], [{ ...log, ...time }]), /2024-07-24 08:09:40\.200 UTC/);
    const other = { ...time, blockTimestampMs: hex(seconds * 1000n + 1000n) };
    assert.match(textOf("eth_getLogs", [{}], [{ ...log, ...other }]), /2024-07-24 08:09:40 UTC/);
  });
  it("gives way to the other columns on a narrow terminal", () => {
    const text = textOf("eth_getLogs", [{}], [{ ...log, ...time, transactionHash: topic("0x9") }], { width: 80 });
    assert.match(text, /left out to save space: (?:Contract, )?Time, Transaction/);
  });
  for (const [what, blockHash] of [
    ["zeros for the hash of its block", zeros],
    ["no hash of its block", null],
  ] as const)
    it(`marks a row that has ${what} as pre-confirmed`, () => {
      const text = textOf("eth_getLogs", [{}], [{ ...log, blockHash }, log]);
      assert.match(text, /\n +100 pre-confirmed +3 +Transfer.*\n +100 +3 +Transfer/);
    });
  it("marks none where the node leaves the hash out", () => {
    const { blockHash: _, ...bare } = log;
    assert.doesNotMatch(textOf("eth_getLogs", [{}], [bare]), /pre-confirmed/);
  });
});

describe("a table of receipts", () => {
  it("marks those that are pre-confirmed", () => {
    const receipt = { transactionHash: topic("0x9"), status: "0x1", gasUsed: "0x5208", logs: [], blockNumber: "0x64" };
    assert.match(
      textOf("eth_getBlockReceipts", ["pending"], [{ ...receipt, blockHash: zeros }]),
      /State .*\n.*succeeded +pre-confirmed/,
    );
    assert.doesNotMatch(textOf("eth_getBlockReceipts", ["latest"], [{ ...receipt, blockHash: topic("0x3") }]), /State/);
  });
});

describe("the time of a block", () => {
  const block = { number: "0x64", hash: topic("0x3"), timestamp: hex(seconds), timestampMs: time.blockTimestampMs };
  it("is there in milliseconds, alone and among the heads of a subscription", () => {
    assert.match(textOf("eth_getBlockByNumber", ["latest", false], block), /timestampMs +2024-07-24 08:09:40\.200 UTC/);
    assert.match(textOf("eth_subscribe", ["newHeads"], [block]), /2024-07-24 08:09:40\.200 UTC/);
    assert.match(
      textOf("eth_simulateV1", [{}, "latest"], [{ ...block, calls: [] }]),
      /Time +2024-07-24 08:09:40\.200 UTC/,
    );
    assert.match(
      textOf("eth_getTransactionByHash", [zeros], { hash: zeros, ...time }),
      /blockTimestampMs +2024-07-24 08:09:40\.200 UTC/,
    );
  });
  it("is decoded as decimal milliseconds, in the place of the block, the log and the transaction", () => {
    const ms = String(seconds * 1000n + 200n);
    assert.deepEqual(decodedResult("eth_getBlockByNumber", { ...block, transactions: [{ to: null, ...time }] }), {
      transactions: [{ input: null, blockTimestampMs: ms }],
      timestampMs: ms,
    });
    const [event] = Object(decodedResult("eth_getLogs", [{ ...log, ...time }]));
    assert.equal(event.blockTimestampMs, ms);
    assert.deepEqual(decodedResult("eth_simulateV1", [{ ...block, calls: [] }]), [{ calls: [], timestampMs: ms }]);
  });
  it("is never made up: seconds alone decode to nothing", () =>
    assert.deepEqual(decodedResult("eth_getBlockByNumber", { timestamp: hex(seconds), transactions: [] }), {
      transactions: [],
    }));
});

describe("a simulated block", () => {
  it("shows its parent, its state root and the peak of its gas", () => {
    const call = { status: "0x1", gasUsed: "0x5208", maxUsedGas: "0x6000", returnData: "0x", logs: [] };
    const block = { number: "0x64", hash: topic("0x3"), parentHash: topic("0x2"), stateRoot: zeros, calls: [call] };
    const text = textOf("eth_simulateV1", [{}, "latest"], [block]);
    assert.match(text, new RegExp(`Parent +${topic("0x2")}`));
    assert.match(text, /State root +zeros/);
    assert.match(text, /Peak gas.*\n.*24,576/);
    const several = textOf("eth_simulateV1", [{}, "latest"], [block, block]);
    assert.match(several, /Hash +Parent +State root/);
  });
});

describe("full transactions in a list", () => {
  const fees = { maxFeePerGas: "0x5", maxPriorityFeePerGas: "0x1", maxFeePerBlobGas: "0x7" };
  const call = { from: alice, to: bob, value: "0x0", input: "0x", nonce: "0x1", gas: "0x5208" };
  const transaction = { hash: zeros, ...call, ...fees };
  for (const [where, method, params, value] of [
    ["a block", "eth_getBlockByNumber", ["latest", true], { number: "0x1", transactions: [transaction] }],
    ["a subscription", "eth_subscribe", ["newPendingTransactions", true], [transaction]],
  ] as const)
    it(`show all that they offer for gas, in ${where}`, () => {
      const { sections } = reportOf({ title: "t", method, params, outcome: answered(value) });
      const table = sections.find(({ kind }) => kind === "table");
      const shown = table?.kind === "table" ? table.rows[0]?.map(({ text }) => text) : [];
      for (const fee of ["5 wei", "1 wei", "7 wei"]) assert.ok(shown?.includes(fee), fee);
    });
});
