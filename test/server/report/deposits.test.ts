import assert from "node:assert/strict";
import { toFunctionSelector } from "viem";
import { decodeCall } from "../../../server/src/abi/decodeCall.ts";
import { alice, bob, textOf } from "./outcomes.ts";

const depositor = "0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001";
const l1Block = "0x4200000000000000000000000000000000000015";
const baseTime = "0x4200000000000000000000000000000000000030";
const hash = `0x${"5c".repeat(32)}`;

const fields = (...values: readonly (readonly [number, bigint | string])[]): string =>
  values
    .map(([bytes, value]) => (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(bytes * 2, "0"))
    .join("");
const ecotone = fields([4, 2269n], [4, 1055762n], [8, 3n], [8, 1721808580n], [8, 20374528n], [32, 7n], [32, 1n]);
const batcher = `0x${"0".repeat(24)}${alice.slice(2).toLowerCase()}`;
const attributes = `${ecotone}${fields([32, hash], [32, batcher])}`;
const operator = fields([4, 11n], [8, 12n]);

const deposit = (to: string, input: string, from = depositor) => ({
  ...{ hash, type: "0x7e", from, to, input, value: "0x0", nonce: "0x1", gas: "0xf4240", gasPrice: "0x0" },
  ...{ sourceHash: hash, mint: "0x0", isSystemTx: false, blockHash: hash, blockNumber: "0x1" },
});
const time = deposit(baseTime, `${toFunctionSelector("setTimestampMillisPart(uint16)")}${fields([32, 400n])}`);

describe("deposits of the OP Stack", () => {
  for (const [name, more, last] of [
    ["setL1BlockValuesEcotone", "", `batcherHash: ${batcher}`],
    ["setL1BlockValuesIsthmus", operator, "operatorFeeConstant: 12"],
    ["setL1BlockValuesJovian", `${operator}${fields([2, 400n])}`, "daFootprintGasScalar: 400"],
  ] as const)
    it(`are read as the attributes of layer 1: ${name}`, () => {
      const data = `${toFunctionSelector(`${name}()`)}${attributes}${more}`;
      const text = textOf("eth_getTransactionByHash", [hash], deposit(l1Block, data), { width: 2000 });
      assert.ok(
        text.startsWith(`✓ eth_getTransactionByHash: L1 attributes deposit: ${name}(baseFeeScalar: 2,269`),
        text,
      );
      assert.match(text, /type +L1 attributes deposit \(0x7e\)/);
      assert.match(text, /number +20,?374,?528/);
      const call = decodeCall(data, undefined, l1Block);
      const [arg] = call?.args.slice(-1) ?? [];
      assert.equal(`${arg?.name}: ${arg?.value}`, last);
      assert.deepEqual(call?.faults, []);
    });

  it("are read as the time of the block", () => {
    const text = textOf("eth_getTransactionByHash", [hash], time);
    assert.match(text, /BaseTime deposit: setTimestampMillisPart\(millisPart: 400\)/);
  });

  it("are told apart in a block and in receipts", () => {
    const data = `${toFunctionSelector("setL1BlockValuesEcotone()")}${attributes}`;
    const block = { number: "0x1", transactions: [deposit(l1Block, data), time, deposit(bob, "0x", alice)] };
    const text = textOf("eth_getBlockByNumber", ["0x1", true], block, { width: 2000 });
    for (const name of ["L1 attributes deposit", "BaseTime deposit", "deposit from layer 1"])
      assert.equal(text.split(name).length, 2, name);
    const receipt = { transactionHash: hash, type: "0x7e", from: depositor, to: baseTime, status: "0x1", logs: [] };
    assert.match(textOf("eth_getTransactionReceipt", [hash], receipt), /BaseTime deposit/);
  });

  it("are not claimed of other contracts, other senders and data that is cut", () => {
    const data = `${toFunctionSelector("setL1BlockValuesEcotone()")}${attributes}`;
    assert.equal(decodeCall(data, undefined, bob)?.args.length ?? 0, 0);
    const forged = textOf("eth_getTransactionByHash", [hash], deposit(baseTime, time.input, alice));
    assert.match(forged, /deposit from layer 1: setTimestampMillisPart/);
    const cut = decodeCall(data.slice(0, -2), undefined, l1Block);
    assert.deepEqual(cut?.faults, ["there are 159 bytes in place of 160"]);
    const user = textOf("eth_getTransactionByHash", [hash], { ...time, type: "0x2" });
    assert.doesNotMatch(user, /BaseTime deposit/);
  });
});
