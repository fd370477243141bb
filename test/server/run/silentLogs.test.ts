import assert from "node:assert/strict";
import type { HttpRequest, HttpResponse, TransportFault } from "../../../server/src/base/ports.ts";
import { runText } from "../../support/host.ts";

describe("a log range that is met with silence", () => {
  /** Answers ranges of at most so many blocks. */
  async function read(most: number, isHeadServed = true): Promise<{ readonly asked: number; readonly text: string }> {
    let asked = 0;
    const silence = { kind: "fault", reason: "timeout", detail: "", sent: true } as const;
    const post = async ({ body }: HttpRequest): Promise<HttpResponse | TransportFault> => {
      const { id, method, params } = JSON.parse(body);
      const end = (result: unknown): HttpResponse => {
        const text = JSON.stringify({ jsonrpc: "2.0", id, result });
        return { kind: "response", status: 200, headers: {}, body: text, bytes: text.length };
      };
      if (method === "eth_blockNumber" && isHeadServed) return end("0x1388");
      if (method !== "eth_getLogs") return isHeadServed ? end(null) : silence;
      const [{ fromBlock, toBlock }] = params;
      const to = toBlock === "latest" ? 5000 : Number(toBlock);
      asked++;
      return to - Number(fromBlock) + 1 <= most ? end([]) : silence;
    };
    const endpoints = { x: { url: "http://127.0.0.1:1", batch: false } };
    const settings = { rpcNotebook: { timeout: 1, endpoint: "x", endpoints } };
    const cell = `[{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "latest" }] }]`;
    const { cells } = await runText(cell, { host: { settings, transport: { post } } });
    return { asked, text: cells[0]?.output.text ?? "" };
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
