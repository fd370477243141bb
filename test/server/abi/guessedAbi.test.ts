import assert from "node:assert/strict";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { artifact } from "../../../server/src/abi/artifact.ts";
import { decodeCall } from "../../../server/src/abi/decodeCall.ts";
import { decodeLog } from "../../../server/src/abi/decodeLog.ts";
import { type CodeFunction, guessedAbi, guessedFileText, maxFunctions } from "../../../server/src/abi/guessedAbi.ts";
import { parseItem } from "../../../server/src/abi/item.ts";
import { wellKnownAbis } from "../../../server/src/abi/wellKnownAbis.ts";
import { parseJson } from "../../../server/src/base/json.ts";

const address = `0x${"c0".repeat(20)}`;
const transfer = "0xa9059cbb";
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const word = (value: bigint) => value.toString(16).padStart(64, "0");

const found = (selector: string, types: string, mutability = "nonpayable"): CodeFunction => ({
  selector,
  types,
  mutability,
});
const abiOf = (functions: readonly CodeFunction[], code = "0x00") => guessedAbi(code, functions, wellKnownAbis);
/** The items of a guessed file, as a project reads them. */
const itemsOf = (functions: readonly CodeFunction[], code = "0x00") => {
  const file = { name: "Guessed_c0c0c0c0", address, chainId: 1n, readAt: [address], date: "2026-11-28" };
  const text = guessedFileText({ ...file, abi: abiOf(functions, code) });
  return artifact(parseJson(text) ?? null, "contracts/Guessed_c0c0c0c0.json")?.items ?? [];
};

describe("a guessed ABI", () => {
  it("has names of known functions with the arguments that the code reads, whatever their types", () => {
    for (const types of ["address,uint256", "uint256,uint256", "bytes32,uint160", "address", ""])
      assert.deepEqual(
        abiOf([found(transfer, types)]).map(({ name, selector }) => [name, selector]),
        [["transfer", undefined]],
        types,
      );
  });

  for (const types of ["address,uint256,uint256", "address,bytes", "uint256[],uint256", "bytes"])
    it(`has no name of a known function that has other arguments than (${types})`, () => {
      const [only] = abiOf([found(transfer, types)]);
      assert.deepEqual([only?.name, only?.selector], ["unknown_a9059cbb", transfer]);
    });

  it("reads a struct of fixed size as its members, and text as bytes", () => {
    const known = parseItem("function place((uint256 a, uint256 b) p, string s, uint256[2] c)", "a file");
    assert.ok(known);
    const abi = guessedAbi("0x00", [found(known.hash.slice(0, 10), "uint256,uint256,bytes,uint256,uint256")], {
      ...wellKnownAbis,
      functions: () => [known],
    });
    assert.equal(abi[0]?.name, "place");
    assert.deepEqual(abi[0]?.inputs, [
      {
        name: "p",
        type: "tuple",
        components: [
          { name: "a", type: "uint256" },
          { name: "b", type: "uint256" },
        ],
      },
      { name: "s", type: "string" },
      { name: "c", type: "uint256[2]" },
    ]);
  });

  it("has the events whose topics the code pushes, and not what is in the data of other instructions", () => {
    const topic = transferTopic.slice(2);
    assert.ok(abiOf([], `0x7f${topic}a3`).every(({ name }) => name === "Transfer"));
    assert.notEqual(abiOf([], `0x7f${topic}a3`).length, 0);
    assert.deepEqual(abiOf([], `0x7e7f${topic}`), []);
  });

  it("leaves out what an analyser cannot mean, and is never longer than its limit", () => {
    const hostile = [
      found("0x1234", ""),
      found("__proto__", ""),
      found("0x12345678", "uint7"),
      found("0x12345678", "uint256) payable; function x("),
      found("0x12345678", `${"(".repeat(40)}uint256${")".repeat(40)}`),
      found("0x12345678", "uint256\u001b[31m"),
      found("0x12345678", "", "exact"),
      found("0x12345678", Array(2_000).fill("uint256").join(",")),
    ];
    assert.deepEqual(abiOf(hostile), []);
    const many = Array.from({ length: 5000 }, (_, at) => found(`0x${at.toString(16).padStart(8, "0")}`, ""));
    assert.equal(abiOf(many).length, maxFunctions);
  });

  const data = `0x12345678${word(7n)}${word(8n)}`;
  const guessed = itemsOf(
    [found("0x12345678", "uint256,address"), found(transfer, "address,uint256")],
    `0x7f${transferTopic.slice(2)}`,
  );

  it("decodes as a guess, with the file as its source", () => {
    for (const to of [address, undefined]) {
      const call = decodeCall(data, scopeOf(guessed), to);
      assert.deepEqual([call?.signature, call?.guess, call?.faults], ["unknown_12345678(uint256,address)", true, []]);
      assert.match(call?.source ?? "", /guessed/);
    }
    const named = decodeCall(`${transfer}${word(1n)}${word(2n)}`, scopeOf(guessed), address);
    assert.deepEqual([named?.name, named?.guess], ["transfer", true]);
    const log = { address, topics: [transferTopic, `0x${word(1n)}`, `0x${word(2n)}`], data: `0x${word(3n)}` };
    assert.equal(decodeLog(log, scopeOf(guessed))?.guess, true);
  });

  it("gives no values if the real types would have written other data", () => {
    const tuple = word(0x20n) + word(7n) + word(0x60n) + word(9n) + word(0n); // (uint256,bytes,uint256)
    const types = itemsOf([found("0x12345678", "(uint256,bytes)"), found(transfer, "address,uint256")]);
    for (const written of [
      `0x12345678${tuple}`,
      `0x12345678${word(7n)}`,
      `0x12345678${word(0x40n)}${word(5n)}${word(0n)}`,
    ])
      assert.equal(decodeCall(written, scopeOf(types), address), undefined);
    const right = `0x12345678${word(0x20n)}${word(7n)}${word(0x40n)}${word(2n)}abcd`; // without padding, as some contracts write it
    assert.deepEqual(decodeCall(right, scopeOf(types), address)?.args[0]?.value, ["7", "0xabcd"]);
    assert.match(decodeCall(`${transfer}${word(1n)}`, scopeOf(types), address)?.source ?? "", /ERC-20/);
  });

  it("gives way to any declaration of the project that fits", () => {
    const declared = parseItem("function transfer(address receiver, uint256 wad)", "src/Token.sol");
    assert.ok(declared);
    for (const items of [
      [declared, ...guessed],
      [...guessed, declared],
    ]) {
      const call = decodeCall(`${transfer}${word(1n)}${word(2n)}`, scopeOf(items), address);
      assert.deepEqual([call?.source, call?.guess, call?.others], ["src/Token.sol", false, []]);
    }
  });

  it("believes a selector only in a guessed file", () => {
    const json = { address, abi: [{ type: "function", name: "pay", selector: "0x12345678", inputs: [] }] };
    const [item] = artifact(json, "abi/a.json")?.items ?? [];
    assert.equal(item?.hash.slice(0, 10), parseItem("pay()", "")?.hash.slice(0, 10));
  });
});
