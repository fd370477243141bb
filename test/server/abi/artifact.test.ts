import assert from "node:assert/strict";
import fc from "fast-check";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { artifact, foundryFolders, hardhatFolders } from "../../../server/src/abi/artifact.ts";
import type { AbiItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";

const transfer = { type: "function", name: "transfer", inputs: [{ name: "to", type: "address" }], outputs: [] };
const moved = { type: "event", name: "Moved", inputs: [{ name: "by", type: "address", indexed: true }] };

describe("an ABI file", () => {
  const signatures = (json: JsonValue): readonly string[] | undefined =>
    artifact(json, "a.json")?.items.map(({ kind, signature }) => `${kind} ${signature}`);
  const both = ["function transfer(address)", "event Moved(address)"];
  const forms: readonly (readonly [string, JsonValue, readonly string[] | undefined])[] = [
    ["an ABI", [transfer, moved], both],
    ["a list of signatures", ["function transfer(address to)", "event Moved(address indexed by)"], both],
    ["an artifact of Foundry or Hardhat", { abi: [transfer, moved], bytecode: { object: "0x" } }, both],
    ["solc's standard output", { contracts: { "A.sol": { A: { abi: [transfer] }, B: { abi: [moved] } } } }, both],
    ["solc's combined output", { contracts: { "A.sol:A": { abi: [transfer, moved] } }, version: "0.8.30" }, both],
    ["that of old compilers", { contracts: { "A.sol:A": { abi: JSON.stringify([transfer, moved]) } } }, both],
    ["Hardhat's build-info", { output: { contracts: { "A.sol": { A: { abi: [transfer, moved] } } } } }, both],
    ["an ABI of a constructor alone", [{ type: "constructor", inputs: [] }], []],
    ["an empty ABI", [], []],
    ["an artifact of a library", { abi: [] }, []],
    ["what is not understood beside what is", [7, { name: 1 }, transfer], ["function transfer(address)"]],
    ["a list of something else", [1, "two"], undefined],
    ["something else", { compilerOptions: {} }, undefined],
    ["text", "abi", undefined],
    ["contracts that are none", { contracts: { a: 1, b: { c: 2, d: {} } } }, undefined],
    ["null", null, undefined],
  ];
  for (const [what, json, expected] of forms) it(`may be ${what}`, () => assert.deepEqual(signatures(json), expected));

  it("may be about one contract: the project's own come first for it, then what was looked up, then others", () => {
    const [one, other] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
    const lookedUp = { lookedUp: { host: "lookup.example" }, match: "exact match" };
    const read = (name: string, more: object): readonly AbiItem[] =>
      artifact({ abi: [{ ...transfer, inputs: [{ name, type: "address" }] }], ...more }, name)?.items ?? [];
    const items = [
      ...read("foreign", { address: other }),
      ...read("any", {}),
      ...read("own", { address: one }),
      ...read("lookedUp", { address: one, ...lookedUp }),
      ...read("lookedUpForOther", { address: other, ...lookedUp }),
    ];
    const found = scopeOf(items).functions("0x1a695230", one);
    assert.deepEqual(
      found.map(({ inputs }) => inputs[0]?.name),
      ["own", "any", "lookedUp", "foreign", "lookedUpForOther"],
    );
    assert.equal(found[2]?.source, "lookedUp (lookup.example, exact match)");
  });
  it("says what it was compiled from", () => {
    const foundry = { abi: [], metadata: { settings: { compilationTarget: { "src/Token.sol": "Token" } } } };
    assert.equal(artifact(foundry, "")?.compiledFrom, "src/Token.sol");
    assert.equal(artifact({ abi: [], sourceName: "contracts/A.sol" }, "")?.compiledFrom, "contracts/A.sol");
    assert.equal(artifact({ abi: [], metadata: "{}" }, "")?.compiledFrom, undefined);
  });

  it("may hold anything", () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => void artifact({ abi: json, contracts: json } as JsonValue, "")));
  });
});

describe("the folder of artifacts", () => {
  const toml: readonly (readonly [string, readonly string[]])[] = [
    [`[profile.default]\nsrc = "src"\nout = "build"  # here\n`, ["build"]],
    [
      `[profile.default]\nout = 'build'\n[profile.ci]\nout = "ci-out"\n[rpc_endpoints]\nout = "https://x"`,
      ["build", "ci-out"],
    ],
    [`out="o"\r\n`, ["o"]],
    [`# out = "no"\n[profile.default.optimizer_details]\nout = "no"\nlayout = "no"`, []],
    [`["profile"."default"]\n"out" = "quoted"`, ["quoted"]],
  ];
  for (const [text, expected] of toml)
    it(`of ${JSON.stringify(text)} is ${expected.join() || "not said"}`, () =>
      assert.deepEqual(foundryFolders(text), expected));
  const config: readonly (readonly [string, readonly string[]])[] = [
    [`module.exports = { paths: { sources: "./src", artifacts: "./build/artifacts" } };`, ["./build/artifacts"]],
    [`export default { "paths": { 'artifacts': \`made\` } }`, ["made"]],
    [`export default { paths: { cache: "c", // artifacts\n artifacts:\n 'a' } }`, ["a"]],
    ["// paths: { artifacts: 'no' }\n/* paths: { artifacts: 'no' } */", []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template that only a program can fill
    ["paths: { artifacts: `${dir}/a` }", []],
    [`paths: { artifacts: join(root, "a"), myartifacts: "no" }`, []],
  ];
  for (const [text, expected] of config)
    it(`of ${JSON.stringify(text)} is ${expected.join() || "not said"}`, () =>
      assert.deepEqual(hardhatFolders(text), expected));
  it("is found in hostile text without delay", () => {
    for (const text of [
      "paths:{".repeat(30_000),
      "/*".repeat(100_000),
      "[".repeat(200_000),
      " \n".repeat(100_000),
      "out ".repeat(50_000),
    ]) {
      foundryFolders(text);
      hardhatFolders(text);
    }
  });
});
