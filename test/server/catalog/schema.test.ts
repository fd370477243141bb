import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { endpointsSchema, notebookSchema, recordingSchema } from "../../../scripts/schema.ts";
import type { Schema } from "../../../scripts/schemaOfTypes.ts";
import { bundledCatalog, methodNamed } from "../../../server/src/catalog/catalog.ts";
import { directives, wireMembers } from "../../../server/src/notebook/cell.ts";
import { headerKeys } from "../../../server/src/notebook/header.ts";
import { dataKey } from "../../../server/src/notebook/readFile.ts";
import { corpusLines } from "../../support/corpus.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const hash = `0x${"ab".repeat(32)}`;

const compile = (schema: Schema): ValidateFunction =>
  // VS Code's keywords are not ajv's
  new Ajv({ strict: false, allErrors: true }).compile(JSON.parse(JSON.stringify(schema)));

function checks(validate: ValidateFunction): { right(value: unknown): void; wrong(value: unknown): void } {
  return {
    right(value) {
      const faults = validate(value) ? [] : validate.errors?.map((fault) => `${fault.instancePath} ${fault.message}`);
      assert.deepEqual(faults, [], JSON.stringify(value));
    },
    wrong(value) {
      assert.equal(validate(value), false, JSON.stringify(value));
    },
  };
}

describe("the JSON Schemas that are committed", () => {
  const files: Readonly<Record<string, Schema>> = {
    "rpc-notebook.schema.json": notebookSchema(),
    "rpc-endpoints.schema.json": endpointsSchema(),
    "rpc-recording.schema.json": recordingSchema(),
  };
  for (const [file, schema] of Object.entries(files)) {
    it(`${file} says what the catalogue says (else run npx tsx scripts/schema.ts)`, () => {
      assert.equal(JSON.stringify(JSON.parse(readFileSync(file, "utf8"))), JSON.stringify(schema));
    });
  }
});

describe("the schema of a notebook", () => {
  it("knows the members that the codec knows", () => {
    // the schema is JSON, and these two definitions are objects
    const { definitions } = notebookSchema() as unknown as {
      readonly definitions: Readonly<Record<string, { readonly properties: object }>>;
    };
    const keys = (name: string): readonly string[] => Object.keys(definitions[name]?.properties ?? {}).toSorted();
    assert.deepEqual(keys("request"), [...wireMembers, ...directives].toSorted());
    assert.deepEqual(keys("notebook"), [...headerKeys, "cells", dataKey].toSorted());
  });

  const { right, wrong } = checks(compile(notebookSchema()));
  const call = (transaction: unknown, ...rest: readonly unknown[]): unknown => ({
    method: "eth_call",
    params: [transaction, ...rest],
  });
  const logs = (filter: unknown): unknown => ({ method: "eth_getLogs", params: [filter] });
  const simulate = (entry: unknown): unknown => ({
    method: "eth_simulateV1",
    params: [{ blockStateCalls: [entry] }, "pending"],
  });

  it("takes a whole notebook", () =>
    right({
      $schema: "./node_modules/rpc-notebook/rpc-notebook.schema.json",
      endpoint: "local",
      chainId: "0x7a69",
      variables: { alice, list: [1, { deep: null }] },
      abi: ["./abi/Token.json", "event Memo(address indexed caller, bytes32 indexed memo)", { type: "error" }],
      labels: { [alice]: "alice" },
      cells: [
        { markdown: ["# Balances", "Pending against latest."] },
        { markdown: "One line." },
        { text: ['{ "method": '] },
        { name: "balance", method: "eth_getBalance", params: ["{{alice}}", "pending"] },
        {
          method: "eth_call",
          params: [
            { to: "{{token}}", data: { function: "balanceOf(address) returns (uint256)", args: ["{{alice}}"] } },
            "pending",
          ],
          expect: { "decoded[0]": { ">=": "1000000" }, result: "0x01" },
          within: "10 s",
          snapshot: true,
        },
        { batch: [{ method: "eth_chainId" }, { method: "eth_blockNumber", params: [] }], name: "heads" },
        [{ method: "eth_chainId" }, { method: "net_version" }],
      ],
    }));

  it("takes the foreign forms: one envelope, a batch cell, a list of cells", () => {
    right({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    right({ jsonrpc: "2.0", id: null, method: "eth_blockNumber" });
    right({ batch: [{ method: "eth_chainId" }] });
    right([{ method: "eth_chainId", id: "a" }, [{ method: "eth_blockNumber" }], { markdown: "Text." }]);
    right([]);
  });

  for (const { name, example } of bundledCatalog.methods) {
    it(`takes the example of ${name}`, () => right({ cells: [{ name: "it", method: name, params: example.params }] }));
  }

  it("takes methods that the catalogue does not know, with any parameters", () => {
    right({ method: "acme_doIt", params: [1, "two", { three: null }] });
    wrong({ method: 7 });
  });

  it("takes a placeholder wherever a value is due, and in keys", () => {
    right({ method: "eth_getBalance", params: ["{{alice}}", "{{block.result}}"] });
    right({ method: "eth_getBalance", params: "{{both}}" });
    right(call("{{transaction}}", "0x{{number}}"));
    right(call({ to: "{{token}}", value: "{{amount}}", accessList: "{{list}}", "{{key}}": "0x0" }, "latest"));
    right(simulate({ stateOverrides: { "{{alice}}": { balance: "{{wei}}", stateDiff: { "{{slot}}": "{{word}}" } } } }));
    right({ method: "eth_simulateV1", params: [{ blockStateCalls: "{{blocks}}", validation: "{{strict}}" }] });
    right(logs({ topics: ["{{topic}}", ["{{a}}", null]], address: ["{{token}}"] }));
  });

  it("takes what people write in place of wire values", () => {
    right(call({ to: alice, value: "1.5 ether", gas: 21000, maxFeePerGas: "30 gwei" }, 123));
    right(call({ to: alice, data: { function: "totalSupply" } }, "latest - 100"));
    right(logs({ address: alice, event: "Transfer", args: { to: [alice] }, fromBlock: 100, toBlock: "pending" }));
    right(logs({ topics: [null, alice] }));
    right({ method: "eth_getStorageAt", params: [alice, "0x0", { blockHash: hash, requireCanonical: true }] });
  });

  it("takes both names of call data, and the aliases of block overrides", () => {
    right(call({ to: alice, data: "0x12345678" }, "latest"));
    right(call({ to: alice, input: "0x12345678" }, hash));
    right(simulate({ blockOverrides: { timestamp: "0x1" }, calls: [{}] }));
  });

  it("finds wrong parameters", () => {
    wrong({ method: "eth_getBalance", params: ["0x742d35Cc6634C0532925a3b8D4C9dD0b4f3BaEa", "latest"] });
    wrong({ method: "eth_getBalance", params: [alice, "newest"] });
    wrong({ method: "eth_getBalance", params: [alice, "latest", "latest"] });
    wrong({ method: "eth_getBalance", params: [] });
    wrong({ method: "eth_getBalance" });
    wrong({ method: "eth_getBalance", params: { address: alice } });
    wrong({ method: "eth_chainId", params: ["latest"] });
    wrong({ method: "eth_getStorageAt", params: [alice, `0x${"0".repeat(65)}`, "latest"] });
    wrong({ method: "eth_estimateGas", params: [{}, hash] });
  });

  it("finds wrong members of nested objects", () => {
    wrong(call({ to: alice, value: "0x01" }));
    wrong(call({ to: alice, value: "0x" }));
    wrong(call({ to: alice, value: "1.5 eth" }));
    wrong(call({ to: alice, gas: `0x1${"0".repeat(16)}` }));
    wrong(call({ to: alice, gasPrice: "0x1", maxFeePerGas: "0x1" }));
    wrong(call({ to: alice }, { blockNumber: "0x1", blockHash: hash }));
    wrong(call({ to: alice }, {}));
    wrong(call({ to: alice, gas: 1.5 }));
    wrong(call({ to: alice, data: "0xabc" }));
    wrong(call({ to: alice, data: "0x", input: "0x" }));
    wrong(call({ to: alice, data: { function: 1 } }));
    wrong(call({ to: alice, gasLimit: "0x1" }));
    wrong(logs({ blockHash: hash, fromBlock: "0x1" }));
    wrong(logs({ event: "Transfer", topics: [] }));
    wrong(logs({ blockhash: hash }));
    wrong(logs({ topics: [null, null, null, null, null] }));
    wrong(simulate({ stateOverrides: { [alice]: { storage: {} } } }));
    wrong(simulate({ stateOverrides: { [alice]: { state: {}, stateDiff: {} } } }));
    wrong(simulate({ stateOverrides: { alice: {} } }));
    wrong(simulate({ transactions: [] }));
    wrong({ method: "eth_simulateV1", params: [{ blockStateCalls: Array(257).fill({}) }, "latest"] });
  });

  it("finds wrong members of cells and of the header", () => {
    wrong({ jsonrpc: "1.0", method: "eth_chainId" });
    wrong({ id: {}, method: "eth_chainId" });
    wrong({ method: "eth_chainId", snapshots: true });
    wrong({ method: "eth_chainId", within: "soon" });
    wrong({ method: "eth_chainId", expect: { result: { in: "0x1" } } });
    wrong({ params: [] });
    wrong({ cells: [{ markdown: 1 }] });
    wrong({ cells: ["eth_chainId"] });
    wrong({ cells: {} });
    wrong({ cells: [], chainId: "main" });
    wrong({ cells: [], labels: { alice } });
    wrong({ cells: [], colour: "red" });
    wrong("eth_chainId");
  });

  it("takes every request of the published tests that nodes answer", () => {
    for (const line of corpusLines("apis")) {
      const { method, params, error } = JSON.parse(line);
      if (methodNamed(method) && !error) right({ method, ...(params === null ? {} : { params }) });
    }
  });
});

describe("the schema of rpc-endpoints.json", () => {
  const { right, wrong } = checks(compile(endpointsSchema()));

  it("takes an address, or what is known about an endpoint", () =>
    right({
      $schema: "./node_modules/rpc-notebook/rpc-endpoints.schema.json",
      local: "http://127.0.0.1:8545",
      main: {
        url: "https://rpc.example/v1",
        ws: "wss://rpc.example",
        headers: { "x-client": "notebook" },
        chainId: "0x2105",
        preconfirmed: true,
        logRange: 2000,
        batch: 100,
        rate: 25,
        refuses: ["eth_getBlockReceipts"],
        explorer: "https://basescan.org",
      },
      secret: "{{$env.RPC_URL}}",
      keyed: { url: "https://rpc.example/{{$secret.KEY}}", ws: "{{$dotenv.WS_URL}}" },
      other: { url: "http://127.0.0.1:8546", chainId: 31337, logRange: "0x7cf", batch: false },
    }));

  it("finds what is wrong", () => {
    wrong({ main: { chainId: 1 } });
    wrong({ main: "rpc.example" });
    wrong({ main: "{{url}}" });
    wrong({ main: { url: "wss://rpc.example" } });
    wrong({ main: { url: "https://rpc.example", ws: "https://rpc.example" } });
    wrong({ main: { url: "https://rpc.example", urls: [] } });
    wrong({ main: { url: "https://rpc.example", logRange: -1 } });
    wrong({ main: { url: "https://rpc.example", headers: { a: 1 } } });
    wrong([]);
  });
});
