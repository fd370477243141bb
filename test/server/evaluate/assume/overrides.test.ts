import assert from "node:assert/strict";
import { bundledCatalog } from "../../../../server/src/catalog/catalog.ts";
import { assumeContext } from "../../../../server/src/evaluate/assume/assumption.ts";
import { type Evaluated, evaluateRequest } from "../../../../server/src/evaluate/evaluateRequest.ts";
import { readCell } from "../../../../server/src/notebook/readCell.ts";
import { times } from "../../../support/depth.ts";
import { expectLinear } from "../../../support/growth.ts";

const alice = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const small = alice.toLowerCase();
const assumeCode = `{ "code": { "alice": "0x01" } }`;

function evaluate(params: string, assumed: string, method = "eth_call"): Evaluated {
  const text = `{ "method": "${method}", "params": ${params}, "assume": ${assumed} }`;
  const [request] = readCell(text).requests;
  assert.ok(request);
  const labels = new Map([[small, "alice"]]);
  const names = { labels, variables: new Map(), tokens: new Map() };
  const assume = assumeContext(names, () => ({ kind: "yes" }));
  const context = { catalog: bundledCatalog, abi: [], heads: new Map(), assume };
  return evaluateRequest(text, request, { of: () => undefined }, 1, context);
}

function whatIsWrong(...given: Parameters<typeof evaluate>): readonly string[] {
  return (evaluate(...given).problems ?? []).map((problem) =>
    "what" in problem ? String(problem.what) : problem.code,
  );
}

describe("what a request assumes and overrides", () => {
  it("is found in any spelling that a node may read", () => {
    const overridden = (account: string): string => `[{ "to": "${alice}" }, "latest", { "${alice}": ${account} }]`;
    const assumeStorage = `{ "storage": { "alice": { "5": 1 } } }`;
    for (const name of ["code", "Code", "CODE"])
      assert.match(whatIsWrong(overridden(`{ "${name}": "0x02" }`), assumeCode).join(), new RegExp(`\\.${name}\``));
    for (const name of ["state", "State", "StateDiff"])
      assert.match(whatIsWrong(overridden(`{ "${name}": {} }`), assumeStorage).join(), new RegExp(`\\.${name}\``));
    const simulated = `[{ "blockStateCalls": [{ "blockOverrides": { "Time": "0x1" } }] }, "latest"]`;
    assert.match(whatIsWrong(simulated, `{ "time": "2040-01-01" }`, "eth_simulateV1").join(), /blockOverrides\.Time/);
  });

  it("is found if the request names an account twice, in other letters", () => {
    const accounts = `{ "${small}": { "nonce": "0x1" }, "${alice}": { "code": "0x02" } }`;
    const simulated = `[{ "blockStateCalls": [{ "stateOverrides": ${accounts} }] }, "latest"]`;
    assert.equal(whatIsWrong(simulated, assumeCode, "eth_simulateV1").length, 1);
  });

  it("keeps the other overrides of an account, and other accounts", () => {
    const given = `{ "${alice}": { "nonce": "0x1", "stateDiff": { "0x6": "0x2" } }, "__proto__": { "nonce": "0x7" } }`;
    const assumed = `{ "storage": { "alice": { "5": 1, "7": 2 } }, "balance": { "alice": 3 } }`;
    const { request } = evaluate(`[{ "to": "${alice}" }, "latest", ${given}]`, assumed);
    const word = (digit: number): string => `0x${String(digit).padStart(64, "0")}`;
    const [, , overrides] = Object(request?.params);
    assert.deepEqual(overrides[alice], {
      nonce: "0x1",
      stateDiff: { "0x6": "0x2", [word(5)]: word(1), [word(7)]: word(2) },
      balance: "0x3",
    });
    assert.deepEqual(Object.keys(overrides), [alice, "__proto__"]);
  });

  it("is read in a time that grows with its size", () =>
    expectLinear(times(20_000, 4000), (size) => {
      const numbers = [...Array(size).keys()];
      const entries = numbers.map((at) => `"0x${at.toString(16).padStart(40, "0")}": 1`);
      const slots = numbers.map((at) => `"${at}": 1`);
      const assumed = `{ "balance": { ${entries.join()} }, "storage": { "alice": { ${slots.join()} } } }`;
      assert.ok(evaluate(`[{ "to": "${alice}" }, "latest"]`, assumed).request);
    }));
});
