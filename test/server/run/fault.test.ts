import assert from "node:assert/strict";
import type { Transport } from "../../../server/src/base/ports.ts";
import type { Settings } from "../../../server/src/protocol/settings.ts";
import { createService } from "../../../server/src/service/service.ts";
import { runText, testHost } from "../../support/host.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { answer, notify, socketServer } from "../../support/socketServer.ts";

const bug = new TypeError("a port never throws");
const uri = "file:///nowhere/a.rpc.json";

describe("a bug below a run", () => {
  const chain = sharedChain();

  it("reaches whoever waits for the run, instead of ending the process", async () => {
    const transport: Transport = {
      post: () => {
        throw bug;
      },
    };
    const text = `[{ "method": "eth_chainId" }, { "method": "eth_blockNumber" }]`;
    await assert.rejects(runText(text, { endpoint: "http://127.0.0.1:1", host: { transport } }), bug);
  });

  it("does the same beside a cell that assumes something, and what was answered before is shown", async () => {
    const { address: token } = chain.contracts.token;
    const params = [{ to: token, data: "0xc0ffee01" }, "latest"];
    const assume = { token: { [token]: { "0x00000000000000000000000000000000000e1117": "5" } } };
    const { transport } = testHost();
    const post: Transport["post"] = (request, signal) => {
      if (request.body.includes("c0ffee01")) throw bug; // its own message, with what reads the assumption back
      return transport.post(request, signal);
    };
    const service = createService(testHost({ transport: { post } }));
    service.openText(
      uri,
      JSON.stringify({ cells: [{ method: "eth_chainId" }, { method: "eth_call", params, assume }] }),
    );
    const shown: string[] = [];
    const events = {
      started: () => {},
      finished: ({ output }: { readonly output: { readonly text: string } }) => void shown.push(output.text),
    };
    await assert.rejects(service.run({ uri, endpoint: chain.url }, events, new AbortController().signal), bug);
    assert.equal(shown.length, 1);
    assert.match(shown[0] ?? "", /^✓ cell 1: eth_chainId: 31337/);
  });

  it("lets nothing more leave if it comes while the first cells are sent", async () => {
    const sockets = await socketServer((frame, socket) => {
      answer(socket, frame, "0xa");
      if (frame.method === "eth_subscribe") notify(socket, "0xa", "0xb");
    });
    let isBroken = false;
    const bodies: string[] = [];
    const settings: Settings = {
      get rpcNotebook() {
        if (isBroken) throw bug; // for `x_getAnything`: the catalogue does not say what it does
        return {
          endpoint: "http",
          readMethods: ["x_getAnything"],
          endpoints: { http: "http://127.0.0.1:1", ws: sockets.url },
        };
      },
    };
    const transport: Transport = {
      async post({ body }) {
        bodies.push(body);
        return { kind: "fault", reason: "refused", detail: "" };
      },
    };
    const service = createService(testHost({ settings, transport }));
    const cells = [
      { name: "rows", endpoint: "ws", method: "eth_subscribe", params: ["newHeads"] },
      { method: "x_getAnything" },
      { method: "eth_getBlockByHash", params: ["{{rows.result[0]}}", false] },
    ];
    service.openText(uri, JSON.stringify({ cells }));
    const started = (): void => {
      isBroken = true;
    };
    const params = { uri, stream: { rows: 1 } };
    let run: Promise<unknown> | undefined;
    const subscribed = new Promise((finished) => {
      run = service.run(params, { started, finished }, new AbortController().signal);
    });
    await assert.rejects(async () => run, bug);
    isBroken = false;
    await subscribed;
    await new Promise(setImmediate);
    assert.deepEqual(bodies, []);
  });
});
