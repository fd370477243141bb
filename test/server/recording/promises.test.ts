import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { openMask } from "../../../server/src/base/mask.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../../server/src/base/ports.ts";
import { clock } from "../../../server/src/node/environment.ts";
import {
  type RecordedExchange,
  type Recording,
  readRecording,
  recordingJson,
} from "../../../server/src/recording/recording.ts";
import { Replay } from "../../../server/src/recording/replay.ts";
import { packed, Replays } from "../../../server/src/recording/replays.ts";
import { createService } from "../../../server/src/service/service.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { runText, testHost } from "../../support/host.ts";
import { answering, hostileServer } from "../../support/hostileServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const never = new AbortController().signal;
const exchange = (
  endpoint: string,
  method: string,
  result: string,
  params: readonly string[] = [],
): RecordedExchange => ({
  endpoint,
  method,
  params,
  at: 0,
  tookMs: 1,
  reply: { kind: "answer", body: { text: JSON.stringify({ jsonrpc: "2.0", id: 1, result }) } },
});
const recording = (...exchanges: readonly RecordedExchange[]): Recording => {
  const names = [...new Set(exchanges.map(({ endpoint }) => endpoint))];
  const endpoints = Object.fromEntries(names.map((name) => [name, { site: `https://${name}.example` }]));
  return { startedAt: 1_700_000_000_000, tool: "test", endpoints, exchanges, streams: [] };
};
const offline: Transport = { post: () => assert.fail("nothing is sent") };
const included = (cells: readonly object[], data: Recording | string, header: object = {}): string =>
  JSON.stringify({
    ...header,
    recording: "included",
    cells,
    recordingData: typeof data === "string" ? data : packed(data),
  });

describe("a notebook with a recording", () => {
  const settings = { rpcNotebook: { endpoint: "main" } };
  const host = { transport: offline, sockets: undefined, settings, approvedHosts: ["http://127.0.0.1:8545 *"] };

  for (const [what, data] of [
    ["a recording", recording(exchange("main", "eth_chainId", "0x1"))],
    ["a damaged recording", "deflate:AAAA"],
    ["no recording", "nonsense"],
  ] as const)
    it(`sends nothing by an address in a cell or in the header, with ${what}`, async () => {
      const cell = { method: "eth_blockNumber", endpoint: "http://127.0.0.1:8545" };
      const { cells } = await runText(included([cell], data, { endpoint: "http://127.0.0.1:8545" }), { host });
      assert.equal(cells[0]?.ok, false);
    });

  it("asks an endpoint that a person names instead", async () => {
    const server = await hostileServer(answering(() => "0x5"));
    const text = included([{ method: "eth_chainId" }], recording(exchange("main", "eth_chainId", "0x1")));
    const { cells } = await runText(text, { endpoint: server.url });
    assert.match(cells[0]?.output.json ?? "", /0x5/);
  });

  it("lists the nodes that a person can pick in its place", async () => {
    const service = createService(
      testHost({ ...host, settings: { rpcNotebook: { endpoints: { main: "http://[::1]:1" } } } }),
    );
    const text = included([], recording(exchange("main", "eth_chainId", "0x1")), { endpoint: "main" });
    service.openText("file:///a.rpc.json", text);
    await service.settled("file:///a.rpc.json");
    const { endpoints, current } = await service.endpoints("file:///a.rpc.json");
    assert.match(current?.host ?? "", /^recorded /);
    assert.deepEqual(
      endpoints.map((one) => [one.name, one.host]),
      [
        ["main", "[::1]:1"],
        ["local", "127.0.0.1:8545"],
      ],
    );
  });

  it("opens nothing in a workspace that is not trusted", async () => {
    const service = createService(testHost({ ...host, trusted: false }));
    service.openText("file:///a.rpc.json", included([], recording(exchange("main", "eth_chainId", "0x1"))));
    await service.settled("file:///a.rpc.json");
    const { endpoints } = await service.endpoints("file:///a.rpc.json");
    assert.deepEqual(
      endpoints.filter(({ broken }) => broken === undefined),
      [],
    );
  });

  it("contains no more than can be opened quickly", () => {
    const opened = (spaces: number): unknown => {
      const text = `${JSON.stringify(recordingJson(recording(), false))}${" ".repeat(spaces)}`;
      return new Replays(clock, openMask()).open("a", `deflate:${deflateRawSync(text).toString("base64")}`);
    };
    assert.equal(typeof opened(1000), "object");
    assert.equal(opened(32_000_000), "the recording in this notebook is damaged");
  });
});

describe("an endpoint with a recording and another endpoint", () => {
  const body = (...methods: readonly string[]): string => {
    const all = methods.map((method, id) => ({ jsonrpc: "2.0", id, method, params: [] }));
    return JSON.stringify(all.length === 1 ? all[0] : all);
  };
  const post = async (
    text: string,
    mask = openMask(),
  ): Promise<{ asked: readonly string[]; answer: unknown; source: unknown }> => {
    const asked: string[] = [];
    const inner: Transport = {
      async post(request: HttpRequest): Promise<HttpResponse> {
        asked.push(request.body);
        const answers = [JSON.parse(request.body)].flat().map(({ id }) => ({ jsonrpc: "2.0", id, result: "live" }));
        return { kind: "response", status: 200, headers: {}, body: JSON.stringify(answers), bytes: 1 };
      },
    };
    const replays = new Replays(clock, mask);
    const { id } = replays.add(recording(exchange("main", "eth_chainId", "0x1")));
    const request = { url: "https://main.example", headers: {}, body: text, timeoutMs: 1, maxBytes: 1e6, replay: id };
    const reply = await replays.transport(inner).post(request, never);
    assert.ok(reply.kind === "response", "there is an answer");
    return { asked, answer: JSON.parse(reply.body), source: reply.source };
  };

  it("asks it only for the requests of a batch that were not recorded", async () => {
    const { asked, answer, source } = await post(body("eth_chainId", "eth_gasPrice"));
    assert.deepEqual(
      asked.map((one) => JSON.parse(one)),
      [[{ jsonrpc: "2.0", id: 1, method: "eth_gasPrice", params: [] }]],
    );
    assert.deepEqual(answer, [
      { jsonrpc: "2.0", id: 0, result: "0x1" },
      { jsonrpc: "2.0", id: 1, result: "live" },
    ]);
    assert.equal(source, "recorded 2023-11-14, else main.example");
  });

  it("asks it nothing if everything was recorded, also if a secret is a digit of the message", async () => {
    const mask = openMask();
    mask.add("0", "‹env ZERO›");
    for (const one of [body("eth_chainId"), body("eth_chainId", "eth_chainId")])
      assert.deepEqual((await post(one, mask)).asked, []);
  });
});

describe("a recording that is opened again", () => {
  it("is the one that is open", () => {
    const [replays, one] = [new Replays(clock, openMask()), recording(exchange("main", "eth_chainId", "0x1"))];
    assert.equal(replays.add(one), replays.add(one));
  });
});

describe("a recording of several endpoints", () => {
  const two = recording(exchange("one", "eth_chainId", "0x1"), exchange("two", "eth_chainId", "0x2"));
  const asked = (endpoint: string | undefined): string => {
    const request = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`;
    const reply = new Replay(two).answer(request, endpoint, { maxBytes: 1e6 });
    return reply.kind === "response" ? reply.body : "";
  };

  it("gives each endpoint its own answers, and nothing to others", () => {
    assert.match(asked("two"), /0x2/);
    assert.match(asked("three"), /Not in the recording/);
    assert.match(asked(undefined), /Not in the recording/);
  });
});

describe("files of recordings", () => {
  const folder = temporaryFolder();

  it("have the name of the notebook, whatever is in it", async () => {
    const server = await hostileServer(answering(() => "0x1"));
    const name = "package.json#100%?.rpc.json";
    writeFileSync(join(folder, "package.json"), "{}");
    const settings = { rpcNotebook: { endpoint: "x", endpoints: { x: server.url } } };
    const service = createService(testHost({ roots: [pathToFileURL(folder).href], settings }));
    const uri = pathToFileURL(join(folder, name)).href;
    service.openText(uri, `[{ "method": "eth_chainId" }]`);
    await service.run({ uri, record: true }, { started() {}, finished() {} }, never);
    const saved = await service.saveRecording(uri);
    assert.ok("note" in saved, JSON.stringify(saved));
    assert.equal(readFileSync(join(folder, "package.json"), "utf8"), "{}");
    assert.ok(existsSync(join(folder, "package.json#100%?.rpc.recording.json")), "it is beside the notebook");
  });

  it("are not written if two addresses have one name", async () => {
    const server = await hostileServer(answering(() => "0x1"));
    const cells = ["/one", "/two"].map((path) => ({ method: "eth_chainId", endpoint: server.url + path }));
    writeFileSync(join(folder, "mixed.rpc.json"), JSON.stringify({ cells }));
    const args = [
      "run",
      "mixed.rpc.json",
      "--allow-host",
      new URL(server.url).host,
      "--record",
      "m.rpc.recording.json",
    ];
    const { code, err } = await runCommand(args, folder);
    assert.equal(code, 1);
    assert.match(err, /m\.rpc\.recording\.json was not written: two addresses are called 127\.0\.0\.1/);
    assert.equal(existsSync(join(folder, "m.rpc.recording.json")), false);
  });

  it("lose statuses and headers that a server cannot send", () => {
    const read = (more: object): unknown => {
      const one = { endpoint: "a", method: "b", body: "x", status: 503, ...more };
      const got = readRecording(
        JSON.stringify({ version: 1, startedAt: "2026-01-01T00:00:00Z", endpoints: {}, exchanges: [one] }),
      );
      return "fault" in got ? got.fault : got.exchanges[0]?.reply;
    };
    const headers = { "retry-after": "1\r\nx: y", "set-cookie": "a", "content-type": "text/plain" };
    assert.deepEqual(read({ headers }), {
      kind: "http",
      status: 503,
      headers: { "content-type": "text/plain" },
      body: { text: "x" },
    });
    assert.equal(read({ status: 99_999 }), "Exchange 1 of the recording cannot be read.");
    assert.deepEqual(read({ body: undefined, status: undefined, fault: "cancelled" }), {
      kind: "fault",
      reason: "reset",
      detail: "cancelled",
    });
  });
});
