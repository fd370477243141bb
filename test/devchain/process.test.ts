import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startDevchain } from "../../devchain/devchain.ts";
import { connect, post } from "./client.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Resolves when no process listens there any more. */
async function silence(host: string): Promise<void> {
  const { hostname, port } = new URL(`http://${host}`);
  for (;;) {
    const refused = await new Promise<boolean>((resolve) => {
      const socket = connectSocket(Number(port), hostname);
      socket.once("connect", () => resolve(false)).once("error", () => resolve(true));
      socket.once("connect", () => socket.destroy());
    });
    if (refused) return;
  }
}

function launch(...args: readonly string[]): { readonly child: ChildProcess; line(): Promise<string> } {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const { stdout } = child;
  if (!stdout) throw new Error("The child has a pipe.");
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  return { child, line: async () => String((await lines.next()).value) };
}

describe("the end of the embedded chain", () => {
  it("is complete after stop(), which may come again", async () => {
    const chain = await startDevchain({ sealEveryMs: 0, traffic: false });
    await assert.rejects(startDevchain({ port: Number(new URL(chain.url).port) }), { name: "PortTakenError" });
    await Promise.all([chain.stop(), chain.stop()]);
    await chain.stop();
    assert.throws(() => process.kill(chain.pid, 0), { code: "ESRCH" });
    await assert.rejects(post(chain.url, "{}"));
    await assert.rejects(chain.rpc("eth_chainId"));
  });

  it("comes at once by killNode(): connections break, new ones are refused", async () => {
    const chain = await startDevchain({ sealEveryMs: 0, traffic: false });
    const client = await connect(chain.wsUrl);
    await client.ask("eth_subscribe", ["newHeads"]);
    const waiting = post(chain.url, '{"jsonrpc":"2.0","id":1,"method":"anvil_mine","params":["0x2710"]}');
    const broken = assert.rejects(waiting);
    await chain.killNode();
    await broken;
    await client.closed;
    await assert.rejects(post(chain.url, "{}"), (fault: Error) =>
      /ECONNREFUSED/.test(String((fault.cause as Error).message)),
    );
    assert.throws(() => process.kill(chain.pid, 0), { code: "ESRCH" });
    await chain.stop();
  });

  it("comes with the node's own", async () => {
    const chain = await startDevchain({ sealEveryMs: 0, traffic: false });
    const client = await connect(chain.wsUrl);
    process.kill(chain.pid, "SIGKILL");
    await client.closed;
    await silence(new URL(chain.url).host);
    await chain.stop();
  });

  it("comes when the process that started it is killed", async () => {
    const script = `
      import { startAnvil } from "./devchain/anvil.ts";
      const { host } = await startAnvil({ genesisTime: 1700000000 });
      console.log(host);
    `;
    const { child, line } = launch("--import", "tsx", "--input-type=module", "--eval", script);
    const host = await line();
    child.kill("SIGKILL");
    await silence(host);
  });
});

describe("npm run devchain", () => {
  it("starts the kind of chain that is asked for, says where it is, and ends on SIGINT", async () => {
    const { child, line } = launch("scripts/devchain.mjs", "--port", "0", "--kind", "native", "--no-traffic");
    assert.match(await line(), /^Chain 31337 is running: a block every 200 ms, no pre-confirmed state\./);
    let url: string | undefined;
    while (url === undefined) url = /HTTP +(http:\S+)/.exec(await line())?.[1];
    const { text } = await post(url, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');
    assert.equal(text, '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}');
    child.kill("SIGINT");
    assert.deepEqual(await once(child, "exit"), [0, null]);
    await silence(new URL(url).host);
  });

  it("explains wrong use", async () => {
    const child = spawn(process.execPath, ["scripts/devchain.mjs", "--kind", "fast"], { cwd: root });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    assert.equal((await once(child, "close"))[0], 2);
    assert.match(said, /^--kind takes preconfirmed, native or ordinary, not "fast"\.\n\nUsage: npm run devchain/);
  });
});
