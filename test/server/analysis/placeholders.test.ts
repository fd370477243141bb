import type { JsonValue } from "../../../server/src/base/json.ts";
import { type Around, expectProblems as expect } from "../../support/cell.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const logs = `{ "name": "logs", "method": "eth_getLogs", "params": [{ "address": "${address}" }] }`;

describe("paths of placeholders", () => {
  it("may lead to whatever the result's type has", () =>
    expect(
      `{ "method": "eth_getBalance", "params": ["{{logs.result[0].address}}", "{{logs.result[3].blockNumber}}"] }`,
      { cells: [logs] },
    ));

  it("begin with result, decoded or error", () =>
    expect(
      `
{ "method": "eth_getBalance", "params": ["{{logs.resul}}", "{{logs.data}}"] }
                                                 ^^^^^ bad-path: Paths start with \`result\`, \`decoded\` or \`error\`, but \`resul\` does not. Did you mean \`result\`?
                                                                   ^^^^ bad-path: Paths start with \`result\`, \`decoded\` or \`error\`, but \`data\` does not.
`,
      { cells: [logs] },
    ));

  it("say what of an outcome they want", () =>
    expect(
      `
{ "method": "eth_getBalance", "params": ["{{logs}}", "latest"] }
                                          ^^^^^^^^ bad-path: \`logs\` is the whole outcome of a cell: name a part of it. Did you mean \`logs.result\`?
`,
      { cells: [logs] },
    ));

  it("cannot go where the result's type has nothing", () =>
    expect(
      `
{ "method": "eth_getBalance", "params": ["{{logs.result.address}}", "{{logs.result[0].blockNumbr}}", "{{logs.result[0].data.x}}"] }
                                                        ^^^^^^^ unknown-path: \`logs.result\` is a list, which has no \`address\`.
                                                                                      ^^^^^^^^^^ unknown-path: \`logs.result[0]\` is an object, which has no \`blockNumbr\`. Did you mean \`blockNumber\`?
                                                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ extra-param
                                                                                                                            ^ unknown-path: \`logs.result[0].data\` is bytes, which has no \`x\`.
`,
      { cells: [logs] },
    ));

  it("cannot go where nothing is decoded", () => {
    const transfers = `{ "name": "moved", "method": "eth_getLogs", "params": [{ "event": "Transfer(address indexed from, address indexed to, uint256 value)" }] }`;
    const data = `{ "function": "getReserves() returns (uint112 reserve0, (address a, bool b)[] list)" }`;
    const pair = `{ "name": "pair", "method": "eth_call", "params": [{ "data": ${data} }] }`;
    expect(
      `
{ "method": "x_y", "params": ["{{moved.decoded.args}}", "{{moved.decoded[0].arg.to}}", "{{moved.decoded[0].args.fro}}", "{{moved.decoded[0].name.x}}"] }
            ^^^^^ unknown-method
                                               ^^^^ unknown-path: \`moved.decoded\` is a list, which has no \`args\`.
                                                                            ^^^ unknown-path: \`moved.decoded[0]\` is an object, which has no \`arg\`. Did you mean \`args\`?
                                                                                                                ^^^ unknown-path: \`moved.decoded[0].args\` is an object, which has no \`fro\`. Did you mean \`from\`?
                                                                                                                                                 ^ unknown-path: \`moved.decoded[0].name\` is a single value, which has no \`x\`.
`,
      { cells: [transfers] },
    );
    expect(
      `
{ "method": "x_y", "params": ["{{pair.decoded[2]}}", "{{pair.decoded.reserve0}}", "{{pair.decoded[1][5].c}}", "{{pair.error.decoded.arg}}"] }
            ^^^^^ unknown-method
                                              ^ unknown-path: \`pair.decoded\` is a list, which has no \`2\`.
                                                                     ^^^^^^^^ unknown-path: \`pair.decoded\` is a list, which has no \`reserve0\`.
                                                                                                        ^ unknown-path: \`pair.decoded[1][5]\` is an object, which has no \`c\`.
                                                                                                                                    ^^^ unknown-path: \`pair.error.decoded\` is an object, which has no \`arg\`. Did you mean \`args\`?
`,
      { cells: [pair] },
    );
  });

  it("may lead to what only the answer tells", () => {
    const cells = [
      `{ "name": "logs", "method": "eth_getLogs", "params": [{ "address": "${address}" }] }`,
      `{ "name": "moved", "method": "eth_getLogs", "params": [{ "event": "Transfer(address indexed from, address indexed to, uint256 value)" }] }`,
      `{ "name": "call", "method": "eth_call", "params": [{ "data": "0x12345678" }] }`,
      `{ "name": "all", "method": "eth_call", "params": [{ "data": { "function": "f(bytes[]) returns (bytes[])" } }] }`,
      `{ "name": "tx", "method": "eth_getTransactionByHash" }`,
    ];
    const paths = [
      ...["logs.decoded[3].args.anything", "moved.decoded[0].args.tokenId", "call.decoded[2].x", "all.decoded[0][1]"],
      ...["all.decoded[0][1].values[0].x", "tx.decoded.input.args.to", "tx.decoded.input.calls[0].args.x"],
      ...["call.error.decoded.args.needed", "call.error.data.x", "call.error.reason"],
    ];
    for (const path of paths)
      expect(`{ "method": "x_y", "params": ["{{${path}}}"] }\n            ^^^^^ unknown-method`, { cells });
  });

  it("may lead to what chains add to blocks, receipts and logs", () =>
    expect(`{ "method": "eth_getBalance", "params": ["{{logs.result[0].l1Origin.hash}}", "latest"] }`, {
      cells: [logs],
    }));

  it("look into a batch as into lists", () =>
    expect(
      `
{ "method": "eth_getBlockReceipts", "params": ["{{both.result[1]}}"], "name": "x{{both}}" }
                                                                                ^^^^^^^^ unfilled-placeholder: \`{{both}}\` is not filled in \`name\`.
`,
      { cells: [`{ "name": "both", "batch": [{ "method": "eth_chainId" }, { "method": "eth_blockNumber" }] }`] },
    ));

  describe("and what came last", () => {
    const cells = [`{ "name": "x", "method": "x_unknown" }`];
    const came = (outcome: JsonValue): Around => ({
      cells,
      lastResult: () => ({ values: () => new Map([["x", outcome]]) }),
    });
    const use = (path: string): string => `{ "method": "x_other", "params": ["{{x.${path}}}"] }`;
    const unknown = "\n            ^^^^^^^^^ unknown-method: Unknown method `x_other`";

    it("say what is there where the catalogue does not", () =>
      expect(
        `${use("result.totel")}${unknown}
                                              ^^^^^ unknown-path: \`x.result\` is an object with total, which has no \`totel\`. Did you mean \`total\`?`,
        came({ result: { total: 1 } }),
      ));

    it("agree", () => expect(`${use("result.total")}${unknown}`, came({ result: { total: 1 } })));

    it("cannot tell how long a list is next time, nor what was null or failed", () => {
      for (const outcome of [{ result: [] }, { result: null }, { error: { code: 3 } }, {}]) {
        expect(`${use("result[3].total")}${unknown}`, came(outcome));
      }
    });

    it("win over the catalogue, which does not know every node", () =>
      expect(`{ "method": "eth_getBalance", "params": ["{{logs.result.address}}", "latest"] }`, {
        cells: [logs],
        lastResult: () => ({ values: () => new Map([["logs", { result: { address } }]]) }),
      }));
  });

  it("cannot look into a variable that is text", () =>
    expect(
      `
{ "method": "eth_getBalance", "params": ["{{alice.address}}", "{{bob.address}}"] }
                                                  ^^^^^^^ unknown-path: \`alice\` is a string, which has no \`address\`.
`,
      { header: `{ "variables": { "alice": "${address}", "bob": { "address": "${address}" } } }` },
    ));
});

describe("placeholders outside of params", () => {
  it("are not filled", () =>
    expect(
      `
{ "method": "{{m}}", "params": ["{{m}}"], "{{m}}": 1, "endpoint": "{{m}}", "expect": { "result": "{{m}}", "decoded": "{{{{m}}}}" } }
             ^^^^^ unfilled-placeholder: \`{{m}}\` is not filled in \`method\`.
                                          ^^^^^^^ unknown-member: Unknown member \`{{m}}\`
                                           ^^^^^ unfilled-placeholder
                                                                   ^^^^^ unfilled-placeholder
`,
      { header: `{ "variables": { "m": "x" } }` },
    ));

  it("are not filled in a header, nor in what surrounds a batch", () => {
    expect(
      `
{ "variables": { "a": "{{b}}", "b": ["{{$env.B}}"] } }
                       ^^^^^ unfilled-placeholder
                                      ^^^^^^^^^^ unfilled-placeholder
`,
      {},
      "header",
    );
    expect(`
{ "name": "{{x}}", "batch": [{ "method": "eth_chainId", "id": "{{y}}" }] }
           ^^^^^ unfilled-placeholder
                                                               ^^^^^ unfilled-placeholder
`);
    expect(`
[{ "method": "eth_chainId", "id": "{{y}}" }]
                                   ^^^^^ unfilled-placeholder
`);
  });
});
