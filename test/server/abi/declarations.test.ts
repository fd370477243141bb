import assert from "node:assert/strict";
import { bundledErrors } from "../../../server/src/abi/errors.ts";
import { bundledEvents } from "../../../server/src/abi/events.ts";
import { bundledFunctions } from "../../../server/src/abi/functions.ts";
import { type AbiItem, declaration, itemFromJson, parseItem, selectorOf } from "../../../server/src/abi/item.ts";
import { rows } from "../../support/rows.ts";

describe("bundled declarations", () => {
  const named = ({ inputs }: AbiItem): boolean => inputs.every(({ name }) => name !== "");
  for (const { source, items } of bundledEvents)
    it(`${source}: its events have their topics and named arguments`, () => {
      for (const [topic, text] of Object.entries(items)) {
        const event = parseItem(text, source);
        assert.deepEqual([event?.kind, event?.hash, event && named(event)], ["event", topic, true], text);
      }
    });
  for (const { source, link, items } of bundledFunctions)
    it(`${source}: its functions have their selectors and named arguments, and a link`, () => {
      assert.match(link, /^https:/);
      for (const [selector, text] of Object.entries(items)) {
        const item = parseItem(text, source);
        assert.deepEqual(
          [item?.kind, item && selectorOf(item), item && named(item)],
          ["function", selector, true],
          text,
        );
      }
    });
  for (const { source, items } of bundledErrors)
    it(`${source}: its errors have their selectors`, () => {
      for (const [selector, text] of Object.entries(items)) {
        const error = parseItem(text, source);
        assert.deepEqual([error?.kind, error && selectorOf(error)], ["error", selector], text);
      }
    });
});

/** Written down from the standards and the services' documents, not from the table. */
const published = rows`
  event Transfer(address indexed from, address indexed to, uint256 value)
    0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
  event Approval(address indexed, address indexed, uint256)
    0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)
    0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5
  event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)
    0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81
  event Memo(address indexed caller, bytes32 indexed memo)
    0x6989f5818dcfd11f8cd53b27c94cec33dae1589735f03e639cba54553a1825e8
  event PaymentCaptured(bytes32 indexed,uint256,uint16,address)
    0xe749f7bbd01b49bb05abf26ca492cb4dfdea6bedeada8a40fdccd478c73a74e2
  event PaymentCaptured(bytes32 indexed,uint256,uint256,address)
    0xac1e0db1957daedbc6944bcb4c8dc947ff8101d710671ac2ec26309f7f38d58e
  event PaymentCaptured(bytes32 indexed,uint256,address)
    0xb4c8a10023427dbae6bc82da57c80cdd00b7353a0bbc946994c2f8e9a7cd01e6
  event PayoutSent(address indexed campaign, address token, address recipient, uint256 amount, bytes extraData)
    0xe8ea8a8ee3ea4527ccc3891146ee8a65129e0bb2d05690a9e83932394125b009
  event TransferWithMemo(address indexed, address indexed, uint256, bytes32 indexed)
    0x57bc7354aa85aed339e000bccffabbc529466af35f0772c8f8ee1145927de7f0
  event UserOperationEvent(bytes32 indexed, address indexed, address indexed, uint256, bool, uint256, uint256)
    0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f
`;

describe("parseItem", () => {
  for (const [text = "", topic] of published)
    it(`hashes ${text.slice(0, 60)}`, () => assert.equal(parseItem(text, "")?.hash, topic));

  const read = (text: string): string | undefined => parseItem(text, "")?.signature;
  it("takes a function without the word", () =>
    assert.equal(read("balanceOf(address owner) returns (uint256)"), "balanceOf(address)"));
  it("takes a function with everything that Solidity writes", () => {
    const item = parseItem(
      "function f(bytes calldata data, uint x) external payable returns (bool ok, int[2] memory);",
      "",
    );
    assert.equal(item?.signature, "f(bytes,uint256)");
    assert.deepEqual(
      item.outputs.map(({ type }) => type.text),
      ["bool", "int256[2]"],
    );
  });
  it("takes tuples, nested, in arrays, with and without the word", () =>
    assert.equal(
      read("f((uint8 a, (address,bytes32)[] b)[2] list, tuple(bool) t)"),
      "f((uint8,(address,bytes32)[])[2],(bool))",
    ));
  it("comes back as its declaration", () => {
    for (const text of ["event E(uint256[] indexed list, (bool,address) t) anonymous", "error Panic(uint256 code)"]) {
      const item = parseItem(text, "");
      assert.equal(item && declaration(item), text);
    }
  });
  it("takes an anonymous event", () =>
    assert.equal(parseItem("event A(uint256 indexed x) anonymous", "")?.anonymous, true));
  it("refuses what is not a declaration", () => {
    const lines = `|f|f(|f(uint256|f(uint7)|f(uint264)|f(bytes33)|f(IERC20)|f(uint256,)|f() g()|event (uint256)|f(uint256[)
      |f(uint256[-1])|f(fixed)|f(ufixed)|f(fixed128x18)|f(ufixed8x1)|f(${"(".repeat(100)}
      |f(uint8${"[9999999]".repeat(9)})|f(uint8${"[]".repeat(999)})`;
    for (const text of lines.split(/\s*\|/)) assert.equal(read(text), undefined, text);
  });
});

describe("itemFromJson", () => {
  it("reads a compiler's JSON", () => {
    const json = {
      type: "event",
      name: "E",
      inputs: [{ name: "p", type: "tuple[]", indexed: false, components: [{ name: "a", type: "uint256" }] }],
    };
    assert.equal(itemFromJson(json, "Token.json")?.signature, "E((uint256)[])");
  });
  it("takes an error without inputs", () =>
    assert.equal(itemFromJson({ type: "error", name: "SoldOut" }, "")?.signature, "SoldOut()"));
  it("refuses what is not an item", () => {
    for (const inputs of ["x", [{}], [{ type: "tuple", components: [{ type: "struct" }] }]])
      assert.equal(itemFromJson({ type: "event", name: "E", inputs }, ""), undefined);
    for (const json of [null, 1, "f()", [], {}, { type: "constructor" }])
      assert.equal(itemFromJson(json, ""), undefined, JSON.stringify(json));
  });
});
