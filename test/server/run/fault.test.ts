import assert from "node:assert/strict";
import type { Transport } from "../../../server/src/base/ports.ts";
import { runText } from "../../support/host.ts";

describe("a bug below a run", () => {
  it("reaches whoever waits for the run, instead of ending the process", async () => {
    const transport: Transport = {
      post: () => {
        throw new TypeError("a transport never throws");
      },
    };
    const text = `[{ "method": "eth_chainId" }, { "method": "eth_blockNumber" }]`;
    await assert.rejects(runText(text, { endpoint: "http://127.0.0.1:1", host: { transport } }), TypeError);
  });
});
