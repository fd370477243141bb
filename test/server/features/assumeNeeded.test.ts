import assert from "node:assert/strict";
import { codeActions } from "../../../server/src/features/codeActions.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";

const [alice, token] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x5FbDB2315678afecb367f032d93F642f64180aa3"];

/** The actions with which a request gets an `assume`, each with its title and what is assumed. */
function offered(method: string, params: unknown, more = {}): readonly unknown[] {
  const cell = readCell(JSON.stringify({ method, params, ...more }));
  return codeActions(cell, { start: 0, end: 0 }, scopeOf(cell))
    .filter(({ title }) => title.startsWith("Assume"))
    .map(({ title, edits: [edit] }) => {
      assert.ok(edit);
      const { span, insert } = edit;
      const text = cell.text.slice(0, span.start) + insert + cell.text.slice(span.end);
      return [title, JSON.parse(text).assume];
    });
}

const transfer = {
  from: "{{alice}}",
  to: "{{token}}",
  data: { function: "transfer(address,uint256)", args: ["0x", 1] },
};

describe("an assumption of what a call spends", () => {
  it("has the tokens of a transfer, also in call data", () => {
    const expected = [["Assume the tokens that are spent", { token: { token: { alice: "1000" } } }]];
    assert.deepEqual(offered("eth_call", [transfer, "latest"]), expected);
    assert.deepEqual(offered("eth_estimateGas", [{ ...transfer, data: `0xa9059cbb${"0".repeat(128)}` }]), expected);
  });

  it("has the tokens and the allowance of `transferFrom`", () => {
    const expected = [
      [
        "Assume the tokens that are spent and the allowance",
        { token: { [token]: { [alice]: "1000" } }, allowance: { [token]: { [alice]: { spender: "unlimited" } } } },
      ],
    ];
    const call = { from: "{{spender}}", to: token };
    const data = { function: "transferFrom", args: [alice, "{{bob}}", 1] };
    assert.deepEqual(offered("eth_call", [{ ...call, data }]), expected);
    const input = `0x23b872dd${"0".repeat(24)}${alice.slice(2)}${"0".repeat(128)}`;
    assert.deepEqual(offered("eth_call", [{ ...call, input }]), expected);
  });

  it("has the ether that the calls of a simulation send", () => {
    const calls = [transfer, { from: alice, to: "{{bob}}", value: "1 ether" }];
    assert.deepEqual(offered("eth_simulateV1", [{ blockStateCalls: [{ calls }] }, "latest"]), [
      [
        "Assume the ether that is sent and the tokens that are spent",
        { balance: { [alice]: "10 ether" }, token: { token: { alice: "1000" } } },
      ],
    ]);
  });

  it("names an account once, however it is spelled", () => {
    const [owner, contract] = [alice, token].map((one) => one.toLowerCase());
    const input = `0x23b872dd${"0".repeat(24)}${owner?.slice(2)}${"0".repeat(128)}`;
    const calls = [
      { from: alice, to: token, input },
      { from: owner, to: contract, data: `0xa9059cbb${"0".repeat(128)}`, value: 1 },
    ];
    assert.deepEqual(offered("eth_simulateV1", [{ blockStateCalls: [{ calls }] }]), [
      [
        "Assume the ether that is sent and the tokens that are spent",
        { balance: { [alice]: "10 ether" }, token: { [token]: { [alice]: "1000" } } },
      ],
    ]);
  });

  it("is offered only if a call spends something and nothing is assumed", () => {
    for (const params of [
      [],
      {},
      [null],
      [{ from: alice, value: "0x0" }],
      [{ value: 1 }],
      [{ ...transfer, data: null }],
    ])
      assert.deepEqual(offered("eth_call", params), [], JSON.stringify(params));
    assert.deepEqual(offered("eth_simulateV1", [{ blockStateCalls: [{ calls: [7] }, 7] }]), []);
    assert.deepEqual(offered("eth_sendTransaction", [transfer]), []);
    assert.deepEqual(offered("eth_call", [transfer], { assume: {} }), []);
  });

  it("is enough for what is spent", () => {
    const much = { ...transfer, value: "25.5 ether", data: { function: "transfer", args: ["0x", "1000000 ether"] } };
    assert.deepEqual(offered("eth_call", [much]), [
      [
        "Assume the ether that is sent and the tokens that are spent",
        { balance: { alice: "26 ether" }, token: { token: { alice: "1000001" } } },
      ],
    ]);
    const raw = {
      ...transfer,
      data: `0xa9059cbb${"0".repeat(64)}${(5000n * 10n ** 18n).toString(16).padStart(64, "0")}`,
    };
    assert.deepEqual(offered("eth_call", [raw]), [
      ["Assume the tokens that are spent", { token: { token: { alice: "5001" } } }],
    ]);
    const later = { ...transfer, value: "{{price}}", data: { function: "transfer", args: ["0x", "{{amount}}"] } };
    const [[, assumed] = []] = offered("eth_call", [later]) as [unknown, unknown][];
    assert.deepEqual(assumed, { balance: { alice: "10 ether" }, token: { token: { alice: "1000" } } });
  });
});
