import assert from "node:assert/strict";
import { check } from "../../../server/src/analysis/check.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, codesIn, expectProblems as expect, kindsIn, local, scopeOf } from "../../support/cell.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const word = `0x${"ab".repeat(32)}`;

const balanceAt = (block: string): string => `{ "method": "eth_getBalance", "params": ["${address}", ${block}] }`;
const call = (members: string): string =>
  `{ "method": "eth_call", "params": [{ "to": "${address}", ${members} }, "latest"] }`;
const logs = (filter: string): string => `{ "method": "eth_getLogs", "params": [{ ${filter} }] }`;
const simulation = (block: string): string =>
  `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ ${block} }] }, "latest"] }`;
const overrides = (of: string): string => simulation(`"stateOverrides": { ${of} }`);

/** What is marked is all that is found. */
const marked = {
  "a request": [
    `{ "jsonrpc": "2.0", "id": 1, "method": "eth_getBalance", "params": ["${address}", "pending"] }`,
    `{ "method": ‹error unknown-method eth_getBalance→"eth_getBalanc"› }`,
    `{ "method": ‹information unknown-method→"eth_getEverything"› }`,
    `{ "method": ‹information unknown-method→"debug_somethingOfMine"› }`,
    `{ "method": ‹information unknown-method→"zks_getLogs"›, "params": [1, {}] }`,
    `{ "method": ‹information unknown-method→"wallet_sendCalls"›, "params": [] }`,
    `‹missing-method→{› "params": [] }`,
    `{ "method": ‹missing-method→" "›, "params": [] }`,
    ...["eth_getbalance", "ETH_GETBALANCE", "getBalance", "eth.getBalance", "eth_getBalance "].map(
      (name) => `{ "method": ‹unknown-method eth_getBalance→"${name}"› }`,
    ),
    `{ "method": "eth_chainId", ‹unknown-member params→"parms"›: [], "id": ‹wrong-type→{}›, "jsonrpc": ‹wrong-type→"1.0"›, "snapshot": ‹wrong-type→1› }`,
    `{ "method": "eth_chainId", ‹duplicate-key→"method"›: "eth_blockNumber" }`,
    call(`‹duplicate-key, unknown-field to→"TO"›: "${address}"`),
    `{ "batch": [{ "method": "eth_chainId" }, ‹missing-method→{› "params": [] }, ‹wrong-type→3›], ‹unknown-member→"endpont"›: "x" }`,
    `{ "method": "eth_chainId", "name": "a‹bidi-character→\u202e›b" }`,
  ],
  parameters: [
    `{ "method": "eth_getBalance", "params": ‹named-params→{› "address": "0x" } }`,
    `{ "method": "eth_getStorageAt", "params": ["${address}"‹missing-param position 1, missing-block latest→]› }`,
    `{ "method": "eth_chainId", "params": [‹error extra-param→1, 2›] }`,
    `{ "method": "eth_chainId", "params": [‹warning extra-param→null›] }`,
    `{ "method": "eth_getStorageAt", "params": ["${address}", ‹swapped-params position block→"latest", "0x0"›] }`,
    `{ "method": "eth_getBalance", "params": [‹bad-hex→"0x1"›, "{{zero}}"] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}" }‹warning missing-block→]› }`,
    `{ "method": "eth_getBalance", "params": ["{{alice}}", "{{zero}}"] }`,
    `{ "method": "eth_getStorageAt", "params": ["${address}", "0x0", "latest"] }`,
    `{ "method": "eth_getBlockByNumber", "params": [‹bad-block false→"newest"›, false] }`,
  ],
  "a block": [
    ...['"latest"', '"0x0"', '"0x1b4"', `"${word}"`, '{ "blockNumber": "0x1" }', "null"],
    `{ "blockHash": "${word}", "requireCanonical": true }`,
    '‹hint decimal-number "0x7b"→123›',
    '‹bad-block latest→"latset"›',
    '‹bad-block true→"latest "›',
    "‹wrong-type→false›",
    '‹bad-quantity leading-zeros 0xa→"0x0a"›',
    '‹bad-quantity empty→"0x"›',
    '‹bad-quantity negative→"-0x10"›',
    `‹bad-hex length 66→"0x${"ab".repeat(33)}"›`,
    "‹missing-field blockNumber blockHash→{›}",
  ].map(balanceAt),
  "a time": ['"0x6b0861c4"', '"0xffffffffffffffff"', '‹bad-quantity milliseconds 0x6b49d200→"0x1a3185c5000"›'].map(
    (time) =>
      `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { "time": ${time} }, "calls": [] }] }, "latest"] }`,
  ),
  "a value": [
    '"value": ‹hint decimal-number "0x5208"→21000›',
    '"value": ‹decimal-number "0x18ee90ff6c373e0ee4e3f0ad2"→123456789012345678901234567890›',
    `"value": ‹bad-quantity too-large 256→"0x1${"0".repeat(64)}"›`,
    '"gas": ‹bad-quantity too-large 64→"0x1ffffffffffffffff"›',
    '"data": ‹bad-hex odd 3→"0xabc"›',
    '"data": ‹bad-hex not-hex→"0xzz"›',
    '"from": ‹bad-hex length 39→"0x742d35Cc6634C0532925a3b8D4C9dD0b4f3BaEa"›',
    `"from": ‹warning bad-hex no-prefix→"${address.slice(2)}"›`,
    '"accessList": ‹wrong-type→{}›',
  ].map(call),
  "an object": [
    `{ "method": "eth_getLogs", "params": [‹filter-without-criterion→{› ‹unknown-field blockHash→"blockhash"›: null, ‹unknown-field address→"adress"›: "${address}" }] }`,
    call(`"gasPrice": "0x1", ‹exclusive-fields gasPrice→"maxFeePerGas"›: "0x2"`),
    call(`"data": "0x12", "input": "0x12"`),
    call(`"data": "0x12", ‹exclusive-fields→"input"›: "0x34"`),
    simulation('"blockOverrides": { "time": "0x1", ‹exclusive-fields→"timestamp"›: "0x2" }'),
    `{ "method": "eth_getLogs", "params": [‹filter-without-criterion→{› "address": [], "topics": [null, null] }] }`,
    logs(`"address": [], "topics": [null, "${word}"]`),
    overrides(`"${address}": { "balance": ‹bad-quantity→"0x01"› }`),
    overrides(`‹bad-hex→"0x12"›: {}`),
    overrides(`"${address}": { ‹unknown-field→"storage"›: {} }`),
    overrides(`"${address}": { "state": {}, ‹exclusive-fields→"stateDiff"›: {} }`),
    `{ "method": "eth_simulateV1", "params": [‹missing-field blockStateCalls→{›}, "latest"] }`,
    logs(`"blockHash": "${word}", ‹exclusive-fields→"fromBlock"›: "0x1"`),
    logs(`"blockHash": "${word}", "fromBlock": null`),
    logs(`"fromBlock": "latest", ‹too-many-items 4 5→"topics"›: [null, null, [], null, null]`),
    `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest", { "{{alice}}": { "nonce": "0x1" } }] }`,
  ],
  "a name": [
    `{ "method": "eth_getBalance", "params": ["‹unresolved-placeholder alice→{{alise}}›", "{{first.result}}"] }`,
    `{ "method": "eth_getBalance", "params": ["{{$env.ALICE}}", "latest"] }`,
    `{ "name": ‹duplicate-name cell→"first"›, "method": "eth_blockNumber" }`,
    `{ "name": ‹duplicate-name variable→"alice"›, "method": "eth_blockNumber" }`,
    `{ "name": "c", "method": "eth_getBlockReceipts", "params": ["‹reference-cycle a b c→{{a.result}}›"] }`,
    `{ "name": "d", "method": "eth_getBlockReceipts", "params": ["‹reference-cycle→{{d.result}}›"] }`,
    `{ "method": "eth_chainId", "endpoint": ‹unknown-endpoint local→"locl"› }`,
    `{ "method": "eth_chainId", "endpoint": "https://rpc.example" }`,
  ],
};

const around: Around = {
  header: `{ "variables": { "alice": "${address}", "zero": "0x0" } }`,
  cells: [
    `{ "name": "first", "method": "eth_blockNumber" }`,
    `{ "name": "a", "method": "eth_getBlockReceipts", "params": ["{{b.result}}"] }`,
    `{ "name": "b", "method": "eth_getBlockReceipts", "params": ["{{c.result}}"] }`,
  ],
};

describe("check", () => {
  for (const [what, cells] of Object.entries(marked))
    describe(what, () => {
      for (const cell of cells) it(cell, () => expect(cell, around));
    });

  describe("a header", () => {
    for (const header of [
      `{ "endpoint": ‹unknown-endpoint→"nowhere"›, "chainId": ‹bad-quantity→"0x0a"›, "variables": ‹wrong-type→[]›, "labels": { ‹bad-hex→"0x12"›: ‹wrong-type→3› }, ‹unknown-member→"varables"›: {} }`,
      `{ "labels": { "${address}": ‹wrong-type→"0xb0b0…b0b0"› } }`,
      `{ "labels": { "${address}": "0xDAO" } }`,
      `{ "tokens": { ‹bad-hex→"0x12"›: { "symbol": ‹wrong-type→5›, "decimals": ‹wrong-type→-1› }, "${address}": ‹missing-field symbol, missing-field decimals→{ ‹unknown-member→"decimal"›: 6 }› } }`,
    ])
      it(header, () => expect(header, {}, "header"));
  });

  it("sees a key that is there twice also where nothing else is known of what stands there", () => {
    for (const method of ["trace_callMany", "my_method"]) {
      const text = `{ "method": "${method}", "params": [[[{ "a": 1, "a": 2 }, []]], "latest"] }`;
      assert.ok(codesIn(text).includes("duplicate-key"));
    }
  });

  it("says nothing is missing while it is being typed", () => {
    const typed = `{ "method": "eth_getBalance", "params": ["${address}`;
    assert.deepEqual(new Set(codesIn(typed)), new Set(["json-syntax"]));
  });

  it("marks the end of a range that is too long for the endpoint", () =>
    expect(logs(`"fromBlock": "0x1", "toBlock": ‹log-range-over-limit 2 1 local→"0x3"›`), {
      endpoint: { ...local, logRange: 1n, refuses: [] },
    }));

  it("finds methods that the endpoint refuses, but not in cells that go elsewhere", () => {
    const endpoint = { ...local, logRange: 1n, refuses: ["eth_getBlockReceipts"] };
    const batch = (method: string): string => `[{ "method": ${method}, "params": ["latest"] }]`;
    const refused = batch(`‹refused-method local→"eth_getBlockReceipts"›`);
    expect(refused, { endpoint });
    expect(`{ "batch": ${refused}, "endpoint": "local" }`, { endpoint });
    expect(`{ "batch": ${batch(`"eth_getBlockReceipts"`)}, "endpoint": "https://rpc.example" }`, { endpoint });
  });

  it("finds nothing wrong with any example of the catalogue", () => {
    for (const { name, example } of bundledCatalog.methods) {
      const kinds = kindsIn(JSON.stringify({ method: name, params: example.params }));
      assert.deepEqual(
        kinds.filter((one) => one !== "information signing-method"),
        [],
        name,
      );
    }
  });

  it("looks at no more of the other cells in a longer notebook", () => {
    const [short, long] = [300, 600].map((length) => {
      let reads = 0;
      const get = (cell: Cell, key: PropertyKey): unknown => {
        reads++;
        return Reflect.get(cell, key);
      };
      const cells = Array.from({ length }, (_, at) => {
        const params = `["{{c${Math.max(0, at - 1)}.result}}"]`;
        return new Proxy(readCell(`{ "name": "c${at}", "method": "eth_getBlockReceipts", "params": ${params} }`), {
          get,
        });
      });
      const last = cells.at(-1) ?? assert.fail();
      const scope = { ...scopeOf(last), cells };
      check(last, scope);
      reads = 0;
      for (const cell of cells.slice(-20)) assert.deepEqual(check(cell, scope), []);
      return reads;
    });
    assert.equal(short, long);
  });

  it("reports text that nests too deep to be read, and whether it is JSON at all", () => {
    for (const closed of [600, 599])
      assert.deepEqual(kindsIn(`{ "method": "eth_chainId", "params": [${"[".repeat(600)}${"]".repeat(closed)}] }`), [
        "error too-deep",
      ]);
  });
});
