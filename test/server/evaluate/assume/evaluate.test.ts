import assert from "node:assert/strict";
import { storageLayouts } from "../../../../server/src/abi/storageLayout.ts";
import type { StorageScope } from "../../../../server/src/abi/storageScope.ts";
import { bundledCatalog } from "../../../../server/src/catalog/catalog.ts";
import { assumedTime, tokenUnits } from "../../../../server/src/evaluate/assume/amounts.ts";
import { assumeContext } from "../../../../server/src/evaluate/assume/assumption.ts";
import type { KnownState } from "../../../../server/src/evaluate/assume/stateQuestion.ts";
import { type Evaluated, evaluateRequest } from "../../../../server/src/evaluate/evaluateRequest.ts";
import { readCell } from "../../../../server/src/notebook/readCell.ts";

const vault = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const alice = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const labels = new Map([
  [vault, "Vault"],
  [alice, "alice"],
]);
const value = (label: string, numberOfBytes: string) => ({ encoding: "inplace", label, numberOfBytes });
const storageLayout = {
  storage: [
    { contract: "src/Vault.sol:Vault", label: "owner", offset: 0, slot: "0", type: "t_address" },
    { contract: "src/Vault.sol:Vault", label: "paused", offset: 20, slot: "0", type: "t_bool" },
    { contract: "src/Vault.sol:Vault", label: "total", offset: 0, slot: "1", type: "t_uint256" },
    { contract: "src/Vault.sol:Vault", label: "limit", offset: 21, slot: "0", type: "t_int8" },
    { contract: "src/Vault.sol:Vault", label: "name", offset: 0, slot: "2", type: "t_string_storage" },
  ],
  types: {
    t_address: value("address", "20"),
    t_bool: value("bool", "1"),
    t_int8: value("int8", "1"),
    t_uint256: value("uint256", "32"),
    t_string_storage: { encoding: "bytes", label: "string", numberOfBytes: "32" },
  },
};
const layouts = storageLayouts({ storageLayout, contractName: "Vault" }, "Vault.json");
const storage: StorageScope = {
  layouts: layouts.map((layout) => ({ layout, address: undefined })),
  without: [],
  keys: { variables: new Map(), labels },
};
const word = (digits: string): string => `0x${digits.padStart(64, "0")}`;
const known: KnownState = (question) =>
  question.kind === "word" ? { kind: "word", word: BigInt(word(`ff01${"ab".repeat(20)}`)) } : { kind: "yes" };

function evaluate(assumed: string, answers: KnownState = known): Evaluated {
  const text = `{ "method": "eth_call", "params": [{ "to": "${vault}" }], "assume": ${assumed} }`;
  const [request] = readCell(text).requests;
  assert.ok(request);
  const assume = assumeContext({ labels, variables: new Map(), tokens: new Map() }, answers);
  const context = { catalog: bundledCatalog, abi: [], heads: new Map(), storage: () => storage, assume };
  return evaluateRequest(text, request, { of: () => undefined }, 1, context);
}

function diff(assumed: string): unknown {
  const { request, problems } = evaluate(assumed);
  assert.deepEqual(problems, undefined);
  return Object(request?.params)[2][vault].stateDiff;
}

function whatIsWrong(assumed: string): readonly string[] {
  return (evaluate(assumed).problems ?? []).map((problem) => ("what" in problem ? String(problem.what) : problem.code));
}

describe("what a request assumes of a contract's variables", () => {
  it("is found by their names, and leaves the other bits of the word", () => {
    assert.deepEqual(diff(`{ "storage": { "Vault": { "paused": false } } }`), {
      [word("0")]: word(`ff00${"ab".repeat(20)}`),
    });
    assert.deepEqual(diff(`{ "storage": { "${vault}": { "Vault.total": "1,000" } } }`.replace("1,000", "1000")), {
      [word("1")]: word("3e8"),
    });
  });
  it("combines variables of one word", () =>
    assert.deepEqual(diff(`{ "storage": { "Vault": { "paused": false, "owner": "${alice}", "limit": -2 } } }`), {
      [word("0")]: word(`fe00${alice.slice(2)}`),
    }));
  it("is refused if it does not fit", () => {
    assert.match(whatIsWrong(`{ "storage": { "Vault": { "paused": 2 } } }`)[0] ?? "", /expected `true` or `false`/);
    assert.match(whatIsWrong(`{ "storage": { "Vault": { "limit": 200 } } }`)[0] ?? "", /more than the 8 bits of int8/);
    assert.match(
      whatIsWrong(`{ "storage": { "Vault": { "pausd": true } } }`)[0] ?? "",
      /`pausd` cannot be assumed: .*paused/,
    );
    assert.match(
      whatIsWrong(`{ "storage": { "Vault": { "name": "x" } } }`)[0] ?? "",
      /its type is string: only single values/,
    );
    assert.match(whatIsWrong(`{ "storage": { "alice": { "paused": true } } }`)[0] ?? "", /no storage layout is known/);
    assert.match(whatIsWrong(`{ "storage": { "Vault": { "0x0": 1, "paused": true } } }`)[0] ?? "", /assumed twice/);
  });
  it("asks for the word that it changes in part", () => {
    const { problems = [] } = evaluate(`{ "storage": { "Vault": { "paused": true } } }`, () => undefined);
    assert.deepEqual(
      problems.map((problem) => problem.code === "unknown-layout" && problem.question.kind),
      ["word", "overrides"].slice(0, problems.length),
    );
  });
});

describe("amounts and times that are assumed", () => {
  it("are exact", () => {
    assert.equal(tokenUnits("1,000.5", 6), 1_000_500_000n);
    assert.equal(tokenUnits("0.50", 1), 5n);
    assert.match(String(tokenUnits("0.05", 1)), /it has 2 digits after the point, and the token has 1/);
    assert.match(String(tokenUnits("1", 0)), /1/);
    for (const wrong of ["-1", "1e3", "0x1", "", "1.", "1,00", "1 USDC"])
      assert.equal(typeof tokenUnits(wrong, 6), "string");
  });
  it("are seconds", () => {
    assert.deepEqual(assumedTime("+1 day"), { after: 86_400n });
    assert.deepEqual(assumedTime("-1.5 hours"), { after: -5400n });
    assert.deepEqual(assumedTime("2026-12-01T12:00Z"), { at: 1_796_126_400n });
    assert.deepEqual(assumedTime("2028-02-29T24:00Z"), { at: 1_835_481_600n });
    assert.deepEqual(assumedTime("1700000000"), { at: 1_700_000_000n });
    for (const wrong of [
      "+1",
      "+1 moon",
      "tomorrow",
      "2026-13-45",
      "2026-02-29",
      "2026-04-31T10:00Z",
      "+1 constructor",
    ])
      assert.equal(assumedTime(wrong), undefined);
  });
});
