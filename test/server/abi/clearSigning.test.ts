import assert from "node:assert/strict";
import { encodeFunctionData, parseAbi } from "viem";
import {
  callInWords,
  type DescribedCall,
  type KnownNames,
  typedDataInWords,
} from "../../../server/src/abi/clearSigning.ts";
import { describedCalls } from "../../../server/src/abi/describedCalls.ts";
import { descriptorsOf, entryOf } from "../../../server/src/abi/descriptors.ts";
import { standardDescriptors } from "../../../server/src/abi/standardDescriptors.ts";
import { plainTypedData } from "../../../server/src/abi/typedData.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { wordsText } from "../../../server/src/report/words.ts";
import { some } from "../../support/depth.ts";
import { described, queue, safe, usdt, vault, weth } from "../../support/describedContracts.ts";
import { pluck } from "../../support/pluck.ts";

const descriptors = described();
const treasury = `0x${"7".repeat(40)}` as const;
const names: KnownNames = {
  token: (_, address) => (address === usdt ? { symbol: "USDT", decimals: 6 } : undefined),
  label: (address) => (address === treasury ? "Treasury" : undefined),
  chain: () => ({ name: "Ethereum", symbol: "ETH" }),
};
const abi = parseAbi([
  "function approve(address, uint256)",
  "function multicall(bytes[])",
  "function claimWithdrawals(uint256[], uint256[])",
  "function transfer(address, uint256)",
  "function deposit()",
  "function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)",
  "function setup(address[],uint256,address,bytes,address,address,uint256,address)",
]);
const approval = (amount: bigint) => encodeFunctionData({ abi, functionName: "approve", args: [treasury, amount] });
const maximum = 2n ** 256n - 1n;

describe("calls in words", () => {
  const said = async (call: Partial<DescribedCall>, known = names) =>
    callInWords({ chainId: 1n, to: usdt, data: approval(100_000_000n), ...call }, descriptors, known);

  it("names tokens and labels", async () => {
    const words = await said({});
    assert.deepEqual(words, {
      intent: "Approve",
      owner: "Tether Limited",
      origin: "usdt.json, not verified",
      fields: [
        { label: "Spender", value: "Treasury" },
        { label: "Amount", value: "100 USDT" },
      ],
    });
  });

  it("says that an allowance is unlimited", async () =>
    assert.equal((await said({ data: approval(maximum) }))?.fields[1]?.value, "Unlimited USDT"));

  it("says whose unit an amount has if the token is not known", async () => {
    const [, amount] = (await said({}, { ...names, token: () => undefined }))?.fields ?? [];
    assert.equal(amount?.value, "100000000");
    assert.equal(amount?.unitOf?.toLowerCase(), usdt);
  });

  for (const [what, call] of [
    ["another chain", { chainId: 10n }],
    ["another contract", { to: treasury }],
    ["another function", { data: `0x12345678${"0".repeat(128)}` }],
    ["data that ends early", { data: approval(1n).slice(0, -2) }],
    ["an address with bits beyond its 20 bytes", { data: approval(1n).replace("095ea7b30", "095ea7b31") }],
    ["half a byte", { data: `${approval(1n)}0` }],
    ["only a selector", { data: "0x095ea7b3" }],
    ["no data", { data: "0x" }],
  ] as const)
    it(`says nothing of ${what}`, async () => assert.equal(await said(call), undefined));

  it("takes bytes behind the arguments, as the contract does", async () =>
    assert.equal((await said({ data: `${approval(1n)}c0ffee` }))?.intent, "Approve"));
});

describe("everything that moves value is in the words", () => {
  const nobody = `0x${"0".repeat(40)}` as const;
  const ether = 10n ** 18n;
  const transfer = encodeFunctionData({ abi, functionName: "transfer", args: [treasury, 7_000_000n] });
  const wrap = encodeFunctionData({ abi, functionName: "deposit" });
  const execution = (to: string, value: bigint, data: string, operation = 0, gasPrice = 0n) =>
    encodeFunctionData({
      abi,
      functionName: "execTransaction",
      args: [to, value, data, operation, 0n, 0n, gasPrice, nobody, nobody, "0x"] as never, // hex that no type knows
    });
  const textOf = async (to: string, data: string, value = 0n, by = descriptors) => {
    const words = await callInWords({ chainId: 1n, to, data, value, from: treasury }, by, names);
    return words && wordsText(words);
  };

  for (const [what, to, data, value, expected] of [
    ["ETH with a call of a token", usdt, transfer, 5n * ether, /Amount 7 USDT, To Treasury, value 5 ETH$/],
    ["ETH that the descriptor shows, once", weth, wrap, 5n * ether, /^[^5]*5 ETH[^5]*$/],
    ["ETH of a Safe, and its payee", safe, execution(treasury, ether, "0x"), 0n, /Transaction 1 ETH to Treasury,/],
    [
      "ETH and a token of a Safe",
      safe,
      execution(usdt, ether, transfer),
      0n,
      /Amount 7 USDT, To Treasury, value 1 ETH,/,
    ],
    [
      "ETH of a Safe that wraps it, once",
      safe,
      execution(weth, ether, wrap),
      0n,
      /^(?:(?!1 ETH).)*Wrap: Amount 1 ETH(?:(?!1 ETH).)*$/,
    ],
    [
      "the payee of bytes that nothing describes",
      safe,
      execution(treasury, 0n, "0x12345678"),
      0n,
      /to Treasury: 0x12345678,/,
    ],
    ["no token that a delegate call cannot move", safe, execution(usdt, 0n, transfer, 1), 0n, undefined],
    ["no code of others that a Safe takes over", safe, execution(treasury, 0n, "0x", 1), 0n, undefined],
    ["no payment to who sends it that is not shown", safe, execution(usdt, 0n, transfer, 0, 1n), 0n, undefined],
  ] as const)
    it(`with ${what}`, async () => {
      const text = await textOf(to, data, value);
      if (expected) assert.match(text ?? "", expected);
      else assert.equal(text, undefined);
    });

  it("also if the standard has a sentence, which has no ETH", async () => {
    assert.equal(await textOf(usdt, transfer, 0n, standardDescriptors), "Send 7 USDT to Treasury");
    assert.match((await textOf(usdt, transfer, 5n * ether, standardDescriptors)) ?? "", /7 USDT.*5 ETH/);
  });

  it("and no limit of Permit2 hides that it is none", async () => {
    const permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
    const allowed = (amount: bigint) =>
      textOf(
        permit2,
        encodeFunctionData({
          abi: parseAbi(["function approve(address,address,uint160,uint48)"]),
          args: [usdt, treasury, amount, 2_000_000_000],
        }),
        0n,
        standardDescriptors,
      );
    assert.match((await allowed(2n ** 160n - 1n)) ?? "", /Amount unlimited USDT/);
    assert.match((await allowed(2n ** 160n - 2n)) ?? "", /Amount \d+\.\d+ USDT/);
  });

  it("and a set-up that pays someone has none that hides it", async () => {
    const setup = (payment: bigint) =>
      encodeFunctionData({
        abi,
        functionName: "setup",
        args: [[treasury], 1n, nobody, "0x", nobody, nobody, payment, treasury] as never, // as above
      });
    assert.match((await textOf(safe, setup(0n))) ?? "", /^Setup Safe/);
    assert.equal(await textOf(safe, setup(1n)), undefined);
  });

  it("and a set-up that runs a token's code has none", async () => {
    const setup = (to: string, data: string) =>
      encodeFunctionData({
        abi,
        functionName: "setup",
        args: [[treasury], 1n, to, data, nobody, nobody, 0n, nobody] as never, // as above
      });
    assert.match((await textOf(safe, setup(nobody, "0x"))) ?? "", /^Setup Safe/);
    assert.equal(await textOf(safe, setup(usdt, transfer)), undefined);
  });
});

describe("calls that are put into words", () => {
  const [input, hash] = ["0xa9059cbb", `0x${"1".repeat(64)}`];
  const frame = { type: "CALL", from: treasury, to: usdt, input };
  const [action, call] = [
    { callType: "call", from: treasury, to: usdt, input },
    { to: usdt, input },
  ];
  for (const [what, values] of [
    ["reverted", [{ ...frame, error: "execution reverted" }]],
    [
      "are in one that reverted",
      [{ ...frame, to: treasury, input: "0x", error: "execution reverted", calls: [frame] }],
    ],
    ["run in another contract", [{ ...frame, type: "DELEGATECALL" }]],
    ["run in another contract, of a flat trace", [[{ action: { ...action, callType: "delegatecall" } }]]],
    ["cannot write", [{ ...frame, type: "STATICCALL" }]],
    ["are in one that cannot write", [{ ...frame, to: treasury, input: "0x", type: "STATICCALL", calls: [frame] }]],
    ["reverted, of a flat trace", [[{ action, error: "Reverted", traceAddress: [] }]]],
    [
      "are in one that reverted, of a flat trace",
      [
        [
          { action: { to: treasury }, error: "Reverted", traceAddress: [0], transactionHash: hash },
          { action, traceAddress: [0, 1], transactionHash: hash },
        ],
      ],
    ],
    [
      "are in one that cannot write, of a flat trace",
      [
        [
          { action: { callType: "staticcall" }, traceAddress: [0] },
          { action, traceAddress: [0, 1] },
        ],
      ],
    ],
    [
      "are in one that cannot write, of Otterscan",
      [
        [
          { type: "STATICCALL", depth: 1 },
          { ...frame, depth: 2 },
        ],
      ],
    ],
    [
      "are a transaction that failed",
      [
        { ...call, hash },
        { transactionHash: hash, status: "0x0", logs: [] },
      ],
    ],
    ["have two kinds of data", [{ ...call, data: "0x095ea7b3" }]],
    ["have a value that is not a number", [{ ...call, value: "lots" }]],
  ] as const)
    it(`are none that ${what}`, () => {
      assert.deepEqual(describedCalls(values, 1n), []);
      assert.equal(describedCalls(JSON.parse(JSON.stringify([values, frame])), 1n).length, 1, "a good one stays");
    });

  it("are those beside one that reverted", () => {
    const trace = [
      { action, error: "Reverted", traceAddress: [0] },
      { action: { ...action, value: "0x1" }, traceAddress: [1] },
    ];
    assert.deepEqual(pluck(describedCalls([trace], 1n), "value"), [1n]);
  });
});

describe("hostile data for a descriptor", () => {
  const said = (to: string, data: string) => callInWords({ chainId: 1n, to, data }, descriptors, names);
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const claim = encodeFunctionData({ abi, functionName: "claimWithdrawals", args: [[5n], [1n]] });
  /** The list that the data promises is longer than any memory. */
  const endless = `${claim.slice(0, 10)}${word(0x40n)}${word(0x40n)}${word(2n ** 52n)}`;
  const inside = (calls: readonly string[]) =>
    encodeFunctionData({ abi, functionName: "multicall", args: [calls as readonly `0x${string}`[]] });

  it("has an honest counterpart that is said", async () => {
    assert.match((await said(queue, claim))?.intent ?? "", /claim/i);
    const words = await said(vault, inside([inside([])]));
    assert.ok(words, "a vault's multicall is described");
  });

  it("with an endless list is not read", async () => assert.equal(await said(queue, endless), undefined));

  it("with an endless list in a call inside is not read", async () => {
    const multicall = `${inside([]).slice(0, 10)}${word(0x20n)}${word(2n ** 52n)}`;
    assert.equal(await said(vault, inside([multicall])), undefined);
  });

  it("nested too deep is not read", async () => {
    let data: string = inside([]);
    for (let depth = 0; depth < 12; depth++) data = inside([data]);
    assert.equal(await said(vault, data), undefined);
  });

  it("that is large is not read", async () =>
    assert.equal(await said(usdt, approval(1n) + "00".repeat(200_000)), undefined));
});

/** Every descriptor with another value in one place. */
function* altered(value: JsonValue): Generator<JsonValue> {
  yield* [null, 5, "x", [], {}, [null], true, "$.a", "@.zz", { a: null }];
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  for (const [key, member] of members)
    for (const other of altered(member)) {
      yield Object.assign(Array.isArray(value) ? [] : {}, value, { [key]: other });
    }
}

describe("descriptors of another form", () => {
  const params = {
    tokenPath: "@.to",
    nativeCurrencyAddress: ["$.metadata.constants.eth"],
    threshold: "0x80",
    message: "m",
  };
  const fields = [
    { path: "spender", label: "Spender", format: "addressName", params: { types: ["eoa"], sources: ["local"] } },
    { path: "value", label: "Amount", format: "tokenAmount", params },
    { path: "value", label: "Rate", format: "enum", params: { $ref: "$.metadata.enums.rate" } },
    { path: "value", label: "Time", format: "date", params: { encoding: "timestamp" } },
    { path: "value", label: "Unit", format: "unit", params: { base: "s", decimals: 2, prefix: true } },
    { path: "value", $ref: "$.display.definitions.same" },
    { fields: [{ path: "value", label: "Inner", format: "raw" }] },
  ];
  const whole: JsonValue = {
    context: { contract: { deployments: [{ chainId: 1, address: usdt }] } },
    metadata: { owner: "o", constants: { eth: "0x01" }, enums: { rate: { "5": "five" } } },
    display: {
      definitions: { same: { label: "Same", format: "raw" } },
      formats: {
        "approve(address spender,uint256 value)": { intent: "Allow", interpolatedIntent: "{spender}: {value}", fields },
      },
    },
  };

  it("say nothing, or texts; nothing fails", async () => {
    let said = 0;
    for (const one of [whole, ...some([...altered(whole)], 150)]) {
      const entry = entryOf(Object(one), "a", "a.json");
      if (!("body" in entry)) continue;
      const table = descriptorsOf([entry], () => entry.body, String);
      const words = await callInWords({ chainId: 1n, to: usdt, data: approval(5n) }, table, names);
      if (!words) continue;
      said++;
      assert.equal(typeof wordsText(words), "string");
    }
    assert.ok(said > 30, String(said));
  });
});

describe("typed data in words", () => {
  const domain = {
    name: "USD Coin",
    version: "2",
    chainId: 1,
    verifyingContract: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  };
  const members = "from:address to:address value:uint256 validAfter:uint256 validBefore:uint256 nonce:bytes32";
  const typed = (text: string) =>
    text.split(" ").map((one) => ({ name: one.split(":")[0] ?? "", type: one.split(":")[1] ?? "" }));
  const types = { TransferWithAuthorization: typed(members) };
  const message = {
    from: treasury,
    to: treasury,
    value: "0x5f5e100",
    validAfter: 0,
    validBefore: maximum.toString(),
    nonce: `0x${"0".repeat(64)}`,
  };
  const data = { types, primaryType: "TransferWithAuthorization", domain, message };
  const said = async (value: JsonValue) => {
    const plain = plainTypedData(value, treasury);
    return plain && typedDataInWords(plain, descriptors, names);
  };

  it("names accounts also where the descriptor wants the address", async () => {
    const permit = typed("owner:address spender:address value:uint256 nonce:uint256 deadline:uint256");
    const message = { owner: treasury, spender: treasury, value: 1, nonce: 0, deadline: 1_900_000_000 };
    const words = await said({ types: { Permit: permit }, primaryType: "Permit", domain, message });
    assert.deepEqual(words?.fields[0], { label: "Spender", value: "Treasury" });
  });

  it("reads integers in any form, and dates that no calendar has", async () => {
    const words = await said(data);
    assert.equal(words?.origin, "usdc.json, not verified");
    const values = new Map(words?.fields.map(({ label, value }) => [label, value]));
    assert.ok([...values.values()].includes("never: no calendar has that date"), [...values].join(" "));
    assert.ok(![...values.values()].some((value) => value.includes("NaN")));
  });

  for (const [what, value] of [
    ["another contract", { ...data, domain: { ...domain, verifyingContract: treasury } }],
    ["another chain", { ...data, domain: { ...domain, chainId: 10 } }],
    ["no chain", { ...data, domain: { name: "USD Coin" } }],
    ["a member that is missing", { ...data, message: { ...message, nonce: undefined } }],
    ["a member that is not declared", { ...data, message: { ...message, fee: 1 } }],
    ["a value of another type", { ...data, message: { ...message, to: "treasury" } }],
    ["a value that is too big", { ...data, message: { ...message, value: `0x1${"0".repeat(64)}` } }],
    [
      "a type of the same name",
      { ...data, types: { TransferWithAuthorization: types.TransferWithAuthorization.slice(1) } },
    ],
    [
      "a type that contains itself",
      { ...data, types: { TransferWithAuthorization: [{ name: "from", type: "TransferWithAuthorization" }] } },
    ],
    ["text", "hello"],
  ] as const)
    it(`says nothing of ${what}`, async () => assert.equal(await said(JSON.parse(JSON.stringify(value))), undefined));
});
