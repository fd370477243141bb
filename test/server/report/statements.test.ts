import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import { comparison } from "../../../server/src/inspect/compare.ts";
import { addressMarkdown } from "../../../server/src/live/address.ts";
import { simulationMarkdown } from "../../../server/src/live/simulationMarkdown.ts";
import { caseView } from "../../../server/src/report/case.ts";
import type { CaseFacts } from "../../../server/src/report/caseFacts.ts";
import { caseJson } from "../../../server/src/report/caseJson.ts";
import { contextOf } from "../../../server/src/report/reportOf.ts";
import { partShown } from "../../../server/src/report/storage.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { cadenceOf } from "../../../server/src/rpc/cadence.ts";
import { alice, answered, bob, reportFor, topic, transferTopic } from "./outcomes.ts";

// What chains and nodes do seldom, and what must not be said then.

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const labels = new Map([
  [alice, "alice"],
  [bob, "bob"],
]);
const tokens = new Map([[token.toLowerCase(), { symbol: "DUSD", decimals: 6, source: "the header" }]]);
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`;
const hash = `0x${"cd".repeat(32)}`;
const ether = 10n ** 18n;
const logger = `0x${"f".repeat(39)}e`;

const transferOf = (address: string, from: string, to: string, amount: bigint): JsonObject => ({
  ...{ address, topics: [transferTopic, topic(from), topic(to)], data: word(amount), logIndex: "0x0" },
});
const receipt: JsonObject = {
  ...{ transactionHash: hash, blockHash: `0x${"ab".repeat(32)}`, blockNumber: "0x10", transactionIndex: "0x0" },
  ...{ status: "0x1", from: alice, to: bob, gasUsed: "0x5208", effectiveGasPrice: "0x3b9aca00", logs: [] },
};
const { status: _status, ...withoutStatus } = receipt;
const transaction: JsonObject = {
  ...{ hash, from: alice, to: bob, value: `0x${ether.toString(16)}`, input: "0x", nonce: "0x5", gas: "0x5208" },
};
const deposit = { type: "0x7e", sourceHash: hash, mint: `0x${(2n * ether).toString(16)}` };

/** Everything that a report says, in one text. */
function answerText(method: string, params: JsonValue, answer: JsonValue): string {
  const report = reportFor(method, params, answer, { labels, tokens });
  return [report.summary, headlineText(report.headline), reportText(report, { width: 300 })].join("\n");
}

function headlineText(parts: readonly { readonly text: string }[] = []): string {
  return parts.map(({ text }) => text).join(" | ");
}

function caseText(facts: Partial<CaseFacts>): string {
  const place = { endpoint: "local", host: "h", chainId: 1n, others: [], kind: "ordinary", blockMs: 12_000 } as const;
  const whole: CaseFacts = {
    ...{ hash, place, transaction, receipt, block: undefined, nonces: undefined, replacement: undefined },
    ...{ heads: { latest: 20n, safe: undefined, finalized: undefined }, trace: undefined, reread: undefined },
    ...{ gaps: [], life: [], ...facts },
  };
  const context = contextOf({ labels, tokens, params: null });
  const view = caseView(whole, context);
  const shown = { title: "t", status: "ok" as const, facts: [], ...view };
  const json = JSON.stringify(caseJson(whole, context));
  return [view.summary, headlineText(view.headline), reportText(shown, { width: 300 }), json].join("\n");
}

const receiptOf = (more: JsonObject): string =>
  answerText("eth_getTransactionReceipt", [hash], { ...receipt, ...more });
const blockOf = (gasUsed: bigint): string =>
  answerText("eth_getBlockByNumber", ["latest", false], {
    ...{ number: "0x1", hash, timestamp: "0x6553f100", transactions: [], gasLimit: "0x1c9c380" },
    gasUsed: `0x${gasUsed.toString(16)}`,
  });
const simulated = (call: JsonObject, logs: readonly JsonValue[], more: JsonObject = {}): string =>
  answerText(
    "eth_simulateV1",
    [{ blockStateCalls: [{ calls: [call] }], ...more }, "latest"],
    [{ number: "0x2", calls: [{ status: "0x1", gasUsed: "0x5208", returnData: "0x", logs }] }],
  );

type Expected = readonly [name: string, text: string, says: RegExp, neverSays?: RegExp];

function expectFact([name, text, says, neverSays]: Expected): void {
  it(name, () => {
    assert.match(text, says);
    if (neverSays) assert.doesNotMatch(text, neverSays);
  });
}

describe("what is said of odd but legal data", () => {
  // biome-ignore format: a row for each fact
  const all: readonly Expected[] = [
    ["a creation that failed created nothing", receiptOf({ status: "0x0", to: null, contractAddress: token }), /failed/, /created/],
    ["a call creates nothing, whatever address a node names", receiptOf({ contractAddress: `0x${"0".repeat(40)}` }), /alice → bob/, /created/],
    ["a deposit pays no operator", receiptOf({ type: "0x7e", effectiveGasPrice: "0x0", operatorFeeConstant: "0xffff" }), /fee 0 ether/],
    ["a fee of Celo may be in a token", receiptOf({ type: "0x7b" }), /21,000 gas/, /fee \d/],
    ["a fee of Tempo is in a token", receiptOf({ feeToken: token, feePayer: bob }), /21,000 gas/, /fee \d/],
    ["a small share of a fee is not none", receiptOf({ l1Fee: "0x1" }), /<1% of it L1/],
    ["a share that is nearly all is not all", receiptOf({ gasUsed: "0x1", l1Fee: "0xffffffffff" }), /≈100% of it L1/],
    ["a block that is nearly full is not full", blockOf(29_900_000n), /≈100% of 30 M/],
    ["a block with a transaction is not empty", blockOf(100n), /<0\.01% of 30 M/],
    ["a block of a fee history that is nearly full is not full", answerText("eth_feeHistory", ["0x1", "latest", []], { oldestBlock: "0x1", baseFeePerGas: ["0x1"], gasUsedRatio: [0.99999] }), /≈100%/],
    ["a transfer that node and chain log is in a simulation once", simulated({ from: alice, to: bob, value: "0x1" }, [transferOf(logger, alice, bob, 1n), transferOf(`0x${"e".repeat(40)}`, alice, bob, 1n)]), /native transfer/, /native transfer[\s\S]*native transfer/],
    ["an item of a collection with decimals is no amount", answerText("eth_getLogs", [{}], [{ address: token, topics: [transferTopic, topic(alice), topic(bob), word(7n)], data: "0x", blockNumber: "0x1", logIndex: "0x0" }]), /bob\s+7 /, /DUSD/],
    ["a transaction with blobs sends something", answerText("eth_getTransactionByHash", [hash], { ...transaction, value: "0x0", type: "0x3", blobVersionedHashes: [word(1n)] }), /Sends 1 blob/, /nothing/],
    ["a transaction with a delegation says so", answerText("eth_getTransactionByHash", [hash], { ...transaction, authorizationList: [{ address: token }] }), /Sends 1 ether \| with a delegation to 0x5FbD/],
    ["another chain's type is no deposit", answerText("eth_getTransactionByHash", [hash], { ...transaction, type: "0x7e" }), /Sends 1 ether/, /deposit from layer 1(?!, on OP)/],
    ["a simulated creation has a payee", simulated({ from: alice, value: "0x1", data: "0x6000" }, []), /alice gives a new contract 1 wei/],
    ["a simulated call has a payer", simulated({ to: bob, value: "0x1" }, []), /the zero address gives bob 1 wei/],
    ["contracts may send what a simulation does not list", simulated({ from: alice, to: token, data: "0x12345678" }, [transferOf(token, alice, bob, 5n)]), /is not shown.*traceTransfers/],
    ["and if it lists them, nothing is missing", simulated({ from: alice, to: token, data: "0x12345678" }, [transferOf(token, alice, bob, 5n)], { traceTransfers: true }), /gives/, /is not shown/],
  ];
  for (const one of all) expectFact(one);
});

describe("what is said of odd values", () => {
  const call = (data: bigint): string =>
    answerText("eth_call", [{ to: token, data: "0x12345678" }, "latest"], word(data));
  const list = { kind: "array", label: "uint8[]", slots: 1n, item: "t_uint8", length: undefined } as const;
  const hover = (latest: bigint | undefined): string => {
    const known = {
      pending: ether,
      pendingNonce: 1n,
      latestNonce: undefined,
      what: undefined,
      code: undefined,
      token: undefined,
    };
    const source = { endpoint: "local", cadence: cadenceOf(unknown, {}, 0), names: new Map() };
    return addressMarkdown({ ...known, latest, head: undefined, failure: undefined }, source);
  };
  const unknown = { preconfirmed: undefined, chainId: undefined };
  const compared = (...lists: readonly (readonly number[])[]): string => {
    const sides = lists.map((result, at) => ({ name: `${at}`, answer: { result }, summary: "a list", ok: true }));
    return comparison("t", sides).summary;
  };
  const hoverOf = (count: number): string => {
    const logs = [...Array(count).keys()].map((at) => transferOf(token, alice, word(BigInt(at + 1)), 1n));
    const result = [{ calls: [{ status: "0x1", gasUsed: "0x1", returnData: "0x", logs }] }];
    const view = { names: new Map(), scope: undefined, tokens, endpoint: "local" };
    return simulationMarkdown({ method: "eth_simulateV1", params: [] }, answered(result), view);
  };
  const [long, other] = [0, 1].map((last) => [...Array(3000).fill(7), last]);
  // biome-ignore format: a row for each fact
  const all: readonly Expected[] = [
    ["a round number is no address", call(999_982n * 10n ** 27n), /^999,982,000/],
    ["other digits may be one", call(BigInt(alice)), /^alice/],
    ["a precompiled contract has no code", answerText("eth_getCode", [`0x${"1".padStart(40, "0")}`, "latest"], "0x"), /EVM/, /There is no contract/],
    ["a list may be longer than a double counts", partShown({ path: "x", type: list, slot: 0n, offset: 0 }, word(2n ** 60n + 3n), labels).text, /^1,152,921,504,606,846,979 items$/],
    ["what was not answered is not the same", hover(undefined), /1 ether\*\* pending/, /latest/],
    ["what was answered may be", hover(ether), /the same at latest/],
    ["a hover says how many movements it leaves out", hoverOf(20), /and 9 more/],
    ["a hover with few movements leaves none out", hoverOf(5), /000001 DUSD/, /- and \d+ more/],
    ["long answers that differ at their end differ", compared(long ?? [], other ?? []), /^the answers differ/],
    ["long answers that are the same do not", compared(long ?? [], long ?? []), /^no difference$/],
  ];
  for (const one of all) expectFact(one);
});

describe("what is said of the case of a transaction", () => {
  const sent = /alice sent bob|^succeeded|"succeeded"/;
  // biome-ignore format: a row for each fact
  const all: readonly Expected[] = [
    ["a receipt without a status does not say that it succeeded", caseText({ receipt: withoutStatus }), /its receipt has no status/, sent],
    ["logs do: a revert leaves none", caseText({ receipt: { ...withoutStatus, logs: [transferOf(token, alice, bob, 5n)] } }), /^succeeded: alice sent bob/],
    ["a block without a receipt is a block", caseText({ transaction: { ...transaction, blockNumber: "0x10" }, receipt: undefined }), /its receipt is missing/, /pending|Pending|wants to/],
    ["a transfer of nothing is none", caseText({ receipt: { ...receipt, logs: [transferOf(token, bob, alice, 0n)] } }), /alice sent bob 1 ether/, /bob sent alice/],
    ["a deposit brings its currency if it fails", caseText({ transaction: { ...transaction, ...deposit }, receipt: { ...receipt, status: "0x0" } }), /tried to send bob 1 ether[\s\S]*\+1\.999979 ether/],
    ["who pays the fee need not be the sender", caseText({ receipt: { ...receipt, feePayer: token } }), /0x5FbDB2315678afecb367f032d93F642f64180aa3\s+−0\.000021 ether\s+includes the fee/],
    ["a fee in a token is named", caseText({ transaction: { ...transaction, feeCurrency: token }, receipt: { ...receipt, type: "0x7b" } }), /paid in the token 0x5FbD/, /fee 0\.0|includes the fee/],
    ["nearly all gas is not all", caseText({ transaction: { ...transaction, gas: "0x186a0" }, receipt: { ...receipt, gasUsed: "0x18682" } }), /99,970, ≈100% of the limit/],
    ["a delegation is not left out", caseText({ transaction: { ...transaction, authorizationList: [{ address: token }] } }), /alice sent bob 1 ether, with a delegation to 0x5FbD/],
    ["a transfer that the chain logs is counted once", caseText({ receipt: { ...receipt, logs: [transferOf(logger, alice, bob, ether)] } }), /^succeeded: alice sent bob 1 ether\n/],
    ["a long amount is not rounded to another", caseText({ transaction: { ...transaction, value: "0x8ac7230489e7ffff" } }), /^succeeded: alice sent bob ≈10 ether\n/],
    ["a long amount that looks exact is marked", caseText({ receipt: { ...receipt, logs: [transferOf(token, alice, bob, 10n ** 19n + 123_456n)] } }), /≈10,000,000,000,000\.12 DUSD/],
  ];
  for (const one of all) expectFact(one);
});
