import assert from "node:assert/strict";
import { type Around, codesIn, expectProblems as expect, kindsIn, local } from "../../support/cell.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const hash = `0x${"ab".repeat(32)}`;

const request = (method: string, ...params: readonly unknown[]): string => JSON.stringify({ method, params });
const logs = (filter: object): string => request("eth_getLogs", { address, ...filter });
const range = (fromBlock: unknown, toBlock: unknown): string => logs({ fromBlock, toBlock });
const call = (members: string): string => `{ "method": "eth_call", "params": [${members}, "latest"] }`;

describe("what the service requires", () => {
  for (const marked of [
    // a call without an account or contract to call
    ...[`"data": "0x6080"`, `"to": null, "data": "0x6080"`, `"from": "${address}"`, ""].map((members) =>
      call(`‹warning missing-field to→{› ${members} }`),
    ),
    call(`{ "to": "${address}" }`),
    call(`{ "to": "{{where}}" }`),
    request("eth_estimateGas", { data: "0x6080" }, "latest"),
    // a decimal string for a block, which some nodes read
    `{ "method": "eth_getBalance", "params": ["${address}", ‹warning bad-block 0x7b→"123"›] }`,
    ...["12a", "-5", "1.5", "99999999999999999999"].map(
      (block) => `{ "method": "eth_getBalance", "params": ["${address}", ‹error bad-block→"${block}"›] }`,
    ),
    // a trace that does not say what to trace
    `{ "method": "trace_call", "params": [{ "to": "${address}" }‹warning missing-param traceTypes, missing-block→]› }`,
    `{ "method": "trace_replayTransaction", "params": ["${hash}"‹warning missing-param traceTypes→]› }`,
    `{ "method": "trace_call", "params": [{ "to": "${address}" }, ‹error wrong-type→"latest"›‹warning missing-block→]› }`,
  ])
    it(marked, () => expect(marked, { header: `{ "variables": { "where": "${address}" } }` }));

  it("warns of a range beside `blockHash`, which the service ignores, and says nothing more of it", () => {
    for (const filter of [{ fromBlock: "0x1" }, { toBlock: "0x1" }, { toBlock: null, fromBlock: "0x1" }])
      assert.deepEqual(kindsIn(logs({ blockHash: hash, ...filter })), ["warning exclusive-fields"]);
    const whole = kindsIn(logs({ blockHash: hash, fromBlock: "0x9", toBlock: "0x1" }));
    assert.deepEqual(whole, ["warning exclusive-fields", "warning exclusive-fields"]);
  });
});

describe("a range of blocks", () => {
  const at = (head: bigint | undefined, more: object = {}): Around => ({ endpoint: { ...local, head, ...more } });
  const [wrong, inverted, long] = ["error inverted-range", "warning inverted-range", "warning log-range-over-limit"];

  /** What is found in a filter, and what is known of the newest block. */
  const cases: readonly (readonly [filter: string, found: readonly string[], around?: Around])[] = [
    ...[
      range("0x2", "0x1"),
      range(2, 1),
      range("0x1", "earliest"),
      range("latest - 5", "latest - 6"),
      range("safe - 2", "safe-3"),
    ].map((filter) => [filter, [wrong]] as const),
    [range("latest", "earliest"), [inverted]],
    [range("latest", "latest"), []],
    [range("0x0", "0x7cf"), []],
    [range("0x0", "0x7d0"), [long]],
    [range("latest - 1999", "latest"), []],
    [range("latest - 2000", "latest"), [long]],
    [range("finalized", "latest - 5"), []],
    [range("pending - 5", "latest"), []],
    [range("9", "0x1"), ["warning bad-block", wrong]],
    [range("latest", "0x1"), [inverted]],
    [range("pending", "0x1"), [inverted]],
    [range("latest - 9", "0x1"), [inverted]],
    [range("finalized", "0x1"), []], // nothing is known of that chain
    [range("123", "200"), ["warning bad-block", "warning bad-block"]],
    // ends that are not written
    [logs({ toBlock: "0x1" }), [inverted]],
    [logs({ fromBlock: null, toBlock: "0x8" }), [inverted], at(0x10n)],
    [logs({ fromBlock: "0x1" }), [long], at(5000n)],
    [logs({ fromBlock: "0x1" }), []],
    [logs({}), []],
    [logs({ toBlock: "pending" }), []],
    [logs({ fromBlock: "earliest" }), []],
    [logs({ toBlock: "safe" }), [inverted]],
    [logs({ fromBlock: "pending" }), [inverted]],
    // compared with the newest block that a run has read
    [range("latest", "0x20"), [], at(0x10n)],
    [range("latest", "0x8"), [inverted], at(0x10n)],
    [range("finalized", "0x1"), [inverted], at(10_000_000n)],
    [range("finalized", "0x1"), [], at(50n)],
    // over the limit once the head is known
    [range("0x1", "latest"), [long], at(5000n)],
    [range("earliest", "pending"), [long], at(5000n)],
    [range("earliest", "latest"), [long], at(5000n)],
    [range("0x0", "latest - 1"), [long], at(5000n)],
    [range(0, "latest"), [long], at(5000n)],
    [range("0x1", "safe"), [long], at(10_000_000n)],
    [range("0x1000", "latest"), [], at(5000n)],
    [range("latest - 10", "latest"), [], at(5000n)],
    [range("0x1", "safe"), [], at(5000n)],
    [range("0x1", "0x5"), [], at(5000n)],
    [range("0x1", "latest"), [], at(5000n, { logRange: 10_000n })],
    // from its beginning, on a public chain and on unknown ones
    [range("0x1", "latest"), [long], at(undefined, { chainId: 8453n })],
    ...[undefined, 31337n].flatMap((chainId) => [
      [range("0x1", "latest"), [], at(undefined, { chainId })] as const,
      [range("earliest", "pending"), [], at(undefined, { chainId })] as const,
    ]),
  ];
  for (const [filter, found, around] of cases)
    it(`${filter} where the newest block is ${around?.endpoint?.head ?? "unknown"}`, () =>
      assert.deepEqual(
        kindsIn(filter, around).filter((one) => one !== "hint decimal-number"),
        found,
      ));
});

describe("methods and kinds of other nodes", () => {
  const nonce = (...more: readonly unknown[]): string =>
    request("eth_getTransactionCount", address, "pending", ...more);
  for (const [text, ...found] of [
    [request("debug_getRawTransactions", "latest")],
    [request("anvil_getIntervalMining")],
    ...["anvil_getNonce", "hardhat_getBalance", "debug_traceCalls", "evm_getAutomine", "trace_gets"].map((method) => [
      request(method),
      "information unknown-method",
    ]),
    ...["eth_getLog", "eth_gasPrices", "debug_traceCal", "anvil_setBalanc"].map((method) => [
      request(method),
      "error unknown-method",
    ]),
    // a kind of subscription that only its node knows
    [request("eth_subscribe", "stateChanges", [address])],
    [request("eth_subscribe", "miniBlocks", "x")],
    [request("eth_subscribe", "logs", [address]), "error wrong-type"],
    [request("eth_subscribe", "logs", { address: "0x12" }), "error bad-hex"],
    [request("eth_subscribe", "newHeads", { address }), "warning extra-param"],
    [request("eth_subscribe", "newPendingTransactions", { address }), "warning extra-param"],
    [request("eth_subscribe", "newPendingTransactions", true)],
    [request("eth_subscribe", "logs", true), "warning extra-param"],
    [request("eth_subscribe", "transactionReceipts", { transactionHashes: [] })],
    // the key of a nonce, or several (EIP-8130)
    [nonce("0x1")],
    [nonce(["0x1", "0x2"])],
    [nonce("0x01"), "error bad-quantity"],
    [nonce("0x1", 1), "error extra-param"],
    // the OP Stack
    [request("optimism_syncStatus")],
    [request("optimism_outputAtBlock", "latest")],
    [request("optimism_safeHeadAtL1Block", "0x13de180")],
    [request("optimism_rollupConfig")],
    [request("base_transactionStatus", hash)],
    [request("base_meterBlockByNumber", "latest")],
    [request("rollup_getInfo")],
    [request("optimism_outputAtBlock"), "error missing-param"],
    [request("base_meterBundle", { txs: [] }), "error missing-field"],
    // a timeout in both forms (EIP-7966)
    [request("eth_sendRawTransactionSync", "0x02", 2000), "information signing-method"],
    [request("eth_sendRawTransactionSync", "0x02", "0x7d0"), "information signing-method"],
  ])
    it(text ?? "", () => assert.deepEqual(kindsIn(text ?? ""), found));

  it("take no other timeout", () => {
    for (const timeout of ["2 s", 1.5, true])
      assert.equal(kindsIn(request("eth_sendRawTransactionSync", "0x02", timeout)).length, 2, String(timeout));
  });
});

describe("types of signatures", () => {
  const data = (written: object): string => request("eth_call", { to: address, data: written }, "latest");
  it("are problems if the ABI has no such type", () => {
    for (const signature of ["f(uint7)", "f(address,Order)", "f((bool, fixed8x99)[])", "f(fixed)", "f(ufixed128x18)"]) {
      assert.deepEqual(kindsIn(data({ function: signature })), ["error unknown-function"]);
      const abi = JSON.stringify({ method: "eth_chainId", abi: [`function ${signature}`] });
      assert.deepEqual(kindsIn(abi), ["warning bad-abi"]);
    }
    const json = { type: "function", name: "f", inputs: [{ type: "tuple[]", components: [{ type: "decimal" }] }] };
    assert.deepEqual(codesIn(JSON.stringify({ method: "eth_chainId", abi: [json] })), ["bad-abi"]);
  });
});
