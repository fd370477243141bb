import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { assumeContext } from "../../../server/src/evaluate/assume/assumption.ts";
import type { KnownState } from "../../../server/src/evaluate/assume/stateQuestion.ts";
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

const call = (name: string, ...args: readonly unknown[]) => ({
  from: "{{alice}}",
  to: "{{token}}",
  data: { function: name, args },
});
const transfer = (amount: number) => call("transfer(address,uint256) returns (bool)", "{{bob}}", amount);
const transfers = (more: object) => ({
  address: "{{token}}",
  event: "Transfer(address indexed from, address indexed to, uint256 value)",
  ...more,
  toBlock: "pending",
});
const balance = { function: "balanceOf(address) returns (uint256)", args: ["{{bob}}"] };
const twoCalls = {
  blockStateCalls: [{ calls: [transfer(5), { from: "{{alice}}", to: "{{token}}", data: balance }] }],
  traceTransfers: true,
};

/** The requests that a support engineer needs first: keys in an empty cell, and the request that they write. */
const requests: Readonly<
  Record<string, readonly (readonly [keys: string, method: string, params: readonly unknown[], assume?: unknown])[]>
> = {
  "the balance of an account": [["bal⏎b⏎", "eth_getBalance", ["{{bob}}", "pending"]]],
  "the gap in an account's nonces": [
    ["count⏎", "eth_getTransactionCount", ["{{alice}}", "pending"]],
    ["count⏎⇥l⏎", "eth_getTransactionCount", ["{{alice}}", "latest"]],
  ],
  "a token balance": [["ethc⏎⇥bal⏎b⏎", "eth_call", [{ to: "{{token}}", data: balance }, "pending"]]],
  "transfers to an account": [
    ["logs⏎⇥⇥to⏎b⏎", "eth_getLogs", [transfers({ args: { to: "{{bob}}" }, fromBlock: "latest" })]],
  ],
  "transfers of the last 100 blocks": [["last 100⏎", "eth_getLogs", [transfers({ fromBlock: "latest - 100" })]]],
  "a stream of pending logs": [["stre⏎", "eth_subscribe", ["pendingLogs", { address: "{{token}}" }]]],
  "why a call fails": [["transfer⏎⇥b⏎⇥500", "eth_call", [transfer(500), "pending"]]],
  "contract or account": [["code⏎t⏎", "eth_getCode", ["{{token}}", "pending"]]],
  "the implementation behind a proxy": [
    [
      "stor⏎⇥impl⏎",
      "eth_getStorageAt",
      ["{{token}}", "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc", "pending"],
    ],
  ],
  "the receipts of a block": [["rec⏎l⏎", "eth_getBlockReceipts", ["latest"]]],
  "the gas of a call": [["est⏎⇥⇥tran⏎b⏎⇥5", "eth_estimateGas", [transfer(5), "pending"]]],
  "two calls in a row": [["sim⏎⇥⇥⇥5", "eth_simulateV1", [twoCalls, "pending"]]],
  "a payment, as if the sender had the ether": [
    [
      "est⏎⇥b⏎⇥⇥⇥, v⏎1☼⏎",
      "eth_estimateGas",
      [{ from: "{{alice}}", to: "{{bob}}", data: "0x", value: "0x1" }, "pending"],
      { balance: { alice: "10 ether" } },
    ],
  ],
  "a transfer, as if the sender had the tokens": [
    ["transfer⏎⇥b⏎⇥500☼⏎", "eth_call", [transfer(500), "pending"], { token: { token: { alice: "1000" } } }],
  ],
  "the same by a spender, as if it were allowed": [
    [
      "transferf⏎⇥b⏎⇥a⏎⇥5☼⏎",
      "eth_call",
      [call("transferFrom(address,address,uint256) returns (bool)", "{{bob}}", "{{alice}}", 5), "pending"],
      { token: { token: { bob: "1000" } }, allowance: { token: { bob: { alice: "unlimited" } } } },
    ],
  ],
  "the gas of a call, as if the sender had the tokens": [
    ["est⏎⇥⇥tran⏎b⏎⇥5☼⏎", "eth_estimateGas", [transfer(5), "pending"], { token: { token: { alice: "1000" } } }],
  ],
  "two calls in a row, as if the sender had the tokens": [
    ["sim⏎⇥⇥⇥5☼⏎", "eth_simulateV1", [twoCalls, "pending"], { token: { token: { alice: "1000" } } }],
  ],
};

/** What the endpoint answers about the token: where it has a balance. */
const known: KnownState = ({ kind }) => {
  const slot = kind === "allowance" ? 2n ** 255n : 2n ** 254n;
  return kind === "overrides"
    ? { kind: "yes" }
    : { kind: "slot", slot: { address: variables.token, slot, shift: 0, bits: 256, word: 0n }, decimals: 18 };
};

/** The characters to type without any help: the shortest form of what goes over the wire. */
function raw(text: string): string {
  const [request] = readCell(text).requests;
  assert.ok(request);
  const named = new Map(Object.entries(variables));
  const assume = assumeContext({ labels: new Map(), variables: named, tokens: new Map() }, known);
  const context = { catalog: bundledCatalog, abi: [], heads: new Map([["latest", 200n]]), assume };
  const sent = evaluateRequest(text, request, { of: (name: string) => named.get(name) }, 1, context);
  assert.deepEqual(sent.problems, undefined);
  return JSON.stringify({ method: sent.request?.method, params: sent.request?.params });
}

interface Typed {
  readonly strokes: number;
  readonly characters: number;
}

const done = new Map<(typeof requests)[string], Typed>();

/** Types a request, checks it, and counts the keys and the characters of what goes over the wire. */
function typed(steps: (typeof requests)[string]): Typed {
  const known = done.get(steps);
  if (known) return known;
  let strokes = 0;
  let characters = 0;
  for (const [keys, method, params, assume] of steps) {
    const editor = new Typist(around);
    editor.press(keys);
    const cell = readCell(editor.text);
    assert.deepEqual(JSON.parse(editor.text), { method, params, ...(assume !== undefined && { assume }) });
    const errors = diagnostics(cell, scopeOf(cell, around)).filter(({ severity }) => severity === "error");
    assert.deepEqual(errors, []);
    strokes += [...keys].length;
    characters += raw(editor.text).length;
  }
  const result = { strokes, characters };
  done.set(steps, result);
  return result;
}

describe("the requests that are needed first, by completion alone", () => {
  for (const [name, steps] of Object.entries(requests))
    it(name, () => {
      const { strokes, characters } = typed(steps);
      assert.ok(strokes * 3 < characters, `${strokes} keys for ${characters} characters`);
      assert.ok(strokes <= 20, `${strokes} keys`);
    });

  it("take the keys that docs/writing.md lists", () => {
    const page = readFileSync(new URL("../../../docs/writing.md", import.meta.url), "utf8");
    const listed = [...page.matchAll(/^\| ([a-z][^|]*?) +\| +(\d+) +\| +(\d+) +\|$/gm)];
    assert.deepEqual(
      listed.map(([, name, characters, strokes]) => [name, Number(characters), Number(strokes)]),
      Object.entries(requests).map(([name, steps]) => [name, typed(steps).characters, typed(steps).strokes]),
    );
  });
});
