import assert from "node:assert/strict";
import { type Devchain, startDevchain } from "../../../devchain/devchain.ts";
import { countingProxy } from "../../support/countingProxy.ts";
import { person, runText, summaries } from "../../support/host.ts";
import { type HostileServer, hostileServer } from "../../support/hostileServer.ts";
import { pluck } from "../../support/pluck.ts";

const notebook = (header: string, ...cells: readonly string[]): string => `{${header}"cells":[${cells.join(",")}]}`;
const chainIdOf = (name: string): string => `{ "name": "${name}", "method": "eth_chainId" }`;

describe("a run that is cut short", () => {
  it("ends at once when it is cancelled, with an outcome for every cell", async () => {
    const endpoint: HostileServer = await hostileServer(({ body }, response) => {
      const { id, method } = JSON.parse(body);
      if (method === "eth_chainId") response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }));
      else controller.abort();
    });
    const controller = new AbortController();
    const done = await runText(
      notebook(
        "",
        chainIdOf("a"),
        `{ "name": "logs", "method": "eth_getLogs", "params": [{ "fromBlock": "{{a.result}}" }] }`,
        `{ "method": "eth_getCode", "params": ["{{logs.result[0].address}}", "latest"] }`,
      ),
      { endpoint: endpoint.url, signal: controller.signal },
    );
    assert.deepEqual(done.result, { ok: 1, failed: 2, cancelled: true });
    assert.deepEqual(pluck(done.cells, "cancelled"), [false, true, true]);
    assert.deepEqual(summaries(done).slice(1), ["✗ The request was cancelled.", "✗ not sent: The run was cancelled."]);
  });

  it("sends nothing when it is cancelled before", async () => {
    const endpoint = await hostileServer((_, response) => response.end());
    const text = notebook(`"chainId":"0x1",`, chainIdOf("a"), `{ "method": "eth_getLogs", "params": [{}] }`);
    const done = await runText(text, { endpoint: endpoint.url, signal: AbortSignal.abort() });
    assert.deepEqual([done.result.failed, endpoint.seen.length], [2, 0]);
  });

  it("ends with a clear outcome for each cell when the node is killed in the middle", async () => {
    const chain: Devchain = await startDevchain({ sealEveryMs: 0, traffic: false });
    const proxy = await countingProxy(
      chain.url,
      (body) => body.includes("eth_getLogs") && void chain.killNode() === undefined,
    );
    const kill = proxy.arrived("eth_getLogs").then(() => chain.ended);
    const direct = `"endpoint": "${chain.url}"`;
    const running = runText(
      notebook(
        "",
        `{ "name": "a", "method": "eth_blockNumber", ${direct} }`,
        `{ "name": "trigger", "method": "eth_getLogs", "params": [{ "fromBlock": "{{a.result}}" }], "endpoint": "${proxy.url}" }`,
        `{ "name": "mine", "method": "anvil_mine", "params": ["0x2710", "{{a.result}}"], ${direct} }`,
        `{ "method": "eth_getCode", "params": ["{{mine.result}}", "latest"], ${direct} }`,
      ),
      {
        host: {
          consent: person({ allowHost: async () => true, allowWrites: async () => true }),
          settings: { rpcNotebook: { timeout: 5 } },
        },
      },
    );
    const done = await running;
    await kill;
    const { host } = new URL(chain.url);
    assert.deepEqual(pluck(done.cells, "ok"), [true, false, false, false]);
    const [, , mine, last] = summaries(done);
    assert.ok(
      [`✗ anvil_mine may have been executed`, `✗ Nothing answers at ${host}`].some((text) => mine?.startsWith(text)),
      mine,
    );
    assert.equal(last, "✗ not sent: `mine` did not return what this cell refers to.");
    assert.throws(() => process.kill(chain.pid, 0), { code: "ESRCH" });
  });
});
