import assert from "node:assert/strict";
import { check } from "../../../server/src/analysis/check.ts";
import { message } from "../../../server/src/analysis/message.ts";
import { severity } from "../../../server/src/analysis/severity.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { expectProblems as expect, local, scopeOf } from "../../support/cell.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("check", () => {
  describe("a request", () => {
    it("finds nothing in one that is right", () =>
      expect(`{ "jsonrpc": "2.0", "id": 1, "method": "eth_getBalance", "params": ["${address}", "pending"] }`));

    it("finds a method that does not exist", () =>
      expect(`
{ "method": "eth_getBalanc" }
            ^^^^^^^^^^^^^^^ unknown-method: Unknown method \`eth_getBalanc\`. Did you mean \`eth_getBalance\`?
`));

    it("takes a method of one node's own for what it is", () =>
      expect(`
{ "method": "zks_getLogs", "params": [1, {}] }
            ^^^^^^^^^^^^^ unknown-method: Unknown method \`zks_getLogs\`. Its parameters are not checked, and a run asks before sending it.
`));

    it("says that a run asks before it sends what writes", () =>
      expect(`
{ "method": "wallet_sendCalls", "params": [] }
            ^^^^^^^^^^^^^^^^^^ unknown-method: Unknown method \`wallet_sendCalls\`. Its parameters are not checked, and a run asks before sending it.
`));

    it("takes only a slip of a finger for a mistake in a method's name", () => {
      const severities = ["eth_getBalanc", "eth_getEverything", "debug_somethingOfMine"].flatMap((method) =>
        found(`{ "method": "${method}" }`),
      );
      assert.deepEqual(severities, [
        "error unknown-method",
        "information unknown-method",
        "information unknown-method",
      ]);
    });

    it("needs a method", () => {
      expect(`
{ "params": [] }
^ missing-method: Expected a method
`);
      expect(`
{ "method": " ", "params": [] }
            ^^^ missing-method: Expected a method
`);
    });

    it("takes the case and the namespace of a method for what they are", () => {
      for (const name of ["eth_getbalance", "ETH_GETBALANCE", "getBalance", "eth.getBalance"]) {
        expect(`
{ "method": "${name}" }
            ${"^".repeat(name.length + 2)} unknown-method: Unknown method \`${name}\`. Did you mean \`eth_getBalance\`?
`);
      }
    });

    it("shows a space that nobody sees", () =>
      expect(`
{ "method": "eth_chainId " }
            ^^^^^^^^^^^^^^ unknown-method: Unknown method \`"eth_chainId "\`. Did you mean \`eth_chainId\`?
`));

    it("knows its members", () =>
      expect(`
{ "method": "eth_chainId", "parms": [], "id": {}, "jsonrpc": "1.0", "snapshot": 1 }
                           ^^^^^^^ unknown-member: Unknown member \`parms\`, which is not sent. Did you mean \`params\`?
                                              ^^ wrong-type: Expected a number, a string or \`null\`, not an object.
                                                             ^^^^^ wrong-type: Expected \`"2.0"\`, not \`"1.0"\`.
                                                                                ^ wrong-type: Expected \`true\` or \`false\`
`));

    it("sees a key that is there twice", () =>
      expect(`
{ "method": "eth_chainId", "method": "eth_blockNumber" }
                           ^^^^^^^^ duplicate-key: \`method\` appears twice. Remove one: nodes differ in which one they use.
`));

    it("sees one in another case, for nodes in Go take both for the same", () =>
      expect(`
{ "method": "eth_call", "params": [{ "to": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "TO": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "latest"] }
                                                                                         ^^^^ duplicate-key: \`TO\` appears twice. Remove one: nodes differ in which one they use.
                                                                                         ^^^^ unknown-field: Unknown field \`TO\`: some nodes refuse it, others ignore it. Did you mean \`to\`?
`));

    it("sees it also where nothing else is known of what stands there", () => {
      for (const method of ["trace_callMany", "my_method"])
        assert.ok(
          codes(`{ "method": "${method}", "params": [[[{ "a": 1, "a": 2 }, []]], "latest"] }`).includes(
            "duplicate-key",
          ),
        );
    });

    it("says nothing is missing while it is being typed", () =>
      assert.deepEqual(
        new Set(codes(`{ "method": "eth_getBalance", "params": ["${address}`)),
        new Set(["json-syntax"]),
      ));

    it("checks every request of a batch", () =>
      expect(`
{ "batch": [{ "method": "eth_chainId" }, { "params": [] }, 3], "endpont": "x" }
                                         ^ missing-method: Expected a method
                                                           ^ wrong-type: Expected a request, not a number.
                                                               ^^^^^^^^^ unknown-member: Unknown member \`endpont\`
`));
  });

  describe("parameters", () => {
    it("go by position", () =>
      expect(`
{ "method": "eth_getBalance", "params": { "address": "0x" } }
                                        ^ named-params: \`eth_getBalance\` takes its parameters by position. Write an array.
`));

    it("can be too few", () =>
      expect(`
{ "method": "eth_getStorageAt", "params": ["${address}"] }
                                                                                       ^ missing-param: \`eth_getStorageAt\` needs \`position\` at position 1.
                                                                                       ^ missing-block: \`eth_getStorageAt\` without a block reads \`latest\`.
`));

    it("can be too many", () =>
      expect(`
{ "method": "eth_chainId", "params": [1, 2] }
                                      ^^^^ extra-param: \`eth_chainId\` takes 0 parameters. Nodes refuse more.
`));

    it("can be too many in a way that some nodes pass over", () =>
      assert.deepEqual(found(`{ "method": "eth_chainId", "params": [null] }`), ["warning extra-param"]));

    it("stand in the wrong order where one of them would do in either place", () => {
      expect(`
{ "method": "eth_getStorageAt", "params": ["${address}", "latest", "0x0"] }
                                                                                         ^^^^^^^^^^^^^^^ swapped-params: Wrong order: \`eth_getStorageAt\` takes \`position\` before \`block\`.
`);
      const filled = { header: `{ "variables": { "x": "0x0" } }` };
      assert.deepEqual(codes(`{ "method": "eth_getBalance", "params": ["0x1", "{{x}}"] }`, filled), ["bad-hex"]);
    });

    it("leave the block out only with a warning", () => {
      const text = `{ "method": "eth_call", "params": [{ "to": "${address}" }] }`;
      assert.deepEqual(found(text), ["warning missing-block"]);
    });

    it("are not looked at inside a placeholder", () =>
      expect(`{ "method": "eth_getBalance", "params": ["{{alice}}", "{{block}}"] }`, {
        header: `{ "variables": { "alice": "${address}", "block": "latest" } }`,
      }));
  });

  describe("values", () => {
    const balanceAt = (block: string): string => `{ "method": "eth_getBalance", "params": ["${address}", ${block}] }`;
    const call = (members: string): string =>
      `{ "method": "eth_call", "params": [{ "to": "${address}", ${members} }, "latest"] }`;

    for (const block of [
      '"latest"',
      '"0x0"',
      '"0x1b4"',
      `"0x${"ab".repeat(32)}"`,
      '{ "blockNumber": "0x1" }',
      `{ "blockHash": "0x${"ab".repeat(32)}", "requireCanonical": true }`,
      "null",
    ]) {
      it(`takes ${block} for a block`, () => assert.deepEqual(codes(balanceAt(block)), []));
    }
    for (const [block, code, says] of [
      ["123", "decimal-number", /0x7b/],
      ['"latset"', "bad-block", /Did you mean `latest`\?/],
      ["false", "wrong-type", /a block, not a boolean/],
      ['"0x0a"', "bad-quantity", /no leading zeros. Write `"0xa"`/],
      ['"0x"', "bad-quantity", /Zero is `0x0`/],
      ['"-0x10"', "bad-quantity", /negative/],
      [`"0x${"ab".repeat(33)}"`, "bad-hex", /64 hexadecimal digits\), not 66/],
      ['"latest "', "bad-block", /`"latest "` is not a block: write a tag, a `0x` number or a 32-byte hash/],
      ["{}", "missing-field", /Missing `blockNumber` or `blockHash`/],
    ] as const) {
      it(`refuses ${block} for a block`, () => {
        const [problem, ...more] = problems(balanceAt(block));
        assert.deepEqual([problem?.code, more], [code, []]);
        assert.match(problem ? message(problem) : "", says);
      });
    }
    for (const [member, code, says] of [
      ['"value": 21000', "decimal-number", /0x5208/],
      ['"value": 123456789012345678901234567890', "decimal-number", /0x18ee90ff6c373e0ee4e3f0ad2/],
      [`"value": "0x1${"0".repeat(64)}"`, "bad-quantity", /256 bits/],
      ['"gas": "0x1ffffffffffffffff"', "bad-quantity", /64 bits/],
      ['"data": "0xabc"', "bad-hex", /there are 3/],
      ['"data": "0xzz"', "bad-hex", /hexadecimal digits/],
      ['"from": "0x742d35Cc6634C0532925a3b8D4C9dD0b4f3BaEa"', "bad-hex", /40 hexadecimal digits\), not 39/],
      ['"accessList": {}', "wrong-type", /Expected a list/],
    ] as const) {
      it(`refuses ${member}`, () => {
        const [problem, ...more] = problems(call(member));
        assert.deepEqual([problem?.code, more], [code, []]);
        assert.match(problem ? message(problem) : "", says);
      });
    }

    it("offers no hash for a block where none is taken", () =>
      expect(`
{ "method": "eth_getBlockByNumber", "params": ["newest", false] }
                                               ^^^^^^^^ bad-block: \`newest\` is not a block: write a tag or a \`0x\` number.
`));

    it("takes bytes without their prefix only with a warning", () =>
      assert.deepEqual(found(call(`"from": "${address.slice(2)}"`)), ["warning bad-hex"]));

    it("takes a storage slot with half a byte", () =>
      assert.deepEqual(codes(`{ "method": "eth_getStorageAt", "params": ["${address}", "0x0", "latest"] }`), []));
  });

  describe("objects", () => {
    it("have the fields that nodes know", () =>
      expect(`
{ "method": "eth_getLogs", "params": [{ "blockhash": null, "adress": "${address}" }] }
                                      ^ filter-without-criterion: This filter matches every log
                                        ^^^^^^^^^^^ unknown-field: Unknown field \`blockhash\`: some nodes refuse it, others ignore it. Did you mean \`blockHash\`?
                                                           ^^^^^^^^ unknown-field: Unknown field \`adress\`: some nodes refuse it, others ignore it. Did you mean \`address\`?
`));

    it("may have fields that exclude each other", () =>
      expect(`
{ "method": "eth_call", "params": [{ "to": "${address}", "gasPrice": "0x1", "maxFeePerGas": "0x2" }, "latest"] }
                                                                                                            ^^^^^^^^^^^^^^ exclusive-fields: \`gasPrice\` and \`maxFeePerGas\` cannot be used together.
`));

    it("may name the call data twice when both say the same", () => {
      const both = (input: string): string =>
        `{ "method": "eth_call", "params": [{ "to": "${address}", "data": "0x12", "input": "${input}" }, "latest"] }`;
      assert.deepEqual(codes(both("0x12")), []);
      assert.deepEqual(codes(both("0x34")), ["exclusive-fields"]);
    });

    it("may not name a field in two ways with two values", () =>
      assert.deepEqual(codes(simulation('"blockOverrides": { "time": "0x1", "timestamp": "0x2" }')), [
        "exclusive-fields",
      ]));

    it("may have lists that say nothing", () => {
      const logs = (filter: string): readonly string[] => codes(`{ "method": "eth_getLogs", "params": [${filter}] }`);
      assert.deepEqual(logs(`{ "address": [], "topics": [null, null] }`), ["filter-without-criterion"]);
      assert.deepEqual(logs(`{ "address": [], "topics": [null, "0x${"ab".repeat(32)}"] }`), []);
    });

    it("are checked at any depth", () => {
      assert.deepEqual(codes(simulation(`"stateOverrides": { "${address}": { "balance": "0x01" } }`)), [
        "bad-quantity",
      ]);
      assert.deepEqual(codes(simulation(`"stateOverrides": { "0x12": {} }`)), ["bad-hex"]);
      assert.deepEqual(codes(simulation(`"stateOverrides": { "${address}": { "storage": {} } }`)), ["unknown-field"]);
      assert.deepEqual(codes(simulation(`"stateOverrides": { "${address}": { "state": {}, "stateDiff": {} } }`)), [
        "exclusive-fields",
      ]);
    });

    it("need what is required", () =>
      assert.deepEqual(codes(`{ "method": "eth_simulateV1", "params": [{}, "latest"] }`), ["missing-field"]));

    it("may have a blockHash or a range", () => {
      const filter = `"blockHash": "0x${"ab".repeat(32)}", "fromBlock": "0x1"`;
      assert.deepEqual(codes(`{ "method": "eth_getLogs", "params": [{ ${filter} }] }`), ["exclusive-fields"]);
      assert.deepEqual(codes(`{ "method": "eth_getLogs", "params": [{ ${filter.replace('"0x1"', "null")} }] }`), []);
    });

    it("may hold lists of limited length", () =>
      expect(`
{ "method": "eth_getLogs", "params": [{ "fromBlock": "latest", "topics": [null, null, [], null, null] }] }
                                                               ^^^^^^^^ too-many-items: \`topics\` takes at most 4 items, but has 5.
`));

    it("may have keys that only the run knows", () =>
      expect(
        `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest", { "{{alice}}": { "nonce": "0x1" } }] }`,
        {
          header: `{ "variables": { "alice": "${address}" } }`,
        },
      ));
  });

  describe("log ranges", () => {
    const logs = (from: string, to: string): string =>
      `{ "method": "eth_getLogs", "params": [{ "fromBlock": "${from}", "toBlock": "${to}", "address": "${address}" }] }`;

    it("warns of a range over the limit that usually holds", () => {
      assert.deepEqual(codes(logs("0x0", "0x7cf")), []);
      assert.deepEqual(found(logs("0x0", "0x7d0")), ["warning log-range-over-limit"]);
      assert.deepEqual(found(logs("latest - 2000", "latest")), ["warning log-range-over-limit"]);
    });

    it("goes by the endpoint's limit", () =>
      expect(
        `
{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "0x3" }] }
                                                                       ^^^^^ log-range-over-limit: The range has 2 blocks, but \`local\` takes at most 1. A run splits it automatically.
`,
        { endpoint: { ...local, logRange: 1n, refuses: [] } },
      ));

    it("sees a range that runs backwards, also by tags", () => {
      expect(`
{ "method": "eth_getLogs", "params": [{ "fromBlock": "latest", "toBlock": "latest - 5" }] }
                                                     ^^^^^^^^ inverted-range: \`fromBlock\` is after \`toBlock\`. Nodes refuse such a range.
`);
      for (const [from, to] of [
        ["0x2", "0x1"],
        ["0x1", "earliest"],
        ["latest", "latest - 1"],
        ["safe - 2", "safe-3"],
      ] as const)
        assert.deepEqual(found(logs(from, to)), ["error inverted-range"]);
      for (const [from, to] of [
        ["latest", "earliest"],
        ["latest", "0x1"],
        ["latest - 5", "0x1"],
        ["pending", "finalized"],
      ] as const)
        assert.deepEqual(found(logs(from, to)), ["warning inverted-range"]);
      for (const [from, to] of [
        ["earliest", "pending"],
        ["latest", "latest"],
        ["0x1", "latest"],
        ["latest - 1999", "latest"],
        ["finalized", "latest - 5"],
        ["pending - 5", "latest"],
      ] as const)
        assert.deepEqual(found(logs(from, to)), []);
    });
  });

  describe("names and references", () => {
    it("have to be there", () =>
      expect(
        `
{ "method": "eth_getBalance", "params": ["{{alise}}", "{{first.result}}"] }
                                          ^^^^^^^^^ unresolved-placeholder: Unknown variable or cell \`alise\`. Did you mean \`alice\`?
`,
        {
          header: `{ "variables": { "alice": "${address}" } }`,
          cells: [`{ "name": "first", "method": "eth_blockNumber" }`],
        },
      ));

    it("leave the host's values to the run", () =>
      expect(`{ "method": "eth_getBalance", "params": ["{{$env.ALICE}}", "latest"] }`));

    it("are unique among cells and variables", () => {
      const cells = [`{ "name": "a", "method": "eth_chainId" }`];
      expect(
        `
{ "name": "a", "method": "eth_blockNumber" }
          ^^^ duplicate-name: The name \`a\` is already used by another cell.
`,
        { cells },
      );
      assert.deepEqual(codes(`{ "name": "b", "method": "eth_chainId" }`, { header: `{ "variables": { "b": 1 } }` }), [
        "duplicate-name",
      ]);
    });

    it("may not go round in a ring", () =>
      expect(
        `
{ "name": "c", "method": "eth_getBlockReceipts", "params": ["{{a.result}}"] }
                                                             ^^^^^^^^^^^^ reference-cycle: These refer to each other, so none can run first: \`c\` → \`a\` → \`b\` → \`c\`.
`,
        {
          cells: [
            `{ "name": "a", "method": "eth_getBlockReceipts", "params": ["{{b.result}}"] }`,
            `{ "name": "b", "method": "eth_getBlockReceipts", "params": ["{{c.result}}"] }`,
          ],
        },
      ));

    it("may not refer to their own cell", () =>
      assert.deepEqual(codes(`{ "name": "a", "method": "eth_getBlockReceipts", "params": ["{{a.result}}"] }`), [
        "reference-cycle",
      ]));
  });

  describe("endpoints", () => {
    it("are known, or are addresses", () => {
      expect(`
{ "method": "eth_chainId", "endpoint": "locl" }
                                       ^^^^^^ unknown-endpoint: Unknown endpoint \`locl\`. Did you mean \`local\`?
`);
      expect(`{ "method": "eth_chainId", "endpoint": "https://rpc.example" }`);
    });

    it("say nothing of cells that go elsewhere", () => {
      const endpoint = { ...local, logRange: 1n, refuses: ["eth_getBlockReceipts"] };
      const batch = `[{ "method": "eth_getBlockReceipts", "params": ["latest"] }]`;
      const own = `{ "batch": ${batch}, "endpoint": "https://rpc.example" }`;
      assert.deepEqual(codes(batch, { endpoint }), ["refused-method"]);
      assert.deepEqual(codes(own, { endpoint }), []);
      assert.deepEqual(codes(own.replace("https://rpc.example", "local"), { endpoint }), ["refused-method"]);
    });

    it("may refuse methods", () =>
      expect(
        `
{ "method": "eth_getBlockReceipts", "params": ["latest"] }
            ^^^^^^^^^^^^^^^^^^^^^^ refused-method: \`base\` refuses \`eth_getBlockReceipts\` (HTTP 403
`,
        { endpoint: { ...local, name: "base", logRange: undefined, refuses: ["eth_getBlockReceipts"] } },
      ));
  });

  describe("a header", () => {
    it("holds what it may hold", () =>
      expect(
        `
{ "endpoint": "nowhere", "chainId": "0x0a", "variables": [], "labels": { "0x12": 3 }, "varables": {} }
              ^^^^^^^^^ unknown-endpoint: Unknown endpoint \`nowhere\`.
                                    ^^^^^^ bad-quantity: Quantities have no leading zeros.
                                                         ^^ wrong-type: Expected an object of names and values, not a list.
                                                                         ^^^^^^ bad-hex: Expected an address
                                                                                 ^ wrong-type: Expected a string, not a number.
                                                                                      ^^^^^^^^^^ unknown-member: Unknown member \`varables\`
`,
        {},
        "header",
      ));
  });

  it("checks what a header says of tokens", () =>
    expect(
      `
{ "tokens": { "0x12": { "symbol": 5, "decimals": -1 }, "0x5FbDB2315678afecb367f032d93F642f64180aa3": { "decimal": 6 } } }
              ^^^^^^ bad-hex: Expected an address
                                  ^ wrong-type: Expected a string, not a number.
                                                 ^^ wrong-type: Expected a whole number from 0 to 255, not a number.
                                                                                                     ^^^^^^^^^^^^^^^^ missing-field: Missing \`symbol\`. An amount needs both \`symbol\` and \`decimals\`.
                                                                                                     ^^^^^^^^^^^^^^^^ missing-field: Missing \`decimals\`. An amount needs both \`symbol\` and \`decimals\`.
                                                                                                       ^^^^^^^^^ unknown-member: Unknown member \`decimal\`
`,
      {},
      "header",
    ));

  it("shows characters that nobody sees", () =>
    expect(`
{ "method": "eth_chainId", "name": "a\u202eb" }
                                     ^ bidi-character: Hidden character (U+202E).
`));

  it("finds nothing wrong with any example of the catalogue", () => {
    for (const { name, example } of bundledCatalog.methods) {
      const text = JSON.stringify({ method: name, params: example.params });
      const harmless = found(text).filter((one) => one !== "information signing-method");
      assert.deepEqual(harmless, [], name);
    }
  });

  it("answers for one of 5,000 cells without looking at the others again", () => {
    const cells = Array.from({ length: 5000 }, (_, at) =>
      readCell(
        `{ "name": "c${at}", "method": "eth_getBlockReceipts", "params": ["{{c${Math.max(0, at - 1)}.result}}"] }`,
      ),
    );
    const last = cells.at(-1) ?? assert.fail();
    const scope = { ...scopeOf(last), cells };
    check(last, scope);
    const rounds = Array.from({ length: 5 }, (_, round) => {
      const start = process.cpuUsage(); // what else the machine does is not counted
      for (const cell of cells.slice(-100 * (round + 1)).slice(0, 100)) assert.deepEqual(check(cell, scope), []);
      return process.cpuUsage(start).user / 1000;
    });
    assert.ok(Math.min(...rounds) < 100, "1 ms a cell");
  });

  it("reports text that nests too deep to be read, and whether it is JSON at all", () => {
    const deep = (closed: number): string =>
      `{ "method": "eth_chainId", "params": [${"[".repeat(600)}${"]".repeat(closed)}] }`;
    assert.deepEqual(found(deep(600)), ["error too-deep"]);
    assert.deepEqual(found(deep(599)), ["error too-deep"]);
  });
});

function problems(text: string, around?: Parameters<typeof scopeOf>[1]) {
  const cell = readCell(text);
  return check(cell, scopeOf(cell, around));
}

function codes(text: string, around?: Parameters<typeof scopeOf>[1]): readonly string[] {
  return problems(text, around).map(({ code }) => code);
}

function found(text: string): readonly string[] {
  return problems(text).map((problem) => `${severity(problem)} ${problem.code}`);
}

function simulation(block: string): string {
  return `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ ${block} }] }, "latest"] }`;
}
