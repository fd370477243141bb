import assert from "node:assert/strict";
import { runText } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";

describe("a log range that is met with silence", function () {
  this.timeout(30_000);

  /** Answers ranges of at most so many blocks. */
  async function read(most: number, isHeadServed = true): Promise<{ readonly asked: number; readonly text: string }> {
    let asked = 0;
    const server = await hostileServer(({ body }, response) => {
      const { id, method, params } = JSON.parse(body);
      const end = (result: unknown): unknown => response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      if (method === "eth_blockNumber" && isHeadServed) return end("0x1388");
      if (method !== "eth_getLogs") return isHeadServed ? end(null) : undefined;
      const [{ fromBlock, toBlock }] = params;
      const to = toBlock === "latest" ? 5000 : Number(toBlock);
      asked++;
      if (to - Number(fromBlock) + 1 <= most) end([]);
    });
    try {
      const settings = {
        rpcNotebook: { timeout: 1, endpoint: "x", endpoints: { x: { url: server.url, batch: false } } },
      };
      const cell = `[{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "latest" }] }]`;
      const { cells } = await runText(cell, { host: { settings } });
      return { asked, text: cells[0]?.output.text ?? "" };
    } finally {
      await server.close();
    }
  }

  it("is read in parts, as one that is refused is", async () => {
    const { asked, text } = await read(2000);
    assert.match(text, /✓ .*no logs[\s\S]*Read in 3 parts of up to 2,000 blocks/);
    assert.equal(asked, 4);
  });

  it("ends soon if parts are not answered either", async () => {
    const { asked, text } = await read(0);
    assert.match(text, /gave no complete answer within 1 s/);
    assert.equal(asked, 4);
  });

  it("is not repeated if the endpoint answers nothing", async () => {
    const { asked, text } = await read(0, false);
    assert.match(text, /gave no complete answer within 1 s/);
    assert.equal(asked, 1);
  });
});
