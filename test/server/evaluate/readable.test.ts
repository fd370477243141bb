import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeEventTopics, encodeFunctionData, encodePacked, erc20Abi, keccak256, parseAbi, parseEther } from "viem";
import { type AbiItem, parseItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { bundledCatalog, type Catalog } from "../../../server/src/catalog/catalog.ts";
import { type Evaluated, evaluateRequest } from "../../../server/src/evaluate/evaluateRequest.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { times } from "../../support/depth.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
const padded = (address: string): string => `0x${address.slice(2).padStart(64, "0")}`;

const variables = new Map<string, JsonValue>(
  Object.entries({
    alice,
    bob,
    both: [alice, bob],
    amount: "1.5 ether",
    hundred: 100,
    back: "latest - 5",
    braces: "{{alice}}",
    call: { function: "balanceOf(address)", args: [alice] },
    filter: { event: "Transfer", args: { to: alice } },
  }),
);

interface Around {
  readonly abi?: readonly string[];
  readonly heads?: Readonly<Record<string, bigint>>;
  readonly catalog?: Catalog;
}

function evaluate(text: string, { abi = [], heads = {}, catalog = bundledCatalog }: Around = {}): Evaluated {
  const [request] = readCell(text).requests;
  assert.ok(request, "the cell holds a request");
  const items = abi.map((one): AbiItem => parseItem(one, "the header") ?? assert.fail(one));
  const around = { catalog, abi: items, heads: new Map(Object.entries(heads)) };
  return evaluateRequest(text, request, { of: (name) => variables.get(name) }, 7, around);
}

/** The parameters as they go out. */
function sent(method: string, params: string, around?: Around): string {
  const text = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[${params}]}`;
  const { request, problems } = evaluate(text, around);
  assert.equal(problems, undefined);
  const [, found = ""] = /"params":\[(.*)\]\}$/s.exec(request?.text ?? "") ?? [];
  return found;
}

/** Each problem as its code and the text that it stands under. */
function problems(method: string, params: string, around?: Around): readonly string[] {
  const text = `{"method":"${method}","params":[${params}]}`;
  return (evaluate(text, around).problems ?? []).map(
    ({ code, span }) => `${code}: ${text.slice(span.start, span.end)}`,
  );
}

const call = (members: string, around?: Around): string => sent("eth_call", `{${members}},"latest"`, around);
const block = (written: string, around?: Around): string => sent("eth_getBalance", `"${alice}",${written}`, around);
const filter = (members: string, around?: Around): string => sent("eth_getLogs", `{${members}}`, around);

describe("a readable quantity", () => {
  for (const [written, want] of [
    [`"value":"1.5 ether"`, `"value":"0x14d1120d7b160000"`],
    [`"value":"1,000 gwei"`, `"value":"0xe8d4a51000"`],
    [`"value":"0 wei"`, `"value":"0x0"`],
    [`"value":"21000"`, `"value":"0x5208"`],
    [`"value":21000`, `"value":"0x5208"`],
    [`"value":1e18`, `"value":"0xde0b6b3a7640000"`],
    [`"value":1.50e1`, `"value":"0xf"`],
    [`"value":9007199254740993`, `"value":"0x20000000000001"`],
    [
      `"value":115792089237316195423570985008687907853269984665640564039457584007913129639935`,
      `"value":"0x${"f".repeat(64)}"`,
    ],
    [`"gas":21000 , "gasPrice" : "30 gwei"`, `"gas":"0x5208" , "gasPrice" : "0x6fc23ac00"`],
    [`"value":"{{amount}}"`, `"value":"0x14d1120d7b160000"`],
    [`"gas":"{{hundred}}"`, `"gas":"0x64"`],
  ] as const)
    it(`${written} is sent as ${want}`, () => assert.equal(call(written), `{${want}},"latest"`));

  it("is found at any depth, in lists and maps", () =>
    assert.equal(
      sent(
        "eth_simulateV1",
        `{"blockStateCalls":[{"blockOverrides":{"number":5},"stateOverrides":{"${alice}":{"balance":"1 ether"}},"calls":[{"value":"1 gwei"}]}]},"latest"`,
      ),
      `{"blockStateCalls":[{"blockOverrides":{"number":"0x5"},"stateOverrides":{"${alice}":{"balance":"0xde0b6b3a7640000"}},"calls":[{"value":"0x3b9aca00"}]}]},"latest"`,
    ));

  for (const written of [
    `"value":"0x1"`,
    `"value":"0x01"`,
    `"value":"0xether"`,
    `"value":-1`,
    `"value":1.5`,
    `"value":1${"0".repeat(78)}`,
    `"gas":"21000"`,
    `"gas":"1 ether"`,
    `"gas":18446744073709551616`,
    `"value":true`,
    `"value":null`,
    `"note":"1 ether"`,
  ])
    it(`${written} is none, and sent as it stands`, () => assert.equal(call(written), `{${written}},"latest"`));

  for (const [written, at] of [
    [`"1.5 eth"`, `"1.5 eth"`],
    [`"1.5"`, `"1.5"`],
    [`"-1 ether"`, `"-1 ether"`],
    [`"0.0000000000000000001 ether"`, `"0.0000000000000000001 ether"`],
    [`"${"9".repeat(80)}"`, `"${"9".repeat(80)}"`],
  ] as const)
    it(`${written} is an amount that cannot be sent`, () =>
      assert.deepEqual(problems("eth_call", `{"value":${written}}`), [`bad-amount: ${at}`]));
});

describe("a readable block", () => {
  const heads = { latest: 1000n, pending: 1001n };
  for (const [written, want] of [
    ["123", `"0x7b"`],
    ["0", `"0x0"`],
    [`{"blockNumber":123}`, `{"blockNumber":"0x7b"}`],
    [`"latest - 100"`, `"0x384"`],
    [`"latest-100"`, `"0x384"`],
    [`"pending + 1"`, `"0x3ea"`],
    [`"latest - 1000"`, `"0x0"`],
    [`"{{back}}"`, `"0x3e3"`],
    [`"latest - {{hundred}}"`, `"0x384"`],
  ] as const)
    it(`${written} is sent as ${want}`, () => assert.equal(block(written, { heads }), `"${alice}",${want}`));
  for (const written of [`"latest"`, `"0x7b"`, `"123"`, `"latest - x"`, `"newest - 5"`, "-5", "1.5"])
    it(`${written} is none, and sent as it stands`, () =>
      assert.equal(block(written, { heads }), `"${alice}",${written}`));
  it("is allowed in filters too", () =>
    assert.equal(
      filter(`"fromBlock":"latest - 10","toBlock":1000`, { heads }),
      `{"fromBlock":"0x3de","toBlock":"0x3e8"}`,
    ));
  it("waits for the head that it counts from", () => {
    assert.deepEqual(evaluate(`{"method":"eth_getBalance","params":["${alice}","safe - 1"]}`, { heads }).problems, [
      { code: "unknown-head", span: { start: 82, end: 92 }, tag: "safe" },
    ]);
  });
  it("is not sent if the chain is too short", () =>
    assert.deepEqual(problems("eth_getBalance", `"{{alice}}",  "{{back}}"`, { heads: { latest: 3n } }), [
      `before-first-block: "{{back}}"`,
    ]));
});

describe("readable call data", () => {
  const abi = parseAbi([
    "function balanceOf(address)",
    "function f(uint256[] a, (bool x, string y) b)",
    "function safeTransferFrom(address,address,uint256,bytes)",
  ]);
  const data = (written: string, around?: Around): string => {
    const [, found = ""] = /^\{"data":"(.*)"\},"latest"$/.exec(call(`"data":${written}`, around)) ?? [];
    return found;
  };
  const balance = encodeFunctionData({ abi, functionName: "balanceOf", args: [alice] });
  for (const written of [
    `{"function":"balanceOf(address)","args":["${alice}"]}`,
    `{"args":["${alice}"],"function":"balanceOf(address owner) view returns (uint256)"}`,
    `{"function":"function balanceOf(address)","args":["{{alice}}"]}`,
    `{"function":"balanceOf","args":["${alice}"]}`,
    `{"function":"balanceOf","args":{"owner":"${alice}"}}`,
    `{"function":"0x70a08231","args":["${alice}"]}`,
    `"{{call}}"`,
  ])
    it(`is encoded: ${written}`, () => assert.equal(data(written), balance));
  it("takes lists and tuples", () =>
    assert.equal(
      data(`{"function":"f(uint256[] a, (bool x, string y) b)","args":[[1,"0x2","3 wei"],{"y":"hä","x":true}]}`),
      encodeFunctionData({ abi, functionName: "f", args: [[1n, 2n, 3n], { x: true, y: "hä" }] }),
    ));
  it("needs no arguments if there are none", () => assert.equal(data(`{"function":"totalSupply"}`), "0x18160ddd"));
  it("chooses an overload by its arguments", () =>
    assert.equal(
      data(`{"function":"safeTransferFrom","args":["${alice}","${bob}",5,"0x12"]}`),
      encodeFunctionData({ abi, functionName: "safeTransferFrom", args: [alice, bob, 5n, "0x12"] }),
    ));
  it("takes the project's functions before bundled ones", () =>
    assert.ok(data(`{"function":"transfer","args":[1]}`, { abi: ["function transfer(uint8)"] }).endsWith("01")));
  it("may stand in `input`, and in other methods", () => {
    assert.equal(call(`"input":{"function":"totalSupply()"}`), `{"input":"0x18160ddd"},"latest"`);
    assert.equal(sent("eth_estimateGas", `{"data":{"function":"totalSupply()"}}`), `{"data":"0x18160ddd"}`);
  });
  it("says what the call returns", () => {
    const returns = (params: string, abi: readonly string[] = []): unknown =>
      evaluate(`{"method":"eth_call","params":[${params}]}`, { abi }).request?.returns?.map(({ type }) => type.text);
    assert.deepEqual(returns(`{"data":{"function":"f() returns (bool,string)"}}`), ["bool", "string"]);
    assert.deepEqual(returns(`{"data":{"function":"decimals"}}`), ["uint8"]);
    assert.equal(returns(`{"data":{"function":"f()"}}`), undefined);
    assert.equal(returns(`{"data":"0x313ce567"}`), undefined);
    assert.deepEqual(returns(`{"data":"0x313CE567"}`, ["function decimals() returns (uint256)"]), ["uint256"]);
    assert.equal(
      returns(`{"data":"0x313ce567"}`, ["decimals() returns (uint8)", "decimals() returns (bool)"]),
      undefined,
    );
  });

  for (const [written, want, around] of [
    [`{"function":"balanceOff","args":[]}`, [`unknown-function: "balanceOff"`]],
    [`{"function":"balanceOf(adress)","args":[]}`, [`unknown-function: "balanceOf(adress)"`]],
    [`{"function":"totalSupply","args":[1]}`, ["bad-argument: [1]"]],
    [`{"function":"transfer","args":["${alice}"]}`, [`bad-argument: ["${alice}"]`]],
    [`{"function":"transfer"}`, [`bad-argument: "transfer"`]],
    [`{"function":"transfer","args":["0x12",-1]}`, [`bad-argument: "0x12"`, "bad-argument: -1"]],
    [`{"function":"transfer","args":["{{hundred}}",1]}`, [`bad-argument: "{{hundred}}"`]],
    [
      `{"function":"transfer","args":{"to":"${alice}","amount":1}}`,
      ["bad-argument: 1", `bad-argument: {"to":"${alice}","amount":1}`],
    ],
    [`{"function":"totalSupply","arg":[]}`, [`bad-argument: "arg"`]],
    [`{"function":"g","args":[5]}`, [`ambiguous-function: "g"`], { abi: ["function g(uint8)", "function g(uint16)"] }],
  ] as const satisfies readonly (readonly [string, readonly string[], Around?])[])
    it(`cannot be sent: ${written}`, () =>
      assert.deepEqual(problems("eth_call", `{"data":${written}},"latest"`, around), want));
  it("is none without a function", () => assert.equal(call(`"data":{"args":[]}`), `{"data":{"args":[]}},"latest"`));
});

describe("a filter by event", () => {
  const transfer = (...conditions: readonly unknown[]): string =>
    JSON.stringify([encodeEventTopics({ abi: erc20Abi, eventName: "Transfer" })[0], ...conditions]).replaceAll(
      ",",
      ", ",
    );
  const [toAlice, fromBoth] = [[null, topicOf(alice)], [[topicOf(alice), topicOf(bob)]]];
  const topics = (written: string, around?: Around): string => {
    const [, found = ""] = /^\{"topics": (.*)\}$/.exec(filter(written, around)) ?? [];
    return found;
  };

  for (const [written, want] of [
    [`"event":"Transfer"`, transfer()],
    [`"event":"Transfer","args":null`, transfer()],
    [`"event":"Transfer","args":{}`, transfer()],
    [`"event":"Transfer","args":[null,null]`, transfer()],
    [`"event":"Transfer","args":{"to":"${alice}"}`, transfer(...toAlice)],
    [`"args":[null,"${alice}"],"event":"Transfer(address,address,uint256)"`, transfer(...toAlice)],
    [
      `"event":"event Transfer(address indexed from, address indexed to, uint256)","args":{"to":"{{alice}}"}`,
      transfer(...toAlice),
    ],
    [`"event":"Transfer","args":{"from":["${alice}","${bob}"],"to":null}`, transfer(...fromBoth)],
    [`"event":"Transfer","args":["{{both}}"]`, transfer(...fromBoth)],
    [`"event":${transfer().slice(1, -1)},"args":["{{both}}"]`, transfer(...fromBoth)],
  ] as const)
    it(`becomes topics: ${written}`, () => assert.equal(topics(written), want));

  it("leaves everything else as it stands", () => {
    assert.equal(
      filter(`"address":"${bob}", "event":"Transfer", "fromBlock":"0x1" , "args":[] ,"toBlock":5`),
      `{"address":"${bob}", "topics": ${transfer()}, "fromBlock":"0x1" ,"toBlock":"0x5"}`,
    );
    assert.equal(
      filter(`"args":[], "address":"${bob}","event":"Transfer"`),
      `{"address":"${bob}","topics": ${transfer()}}`,
    );
    assert.equal(sent("eth_getLogs", `"{{filter}}"`), `{"topics": ${transfer(...toAlice)}}`);
    assert.equal(sent("eth_newFilter", `{"event":"Transfer"}`), `{"topics": ${transfer()}}`);
  });
  it("hashes what does not fit into a topic; of a list, a list of lists means any of them", () => {
    const around = { abi: ["event E(string indexed s, uint256[] indexed list) anonymous"] };
    const hashOf = (...words: readonly number[]): string =>
      `"${keccak256(encodePacked(["uint256[]"], [words.map(BigInt)]))}"`;
    const args = (list: string): string => topics(`"event":"E","args":{"list":${list}}`, around);
    assert.equal(args("[1, 2]"), `[null, ${hashOf(1, 2)}]`);
    assert.equal(args("[]"), `[null, ${hashOf()}]`);
    assert.equal(args("[[1, 2], [3]]"), `[null, [${hashOf(1, 2)}, ${hashOf(3)}]]`);
    assert.equal(topics(`"event":"E","args":["hello"]`, around), `["${keccak256("0x68656c6c6f")}"]`);
  });
  it("takes the event of that name that has such arguments", () => {
    assert.match(topics(`"event":"Transfer","args":{"tokenId":5}`), /, null, null, "0x0+5"\]$/);
    assert.match(topics(`"event":"Transfer","args":[null,null,5]`), /, null, null, "0x0+5"\]$/);
  });

  for (const [written, want, around] of [
    [`"event":"Transferr"`, [`unknown-event: "Transferr"`]],
    [`"event":"Transfer(address"`, [`unknown-event: "Transfer(address"`]],
    [`"event":"PaymentCaptured"`, [`ambiguous-event: "PaymentCaptured"`]],
    [`"event":"Transfer","args":{"from":"0x12"}`, [`bad-argument: "0x12"`]],
    [`"event":"Transfer","args":{"value":5}`, ["bad-argument: 5"]],
    [`"event":"Transfer","args":[1,2,3,4]`, ["bad-argument: [1,2,3,4]"]],
    [`"event":"Transfer","args":{"from":[]}`, ["bad-argument: []"]],
    [`"event":"Transfer","args":{"from":["${alice}",null]}`, ["bad-argument: null"]],
    [`"event":"Transfer","args":5`, ["bad-argument: 5"]],
    [`"event":"Ping(address)","args":["${alice}"]`, [`bad-argument: ["${alice}"]`]],
    [`"args":["${alice}"]`, [`bad-argument: "args"`]],
    [`"event":"Transfer","topics":[]`, [`exclusive-fields: "topics"`]],
    [`"topics":[],"args":[]`, [`exclusive-fields: "args"`]],
    [`"event":"Transfer","event":"Approval"`, [`bad-argument: "event"`]],
    [`"event":"Transfer","args":["{{alice}}","{{hundred}}"]`, [`bad-argument: "{{hundred}}"`]],
    [
      `"event":"E","args":[1]`,
      [`ambiguous-event: "E"`],
      { abi: ["event E(uint8 indexed x)", "event E(uint16 indexed x)"] },
    ],
  ] as const satisfies readonly (readonly [string, readonly string[], Around?])[])
    it(`cannot be sent: ${written}`, () => assert.deepEqual(problems("eth_getLogs", `{${written}}`, around), want));
});

describe("an address if a topic is due", () => {
  it("is padded", () => {
    assert.equal(filter(`"topics":[null,"${alice}"]`), `{"topics":[null,"${padded(alice)}"]}`);
    assert.equal(filter(`"topics":[[null,"{{bob}}"]]`), `{"topics":[[null,"${padded(bob)}"]]}`);
  });
  it("is left alone if it may be one", () => assert.equal(filter(`"address":"${alice}"`), `{"address":"${alice}"}`));
  it("is left alone in wire form", () =>
    assert.equal(filter(`"topics":["${topicOf(alice)}"]`), `{"topics":["${topicOf(alice)}"]}`));
});

describe("a place in storage", () => {
  const slot = (written: string): string => sent("eth_getStorageAt", `"${alice}",${written},"latest"`);
  for (const [written, want] of [
    ["9", `"0x9"`],
    [`"eip1967.proxy.implementation"`, `"0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"`],
    [
      `{"slot":0,"key":"0x0000000000000000000000000000000000000000"}`,
      `"0xad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb5"`,
    ],
    [`{"slot":0,"index":0}`, `"0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563"`],
  ] as const)
    it(`${written} is read at ${want}`, () => assert.equal(slot(written), `"${alice}",${want},"latest"`));
  for (const written of [`"0x9"`, `"0x09"`, `"eip1967.nothing"`, `"0x"`])
    it(`${written} is sent as it stands`, () => assert.equal(slot(written), `"${alice}",${written},"latest"`));
  it("may be wrong", () =>
    assert.deepEqual(problems("eth_getStorageAt", `"${alice}",{"slot":1,"key":["{{alice}}",null]}`), [
      "bad-argument: null",
    ]));
});

describe("only if the catalogue knows the type", () => {
  const written = `{"value":"1 ether","data":{"function":"totalSupply()"},"event":"Transfer"},123,"latest - 5"`;
  it("is anything readable", () => assert.equal(sent("zks_anything", written), written));
  it("is anything readable, by the catalogue that is in use", () => {
    const [like] = bundledCatalog.methods.filter(({ name }) => name === "eth_call");
    const catalog: Catalog = { ...bundledCatalog, methodNamed: (name) => (name === "zks_call" ? like : undefined) };
    assert.equal(sent("zks_call", `{"value":"1 wei"}`, { catalog }), `{"value":"0x1"}`);
    assert.equal(sent("eth_call", `{"value":"1 wei"}`, { catalog }), `{"value":"1 wei"}`);
  });
  it("braces in a value are no placeholder again", () =>
    assert.deepEqual(problems("eth_call", `{"data":{"function":"transfer","args":["{{braces}}",1]}}`), [
      `bad-argument: "{{braces}}"`,
    ]));
});

describe("evaluation", () => {
  it("never throws, and what it sends is in wire form", () => {
    const text = fc.oneof(
      fc.constantFrom(..."Transfer transfer balanceOf(address) 0x1 latest {{filter}}".split(" ")),
      fc.constantFrom(alice, "latest - 1", "1 ether"),
      fc.string(),
    );
    const members = "event args topics address function data value slot key index fromBlock to";
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.nat(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...members.split(" ")), tie("value"), { maxKeys: 4 }),
      ) as fc.Arbitrary<JsonValue>, // letrec cannot tell
    }));
    const methods = fc.constantFrom("eth_call", "eth_getLogs", "eth_getStorageAt", "eth_simulateV1", "eth_getBalance");
    fc.assert(
      fc.property(methods, fc.array(value, { maxLength: 3 }), (method, params) => {
        const around = { heads: { latest: 10n } };
        const first = evaluate(JSON.stringify({ method, params }), around);
        if (!first.request) return;
        // what went out holds nothing readable any more
        const again = evaluate(first.request.text.replaceAll("{{", "{"), around);
        assert.equal(again.request?.text, first.request.text.replaceAll("{{", "{"));
      }),
      { numRuns: times(500) },
    );
  });

  it("knows ether", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (wei) => {
        const text = `${wei / 10n ** 18n}.${(wei % 10n ** 18n).toString().padStart(18, "0")}`;
        assert.equal(parseEther(text), wei);
        assert.equal(call(`"value":"${text} ether"`), `{"value":"0x${wei.toString(16)}"},"latest"`);
      }),
    );
  });
});
