import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import type { RunResult } from "../../server/src/protocol/runs.ts";
import { type Trial, trials } from "../support/behaviours.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, type Ended, startCommandLine } from "../support/commandLine.ts";
import { some } from "../support/depth.ts";
import { fastClock } from "../support/fastClock.ts";
import { answering, type HostileServer, hostileServer, type TcpServer, tcpServer } from "../support/hostileServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const folder = temporaryFolder();
const file = join(folder, "a.rpc.json");
const text = '{"cells":[{"method":"eth_chainId","params":[]}]}';
const seconds = 0.5;

interface Made {
  readonly name: string;
  readonly endpoint: string;
  readonly proxy: string | undefined;
}

/** A server for each behaviour; one proxy for those of proxies, which distinguishes them by the requested host. */
async function make(): Promise<{ readonly all: readonly Made[]; readonly servers: readonly TcpServer[] }> {
  const behaviourOf = ({ behave }: Trial) =>
    tcpServer((socket) => void socket.once("data", (first) => behave(socket, first.toString())));
  const proxy = await tcpServer((socket) =>
    socket.once("data", (first) => {
      const [, number = ""] = /\bt(\d+)\.invalid/.exec(first.toString()) ?? [];
      trials[Number(number)]?.behave(socket, first.toString());
    }),
  );
  const servers = [proxy];
  const all: Made[] = [];
  for (const [at, trial] of trials.entries()) {
    const [scheme = "", proxied] = trial.place.split(" ").reverse();
    if (proxied !== undefined)
      all.push({ name: trial.name, endpoint: `${scheme}://t${at}.invalid/`, proxy: proxy.url });
    else {
      const server = await behaviourOf(trial);
      servers.push(server);
      all.push({ name: trial.name, endpoint: `${scheme}://${server.host}/`, proxy: undefined });
    }
  }
  return { all, servers };
}

async function eachAtOnce<Item>(items: readonly Item[], width: number, work: (item: Item) => Promise<void>) {
  const rest = [...items];
  const next = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, next));
}

describe(`${trials.length} behaviours of servers and proxies`, function () {
  this.timeout(180_000);
  let made: Awaited<ReturnType<typeof make>>;
  let healthy: HostileServer;
  before(async () => {
    buildCommandLine();
    writeFileSync(file, text);
    made = await make();
    healthy = await hostileServer(answering(() => "0x1"));
  });
  after(() => Promise.all([healthy.close(), ...made.servers.map((server) => server.close())]));

  const argsFor = (endpoint: string) => ["run", file, "--endpoint", endpoint, "--timeout", String(seconds)];
  const variablesFor = (proxy: string | undefined) => ({
    no_proxy: "",
    ...(proxy !== undefined && { all_proxy: proxy }),
  });
  const fault = ({ code, out, err }: Ended): string | undefined => {
    const says = /✗ cell 1: eth_chainId: \S(?:.*\n)+ {2}→ \S.*\.\n/.test(out) && !/bug in rpc-notebook/.test(err);
    return code === 1 && says ? undefined : `${code} ${out} ${err}`;
  };

  it("end every run with code 1 and a sentence", async () => {
    const wrong: string[] = [];
    await eachAtOnce(some(made.all, 12), 30, async ({ name, endpoint, proxy }) => {
      const ended = await runCommand(argsFor(endpoint), folder, {
        variables: variablesFor(proxy),
        clock: fastClock(5),
      });
      const what = fault(ended);
      if (what !== undefined) wrong.push(`${name}: ${what}`);
    });
    assert.deepEqual(wrong, []);
  });

  it("end a process, whatever is still open: one of each place and scheme", async () => {
    const wrong: string[] = [];
    const sample = made.all.filter((_, at) => trials.findIndex(({ place }) => place === trials[at]?.place) === at);
    await eachAtOnce(some(sample, 3), 2 * availableParallelism(), async ({ name, endpoint, proxy }) => {
      const { child, ended } = startCommandLine(argsFor(endpoint), folder, variablesFor(proxy));
      const guard = setTimeout(() => child.kill("SIGKILL"), 120_000);
      const what = fault(await ended);
      clearTimeout(guard);
      if (what !== undefined) wrong.push(`${name}: ${what}`);
    });
    assert.ok(sample.length > 3);
    assert.deepEqual(wrong, []);
  });

  it("leave a language server that answers a healthy endpoint", async () => {
    const chosen = some([...made.all.entries()], 12);
    const endpoints = Object.fromEntries(chosen.map(([at, { endpoint }]) => [`t${at}`, endpoint]));
    const proxy = made.all.find((one) => one.proxy !== undefined)?.proxy ?? "";
    const { child, ended } = startCommandLine(["lsp"], folder, { all_proxy: proxy, no_proxy: "127.0.0.1" });
    assert.ok(child.stdout && child.stdin);
    const streams = [new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin)] as const;
    const connection = createMessageConnection(...streams);
    connection.listen();
    const settings = (timeout: number) => ({
      rpcNotebook: { endpoints: { ...endpoints, healthy: healthy.url }, timeout },
    });
    await connection.sendRequest("initialize", {
      processId: null,
      rootUri: null,
      capabilities: {},
      initializationOptions: { settings: settings(seconds) },
    });
    await connection.sendNotification("initialized", {});
    const textDocument = { uri: "file:///w/a.rpc.json", languageId: "rpc-notebook", version: 1, text };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    const run = (endpoint: string): Promise<RunResult> =>
      connection.sendRequest("rpcNotebook/run", { runId: endpoint, uri: textDocument.uri, endpoint });
    const wrong: string[] = [];
    await eachAtOnce(chosen, 30, async ([at, { name }]) => {
      const { failed } = await run(`t${at}`);
      if (failed !== 1) wrong.push(`${name}: ${failed}`);
    });
    await connection.sendNotification("workspace/didChangeConfiguration", { settings: settings(60) });
    assert.deepEqual([wrong, (await run("healthy")).ok], [[], 1]);
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    assert.equal((await ended).code, 0);
    connection.dispose();
  });
});
