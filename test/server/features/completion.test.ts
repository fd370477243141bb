import assert from "node:assert/strict";
import { type Completion, completion } from "../../../server/src/features/completion.ts";
import { plain } from "../../../server/src/features/snippet.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, cursor, scopeOf } from "../../support/cell.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const header = `{ "variables": { "alice": "${alice}", "count": 7 }, "labels": { "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266": "deployer" } }`;

function complete(marked: string, around: Around = {}, kind?: "header"): readonly Completion[] {
  const { text, offset } = cursor(marked);
  const cell = readCell(text, kind);
  return completion(cell, offset, scopeOf(cell, around));
}

function labels(marked: string, around?: Around, kind?: "header"): readonly string[] {
  return complete(marked, around, kind).map(({ label }) => label);
}

/** The cell after a suggestion is accepted by an editor without snippets. */
function accepted(marked: string, label: string, around?: Around, kind?: "header"): string {
  const { text } = cursor(marked);
  const item = complete(marked, around, kind).find((one) => one.label === label);
  assert.ok(item, `${label} is suggested`);
  const edits = [
    { span: item.span, insert: item.snippet ? plain(item.insert) : item.insert },
    ...(item.also ?? []),
  ].sort((a, b) => b.span.start - a.span.start);
  return edits.reduce((cell, { span, insert }) => cell.slice(0, span.start) + insert + cell.slice(span.end), text);
}

/** Checks the text after acceptance, and that it is JSON. */
function check(marked: string, label: string, after: string, around?: Around, kind?: "header"): void {
  assert.equal(accepted(marked, label, around, kind), after);
  JSON.parse(after);
}

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
      check(
        `{ "method": "eth_getBal|" }`,
        "eth_getBalance",
        `{ "method": "eth_getBalance", "params": ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "pending"] }`,
      ));
    it("leaves parameters alone that are there", () =>
      check(`{ "method": "|", "params": [] }`, "eth_call", `{ "method": "eth_call", "params": [] }`));
    it("closes what was left open", () => {
      check(`{ "method": "eth_get| }`, "eth_chainId", `{ "method": "eth_chainId" }`);
      check(`{ "method": eth_get| }`, "eth_chainId", `{ "method": "eth_chainId" }`);
      check(`{ "method": | }`, "eth_chainId", `{ "method": "eth_chainId" }`);
    });
    it("adds the comma that is missing behind", () =>
      check(`{ "method": "|" "id": 1 }`, "eth_chainId", `{ "method": "eth_chainId", "id": 1 }`));
    it("documents them", () => {
      const item = complete(`{ "method": "|" }`).find(({ label }) => label === "eth_getBalance");
      assert.match(item?.documentation?.() ?? "", /^\*\*eth_getBalance\*\*/);
    });
    it("compares with what stands between the quotes, quotes included", () => {
      const [item] = complete(`{ "method": "|" }`);
      assert.equal(item?.filterText, `"${item?.label}"`);
      const [word] = complete(`{ "method": eth| }`);
      assert.equal(word?.filterText, word?.label);
    });
  });

  describe("of requests", () => {
    it("offers skeletons in an empty cell", () => {
      check("|", "eth_chainId", `{\n  "method": "eth_chainId"\n}`);
      JSON.parse(accepted("eth|", "eth_simulateV1"));
      JSON.parse(accepted("|", "batch"));
    });
    it("offers them in a batch", () =>
      check(
        `{ "batch": [{ "method": "eth_chainId" }, |] }`,
        "eth_blockNumber",
        `{ "batch": [{ "method": "eth_chainId" }, { "method": "eth_blockNumber" }] }`,
      ));
    it("offers a request where its first key is due", () =>
      check(`{ | }`, "eth_chainId", `{ "method": "eth_chainId" }`));
  });

  describe("of keys", () => {
    it("leaves out those that are there", () => {
      const found = labels(`{ "method": "eth_chainId", | }`);
      assert.ok(!found.includes("method"));
      assert.deepEqual(found.slice(0, 3), ["params", "name", "endpoint"]);
    });
    it("brings values and commas along", () => {
      check(`{ "method": "eth_chainId", "na|" }`, "name", `{ "method": "eth_chainId", "name": "" }`);
      check(`{ "method": "eth_chainId" | }`, "name", `{ "method": "eth_chainId", "name": "" }`);
      check(`{ | "method": "eth_chainId" }`, "name", `{ "name": "", "method": "eth_chainId" }`);
      check(`{ "method": "eth_chainId", | "id": 1 }`, "name", `{ "method": "eth_chainId", "name": "", "id": 1 }`);
    });
    it("changes a key and leaves its value", () =>
      check(`{ "na|": "x", "method": "eth_chainId" }`, "endpoint", `{ "endpoint": "x", "method": "eth_chainId" }`));
    it("knows the method's parameters", () =>
      check(
        `{ "method": "eth_getBlockReceipts", | }`,
        "params",
        `{ "method": "eth_getBlockReceipts", "params": ["0x1e8480"] }`,
      ));
    it("knows call objects", () =>
      check(
        `{ "method": "eth_call", "params": [{ "to": "0x", "|" }] }`,
        "data",
        `{ "method": "eth_call", "params": [{ "to": "0x", "data": "0x" }] }`,
      ));
    it("knows filters, with tags in place", () =>
      check(
        `{ "method": "eth_getLogs", "params": [{ | }] }`,
        "fromBlock",
        `{ "method": "eth_getLogs", "params": [{ "fromBlock": "latest" }] }`,
      ));
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
      check(simulate(`"stateOverrides": { "|" }`), "alice", simulate(`"stateOverrides": { "${alice}": {  } }`), {
        header,
      });
    });
    it("knows headers", () =>
      check(`{ "endpoint": "local", | }`, "variables", `{ "endpoint": "local", "variables": {  } }`, {}, "header"));
  });

  describe("of values", () => {
    it("offers tags with their meaning", () => {
      const marked = `{ "method": "eth_getBalance", "params": ["${alice}", "|"] }`;
      const found = complete(marked);
      assert.deepEqual(
        found.filter(({ kind }) => kind === "tag").map(({ label }) => label),
        ["latest", "pending", "safe", "finalized", "earliest"],
      );
      assert.match(found.find(({ label }) => label === "pending")?.documentation?.() ?? "", /pre-confirmed/);
      check(marked, "pending", `{ "method": "eth_getBalance", "params": ["${alice}", "pending"] }`);
    });
    it("adds the comma before", () =>
      check(
        `{ "method": "eth_getBalance", "params": ["${alice}" |] }`,
        "pending",
        `{ "method": "eth_getBalance", "params": ["${alice}", "pending"] }`,
      ));
    it("offers addresses by label, variable and use", () => {
      const found = labels(`{ "method": "eth_getCode", "params": ["|"] }`, {
        header,
        cells: [`{ "method": "eth_getCode", "params": ["0x0000000000000000000000000000000000000001"] }`],
      });
      assert.deepEqual(found, ["deployer", "alice", "0x0000…0001", "{{alice}}"]);
    });
    it("offers booleans", () =>
      assert.deepEqual(labels(`{ "method": "eth_simulateV1", "params": [{ "validation": | }] }`), ["true", "false"]));
    it("offers a whole object from the example", () =>
      assert.match(
        accepted(`{ "method": "eth_getLogs", "params": [|] }`, "{…}"),
        /"params": \[\{ "fromBlock": "0x1e8480", /,
      ));
    it("offers endpoints", () =>
      check(
        `{ "method": "eth_chainId", "endpoint": "|" }`,
        "local",
        `{ "method": "eth_chainId", "endpoint": "local" }`,
      ));
    it("offers nothing where a value stands", () => assert.deepEqual(labels(`{ "params": | [1] }`), []));
  });

  describe("of placeholders", () => {
    const around: Around = { header, cells: [`{ "name": "head", "method": "eth_blockNumber" }`] };

    it("offers variables and results", () =>
      assert.deepEqual(labels(`{ "method": "eth_getBalance", "params": ["{{|"] }`, around), [
        "{{alice}}",
        "{{count}}",
        "{{head.result}}",
      ]));
    it("leaves valid text behind", () => {
      const after = `{ "method": "eth_getBalance", "params": ["{{alice}}"] }`;
      check(`{ "method": "eth_getBalance", "params": ["{{|"] }`, "{{alice}}", after, around);
      check(`{ "method": "eth_getBalance", "params": ["{{al|}}"] }`, "{{alice}}", after, around);
      check(`{ "method": "eth_getBalance", "params": ["{{al|] }`, "{{alice}}", after, around);
      check(`{ "method": "eth_getBalance", "params": ["|"] }`, "{{alice}}", after, around);
    });
    it("keeps the rest of the string", () =>
      check(
        `{ "method": "eth_call", "params": [{ "data": "0x12{{co|}}34" }] }`,
        "{{count}}",
        `{ "method": "eth_call", "params": [{ "data": "0x12{{count}}34" }] }`,
        around,
      ));
    it("does not offer a cell to itself", () =>
      assert.deepEqual(labels(`{ "name": "me", "method": "eth_getBlockReceipts", "params": ["{{|"] }`), []));
  });
});
