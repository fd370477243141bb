import assert from "node:assert/strict";
import type { Message, RequestMessage } from "vscode-languageserver";
import { openGate } from "../../../server/src/lsp/gate.ts";

const request = (id: number, method = "textDocument/hover"): RequestMessage => ({ jsonrpc: "2.0", id, method });

/** A gate, a way to send messages to it, and the messages that it let through. */
function gateWithLog() {
  const gate = openGate();
  const passed: RequestMessage[] = [];
  const next = (message: Message): void => void passed.push(message as RequestMessage); // only requests are sent here
  const send = (message: Message): void | Promise<void> => gate.options.messageStrategy?.handleMessage(message, next);
  const ids = (): readonly unknown[] => passed.map(({ id }) => id);
  return { gate, passed, send, ids };
}

describe("the gate of a connection", () => {
  it("passes messages on at once while nothing is held", () => {
    const { send, ids } = gateWithLog();
    void send(request(1));
    assert.deepEqual(ids(), [1]);
  });

  for (const [end, loaded] of [
    ["is loaded", true],
    ["cannot be loaded", false],
  ] as const)
    it(`holds messages back until the server ${end}, then passes them on in their order`, async () => {
      const { gate, send, ids } = gateWithLog();
      let settle: () => void = () => {};
      gate.hold(
        new Promise<void>((resolve, reject) => {
          settle = () => (loaded ? resolve() : reject(new Error("no such file")));
        }),
      );
      const sent = [1, 2, 3].map((id) => send(request(id)));
      assert.deepEqual(ids(), []);
      settle();
      await Promise.all(sent);
      assert.deepEqual(ids(), [1, 2, 3]);
      void send(request(4));
      assert.deepEqual(ids(), [1, 2, 3, 4]);
    });

  it("renames requests that come after `shutdown`, so that they are refused under their own id", () => {
    const { send, passed } = gateWithLog();
    for (const message of [request(1, "shutdown"), request(2)]) void send(message);
    assert.deepEqual(
      passed.map(({ id, method }) => [id, method]),
      [
        [1, "shutdown"],
        [2, "rpcNotebook/lateRequest"],
      ],
    );
  });
});
