import assert from "node:assert/strict";
import { type Around, preconfirmed } from "../../support/cell.ts";
import { accepted, check, checkStops, complete, completes, labels } from "../../support/complete.ts";
import { some } from "../../support/depth.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const deployer = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const header = JSON.stringify({ variables: { alice }, labels: { [deployer]: "deployer" } });
const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

describe("completion", () => {
  describe("of topics", () => {
    const filter = (topics: string): string => `{ "method": "eth_getLogs", "params": [{ "topics": [${topics}] }] }`;
    const own: Around = { header: `{ "abi": ["event Paid(address indexed by, bytes32 indexed memo)"] }` };

    it("finds events by name and writes topic 0", () => {
      completes("Transfer", filter(`"‹Trans|→${transfer}›"`));
      completes("Transfer", filter(`‹|→"${transfer}"›`));
      completes("Transfer", filter(`[null, "|‹→${transfer}›"]`));
    });
    it("offers those of the notebook first, with their declarations", () => {
      const [first] = complete(filter("|"), own);
      assert.deepEqual(
        [first?.label, first?.detail],
        ["Paid", "(address indexed by, bytes32 indexed memo) · the header"],
      );
      assert.match(first?.documentation?.() ?? "", /event Paid/);
    });
    it("offers those of the cell before those of the notebook", () =>
      assert.deepEqual(
        labels(
          `{ "method": "eth_getLogs", "abi": ["event Mine(uint256 a)"], "params": [{ "topics": ["|"] }] }`,
          own,
        ).slice(0, 2),
        ["Mine", "Paid"],
      ));
    it("writes addresses as words of 32 bytes behind it", () => {
      completes("alice", filter(`"${transfer}", "|‹→${word(alice)}›"`), { header });
      completes("deployer", filter(`null, null, |‹→"${word(deployer)}"›`), { header });
    });
    it("offers whatever stands there and lists of alternatives", () => {
      const found = labels(filter(`"${transfer}", |`));
      assert.ok(found.includes("null") && found.includes("[]"));
      completes("null", filter(`"${transfer}", |‹→null›`));
    });
    it("says what the event has there, and offers no address for what is none", () => {
      const around = { header: `${own.header?.slice(0, -1)}, "variables": { "alice": "${alice}" } }` };
      const hash = complete(filter("|"), around)[0]?.insert ?? "";
      const found = complete(filter(`${hash}, "|"`), around).find(({ label }) => label === "alice");
      assert.equal(found?.detail, "address by");
      assert.ok(!labels(filter(`${hash}, null, "|"`), around).includes("alice"));
    });
  });

  describe("of filters by event", () => {
    const filter = (members: string): string => `{ "method": "eth_getLogs", "params": [{ ${members} }] }`;

    it("knows the readable keys, until topics stand", () => {
      assert.ok(labels(filter("|")).includes("event"));
      assert.ok(!labels(filter(`"topics": [], |`)).includes("event"));
      assert.ok(!labels(filter(`"blockHash": "0x", |`)).includes("fromBlock"));
    });
    it("writes the event with its arguments to come", () =>
      checkStops(
        filter(`"event": |`),
        "Transfer",
        `"Transfer(address indexed from, address indexed to, uint256 value)", "args": { ‹› }`,
      ));
    it("leaves arguments alone that are there", () =>
      completes(
        "Approval",
        filter(
          `"event": "‹Appr|→Approval(address indexed owner, address indexed spender, uint256 value)›", "args": {}`,
        ),
      ));
    it("names the indexed arguments", () => {
      const event = `"event": "Transfer(address indexed from, address indexed to, uint256 value)"`;
      assert.deepEqual(labels(filter(`${event}, "args": { "|" }`)), ["from", "to"]);
      checkStops(filter(`${event}, "args": { | }`), "to", `"to": "‹{{alice}}›"`, { header });
      completes("{{alice}}", filter(`${event}, "args": { "to": ["|‹→{{alice}}›"] }`), { header });
      assert.deepEqual(labels(filter(`"event": "Transfer", "args": { "from": 1, "|" }`)), ["to"]);
    });
  });

  describe("of call data", () => {
    const call = (data: string): string => `{ "method": "eth_call", "params": [{ "to": "0x", "data": ${data} }] }`;

    it("finds functions by name and writes them with arguments by type", () => {
      checkStops(
        call("bal|"),
        "balanceOf",
        `{ "function": "balanceOf(address) returns (uint256)", "args": ["‹{{alice}}›"] }`,
        { header },
      );
      checkStops(
        call(`"transf|"`),
        "transfer",
        `{ "function": "transfer(address,uint256) returns (bool)", "args": ["‹0x${"0".repeat(40)}›", ‹0›] }`,
      );
    });
    it("leaves JSON behind for whatever a function takes", () => {
      const abi = `["function f((address a, uint8[2] b)[3] c, string s, bytes d, bytes4 e, bool g, int256[] h)"]`;
      checkStops(
        `{ "method": "eth_call", "abi": ${abi}, "params": [{ "data": | }] }`,
        "f",
        `{ "function": "f((address,uint8[2])[3],string,bytes,bytes4,bool,int256[])", "args": [[["‹{{alice}}›", [‹0›, ‹0›]], ["‹0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266›", [‹0›, ‹0›]], ["‹{{alice}}›", [‹0›, ‹0›]]], "‹›", "‹0x›", "‹0x00000000›", ‹true›, [‹›]] }`,
        { header },
      );
      for (const { label } of some(complete(call("|")), 20)) JSON.parse(accepted(call("|"), label));
    });
    it("offers the notebook's own first", () => {
      const found = complete(call("|"), { header: `{ "abi": ["function settle(uint256 id) returns (bool)"] }` });
      assert.deepEqual([found[0]?.label, found[0]?.detail], ["settle", "(uint256 id) returns (bool) · the header"]);
    });
    it("knows what is behind `function`, and brings arguments along", () =>
      completes(
        "balanceOf",
        call(`{ "function": "‹bal|"→balanceOf(address) returns (uint256)", "args": ["{{alice}}"]› }`),
        { header },
      ));
    it("knows the keys and required ones come first", () => {
      assert.deepEqual(labels(call(`{ "|" }`)), ["function", "args"]);
    });
    it("offers arguments by their types", () => {
      const args = (given: string): string =>
        call(`{ "function": "setApprovalForAll(address,bool)", "args": ${given} }`);
      completes("{{alice}}", args(`["|‹→{{alice}}›"]`), { header });
      completes("true", args(`["0x", |‹→true›]`));
      completes("[…]", args(`‹|→["{{alice}}", true]›`), { header });
      const nested = (given: string): string => call(`{ "function": "f((address,bool)[])", "args": ${given} }`);
      completes("false", nested(`[[["0x", |‹→false›]]]`));
      completes("[…]", nested(`[[|‹]]→["{{alice}}", true]]]›`), { header });
    });
    it("says nothing of arguments of what nobody knows", () =>
      assert.deepEqual(labels(call(`{ "function": "nobodyKnows", "args": [|] }`)), []));
    it("finds more functions than a list holds by what is typed", () => {
      const many = Array.from({ length: 400 }, (_, index) => `function own${index}()`);
      const around = { header: JSON.stringify({ abi: many }) };
      assert.equal(complete(call("|"), around).length, 300);
      assert.ok(labels(call("balanceO|"), around).includes("balanceOf"));
    });
  });

  describe("of slots", () => {
    const read = (slot: string): string => `{ "method": "eth_getStorageAt", "params": ["0x", ${slot}] }`;

    it("offers those of proxies by name", () =>
      completes(
        "eip1967.proxy.implementation",
        read(`"‹impl|→0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc›"`),
      ));
    it("offers them as keys of overrides", () =>
      completes(
        "eip1967.proxy.admin",
        `{ "method": "eth_call", "params": [{ "to": "0x" }, "latest", { "0x12": { "stateDiff": { |‹→"0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103": "0x"› } } }] }`,
      ));
  });

  describe("of blocks", () => {
    const balance = (block: string): string => `{ "method": "eth_getBalance", "params": ["0x", ${block}] }`;

    it("offers pending first where the endpoint serves it", () => {
      assert.equal(labels(balance(`"|"`))[0], "latest");
      assert.equal(labels(balance(`"|"`), { endpoint: { cadence: preconfirmed } })[0], "pending");
      const from = `{ "method": "eth_getLogs", "params": [{ "fromBlock": "|" }] }`;
      assert.equal(labels(from, { endpoint: { cadence: preconfirmed } })[0], "latest");
    });
    it("counts back from a tag", () => checkStops(balance("|"), "latest - 100", `"latest - ‹100›"`));
  });

  describe("of nested objects", () => {
    const simulate = (payload: string): string => `{ "method": "eth_simulateV1", "params": [{ ${payload} }] }`;

    it("fills what is required", () => {
      checkStops(
        simulate("|"),
        "blockStateCalls",
        `"blockStateCalls": [{ "calls": [{ "from": "‹{{alice}}›", "to": "‹{{bob}}›", "data": ‹"0x"› }] }]`,
        { header: JSON.stringify({ variables: { alice, bob: deployer } }) },
      );
      checkStops(
        `{ "method": "eth_call", "params": [{ | }] }`,
        "accessList",
        `"accessList": [{ "address": "0x‹›", "storageKeys": [‹›] }]`,
      );
    });
    it("offers whole objects at any depth", () => {
      completes(
        "{…}",
        simulate(
          `"blockStateCalls": [{ "calls": [|‹→{ "from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "to": "0x4200000000000000000000000000000000000006", "data": "0x" }›] }]`,
        ),
      );
      completes(
        "{…}",
        `{ "method": "eth_call", "params": [{ "to": "0x" }, "latest", { "0x12": |‹→{ "balance": "0xde0b6b3a7640000" }› }] }`,
      );
    });
    it("offers nothing that cannot stand beside what is there", () => {
      const account = (members: string): string =>
        `{ "method": "eth_call", "params": [{}, "latest", { "0x12": { ${members} } }] }`;
      assert.ok(labels(account("|")).includes("state"));
      assert.ok(!labels(account(`"stateDiff": {}, |`)).includes("state"));
    });
  });

  describe("of members", () => {
    it("offers names that others refer to, and one after the method", () => {
      const cells = [
        `{ "method": "eth_getCode", "params": ["{{who.result}}"] }`,
        `{ "name": "balance", "method": "x" }`,
      ];
      const marked = `{ "name": "|", "method": "eth_getBalance" }`;
      assert.deepEqual(labels(marked, { cells }), ["who", "balance2"]);
      check(marked, "who", `{ "name": "who", "method": "eth_getBalance" }`, { cells });
    });
    it("offers variables that placeholders refer to and nothing has", () => {
      const cells = [`{ "name": "bal", "method": "eth_getBalance", "params": ["{{who}}", "{{when}}"] }`];
      assert.deepEqual(labels(`{ "variables": { "when": "latest", | } }`, { cells }, "header"), ["who"]);
      completes("who", `{ "variables": { |‹→"who": ""› } }`, { cells }, "header");
    });
    it("offers times to wait", () => completes('"10 s"', `{ "method": "eth_call", "within": "|‹→10 s›" }`));
    it("offers declarations for `abi`", () => {
      const event = "event Memo(address indexed caller, bytes32 indexed memo)";
      completes("Memo", `{ "method": "eth_call", "abi": ["|‹→${event}›"] }`);
      completes("Memo", `{ "abi": |‹→["${event}"]› }`, {}, "header");
    });
    it("offers the endpoint's chain first", () => {
      const around: Around = { endpoint: { chainId: 84532n } };
      assert.equal(labels(`{ "chainId": "|" }`, around, "header")[0], "Base Sepolia");
      completes("Base", `{ "chainId": |‹→"0x2105"› }`, {}, "header");
      completes("this endpoint", `{ "chainId": |‹→"0x75bcd15"› }`, { endpoint: { chainId: 123456789n } }, "header");
    });
    it("spells addresses out in the header, which has no placeholders", () =>
      completes("alice", `{ "variables": { "alice": "${alice}" }, "labels": { |‹→"${alice}": ""› } }`, {}, "header"));
    it("makes no placeholder of a name that can be none", () => {
      const around = { header: JSON.stringify({ variables: { "a b": alice, "}}": deployer } }) };
      const marked = `{ "method": "eth_getCode", "params": [|] }`;
      assert.deepEqual(labels(marked, around), ["a b", "}}"]);
      check(marked, "a b", `{ "method": "eth_getCode", "params": ["${alice}"] }`, around);
    });
  });
});
