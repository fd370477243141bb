import type { JsonValue } from "../../../server/src/base/json.ts";
import { type Around, expectProblems as expect } from "../../support/cell.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const logs = `{ "name": "logs", "method": "eth_getLogs", "params": [{ "address": "${address}" }] }`;

describe("paths of placeholders", () => {
  it("say what of an outcome they want", () =>
    expect(`{ "method": "eth_getBalance", "params": ["‹bad-path logs.result→{{logs}}›", "latest"] }`, {
      cells: [logs],
    }));

  for (const marked of [
    // may lead to whatever the result's type has
    `{ "method": "eth_getBalance", "params": ["{{logs.result[0].address}}", "{{logs.result[3].blockNumber}}"] }`,
    // begin with result, decoded or error
    `{ "method": "eth_getBalance", "params": ["{{logs.‹bad-path result→resul›}}", "{{logs.‹bad-path→data›}}"] }`,
    // cannot go where the result's type has nothing
    `{ "method": "eth_getBalance", "params": ["{{logs.result.‹unknown-path logs.result→address›}}", "{{logs.result[0].‹unknown-path logs.result[0] blockNumber→blockNumbr›}}", ‹extra-param→"{{logs.result[0].data.‹unknown-path→x›}}"›] }`,
  ])
    it(marked, () => expect(marked, { cells: [logs] }));

  it("cannot go where nothing is decoded", () => {
    const transfers = `{ "name": "moved", "method": "eth_getLogs", "params": [{ "event": "Transfer(address indexed from, address indexed to, uint256 value)" }] }`;
    const data = `{ "function": "getReserves() returns (uint112 reserve0, (address a, bool b)[] list)" }`;
    const pair = `{ "name": "pair", "method": "eth_call", "params": [{ "data": ${data} }] }`;
    expect(
      `{ "method": ‹unknown-method→"x_y"›, "params": ["{{moved.decoded.‹unknown-path→args›}}", "{{moved.decoded[0].‹unknown-path args→arg›.to}}", "{{moved.decoded[0].args.‹unknown-path from→fro›}}", "{{moved.decoded[0].name.‹unknown-path→x›}}"] }`,
      { cells: [transfers] },
    );
    expect(
      `{ "method": ‹unknown-method→"x_y"›, "params": ["{{pair.decoded[‹unknown-path→2›]}}", "{{pair.decoded.‹unknown-path→reserve0›}}", "{{pair.decoded[1][5].‹unknown-path→c›}}", "{{pair.error.decoded.‹unknown-path args→arg›}}"] }`,
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
    for (const path of paths) expect(`{ "method": ‹unknown-method→"x_y"›, "params": ["{{${path}}}"] }`, { cells });
  });

  it("may lead to what chains add to blocks, receipts and logs", () =>
    expect(`{ "method": "eth_getBalance", "params": ["{{logs.result[0].l1Origin.hash}}", "latest"] }`, {
      cells: [logs],
    }));

  it("look into a batch as into lists", () =>
    expect(
      `{ "method": "eth_getBlockReceipts", "params": ["{{both.result[1]}}"], "name": "x‹unfilled-placeholder→{{both}}›" }`,
      { cells: [`{ "name": "both", "batch": [{ "method": "eth_chainId" }, { "method": "eth_blockNumber" }] }`] },
    ));

  describe("and what came last", () => {
    const cells = [`{ "name": "x", "method": "x_unknown" }`];
    const came = (outcome: JsonValue): Around => ({
      cells,
      lastResult: () => ({ values: () => new Map([["x", outcome]]) }),
    });
    const use = (path: string): string => `{ "method": ‹unknown-method→"x_other"›, "params": ["{{x.${path}}}"] }`;

    it("say what is there where the catalogue does not", () =>
      expect(use("result.‹unknown-path total→totel›"), came({ result: { total: 1 } })));

    it("agree", () => expect(use("result.total"), came({ result: { total: 1 } })));

    it("cannot tell how long a list is next time, nor what was null or failed", () => {
      for (const outcome of [{ result: [] }, { result: null }, { error: { code: 3 } }, {}]) {
        expect(use("result[3].total"), came(outcome));
      }
    });

    it("win over the catalogue, which does not know every node", () =>
      expect(`{ "method": "eth_getBalance", "params": ["{{logs.result.address}}", "latest"] }`, {
        cells: [logs],
        lastResult: () => ({ values: () => new Map([["logs", { result: { address } }]]) }),
      }));
  });

  it("cannot look into a variable that is text", () =>
    expect(`{ "method": "eth_getBalance", "params": ["{{alice.‹unknown-path→address›}}", "{{bob.block}}"] }`, {
      header: `{ "variables": { "alice": "${address}", "bob": { "block": "latest" } } }`,
    }));
});

describe("placeholders outside of params", () => {
  it("are not filled", () =>
    expect(
      `{ "method": "‹unfilled-placeholder method→{{m}}›", "params": ["{{m}}"], ‹unknown-member→"‹unfilled-placeholder→{{m}}›"›: 1, "endpoint": "‹unfilled-placeholder→{{m}}›", "expect": { "result": "{{m}}", "decoded": "{{{{m}}}}" } }`,
      { header: `{ "variables": { "m": "x" } }` },
    ));

  it("are not filled in a header, nor in what surrounds a batch", () => {
    expect(
      `{ "variables": { "a": "‹unfilled-placeholder→{{b}}›", "b": ["‹unfilled-placeholder→{{$env.B}}›"] } }`,
      {},
      "header",
    );
    expect(
      `{ "name": "‹unfilled-placeholder→{{x}}›", "batch": [{ "method": "eth_chainId", "id": "‹unfilled-placeholder→{{y}}›" }] }`,
    );
    expect(`[{ "method": "eth_chainId", "id": "‹unfilled-placeholder→{{y}}›" }]`);
  });
});
