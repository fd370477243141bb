import assert from "node:assert/strict";
import { check } from "../../../server/src/analysis/check.ts";
import { message } from "../../../server/src/analysis/message.ts";
import { severity } from "../../../server/src/analysis/severity.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, local, scopeOf } from "../../support/cell.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const hash = `0x${"ab".repeat(32)}`;

/** Severity, code and message of each problem. */
function found(text: string, around: Around = {}): readonly string[] {
  const cell = readCell(text);
  return check(cell, scopeOf(cell, around)).map((one) => `${severity(one)} ${one.code}: ${message(one)}`);
}

function kinds(text: string, around: Around = {}): readonly string[] {
  return found(text, around).map((one) => one.slice(0, one.indexOf(":")));
}

const request = (method: string, ...params: readonly unknown[]): string => JSON.stringify({ method, params });
const logs = (filter: object): string => request("eth_getLogs", { address, ...filter });
const range = (fromBlock: unknown, toBlock: unknown): string => logs({ fromBlock, toBlock });

describe("what the service requires", () => {
  it("warns of a call without an account or contract to call", () => {
    for (const call of [{ data: "0x6080" }, { to: null, data: "0x6080" }, { from: address }, {}])
      assert.deepEqual(found(request("eth_call", call, "latest")), [
        "warning missing-field: Missing `to`. Some services require it; without it a node runs `data` as the code of a new contract.",
      ]);
    assert.deepEqual(found(request("eth_call", { to: address }, "latest")), []);
    assert.deepEqual(found(request("eth_call", { to: "{{where}}" }, "latest"), variable), []);
    assert.deepEqual(found(request("eth_estimateGas", { data: "0x6080" }, "latest")), []);
  });

  it("warns of a range beside `blockHash`, which the service ignores, and says nothing more of it", () => {
    for (const filter of [{ fromBlock: "0x1" }, { toBlock: "0x1" }, { toBlock: null, fromBlock: "0x1" }])
      assert.deepEqual(found(logs({ blockHash: hash, ...filter })), [
        "warning exclusive-fields: `blockHash` and `" +
          `${Object.keys(filter).at(-1)}\` cannot be used together. Some services ignore the range beside a \`blockHash\`, most nodes refuse both: delete one of them.`,
      ]);
    const whole = kinds(logs({ blockHash: hash, fromBlock: "0x9", toBlock: "0x1" }));
    assert.deepEqual(whole, ["warning exclusive-fields", "warning exclusive-fields"]);
  });

  it("takes a decimal string for a block that some nodes read", () => {
    assert.deepEqual(found(request("eth_getBalance", address, "123")), [
      'warning bad-block: `123` is a decimal string, which most nodes refuse as a block. Write `"0x7b"`.',
    ]);
    assert.deepEqual(kinds(range("123", "200")), ["warning bad-block", "warning bad-block"]);
    for (const block of ["12a", "-5", "1.5", "99999999999999999999"])
      assert.deepEqual(kinds(request("eth_getBalance", address, block)), ["error bad-block"]);
  });

  it("warns of a trace that does not say what to trace", () => {
    for (const text of [request("trace_call", { to: address }), request("trace_replayTransaction", hash)])
      assert.match(found(text).join(), /^warning missing-param: `trace_\w+` needs `traceTypes` at position 1\. Most/);
    assert.deepEqual(kinds(request("trace_call", { to: address }, "latest")), [
      "error wrong-type",
      "warning missing-block",
    ]);
  });
});

describe("a range of blocks", () => {
  const at = (head: bigint | undefined, more: object = {}): Around => ({ endpoint: { ...local, head, ...more } });

  it("is refused if its numbers are the wrong way round, and probably if its tags are", () => {
    for (const [from, to] of [
      ["0x2", "0x1"],
      [2, 1],
      ["0x1", "earliest"],
      ["latest - 5", "latest - 6"],
      ["9", "0x1"],
    ])
      assert.ok(kinds(range(from, to)).includes("error inverted-range"), `${from} to ${to}`);
    for (const [from, to] of [
      ["latest", "0x1"],
      ["pending", "0x1"],
      ["latest - 9", "0x1"],
      ["safe", "earliest"],
    ])
      if (to !== "earliest") assert.deepEqual(kinds(range(from, to)), ["warning inverted-range"], `${from} to ${to}`);
    assert.match(found(range("latest", "0x1")).join(), /`fromBlock` is usually after `toBlock`/);
    assert.deepEqual(found(range("finalized", "0x1")), [], "nothing is known of that chain");
  });

  it("has ends that are not written", () => {
    assert.match(
      found(logs({ toBlock: "0x1" })).join(),
      /^warning inverted-range: `fromBlock` \(`latest` by default\) is usually/,
    );
    assert.deepEqual(kinds(logs({ fromBlock: null, toBlock: "0x8" }), at(0x10n)), ["warning inverted-range"]);
    assert.deepEqual(kinds(logs({ fromBlock: "0x1" }), at(5000n)), ["warning log-range-over-limit"]);
    assert.deepEqual(kinds(logs({ fromBlock: "0x1" })), []);
    for (const filter of [
      {},
      { toBlock: "pending" },
      { fromBlock: "earliest" },
      { toBlock: "safe" },
      { fromBlock: "pending" },
    ])
      assert.equal(
        kinds(logs(filter)).length,
        "fromBlock" in filter && filter.fromBlock === "pending"
          ? 1
          : "toBlock" in filter && filter.toBlock === "safe"
            ? 1
            : 0,
        JSON.stringify(filter),
      );
  });

  it("is compared with the newest block that a run has read", () => {
    assert.deepEqual(kinds(range("latest", "0x20"), at(0x10n)), []);
    assert.deepEqual(kinds(range("latest", "0x8"), at(0x10n)), ["warning inverted-range"]);
    assert.deepEqual(kinds(range("finalized", "0x1"), at(10_000_000n)), ["warning inverted-range"]);
    assert.deepEqual(kinds(range("finalized", "0x1"), at(50n)), []);
  });

  it("up to a tag is over the limit once the head is known", () => {
    assert.deepEqual(found(range("0x1", "latest"), at(5000n)), [
      "warning log-range-over-limit: The range has at least 4,999 blocks, but many endpoints take at most 1,999. A run splits it automatically.",
    ]);
    for (const [from, to] of [
      ["earliest", "pending"],
      ["earliest", "latest"],
      ["0x0", "latest - 1"],
      [0, "latest"],
    ])
      assert.deepEqual(
        kinds(range(from, to), at(5000n)).filter((one) => one !== "hint decimal-number"),
        ["warning log-range-over-limit"],
      );
    assert.deepEqual(kinds(range("0x1", "safe"), at(10_000_000n)), ["warning log-range-over-limit"]);
    for (const [from, to] of [
      ["0x1000", "latest"],
      ["latest - 10", "latest"],
      ["0x1", "safe"],
      ["0x1", "0x5"],
    ])
      assert.deepEqual(kinds(range(from, to), at(5000n)), [], `${from} to ${to}`);
    assert.deepEqual(kinds(range("0x1", "latest"), at(5000n, { logRange: 10_000n })), []);
  });

  it("from its beginning is over the limit on a public chain, and is not held against an unknown one", () => {
    assert.deepEqual(kinds(range("0x1", "latest"), at(undefined, { chainId: 8453n })), [
      "warning log-range-over-limit",
    ]);
    for (const chainId of [undefined, 31337n])
      for (const [from, to] of [
        ["0x1", "latest"],
        ["earliest", "pending"],
      ])
        assert.deepEqual(kinds(range(from, to), at(undefined, { chainId })), []);
  });
});

describe("methods and kinds of other nodes", () => {
  it("are known where others are one letter away", () => {
    assert.deepEqual(found(request("debug_getRawTransactions", "latest")), []);
    assert.deepEqual(found(request("anvil_getIntervalMining")), []);
  });

  it("are no slips of a setter, or of one of many", () => {
    for (const method of ["anvil_getNonce", "hardhat_getBalance", "debug_traceCalls", "evm_getAutomine", "trace_gets"])
      assert.deepEqual(kinds(request(method)), ["information unknown-method"], method);
    for (const method of ["eth_getLog", "eth_gasPrices", "debug_traceCal", "anvil_setBalanc"])
      assert.deepEqual(kinds(request(method)), ["error unknown-method"], method);
  });

  it("take what they take after a kind of subscription that only its node knows", () => {
    assert.deepEqual(found(request("eth_subscribe", "stateChanges", [address])), []);
    assert.deepEqual(found(request("eth_subscribe", "miniBlocks", "x")), []);
    assert.deepEqual(kinds(request("eth_subscribe", "logs", [address])), ["error wrong-type"]);
    assert.deepEqual(kinds(request("eth_subscribe", "logs", { address: "0x12" })), ["error bad-hex"]);
  });

  it("take the key of a nonce, or several (EIP-8130)", () => {
    for (const key of ["0x1", ["0x1", "0x2"]])
      assert.deepEqual(found(request("eth_getTransactionCount", address, "pending", key)), []);
    assert.deepEqual(kinds(request("eth_getTransactionCount", address, "pending", "0x01")), ["error bad-quantity"]);
    assert.deepEqual(kinds(request("eth_getTransactionCount", address, "pending", "0x1", 1)), ["error extra-param"]);
  });
});

const variable: Around = { header: `{ "variables": { "where": "${address}" } }` };

describe("types of signatures", () => {
  it("take numbers of fixed point for what they are", () => {
    const call = { to: address, data: { function: "setRate(fixed128x18,ufixed) returns (fixed)", args: ["-1.5", 2] } };
    assert.deepEqual(found(request("eth_call", call, "latest")), []);
    const wrong = { to: address, data: { function: "setRate(ufixed8x1)", args: ["1.55"] } };
    assert.match(
      found(request("eth_call", wrong, "latest")).join(),
      /bad-argument: .*takes a number with at most 1 decimal place\./,
    );
  });

  it("are named if the ABI has no such type", () => {
    for (const [signature, type] of [
      ["f(uint7)", "uint7"],
      ["f(address,Order)", "Order"],
      ["f((bool, fixed8x99)[])", "fixed8x99"],
    ]) {
      const call = { to: address, data: { function: signature } };
      assert.deepEqual(found(request("eth_call", call, "latest")), [
        `error unknown-function: \`${type}\` in \`${signature}\` is not an ABI type.`,
      ]);
      const abi = JSON.stringify({ method: "eth_chainId", abi: [`function ${signature}`] });
      assert.deepEqual(found(abi), [`warning bad-abi: Not an ABI: \`${type}\` is not an ABI type.`]);
    }
    const json = { type: "function", name: "f", inputs: [{ type: "tuple[]", components: [{ type: "decimal" }] }] };
    assert.match(found(JSON.stringify({ method: "eth_chainId", abi: [json] })).join(), /`decimal` is not an ABI type/);
  });
});

describe("methods of the OP Stack", () => {
  it("are known, with their parameters", () => {
    for (const [method, ...params] of [
      ["optimism_syncStatus"],
      ["optimism_outputAtBlock", "latest"],
      ["optimism_safeHeadAtL1Block", "0x13de180"],
      ["optimism_rollupConfig"],
      ["base_transactionStatus", hash],
      ["base_meterBlockByNumber", "latest"],
      ["rollup_getInfo"],
    ] as const)
      assert.deepEqual(found(request(method, ...params)), [], method);
    assert.deepEqual(kinds(request("optimism_outputAtBlock")), ["error missing-param"]);
    assert.deepEqual(kinds(request("base_meterBundle", { txs: [] })), ["error missing-field"]);
  });

  it("take a timeout in both forms (EIP-7966)", () => {
    for (const timeout of [2000, "0x7d0"])
      assert.deepEqual(kinds(request("eth_sendRawTransactionSync", "0x02", timeout)), ["information signing-method"]);
    for (const timeout of ["2 s", 1.5, true])
      assert.equal(kinds(request("eth_sendRawTransactionSync", "0x02", timeout)).length, 2, String(timeout));
  });
});
