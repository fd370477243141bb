import assert from "node:assert/strict";
import { runText } from "../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";

const empty = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const contract = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const zero = `0x${"0".repeat(64)}`;
const one = `0x${"0".repeat(63)}1`;

describe("a slot that is read", () => {
  let server: HostileServer;
  const asked: string[] = [];
  before(async () => {
    server = await hostileServer(
      answering((method, params) => {
        asked.push(`${method} ${params}`);
        if (method === "eth_coinbase") return empty;
        if (method === "eth_getStorageAt") return String(params).includes("0x1") ? one : zero;
        return String(params).startsWith(empty) ? "0x" : "0x60";
      }),
    );
  });
  beforeEach(() => void asked.splice(0));

  const read = async (...params: readonly string[]): Promise<string> => {
    const cells = [{ method: "eth_getStorageAt", params }];
    const { cells: results } = await runText(JSON.stringify({ cells }), { endpoint: server.url });
    return results[0]?.output.text ?? "";
  };

  it("says that there is no contract, by the code at the same block", async () => {
    assert.match(await read(empty, "0x0", "0x5"), /0: no contract at this address/);
    assert.deepEqual(
      asked.filter((text) => text.startsWith("eth_getCode")),
      [`eth_getCode ${empty},0x5`],
    );
  });

  it("is zero where there is one", async () => assert.match(await read(contract, "0x0", "latest"), /never set/));

  it("is not asked about if it has a value", async () => {
    await read(empty, "0x1", "latest");
    assert.deepEqual(
      asked.filter((text) => text.startsWith("eth_getCode")),
      [],
    );
  });
});

describe("an address in a result", () => {
  it("has the name of a variable, and of a label before that", async () => {
    const server = await hostileServer(answering(() => empty));
    const variables = { alice: empty };
    const cells = [{ method: "eth_coinbase" }];
    const shown = async (header: object): Promise<string> => {
      const run = await runText(JSON.stringify({ ...header, cells }), { endpoint: server.url });
      return run.cells[0]?.output.text ?? "";
    };
    assert.match(await shown({ variables }), /alice/);
    assert.match(await shown({ variables, labels: { [empty]: "the miner" } }), /the miner/);
    assert.doesNotMatch(await shown({ variables: { [`0x70${"0".repeat(38)}`]: empty } }), /0x7000/);
    await server.close();
  });
});
