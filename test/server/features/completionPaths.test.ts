import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { isCut } from "../../../server/src/features/completion.ts";
import type { Around } from "../../support/cell.ts";
import { checkStops, complete, completes, labels } from "../../support/complete.ts";

const logs = `{ "name": "logs", "method": "eth_getLogs", "params": [{ "event": "Transfer(address indexed from, address indexed to, uint256 value)" }] }`;
const head = `{ "name": "head", "method": "eth_blockNumber" }`;
const use = (placeholder: string): string => `{ "method": "eth_getCode", "params": ["${placeholder}"] }`;

function ran(name: string, value: JsonValue): NonNullable<Around["lastResult"]> {
  return (cell) => (cell.text.includes(`"${name}"`) ? { values: () => new Map([[name, value]]) } : undefined);
}

const ofLog = ["name", "signature", "args", "blockTimestampMs", "faults"];

describe("completion of paths", () => {
  describe("into results that are to come", () => {
    const around: Around = { cells: [logs, head] };

    it("goes by the type of the result", () => {
      assert.deepEqual(labels(use("{{logs.|"), around), ["result", "decoded", "error"]);
      assert.deepEqual(labels(use("{{logs.result[|"), around), ["[0]"]);
      assert.deepEqual(labels(use("{{logs.result[7].|"), around).slice(0, 3), ["address", "topics", "data"]);
      assert.equal(complete(use("{{logs.result[0].|"), around)[0]?.detail, "address");
      assert.deepEqual(labels(use("{{head.result.|"), around), []);
    });
    it("is there in what is expected as well", () => {
      const expects = (wanted: string): string => `{ "method": "eth_gasPrice", "expect": { "result": ${wanted} } }`;
      assert.deepEqual(labels(expects(`"{{head.|`), around), ["result", "error"]);
      completes("result", expects(`{ ">": "{{head.‹r|→result}}›" }`), around);
    });
    it("goes by the event for what is decoded", () => {
      assert.deepEqual(labels(use("{{logs.decoded[0].|"), around), ofLog);
      assert.deepEqual(labels(use("{{logs.decoded[0].args.|"), around), ["from", "to", "value"]);
      completes("to", use(`{{logs.decoded[0].args.‹t|→to}}›`), around);
    });
    it("goes by the function for what a call returns", () => {
      const data = `{ "function": "getReserves() returns (uint112 reserve0, uint112)" }`;
      const cells = [`{ "name": "pair", "method": "eth_call", "params": [{ "data": ${data} }] }`];
      assert.deepEqual(
        complete(use("{{pair.decoded[|"), { cells }).map(({ label, detail }) => [label, detail]),
        [
          ["[0]", "uint112 reserve0"],
          ["[1]", "uint112"],
        ],
      );
    });
    it("goes into the lists and tuples that a function returns, which the project's ABIs know by selector as well", () => {
      const cells = [
        `{ "name": "pair", "method": "eth_call", "params": [{ "data": "0xA8AA1B31" }], "abi": ["function pair() returns ((uint8 a, (address, bool)[] list) one)"] }`,
      ];
      assert.deepEqual(labels(use("{{pair.decoded[0].|"), { cells }), ["a", "list"]);
      assert.deepEqual(labels(use("{{pair.decoded[0].list[7][|"), { cells }), ["[0]", "[1]"]);
      assert.equal(complete(use("{{pair.decoded[0].list[7][|"), { cells })[0]?.detail, "address");
    });
    it("knows what stands in the place of what calls inside returned", () => {
      const data = `{ "function": "aggregate(bytes[] calls) returns (uint256, bytes[] returned)" }`;
      const cells = [`{ "name": "all", "method": "eth_call", "params": [{ "data": ${data} }] }`];
      assert.deepEqual(labels(use("{{all.decoded[1][3].|"), { cells }), [
        "values",
        "error",
        "name",
        "signature",
        "data",
      ]);
    });
    it("knows what simulated calls give", () => {
      const data = `{ "function": "f() returns (uint8 a)" }`;
      const cells = [
        `{ "name": "sim", "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "calls": [{ "data": ${data} }] }] }] }`,
      ];
      assert.deepEqual(labels(use("{{sim.decoded[0].calls[0].|"), { cells }), [
        "returnData",
        "logs",
        "error",
        "faults",
      ]);
      assert.equal(complete(use("{{sim.decoded[0].calls[0].returnData[|"), { cells })[0]?.detail, "uint8 a");
      assert.deepEqual(labels(use("{{sim.decoded[0].calls[0].logs[1].|"), { cells }), ofLog);
    });
    it("knows the call data of transactions", () => {
      const cells = ["eth_getTransactionByHash", "eth_getBlockByNumber", "eth_getBalance"].map(
        (method, at) => `{ "name": "${"tbx"[at]}", "method": "${method}" }`,
      );
      const call = ["name", "signature", "args", "calls", "faults"];
      assert.deepEqual(labels(use("{{t.decoded.|"), { cells }), ["input", "blockTimestampMs"]);
      assert.deepEqual(labels(use("{{t.decoded.input.|"), { cells }), call);
      assert.deepEqual(labels(use("{{b.decoded.transactions[3].input.|"), { cells }), call);
      assert.deepEqual(labels(use("{{x.|"), { cells }), ["result", "error"]);
    });
    it("knows errors", () => {
      assert.deepEqual(labels(use("{{head.error.|"), around), ["reason", "message", "code", "data", "decoded"]);
      assert.deepEqual(labels(use("{{head.error.decoded.|"), around), ["reason", "name", "args"]);
    });
    it("leaves the cursor where the path can go on, else behind it", () => {
      checkStops(use("{{lo|"), "{{logs.result}}", `"{{logs.result‹›}}"`, around);
      checkStops(use("{{he|"), "{{head.result}}", `"{{head.result}}"`, around);
      checkStops(use("{{logs.result[|"), "[0]", `"{{logs.result[0]‹›}}"`, around);
      checkStops(use("{{logs.result[0].|"), "address", `"{{logs.result[0].address}}"`, around);
    });
    it("replaces the rest of the path", () => {
      completes("error", use(`{{logs.‹re|sult[0].address→error›}}`), around);
      completes("result", use(`0x{{head.|‹→result›}}ff`), around);
    });
    it("knows the items of a batch, by the batch's name and by their own", () => {
      const cells = [
        `{ "name": "both", "batch": [{ "name": "one", "method": "eth_chainId" }, { "method": "eth_getBlockByNumber" }] }`,
      ];
      assert.deepEqual(labels(use("{{both.result[|"), { cells }), ["[0]", "[1]"]);
      assert.deepEqual(labels(use("{{both.result[1].|"), { cells }).slice(0, 2), ["miner", "number"]);
      assert.deepEqual(labels(use("{{one.|"), { cells }), ["result", "error"]);
    });
  });

  describe("into results that came", () => {
    const came = { result: [{ address: "0x12", "odd key": 1, nested: { deep: [true] } }], decoded: null };
    const around: Around = { cells: [logs], lastResult: ran("logs", came) };

    it("shows the values", () => {
      assert.deepEqual(
        complete(use("{{logs.|"), around).map(({ label, detail }) => [label, detail]),
        [["result", "1 item"]],
      );
      assert.deepEqual(
        complete(use("{{logs.result[0].|"), around).map(({ label, detail }) => [label, detail]),
        [
          ["address", `"0x12"`],
          ["nested", "{ deep }"],
        ],
      );
      completes("[0]", use(`{{logs.result[0].nested.deep[|‹→0]}}›`), around);
    });
    it("reads items beyond those that are listed", () => {
      const long = { result: Array.from({ length: 30 }, (_, index) => ({ index })) };
      const many: Around = { cells: [logs], lastResult: ran("logs", long) };
      assert.equal(labels(use("{{logs.result[|"), many).length, 10);
      assert.deepEqual(labels(use("{{logs.result[29].|"), many), ["index"]);
      assert.deepEqual(labels(use("{{logs.result[30].|"), many), []);
    });
  });

  it("goes into variables", () => {
    const around = { header: `{ "variables": { "config": { "owners": ["0x1", "0x2"] } } }` };
    checkStops(use("{{conf|"), "{{config}}", `"{{config‹›}}"`, around);
    completes("[1]", use(`{{config.owners[|‹→1]}}›`), around);
  });
  it("begins with the nearest cells before", () => {
    const cells = Array.from({ length: 300 }, (_, index) => `{ "name": "cell${index}", "method": "eth_chainId" }`);
    const found = labels(use("{{|"), { cells });
    assert.deepEqual(found.slice(0, 2), ["{{cell299.result}}", "{{cell298.result}}"]);
    assert.ok(labels(use("{{cell7|"), { cells }).includes("{{cell7.result}}"));
    assert.ok(isCut(complete(use("{{|"), { cells })));
    assert.ok(!isCut(complete(use("{{|"), { cells: cells.slice(0, 20) })));
  });
  it("begins values of the host", () => {
    checkStops(use("{{$|"), "{{$env.…}}", `"{{$env.‹NAME›}}"`);
    completes("{{$secret.…}}", use(`{{$‹se|→secret.NAME}}›`));
  });
  it("does nothing outside of parameters", () =>
    assert.deepEqual(labels(`{ "id": "{{|", "method": "x" }`, { cells: [head] }), []));
});

describe("completion of expectations", () => {
  const expects = (members: string, method = "eth_getBlockByNumber"): string =>
    `{ "name": "me", "method": "${method}", "expect": { ${members} } }`;

  it("offers paths by the type of the result, two steps at a time", () => {
    const found = labels(expects(`"|"`));
    assert.deepEqual(found.slice(0, 3), ["result", "result.number", "result.hash"]);
    assert.ok(found.includes("error.message"));
    assert.deepEqual(labels(expects(`"result.transactions[0].|"`)).slice(0, 2), [
      "result.transactions[0].hash",
      "result.transactions[0].type",
    ]);
  });
  it("writes what came as what is due", () => {
    const lastResult = ran("me", { result: { number: "0x10", size: 7 } });
    checkStops(expects("|"), "result.number", `"result.number": ‹"0x10"›`, { lastResult });
    completes("7", expects(`"result.size": |‹→7›`), { lastResult });
    completes("{ number, size }", expects(`"result": { "==": |‹ }→{ "number": "0x10", "size": 7 } }›`), { lastResult });
  });
  it("offers operators around the value and as keys", () => {
    completes("{ >= }", expects(`"result.size": |‹→{ ">=": 0 }›`));
    assert.deepEqual(labels(expects(`"result.size": { "|" }`)), [
      "==",
      "!=",
      "<",
      "<=",
      ">",
      ">=",
      "in",
      "matches",
      "length",
      "type",
    ]);
    completes("in", expects(`"result.size": { ">": "0x1", |‹→"in": []› }`));
    checkStops(expects(`"result": { | }`), "type", `"type": "‹array›"`);
  });
  it("offers operands", () => {
    completes("object", expects(`"result": { "type": "|‹→object›" }`));
    completes("[]", expects(`"result": { "in": |‹→[]› }`));
    const receipts = (member: string): string => expects(member, "eth_getBlockReceipts");
    completes("0x1", receipts(`"result[3].status": "|‹→0x1›"`));
    completes("false", receipts(`"result[0].logs[1].removed": |‹→false›`));
  });
  it("looks at the request of a batch that it belongs to", () =>
    assert.ok(
      labels(
        `{ "batch": [{ "method": "eth_chainId" }, { "method": "eth_getBlockByNumber", "expect": { "|" } }] }`,
      ).includes("result.number"),
    ));
});
