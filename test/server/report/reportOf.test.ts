import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import { isObject, parseJson } from "../../../server/src/base/json.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { alice, answered, bob, exchange, refused, reportFor, textOf, topic, transferTopic } from "./outcomes.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const hash = `0x${"ab".repeat(32)}`;

/** Compares the text of a report with what people see. */
const report = (method: string, params: JsonValue, value: JsonValue) => ({
  is: (text: string) => assert.equal(textOf(method, params, value), `✓ ${method}: ${text}`),
});

describe("a report of one value", () => {
  const delegated = `0xef0100${bob.slice(2).toLowerCase()}`;
  for (const [what, method, params, value, text] of [
    [
      "an amount in the unit that people would pick",
      "eth_getBalance",
      [alice],
      "0x14d1120d7b160000",
      "1.5 ether\n  1,500,000,000,000,000,000 wei · 0x14d1120d7b160000",
    ],
    [
      "an amount, exactly",
      "eth_getBalance",
      [alice],
      "0x14d1120d7b160001",
      "1.500000000000000001 ether\n  1,500,000,000,000,000,001 wei · 0x14d1120d7b160001",
    ],
    ["nothing", "eth_getBalance", [alice], "0x0", "0 ether\n  0x0"],
    ["a nonce, grouped", "eth_getTransactionCount", [alice], "0x1e240", "123,456\n  0x1e240"],
    ["an estimate, grouped", "eth_estimateGas", [{ to: bob }], "0x5208", "21,000 gas\n  0x5208"],
    ["a chain, by its name", "eth_chainId", [], "0x2105", "8453, Base\n  0x2105"],
    ["no code", "eth_getCode", [alice], "0x", "no code\n  There is no contract at that address in that block."],
    [
      "code",
      "eth_getCode",
      [token],
      "0x6080",
      `contract, 2 bytes of code
  code hash  0x1a578b7a4b0b5755db6d121b4118d4bc68fe170dca840c59bc922f14175a76b0

  Bytecode
  0x6080`,
    ],
    [
      "a delegated account",
      "eth_getCode",
      [alice],
      delegated,
      `delegated account, runs the code of ${bob}\n  delegates to  ${bob}\n  ${delegated}`,
    ],
  ] satisfies readonly (readonly [string, string, JsonValue, JsonValue, string])[])
    it(`shows ${what}`, () => report(method, params, value).is(text));
  it("cuts long code and says so", () =>
    assert.match(
      textOf("eth_getCode", [token], `0x${"60".repeat(24_576)}`),
      /24,576 bytes of code[\s\S]*… 4,000 of 49,154 characters$/,
    ));
});

describe("a report of eth_getStorageAt", () => {
  const word = (value: string): string => textOf("eth_getStorageAt", [token, "0x0"], value).split("\n")[0] ?? "";
  it("reads a word as what it probably is", () => {
    for (const [value, shown] of [
      [topic("0x0"), "0"],
      [topic("0x3e8"), "1,000"],
      [topic(alice), alice],
      [`0x${"54657374".padEnd(62, "0")}08`, '"Test"'],
      [`0x${"54657374".padEnd(64, "0")}`, '"Test"'],
      [`0x${"ff".repeat(32)}`, "−1"],
      [hash, hash],
      [topic(`0x${(10n ** 24n).toString(16)}`), "1,000,000,000,000,000,000,000,000"],
    ] as const)
      assert.equal(word(value), `✓ eth_getStorageAt: ${shown}`);
  });
});

describe("a report of eth_call", () => {
  it("says that nothing came, and why that may be", () =>
    report("eth_call", [{ to: alice }], "0x").is(`no data returned
  The function returns nothing, or there is no contract at that address in that block.`));
  it("reads a single word", () =>
    report("eth_call", [{ to: token }], topic("0xf4240")).is(`1,000,000
  ${topic("0xf4240")}`));
  it("reads a string", () => {
    const data = `0x${"20".padStart(64, "0")}${"8".padStart(64, "0")}${"55534420436f696e".padEnd(64, "0")}`;
    assert.match(textOf("eth_call", [{ to: token }], data), /^✓ eth_call: "USD Coin"\n/);
  });
  it("lays out many words", () =>
    report("eth_call", [{ to: token }], `${topic("0x2a")}${topic(alice).slice(2)}`).is(`2 words returned
  Returned words
  Byte  Word                                                                Perhaps
     0  ${topic("0x2a")}  42
    32  ${topic(alice)}  ${alice}`));
});

const log = {
  address: token.toLowerCase(),
  topics: [transferTopic, topic(alice), topic(bob)],
  data: topic("0xf4240"),
  blockNumber: "0x64",
  blockHash: hash,
  transactionHash: hash,
  transactionIndex: "0x0",
  logIndex: "0x3",
  removed: false,
};

describe("a report of numbers", () => {
  it("shows them as they came, where a double would change them", () => {
    for (const token of ["-0", "0.12345678901234567890", "1e400", "18446744073709551616"]) {
      assert.match(textOf("some_method", [], parseJson(token) ?? null), new RegExp(`: ${token.replace(".", "\\.")}$`));
      assert.match(textOf("some_method", [], parseJson(`{"a":[${token}]}`) ?? null), new RegExp(token));
    }
  });
});

describe("a report of eth_getLogs", () => {
  it("gives each argument a column where all events are one", () =>
    report("eth_getLogs", [{}], [log]).is(`1 Transfer log
  Block  Log  Event     from                                        to                                              value  Contract                                    Transaction
    100    3  Transfer  ${alice}  ${bob}  1,000,000  ${token}  ${hash}
  Decoded as Transfer(address,address,uint256) from ERC-20 (a guess: the project has no ABI for it).`));
  it("cuts what is no amount where a terminal is narrow", () =>
    assert.equal(
      textOf("eth_getLogs", [{}], [log], { width: 100 }),
      `
✓ eth_getLogs: 1 Transfer log
  Block  Log  Event     from         to               value  Contract     Transaction
    100    3  Transfer  0x7099…79C8  0x3C44…93BC  1,000,000  0x5FbD…0aa3  0xabab…abab
  Decoded as Transfer(address,address,uint256) from ERC-20 (a guess: the project has no ABI for it).`.trim(),
    ));
  it("puts mixed events under one heading, and unknown ones beside them", () => {
    const approved = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
    const approval = { ...log, topics: [approved, topic(alice), topic(bob)] };
    const unknown = { ...log, topics: [hash], data: "0x1234", removed: true };
    const pending = { ...log, blockNumber: null, blockHash: null, transactionHash: null };
    const text = textOf("eth_getLogs", [{}], [log, approval, unknown, pending]);
    assert.match(text, /^✓ eth_getLogs: 4 logs: 2 Transfer, 1 Approval and 1 unknown\n/);
    assert.match(text, /Approval +owner: 0x7099\w+, spender: 0x3C44\w+, value: 1,000,000 /);
    assert.match(text, /unknown 0xabab…abab \(removed\) +data: 0x1234 /);
    assert.match(text, /pending {4}3 {2}Transfer /);
  });
  it("says when a log does not fit its event", () =>
    assert.match(
      textOf("eth_getLogs", [{}], [{ ...log, data: "0x" }]),
      /missing[\s\S]*1 log may be decoded wrongly: the data ends before the last argument\.\n/,
    ));
  it("counts what it does not show", () => {
    const text = textOf("eth_getLogs", [{}], Array<JsonValue>(12_345).fill(log));
    assert.match(text, /^✓ eth_getLogs: 12,345 Transfer logs\n/);
    assert.match(text, /… the first 200 of 12,345\n/);
    assert.equal(text.split("\n").length, 204);
  });
  it("says that there are none", () => report("eth_getLogs", [{}], []).is("no logs"));
  it("reads text in a memo", () => {
    const named = "0x6989f5818dcfd11f8cd53b27c94cec33dae1589735f03e639cba54553a1825e8";
    const memo = { ...log, topics: [named, topic(alice), `0x${"696e766f6963652037".padEnd(64, "0")}`], data: "0x" };
    assert.match(textOf("eth_getLogs", [{}], [memo]), /Memo {3}0x7099\w+ {2}"invoice 7" /);
  });
  it("shortens long lists in arguments", () => {
    const list = (count: number): string => count.toString(16).padStart(64, "0") + "7".padStart(64, "0").repeat(count);
    const data = `0x${"40".padStart(64, "0")}${(96 + 32 * 30).toString(16).padStart(64, "0")}${list(30)}${list(1)}`;
    const transferBatch = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
    const batch = { ...log, topics: [transferBatch, ...[alice, alice, bob].map(topic)], data };
    assert.match(textOf("eth_getLogs", [{}], [batch]), / \[7, (7, ){19}… 30 items\] {2}\[7\] /);
  });
  it("calls addresses by their labels", () => {
    const labels = new Map([[alice, "alice"]]);
    assert.match(textOf("eth_getLogs", [{}], [log], { labels }), /Transfer {2}alice {2}0x3C44/);
  });
});

const receipt = {
  transactionHash: hash,
  transactionIndex: "0x0",
  blockHash: hash,
  blockNumber: "0x64",
  from: alice.toLowerCase(),
  to: bob.toLowerCase(),
  contractAddress: null,
  gasUsed: "0x5208",
  cumulativeGasUsed: "0x5208",
  effectiveGasPrice: "0x3b9aca00",
  status: "0x1",
  logs: [],
  logsBloom: `0x${"0".repeat(512)}`,
  type: "0x2",
};

const to = { to: null, contractAddress: token.toLowerCase() };
const creation = { transactionIndex: "0x1", ...to, l1Fee: "0x1" };

describe("a report of eth_getBlockReceipts", () => {
  it("has a row for each transaction, with what it paid, layer 1 included", () =>
    report(
      "eth_getBlockReceipts",
      ["latest"],
      [receipt, { ...receipt, ...creation }],
    ).is(`2 receipts, 0 logs, 42,000 gas
  Receipts
  #  Status     Transaction                                                         From                                        To                                                   Gas                         Fee  Logs  Gas price
  0  succeeded  ${hash}  ${alice}  ${bob}        21,000              0.000021 ether     0     1 gwei
  1  succeeded  ${hash}  ${alice}  ${token} (new)  21,000  0.000021000000000001 ether     0     1 gwei`));
  it("lists the logs of all, by transaction", () =>
    assert.match(
      textOf("eth_getBlockReceipts", ["latest"], [receipt, { ...receipt, transactionIndex: "0x1", logs: [log] }]),
      /\n\n {2}Logs\n {2}# {2}Event .*\n {2}1 {2}Transfer /,
    ));
  it("tells a missing block from an empty one", () => {
    report("eth_getBlockReceipts", ["0x999"], null).is(`null
  There is no such block. A block without transactions gives an empty list.`);
    report("eth_getBlockReceipts", ["0x1"], []).is("no receipts: the block has no transactions");
  });
});

describe("a report of eth_simulateV1", () => {
  const block = {
    number: "0x65",
    timestamp: "0x66a0b6c4",
    gasUsed: "0xa410",
    gasLimit: "0x1c9c380",
    baseFeePerGas: "0x0",
    hash,
    miner: bob.toLowerCase(),
  };
  const native = { ...log, address: `0x${"ee".repeat(20)}`, data: topic("0xde0b6b3a7640000") };
  const ok = { status: "0x1", returnData: "0x", gasUsed: "0x5208", logs: [native] };
  const revertData = "0x77726f6e672d63616c6c6461746173697a65";

  it("shows each call, its logs with native transfers, and the block", () => {
    const error = { code: 3, message: "execution reverted", data: revertData };
    const failed = { status: "0x0", returnData: "0x", gasUsed: "0x5208", logs: [], error };
    const calls = [
      { from: alice, to: bob, value: "0xde0b6b3a7640000" },
      { from: alice, to: token },
    ];
    const params = [{ blockStateCalls: [{ calls }] }, "pending"];
    report("eth_simulateV1", params, [
      { ...block, calls: [ok, failed] },
    ]).is(`1 simulated block, 2 calls, 1 failed (reverted: "wrong-calldatasize"), 42,000 gas
  0x7099…79C8 gives 0x3C44…93BC 1 ether

  Calls
  Call  Status     To                                          Result                          Value     Gas  Logs  From
     0  succeeded  ${bob}  no data                       1 ether  21,000     1  ${alice}
     1  failed     ${token}  reverted: wrong-calldatasize           21,000     0  ${alice}

  Logs
  Call  Event            from                                        to                                            value
     0  native transfer  ${alice}  ${bob}  1 ether

  Block
  Block          101 (0x65)
  Time           2024-07-24 08:09:40 UTC (1,721,808,580 s since 1970; 0x66a0b6c4)
  Calls          2
  Gas used       42,000 (0xa410)
  Gas limit      30,000,000 (0x1c9c380)
  Base fee       0 ether
  Fee recipient  ${bob}
  Hash           ${hash}`);
  });
  it("finds the reason of a failed call wherever nodes put it", () => {
    for (const [call, reason] of [
      [
        { returnData: revertData, error: { code: -3200, message: "execution failed" } },
        'reverted: "wrong-calldatasize"',
      ],
      [{ error: "execution reverted: too small" }, "execution reverted: too small"],
      [{ error: { code: -32015, message: "out of gas" } }, "out of gas"],
      [{ error: { code: 3, message: "execution reverted", data: "0x" } }, "execution reverted, no reason given"],
      [{}, "failed, without a reason"],
    ] satisfies readonly (readonly [JsonObject, string])[]) {
      const result = [{ ...block, calls: [{ status: "0x0", returnData: "0x", ...call }] }];
      const { summary } = reportFor("eth_simulateV1", [], result);
      assert.ok(summary.includes(`(${reason}`), summary);
    }
  });
  it("leaves out rows of blocks without calls when there are many", () => {
    const blocks = Array.from({ length: 30 }, (_, i) => ({ ...block, calls: i === 7 ? [ok] : [] }));
    assert.match(
      textOf("eth_simulateV1", [], blocks),
      /30 simulated blocks, 1 call,[\s\S]*Not listed: 29 blocks without calls\.$/,
    );
  });
});

describe("a report of a failure", () => {
  it("explains a revert by its data", () => {
    const data = `0xe450d38c${topic(alice).slice(2)}${topic("0x5").slice(2)}${topic("0xa").slice(2)}`;
    const outcome = refused({ reason: "revert", code: 3, message: "execution reverted", data, revertData: data });
    const text = textOf("eth_call", [], outcome);
    assert.match(text, /^✗ eth_call: reverted: ERC20InsufficientBalance\(sender: 0x7099\w+, balance: 5, needed: 10\)/);
    assert.match(
      text,
      /error +ERC20InsufficientBalance\(.*guessed.*\n {2}sender +0x7099.*\n {2}balance +5\n {2}needed +10\n/,
    );
    assert.match(text, /\n {2}→ \S/);
  });
  it("explains a revert by its message where there is no data", () => {
    for (const [message, reason] of [
      ["execution reverted: Reverter: x too small", "Reverter: x too small"],
      ["VM Exception while processing transaction: reverted with reason string 'nope'", "nope"],
      ["execution reverted", "no reason given"],
    ]) {
      const { summary } = reportFor(
        "eth_call",
        [],
        refused({ reason: "revert", message: String(message), revertData: "0x" }),
      );
      assert.equal(summary, `reverted: ${reason}`);
    }
  });
  it("repeats the endpoint's words, and says what the code means", () => {
    const message = "eth_getLogs is limited to a 10,000 range";
    const text = textOf("eth_getLogs", [], refused({ reason: "range-limit", code: -32614, message }));
    assert.ok(text.startsWith(`✗ eth_getLogs: refused: ${message}\n`), text);
    assert.match(text, /code +-32614 \(block range too long\)/);
  });
  it("stands for HTTP refusals without a code", () => {
    const http = { code: undefined, message: "", exchange: { ...exchange, status: 403 } };
    const report = reportFor("eth_getBlockReceipts", ["latest"], refused({ reason: "not-allowed", ...http }));
    assert.match(report.summary, /403/);
    assert.deepEqual(report.facts.at(-1), { name: "HTTP", value: "403" });
  });
  it("stands for endpoints that do not answer", () => {
    const told = { message: "127.0.0.1:1 refused the connection.", hint: "Start the node." };
    const outcome = { kind: "unreachable", reason: "refused", ...told, exchange } as const;
    const report = reportOf({ title: "b", method: "eth_getBalance", params: [], outcome });
    assert.equal(report.status, "failed");
    assert.ok(reportText(report).startsWith(`✗ b: ${told.message}\n  → ${told.hint}\n`));
  });
});

describe("facts", () => {
  const facts = (method: string, params: JsonValue, parts = {}): string =>
    reportOf({ title: "", method, params, outcome: { ...answered(null), exchange: { ...exchange, ...parts } } })
      .facts.map(({ name, value }) => `${name} ${value}`)
      .join(", ");
  it("name the endpoint, the block asked, the time", () => {
    for (const [method, params, block] of [
      ["eth_getBalance", [alice, "pending"], "block pending, "],
      ["eth_getBalance", [alice], "block latest, "],
      ["eth_getBalance", [alice, "0x3e8"], "block 1,000, "],
      ["eth_getBalance", [alice, { blockHash: hash }], "block 0xabab…abab, "],
      ["eth_getLogs", [{ fromBlock: "0x1", toBlock: "pending" }], "blocks 1 to pending, "],
      ["eth_chainId", [], ""],
    ] satisfies readonly (readonly [string, JsonValue, string])[])
      assert.equal(facts(method, params), `endpoint local (127.0.0.1:8545), ${block}time 12 ms`);
  });
  it("name batches, retries, sizes, status", () =>
    assert.equal(
      facts("eth_chainId", [], { endpoint: "127.0.0.1:8545", batch: 3, attempts: 2, bytes: 2_000_000, status: 429 }),
      "endpoint 127.0.0.1:8545, time 12 ms, size 2 MB, batch of 3 requests, attempts 2, HTTP 429",
    ));
});

describe("a report of what the catalogue does not know", () => {
  it("is JSON, with its big numbers", () =>
    report("other_method", [], { price: 2n ** 70n, list: [] }).is(`2 fields
  {
    "price": 1180591620717411303424,
    "list": []
  }`));
  it("is the value itself where it is a single one", () => report("other_method", [], "hello").is("hello"));
});

/** Everything in a report that a person may read. */
function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

describe("a report of a block", () => {
  it("lists its fields, the known ones first, and says where it stops", () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`extra${i}`, i]));
    const text = textOf("eth_getBlockByNumber", ["latest"], {
      ...many,
      number: "0x64",
      gasUsed: "0x5208",
      withdrawals: [{ index: "0x1", amount: "0x2" }],
    });
    assert.match(
      text,
      /^✓ eth_getBlockByNumber: block 100\n {2}All fields\n {2}number +100 \(0x64\)\n {2}gasUsed +21,000 \(0x5208\)\n/,
    );
    assert.match(
      text,
      /Only the first 200 fields are listed\.\n\n {2}Withdrawals\n {2}index {2}amount\n {6}1 {2}2 gwei$/,
    );
  });
});

describe("hostile answers", () => {
  const nasty = "a\u202eb\u001b[31m\u0000\r\nc\u2066";
  it("come out with everything unseen made visible", () => {
    const data = `0x08c379a0${"20".padStart(64, "0")}${"7".padStart(64, "0")}${"61e280ae1b5b6d".padEnd(64, "0")}`;
    const nastyLog = { topics: [nasty], address: nasty, data: nasty, blockNumber: nasty, logIndex: nasty };
    const nastyCalls = [
      { status: nasty, returnData: nasty, error: nasty, gasUsed: nasty },
      { status: "0x0", error: { message: nasty } },
    ];
    const outcomes = [
      refused({ reason: "revert", message: nasty, data: nasty, revertData: data }),
      refused({ reason: "other", message: nasty, data: { [nasty]: [nasty] } }),
      answered({ [nasty]: nasty, number: nasty, logs: [nasty] }),
      answered(nasty),
      answered([nasty, { status: nasty, transactionHash: nasty, from: nasty, logs: [nastyLog] }]),
      answered([{ number: nasty, timestamp: nasty, calls: nastyCalls }]),
    ];
    for (const { name } of bundledCatalog.methods) {
      for (const outcome of outcomes) {
        const labels = new Map([[alice.toLowerCase(), nasty]]);
        const report = reportOf({ title: nasty, method: name, params: [nasty, nasty], outcome, labels });
        for (const text of strings(report)) assert.doesNotMatch(text, unsafe);
      }
    }
  });
  it("never make it throw", () =>
    fc.assert(
      fc.property(
        fc.constantFrom("other_method", ...bundledCatalog.methods.map(({ name }) => name)),
        fc.jsonValue(),
        fc.jsonValue(),
        (method, params, value) => {
          const report = reportFor(method, params as JsonValue, value as JsonValue);
          reportText(report, { width: 80, paint: (style, text) => `<${style}>${text}` });
        },
      ),
    ));
  it("never make it throw where they are nearly right", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...bundledCatalog.methods),
        fc.array(fc.nat()),
        fc.jsonValue(),
        ({ name, example }, at, junk) => {
          const broken = replaced(JSON.parse(JSON.stringify(example.result)) as JsonValue, at, junk as JsonValue);
          const report = reportFor(name, JSON.parse(JSON.stringify(example.params)), broken);
          for (const text of strings(report)) assert.doesNotMatch(text, unsafe);
        },
      ),
    ));
});

/** The value with one place inside it, found by walking, exchanged for another value. */
function replaced(value: JsonValue, at: readonly number[], junk: JsonValue): JsonValue {
  const [first, ...rest] = at;
  if (typeof value !== "object" || value === null || first === undefined) return junk;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(keys.length, 1)];
  if (key === undefined) return junk;
  if (Array.isArray(value))
    return value.map((item: JsonValue, i) => (String(i) === key ? replaced(item, rest, junk) : item));
  return isObject(value) ? { ...value, [key]: replaced(value[key] ?? null, rest, junk) } : junk;
}
