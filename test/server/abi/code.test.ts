import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeAbiParameters } from "viem";
import { printOf } from "../../../server/src/abi/artifact.ts";
import { decodeCreation, readCode } from "../../../server/src/abi/code.ts";
import { parseItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";

const alice = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const bare = alice.slice(2);
/** The bytes that solc 0.8.30 appends: the hash of the metadata, its version, and 0x33 as the length of both. */
const trailer = `a2646970667358221220${"5c".repeat(32)}64736f6c63430008${"1e"}0033`;
const runtime = `6080604052${"00".repeat(40)}fe${trailer}`;
const creation = `6080604052348015600e575f5ffd5b50${runtime}`;

describe("readCode", () => {
  const proxy = (form: string) => ({ kind: "proxy", form, to: alice });
  const minimal = `0x363d3d373d3d3d363d73${bare}5af43d82803e903d91602b57fd5bf3`;
  const contract = (bytes: number, compiler?: string) => ({ kind: "contract", bytes, compiler });
  const table: readonly (readonly [string, JsonValue, unknown])[] = [
    ["no code", "0x", { kind: "none" }],
    ["a delegation", `0xEF0100${bare}`, { kind: "delegation", to: alice }],
    ["a minimal proxy", minimal, proxy("EIP-1167")],
    ["a minimal proxy with data of its own", `${minimal}${"12".repeat(64)}`, proxy("EIP-1167")],
    ["a proxy with PUSH0", `0x365f5f375f5f365f73${bare}5af43d5f5f3e5f3d91602a57fd5bf3`, proxy("ERC-7511")],
    ["a contract with its compiler", `0x${runtime}`, contract(runtime.length / 2, "solc 0.8.30")],
    ["a contract of an unknown compiler", "0x5f5ff3", contract(3)],
    ["a delegation that is too long", `0xef0100${bare}00`, contract(24)],
    ["no hex", "code", undefined],
    ["nothing", null, undefined],
  ];
  for (const [name, code, expected] of table) it(`knows ${name}`, () => assert.deepEqual(readCode(code), expected));
});

describe("decodeCreation", () => {
  const inputs = parseItem("f(string name, address owner)", "")?.inputs ?? [];
  const args = encodeAbiParameters([{ type: "string" }, { type: "address" }], ["Token", alice]).slice(2);

  it("reads the constructor's arguments of a contract of the project", () => {
    const known = { name: "Token", print: printOf(`0x${creation}`), inputs, source: "Token.json" };
    const shorter = { ...known, name: "Other", print: printOf(`0x${creation.slice(0, 40)}`) };
    assert.deepEqual(decodeCreation(`0x${creation}${args}`, [shorter, known]), {
      contract: { name: "Token", source: "Token.json" },
      args: [
        { name: "name", type: "string", value: "Token" },
        { name: "owner", type: "address", value: alice },
      ],
      proxyTo: undefined,
      compiler: "solc 0.8.30",
      bytes: creation.length / 2,
      rest: `0x${args}`,
      faults: [],
    });
    assert.deepEqual(decodeCreation(`0x${creation}`, [known])?.faults, ["the data ends before the last argument"]);
  });
  it("knows no code but the very same, and keeps none of it", () => {
    const long = "60".repeat(20_000);
    const known = { name: "Token", print: printOf(`0x${long}`), inputs: [], source: "Token.json" };
    const named = (code: string): string | undefined => decodeCreation(`0x${code}`, [known])?.contract?.name;
    assert.equal(named(`${long}00`), "Token");
    for (const at of [0, 1000, 19_999])
      assert.equal(named(`${long.slice(0, at * 2)}61${long.slice(at * 2 + 2)}`), undefined);
    assert.equal(named(long.slice(2)), undefined);
    assert.ok(JSON.stringify(known).length < 200);
  });
  it("finds the arguments of an unknown contract behind what the compiler wrote", () => {
    const found = decodeCreation(`0x${creation}${args}`);
    assert.deepEqual(
      [found?.contract, found?.compiler, found?.bytes, found?.rest],
      [undefined, "solc 0.8.30", creation.length / 2, `0x${args}`],
    );
  });
  it("finds the contract that a new proxy stands for", () =>
    assert.equal(
      decodeCreation(`0x3d602d80600a3d3981f3363d3d373d3d3d363d73${bare}5af43d82803e903d91602b57fd5bf3`)?.proxyTo,
      alice,
    ));
  it("says no more than the bytes do", () => {
    assert.equal(decodeCreation("0x5f5ff3")?.rest, undefined);
    assert.equal(decodeCreation(`0x${creation}12`)?.rest, undefined);
    assert.equal(decodeCreation("0x"), undefined);
    assert.equal(decodeCreation(null), undefined);
  });
  it("never throws", () =>
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), fc.jsonValue(), (before, after, any) => {
        const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
        const known = { name: "A", print: printOf(`0x${hex(before)}`), inputs, source: "A.json" };
        decodeCreation(`0x${hex(before)}64736f6c6343${hex(after)}`, [known]);
        readCode(`0x${hex(before)}64736f6c6343${hex(after)}`);
        decodeCreation(any as JsonValue); // fast-check's type is wider
      }),
    ));
});
