import assert from "node:assert/strict";
import { codeHash, dispatchedSelectors } from "../../../server/src/abi/code.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { formatUnits, roundedUnits, roundedWei } from "../../../server/src/base/units.ts";
import { amountsOf, withChange } from "../../../server/src/report/additions.ts";
import type { HeadlinePart, Report } from "../../../server/src/report/report.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { reportText } from "../../../server/src/report/text.ts";
import type { Refused } from "../../../server/src/rpc/outcome.ts";
import { pluck } from "../../support/pluck.ts";
import { alice, answered, bob, exchange, refused, reportFor } from "./outcomes.ts";
import { only, treeLines } from "./traces.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const labels = new Map([
  [alice, "alice"],
  [bob, "bob"],
  [token, "Demo Dollar"],
]);
const tokens = new Map([[token.toLowerCase(), { symbol: "DUSD", decimals: 6, source: "the header" }]]);
const word = (value: string | bigint): string =>
  (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");
const transferData = `0xa9059cbb${word(bob)}${word(2_500_000n)}`;
const revertData = `0xe450d38c${word(alice)}${word(1_025_000_000n)}${word(9_000_000_000_000n)}`;

const report = (method: string, params: JsonValue, answer: JsonValue | Refused): Report =>
  reportFor(method, params, answer, { labels, tokens });

/** The parts of a headline, each but the answer with its role. */
function headline({ headline: parts = [] }: Pick<Report, "headline">): readonly string[] {
  return parts.map(partText);
}

function partText({ text, role }: HeadlinePart): string {
  return role === undefined ? text : `${text} [${role}]`;
}

describe("numbers in a headline", () => {
  it("have six significant digits, all digits before the point, and two after it", () => {
    assert.equal(roundedUnits(10_000_169_975_414_871_553_527n, 18), "10,000.17");
    assert.equal(roundedUnits(39_123_456_789_012n, 18), "0.0000391235");
    assert.equal(roundedUnits(12_345_678_901_234n, 6), "≈12,345,678.9");
    assert.equal(roundedUnits(-999_999_999n, 6), "≈−1,000");
  });
  it("stay as they are if that is all there is", () => {
    for (const amount of [0n, 1n, 1_500_000_000_000_000_000n])
      assert.equal(roundedUnits(amount, 18), undefined, formatUnits(amount, 18));
    assert.equal(roundedWei(1_005_809_909n), "1.00581 gwei");
  });
  it("have the exact form beside them", () => {
    const [answer] = report("eth_getBalance", [alice, "latest"], "0x21e1c3ca977f237f5f7").headline ?? [];
    assert.deepEqual(answer, { text: "10,000.17 ether", exact: "10,000.169975414871553527 ether" });
  });
});

describe("a result since the last run", () => {
  const balance = (wei: bigint): Report => report("eth_getBalance", [alice], `0x${wei.toString(16)}`);
  const ether = 10n ** 18n;
  it("says the difference, with its sign and since when", () => {
    const [before] = amountsOf([balance(ether)]);
    const at = before?.at ?? 0;
    const more: HeadlinePart = { text: "+0.02 ether", exact: "+0.02 ether", role: "more", since: at };
    const now = withChange(balance(ether + ether / 50n), before);
    assert.deepEqual(now.headline, [{ text: "1.02 ether" }, more]);
    assert.deepEqual(headline(withChange(balance(ether - 1n), before)), ["≈1 ether", "−1 wei [less]"]);
  });
  it("says nothing if it is the same, or if the unit is another one", () => {
    const [before] = amountsOf([balance(ether)]);
    const [nonce] = amountsOf([report("eth_getTransactionCount", [alice], "0x1")]);
    assert.equal(withChange(balance(ether), before).headline, undefined);
    assert.equal(withChange(balance(ether), nonce).headline, undefined);
  });
  it("counts a token in its unit", () => {
    const call = [{ to: token, data: `0x70a08231${word(alice)}` }, "latest"];
    const [before] = amountsOf([report("eth_call", call, `0x${word(1_000_000n)}`)]);
    const now = withChange(report("eth_call", call, `0x${word(3_500_000n)}`), before);
    assert.deepEqual(headline(now), ["3.5 DUSD", "+2.5 DUSD [more]"]);
  });
});

describe("the headline of a block", () => {
  const block = {
    number: "0x107d",
    hash: `0x${"ab".repeat(32)}`,
    timestamp: "0x6553f100",
    transactions: [],
    gasUsed: "0xadc198",
    gasLimit: "0x1c9c380",
    baseFeePerGas: "0x33e140",
  };
  it("is its number, age, transactions, gas and base fee; the rest is folded", () => {
    const shown = report("eth_getBlockByNumber", ["latest", false], block);
    assert.deepEqual(headline(shown), [
      "Block 4,221",
      "2023-11-14 22:13:20 UTC [quiet]",
      "0 transactions [plain]",
      "38% of 30 M gas [quiet]",
      "base fee 0.0034 gwei [quiet]",
    ]);
    assert.equal(shown.headline?.[1]?.at, 1_700_000_000_000);
    assert.equal(shown.headline?.[3]?.share, 0.3795);
    assert.deepEqual(pluck(shown.sections, "folded"), [true, true]);
  });
  it("marks one that is not sealed, and leaves its JSON out of text", () => {
    const shown = report("eth_getBlockByNumber", ["pending", false], { ...block, hash: null });
    assert.equal(headline(shown)[1], "pre-confirmed [pending]");
    assert.doesNotMatch(reportText(shown), /Raw JSON/);
  });
});

describe("the headline of a transaction and a receipt", () => {
  it("is the call; of a receipt, whether it succeeded", () => {
    const between = { from: alice, to: token };
    const sealed = { blockNumber: "0x2", blockHash: `0x${"ab".repeat(32)}` };
    const transaction = { ...between, value: "0x0", input: transferData, nonce: "0x7", ...sealed };
    assert.deepEqual(headline(report("eth_getTransactionByHash", [], transaction)), [
      "transfer(bob, 2.5 DUSD)",
      "alice → Demo Dollar [plain]",
      "block 2 · nonce 7 [quiet]",
    ]);
    const fees = { gasUsed: "0x5208", effectiveGasPrice: "0x1", l1Fee: "0x5208" };
    const receipt = { status: "0x0", ...between, ...fees, logs: [] };
    assert.deepEqual(headline(report("eth_getTransactionReceipt", [], receipt)), [
      "Reverted [bad]",
      "alice → Demo Dollar [plain]",
      "21,000 gas · fee 42,000 wei, 50% of it L1 [quiet]",
    ]);
  });
});

describe("a simulation", () => {
  const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const log = { address: token, topics: [topic, `0x${word(alice)}`, `0x${word(bob)}`], data: `0x${word(2_500_000n)}` };
  const asked = [
    { from: alice, to: bob, value: "0x6f05b59d3b20000" },
    { from: alice, to: token, data: transferData },
    { from: alice, to: token, data: transferData },
  ];
  const calls = [
    { status: "0x1", gasUsed: "0x5208", returnData: "0x", logs: [] },
    { status: "0x1", gasUsed: "0x86a4", returnData: `0x${word(1n)}`, logs: [log] },
    { status: "0x0", gasUsed: "0x5f73", returnData: revertData, error: { code: 3, data: revertData }, logs: [log] },
  ];
  const shown = report(
    "eth_simulateV1",
    [{ blockStateCalls: [{ calls: asked }] }, "pending"],
    [{ number: "0x2", baseFeePerGas: "0x33e140", calls }],
  );
  it("shows who gives what to whom, by calls that succeeded", () =>
    assert.deepEqual(only(shown.sections, "flow"), {
      kind: "flow",
      moves: [
        { from: "alice", to: "bob", amount: "0.5 ether" },
        { from: "alice", to: "bob", amount: "2.5 DUSD" },
      ],
      balances: ["alice −0.5 ether −2.5 DUSD", "bob +0.5 ether +2.5 DUSD"],
      text: "alice gives bob 0.5 ether and 2.5 DUSD",
    }));
  it("is a tree of calls, in which the reverted one is open", () => {
    assert.deepEqual(treeLines(shown.sections), [
      "  0 · alice → bob 0.5 ether 21,000 gas",
      "> 1 · alice → Demo Dollar transfer(bob, 2.5 DUSD) = true 34,468 gas",
      "    Transfer(alice, bob, 2.5 DUSD)",
      "v 2 · alice → Demo Dollar transfer(bob, 2.5 DUSD) reverted! 24,435 gas",
      "    ERC20InsufficientBalance(sender: alice, balance: 1,025 DUSD, needed: 9,000,000 DUSD)!",
      "    Transfer(alice, bob, 2.5 DUSD)",
    ]);
    assert.deepEqual(headline(shown), [
      "3 calls, 1 reverted",
      "79,903 gas · base fee 0.0034 gwei · on top of pending [quiet]",
    ]);
  });
});

describe("a revert", () => {
  it("has amounts of the called token in its unit", () => {
    const outcome = refused({ reason: "revert", revertData, data: revertData, message: "execution reverted" });
    const params = [{ from: alice, to: token, data: transferData }, "latest"];
    const { summary } = report("eth_call", params, outcome);
    assert.match(summary, /\(sender: alice, balance: 1,025 DUSD, needed: 9,000,000 DUSD\)$/);
  });
});

describe("code", () => {
  it("compares selectors of four bytes that EQ follows, and no data of other pushes", () => {
    const selectors = `63a9059cbb146370a08231811463deadbeef017f${"63aabbccdd14".padEnd(64, "0")}`;
    assert.deepEqual(dispatchedSelectors(`0x${selectors}63a9059cbb14`), ["0xa9059cbb", "0x70a08231"]);
  });
  it("has the hash of its bytes", () => {
    assert.equal(codeHash("0x"), "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    assert.equal(codeHash("0x123"), undefined);
  });
  it("lists the functions that are known", () => {
    const shown = report("eth_getCode", [token], "0x63a9059cbb1463deadbeef14");
    assert.deepEqual(headline(shown), ["Contract", "12 bytes of code · 2 functions [quiet]"]);
    assert.deepEqual(
      only(shown.sections, "table").rows.map((row) => row.map(({ text }) => text)),
      [["0xa9059cbb", "transfer(address,uint256)"]],
    );
  });
});

describe("the quiet line of a result", () => {
  const short = (host: string): readonly (string | undefined)[] => {
    const outcome = { ...answered("0x1"), exchange: { ...exchange, host } };
    const { facts } = reportOf({ title: "t", method: "eth_getBlockByNumber", params: ["0x14"], outcome });
    return facts.map((fact) => fact.short);
  };
  it("names the endpoint, the block and the time taken", () =>
    assert.deepEqual(short("127.0.0.1:8545"), ["local", "block 20", "12 ms"]));
  it("says that an answer is recorded", () =>
    assert.deepEqual(short("recorded 2026-11-22"), ["local (recorded 2026-11-22)", "block 20", "12 ms"]));
});
