import assert from "node:assert/strict";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { evaluateRequest } from "../../../server/src/evaluate/evaluateRequest.ts";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, preconfirmed, scopeOf } from "../../support/cell.ts";
import { Typist } from "../../support/typist.ts";

const variables = {
  alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  bob: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  token: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
};
const around: Around = {
  header: JSON.stringify({ endpoint: "local", variables }),
  endpoint: { cadence: preconfirmed },
};

/** The requests that a support engineer needs first: keys in an empty cell, and the request that they write. */
const requests: Readonly<
  Record<string, readonly (readonly [keys: string, method: string, params: readonly unknown[]])[]>
> = {
  "the balance of an account": [["bal⏎b⏎", "eth_getBalance", ["{{bob}}", "pending"]]],
  "the gap in an account's nonces": [
    ["count⏎", "eth_getTransactionCount", ["{{alice}}", "pending"]],
    ["count⏎⇥l⏎", "eth_getTransactionCount", ["{{alice}}", "latest"]],
  ],
  "a token balance": [
    [
      "ethc⏎⇥bal⏎b⏎",
      "eth_call",
      [{ to: "{{token}}", data: { function: "balanceOf(address) returns (uint256)", args: ["{{bob}}"] } }, "pending"],
    ],
  ],
  "transfers to an account": [
    [
      "logs⏎⇥⇥to⏎b⏎",
      "eth_getLogs",
      [
        {
          address: "{{token}}",
          event: "Transfer(address indexed from, address indexed to, uint256 value)",
          args: { to: "{{bob}}" },
          fromBlock: "latest",
          toBlock: "pending",
        },
      ],
    ],
  ],
  "why a call fails": [
    [
      "ethc⏎⇥tran⏎b⏎500⇥⇥,fr⏎",
      "eth_call",
      [
        {
          to: "{{token}}",
          data: { function: "transfer(address,uint256) returns (bool)", args: ["{{bob}}", 500] },
          from: "{{alice}}",
        },
        "pending",
      ],
    ],
  ],
  "contract or account": [["code⏎t⏎", "eth_getCode", ["{{token}}", "pending"]]],
  "the implementation behind a proxy": [
    [
      "stor⏎⇥impl⏎",
      "eth_getStorageAt",
      ["{{token}}", "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc", "pending"],
    ],
  ],
  "the receipts of a block": [["rec⏎l⏎", "eth_getBlockReceipts", ["latest"]]],
  "the gas of a call": [
    [
      "est⏎⇥⇥tran⏎b⏎5",
      "eth_estimateGas",
      [
        {
          from: "{{alice}}",
          to: "{{token}}",
          data: { function: "transfer(address,uint256) returns (bool)", args: ["{{bob}}", 5] },
        },
        "pending",
      ],
    ],
  ],
  "two calls in a row": [
    [
      "sim⏎⇥⇥tran⏎b⏎5⇥⇥⇥bal⏎b⏎",
      "eth_simulateV1",
      [
        {
          blockStateCalls: [
            {
              calls: [
                {
                  from: "{{alice}}",
                  to: "{{token}}",
                  data: { function: "transfer(address,uint256) returns (bool)", args: ["{{bob}}", 5] },
                },
                {
                  from: "{{alice}}",
                  to: "{{token}}",
                  data: { function: "balanceOf(address) returns (uint256)", args: ["{{bob}}"] },
                },
              ],
            },
          ],
          traceTransfers: true,
        },
        "pending",
      ],
    ],
  ],
};

/** What one would have to type without any of this: what goes over the wire, as short as it gets. */
function raw(text: string): string {
  const [request] = readCell(text).requests;
  assert.ok(request);
  const values = { of: (name: string) => new Map(Object.entries(variables)).get(name) };
  const sent = evaluateRequest(text, request, values, 1, { catalog: bundledCatalog, abi: [], heads: new Map() });
  assert.deepEqual(sent.problems, undefined);
  return JSON.stringify({ method: sent.request?.method, params: sent.request?.params });
}

describe("the ten requests that are needed first, by completion alone", () => {
  for (const [name, steps] of Object.entries(requests)) {
    it(name, () => {
      let strokes = 0;
      let characters = 0;
      for (const [keys, method, params] of steps) {
        const editor = new Typist(around);
        editor.press(keys);
        const cell = readCell(editor.text);
        assert.deepEqual(JSON.parse(editor.text), { method, params });
        const errors = diagnostics(cell, scopeOf(cell, around)).filter(({ severity }) => severity === "error");
        assert.deepEqual(errors, []);
        strokes += [...keys].length;
        characters += raw(editor.text).length;
      }
      assert.ok(strokes * 3 < characters, `${strokes} keys for ${characters} characters`);
      assert.ok(strokes <= 25, `${strokes} keys`);
    });
  }
});
