import assert from "node:assert/strict";
import { type AbiItem, parseItem } from "../../../server/src/abi/item.ts";
import { itemsCalled, wellKnownAbis, wellKnownItems } from "../../../server/src/abi/wellKnownAbis.ts";

const own = [
  "function transfer(address to, uint256 amount, bytes data)",
  "function mine(uint256 x) returns (uint256)",
  "function mine(address x)",
  "event Transfer(address indexed sender, address receiver, uint256 indexed value)",
].map((text) => parseItem(text, "the header") ?? assert.fail(text));

/** Each as its source and signature, and which of its arguments are indexed. */
function called(kind: "event" | "function", text: string, abi: readonly AbiItem[] = own): readonly string[] {
  return itemsCalled(kind, text, abi).map(({ source, signature, inputs }) => {
    const indexed = inputs.map((input) => (input.indexed ? "i" : "-")).join("");
    return [source, signature, ...(kind === "event" ? [indexed] : [])].join(" ");
  });
}

describe("what people call a function or an event", () => {
  it("is their own before a bundled one", () =>
    assert.deepEqual(called("function", "transfer"), ["the header transfer(address,uint256,bytes)"]));
  it("is a bundled one where they have none", () =>
    assert.deepEqual(called("function", "transfer", []), ["ERC-20 transfer(address,uint256)"]));
  it("may be several", () => {
    assert.deepEqual(called("function", "mine"), ["the header mine(uint256)", "the header mine(address)"]);
    assert.deepEqual(called("event", "Transfer", []), [
      "ERC-20 Transfer(address,address,uint256) ii-",
      "ERC-721 Transfer(address,address,uint256) iii",
      "tokens before ERC-721 Transfer(address,address,uint256) ---",
    ]);
  });
  it("may be a signature that nobody knows", () =>
    assert.deepEqual(called("function", " function vote(uint id) view returns (bool)"), ["as written vote(uint256)"]));
  it("is looked up by its signature for what that leaves open", () => {
    assert.deepEqual(called("event", "Transfer(address,address,uint256)"), [
      "the header Transfer(address,address,uint256) i-i",
    ]);
    assert.deepEqual(called("event", "Transfer(address indexed a, address b, uint256 c)"), [
      "as written Transfer(address,address,uint256) i--",
    ]);
    assert.deepEqual(
      itemsCalled("function", "balanceOf(address)", []).map(({ outputs }) => outputs.length),
      [1, 1],
    );
  });
  it("may be a selector or a topic", () => {
    assert.deepEqual(called("function", "0xA9059CBB"), ["ERC-20 transfer(address,uint256)"]);
    assert.equal(called("event", own[3]?.hash ?? "").length, 1);
  });
  it("is nothing if it is only like one", () => {
    for (const text of "|nothing|f(|f(address|IERC20.f|0x|0x12|event|(address)|__proto__|constructor".split("|"))
      assert.deepEqual(called("function", text), [], text);
  });
});

describe("bundled items", () => {
  it("are the same when they are looked up", () => {
    const { events, errors, functions } = wellKnownItems;
    assert.ok(events.length > 20 && errors.length > 40 && functions.length > 150);
    assert.ok(events.every((event) => wellKnownAbis.events(event.hash).includes(event)));
    assert.ok(functions.every((item) => wellKnownAbis.functions(item.hash.slice(0, 10)).includes(item)));
    assert.equal(wellKnownItems.functions, functions);
  });
});
