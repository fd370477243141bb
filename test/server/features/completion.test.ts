import assert from "node:assert/strict";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, cursor, preconfirmed, scopeOf } from "../../support/cell.ts";
import { accepted, applied, check, checkStops, complete, completes, labels } from "../../support/complete.ts";
import { some } from "../../support/depth.ts";
import { pluck } from "../../support/pluck.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const header = `{ "variables": { "alice": "${alice}", "count": 7 }, "labels": { "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266": "deployer" } }`;

describe("completion", () => {
  describe("of methods", () => {
    it("ranks them by use", () => {
      const found = labels(`{ "method": "|" }`);
      assert.equal(found[0], "eth_getLogs");
      for (const method of [
        "eth_call",
        "eth_simulateV1",
        "eth_getBlockReceipts",
        "eth_estimateGas",
        "eth_getBalance",
      ]) {
        assert.ok(found.includes(method), method);
      }
    });
    it("brings parameters along", () =>
      completes(
        "eth_getBalance",
        `{ "method": "‹eth_getBal|"→eth_getBalance", "params": ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "latest"]› }`,
      ));
    it("fills them with the notebook's own addresses, the rest to choose from", () => {
      const marked = `{ "method": "eth_getBal|" }`;
      checkStops(marked, "eth_getBalance", `"eth_getBalance", "params": ["‹{{alice}}›", "‹latest›"]`, { header });
      checkStops(marked, "eth_getBalance", `"eth_getBalance", "params": ["‹{{alice}}›", "‹pending›"]`, {
        header,
        endpoint: { cadence: preconfirmed },
      });
    });
    it("takes contracts where contracts are due, and another address for another", () => {
      const variables = JSON.stringify({ alice, token: "0x5FbDB2315678afecb367f032d93F642f64180aa3" });
      const around = { header: `{ "variables": ${variables} }` };
      checkStops(
        `{ "method": "eth_estim|" }`,
        "eth_estimateGas",
        `"eth_estimateGas", "params": [{ "from": "‹{{alice}}›", "to": "‹{{token}}›", "data": ‹"0x"›‹› }, "‹latest›"]`,
        around,
      );
      checkStops(
        `{ "method": "eth_getSto|" }`,
        "eth_getStorageAt",
        `"eth_getStorageAt", "params": ["‹{{token}}›", ‹"0x0"›, "‹latest›"]`,
        around,
      );
    });
    it("looks for events by name", () =>
      checkStops(
        `{ "method": "eth_getLo|" }`,
        "eth_getLogs",
        `"eth_getLogs", "params": [{ "address": "‹{{alice}}›", "event": ‹"Transfer(address indexed from, address indexed to, uint256 value)"›, "args": { ‹› }, "fromBlock": "‹latest›", "toBlock": "‹pending›"‹› }]`,
        { header, endpoint: { cadence: preconfirmed } },
      ));
    it("leaves parameters alone that are there", () =>
      completes("eth_call", `{ "method": "|‹→eth_call›", "params": [] }`));
    it("closes what was left open", () => {
      completes("eth_chainId", `{ "method": "‹eth_get|→eth_chainId"› }`);
      completes("eth_chainId", `{ "method": ‹eth_get|→"eth_chainId"› }`);
      completes("eth_chainId", `{ "method": |‹→"eth_chainId"› }`);
    });
    it("adds the comma that is missing behind", () =>
      completes("eth_chainId", `{ "method": "|‹"→eth_chainId",› "id": 1 }`));
    it("documents them", () => {
      const item = complete(`{ "method": "|" }`).find(({ label }) => label === "eth_getBalance");
      assert.match(item?.documentation?.() ?? "", /^\*\*eth_getBalance\*\*/);
    });
    it("compares with what stands between the quotes, quotes included", () => {
      const [item] = complete(`{ "method": "|" }`);
      assert.equal(item?.filterText, `"${item?.label}"`);
      const [word] = complete(`{ "name": "a", me| }`);
      assert.equal(word?.filterText, word?.label);
    });
  });

  describe("of requests", () => {
    it("offers skeletons in an empty cell", () => {
      completes("eth_chainId", `‹|→{\n  "method": "eth_chainId"\n}›`);
      assert.equal(JSON.parse(accepted("eth|", "eth_simulateV1")).params[0].traceTransfers, true);
      JSON.parse(accepted("|", "batch"));
    });
    it("writes nothing that would need mending, whatever the method, function or event", () => {
      const call = (data: string): string =>
        `{ "method": "eth_call", "params": [{ "to": "${alice}", "data": ${data} }, "latest"] }`;
      const filter = (event: string): string =>
        `{ "method": "eth_getLogs", "params": [{ "address": "${alice}", "event": ${event} }] }`;
      const empty: Around = {};
      for (const around of [empty, { header, endpoint: { cadence: preconfirmed } }]) {
        for (const marked of around.header === undefined ? ["|"] : ["|", call("|"), filter("|")]) {
          for (const item of some(complete(marked, around), 30)) {
            const cell = readCell(applied(cursor(marked).text, item));
            const found = diagnostics(cell, scopeOf(cell, around)).filter(({ severity }) => severity !== "information");
            assert.deepEqual(found, [], cell.text);
          }
        }
      }
    });
    it("offers them in a batch", () =>
      completes("eth_blockNumber", `{ "batch": [{ "method": "eth_chainId" }, |‹→{ "method": "eth_blockNumber" }›] }`));
    it("offers a request where its first key is due", () =>
      completes("eth_chainId", `{ |‹→"method": "eth_chainId"› }`));
  });

  describe("of keys", () => {
    it("leaves out those that are there", () => {
      const found = labels(`{ "method": "eth_chainId", | }`);
      assert.ok(!found.includes("method"));
      assert.deepEqual(found.slice(0, 3), ["params", "name", "endpoint"]);
    });
    it("brings values and commas along", () => {
      completes("name", `{ "method": "eth_chainId", "‹na|→name": "›" }`);
      completes("name", `{ "method": "eth_chainId"‹ |→, "name": ""› }`);
      completes("name", `{ |‹→"name": "",› "method": "eth_chainId" }`);
      completes("name", `{ "method": "eth_chainId", |‹→"name": "",› "id": 1 }`);
    });
    it("changes a key and leaves its value", () =>
      completes("endpoint", `{ "‹na|→endpoint›": "x", "method": "eth_chainId" }`));
    it("knows the method's parameters", () =>
      completes("params", `{ "method": "eth_getBlockReceipts", |‹→"params": ["latest"]› }`));
    it("knows call objects", () =>
      completes("data", `{ "method": "eth_call", "params": [{ "to": "0x", "|‹→data": "0x›" }] }`));
    it("knows filters, with tags in place", () =>
      completes("fromBlock", `{ "method": "eth_getLogs", "params": [{ |‹→"fromBlock": "latest"› }] }`));
    it("knows simulations down to an account", () => {
      const simulate = (block: string): string =>
        `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ ${block} }] }] }`;
      assert.deepEqual(labels(simulate("|")), ["blockOverrides", "stateOverrides", "calls"]);
      assert.ok(labels(simulate(`"blockOverrides": { "|" }`)).includes("time"));
      assert.deepEqual(labels(simulate(`"stateOverrides": { "0x12": { "nonce": "0x1", "|" } }`)).slice(0, 3), [
        "balance",
        "code",
        "stateDiff",
      ]);
      completes("{{alice}}", simulate(`"stateOverrides": { "|‹" }→{{alice}}": { "balance": "0xde0b6b3a7640000" } }›`), {
        header,
      });
    });
    it("knows headers", () => completes("variables", `{ "endpoint": "local", |‹ }→"variables": {  } }›`, {}, "header"));
  });

  describe("of values", () => {
    it("offers tags with their meaning", () => {
      const marked = `{ "method": "eth_getBalance", "params": ["${alice}", "|"] }`;
      const found = complete(marked);
      assert.deepEqual(
        pluck(
          found.filter(({ kind }) => kind === "tag"),
          "label",
        ),
        ["latest", "pending", "safe", "finalized", "earliest"],
      );
      assert.match(found.find(({ label }) => label === "pending")?.documentation?.() ?? "", /pre-confirmed/);
      check(marked, "pending", `{ "method": "eth_getBalance", "params": ["${alice}", "pending"] }`);
    });
    it("adds the comma before", () =>
      completes("pending", `{ "method": "eth_getBalance", "params": ["${alice}"‹ |→, "pending"›] }`));
    it("offers addresses by label, variable and use", () => {
      const found = labels(`{ "method": "eth_getCode", "params": ["|"] }`, {
        header,
        cells: [`{ "method": "eth_getCode", "params": ["0x0000000000000000000000000000000000000001"] }`],
      });
      assert.deepEqual(found, ["{{alice}}", "deployer", "0x0000…0001"]);
    });
    it("offers booleans", () =>
      assert.deepEqual(labels(`{ "method": "eth_simulateV1", "params": [{ "validation": | }] }`), ["true", "false"]));
    it("offers a whole object", () =>
      assert.match(
        accepted(`{ "method": "eth_getLogs", "params": [|] }`, "{…}"),
        /"params": \[\{ "address": "0x42000000/,
      ));
    it("offers endpoints", () => completes("local", `{ "method": "eth_chainId", "endpoint": "|‹→local›" }`));
    it("offers nothing where a value stands", () => assert.deepEqual(labels(`{ "params": | [1] }`), []));
  });

  describe("of placeholders", () => {
    const around: Around = { header, cells: [`{ "name": "head", "method": "eth_blockNumber" }`] };

    it("offers variables and results", () =>
      assert.deepEqual(labels(`{ "method": "eth_getBalance", "params": ["{{|"] }`, around), [
        "{{alice}}",
        "{{count}}",
        "{{head.result}}",
        "{{$env.…}}",
        "{{$dotenv.…}}",
        "{{$secret.…}}",
      ]));
    it("leaves valid text behind", () => {
      const after = `{ "method": "eth_getBalance", "params": ["{{alice}}"] }`;
      check(`{ "method": "eth_getBalance", "params": ["{{|"] }`, "{{alice}}", after, around);
      check(`{ "method": "eth_getBalance", "params": ["{{al|}}"] }`, "{{alice}}", after, around);
      check(`{ "method": "eth_getBalance", "params": ["{{al|] }`, "{{alice}}", after, around);
      check(`{ "method": "eth_getBalance", "params": ["|"] }`, "{{alice}}", after, around);
    });
    it("keeps the rest of the string", () =>
      completes("{{count}}", `{ "method": "eth_call", "params": [{ "data": "0x12{{‹co|→count›}}34" }] }`, around));
    it("does not offer a cell to itself", () =>
      assert.ok(
        !labels(`{ "name": "me", "method": "eth_getBlockReceipts", "params": ["{{|"] }`).includes("{{me.result}}"),
      ));
  });
});
