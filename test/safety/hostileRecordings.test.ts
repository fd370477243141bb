import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { WebSocket } from "ws";
import { type RecordingServer, serveReplay } from "../../server/src/node/recordingServer.ts";
import { readText } from "../../server/src/recording/recordedText.ts";
import { printRecording, type Recording, readRecording } from "../../server/src/recording/recording.ts";
import { Replay } from "../../server/src/recording/replay.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { thorough, times } from "../support/depth.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const name = "x.rpc.recording.json";
const recordingOf = (exchanges: Recording["exchanges"], more: Partial<Recording> = {}): Recording => ({
  startedAt: 0,
  tool: "test",
  endpoints: { local: { site: "http://localhost:1", chainId: "0x1" } },
  exchanges,
  streams: [],
  ...more,
});
const exchange = (method: string, text: string): Recording["exchanges"][number] => ({
  endpoint: "local",
  method,
  params: [],
  at: 0,
  tookMs: 1,
  reply: { kind: "answer", body: { text } },
});
const chainId = exchange("eth_chainId", `{"jsonrpc":"2.0","id":1,"result":"0x1"}`);
const small = recordingOf([chainId, exchange("eth_blockNumber", `{"id":2,"result":"0x10"}`)]);
const limits = { maxBytes: 1_000_000, mayRefuse: true } as const;
/** Characters that a terminal would act on: all control characters but line feeds. */
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Runs a cell on a recording. */
async function run(recording: string, cells: readonly object[], header: object = {}) {
  return runCommand(["run", "a.rpc.json", "--replay", name], folderWith(recording, { ...header, cells }));
}

function folderWith(recording: string, notebook: object): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), recording);
  writeFileSync(join(folder, "a.rpc.json"), JSON.stringify(notebook));
  return folder;
}

describe("a hostile recording", function () {
  this.timeout(300_000);

  it("is refused in a sentence when it was cut off, wherever", () => {
    const text = printRecording(small);
    for (let at = 0; at < text.trimEnd().length; at++) {
      const read = readRecording(text.slice(0, at));
      assert.match("fault" in read ? read.fault : "", /not JSON/, `cut at ${at}`);
    }
  });

  it("is read or refused, whatever one of its characters becomes", () =>
    fc.assert(
      fc.property(fc.nat(), fc.string({ maxLength: 3, unit: "binary" }), (place, other) => {
        const text = printRecording(small);
        const at = place % text.length;
        const read = readRecording(text.slice(0, at) + other + text.slice(at + 1));
        if ("fault" in read) return;
        const replay = new Replay(read);
        replay.answer(`{"id":1,"method":"eth_chainId"}`, "local", limits);
        replay.answer(`{"id":1,"method":"eth_blockNumber","params":[]}`, "other", limits);
      }),
      { numRuns: times(1000, 40) },
    ));

  it("answers nothing from a compressed text that is larger than it says, or damaged", () => {
    const size = times(200_000_000, 60_000_000);
    const bomb = deflateRawSync(Buffer.alloc(size)).toString("base64");
    const before = process.memoryUsage().rss;
    assert.equal(readText({ deflate: bomb, bytes: 10 }, 1_000_000), undefined);
    assert.equal(readText({ deflate: bomb, bytes: 10 }, 2 * size), undefined, "more than `bytes`");
    // of a smaller bomb, the garbage of the process makes the difference
    if (thorough) assert.ok(process.memoryUsage().rss - before < 0.75 * size, "the bomb was not unpacked");
    const fine = deflateRawSync("{}").toString("base64");
    assert.equal(readText({ deflate: fine, bytes: 2 }, 100), "{}");
    for (const deflate of ["", "!", fine.slice(0, -3), `${fine}AAAA`, bomb.slice(0, 1000)])
      assert.ok([undefined, "{}"].includes(readText({ deflate, bytes: 2 }, 100)), deflate.slice(0, 20));
  });

  it("does not end the run with a bomb, a deep answer or a huge number", async () => {
    const bomb = deflateRawSync(Buffer.alloc(times(300_000_000, 50_000_000), "a")).toString("base64");
    const answers = {
      eth_gasPrice: { deflate: bomb, bytes: 5 },
      eth_blockNumber: `{"id":1,"result":${"[".repeat(100_000)}`,
      eth_syncing: `{"id":1,"result":1e400000}`,
    };
    const exchanges = Object.entries(answers).map(([method, answer]) => {
      return { endpoint: "local", method, params: [], answer, at: -1, tookMs: 1e300 };
    });
    const text = JSON.stringify({ version: 1, startedAt: "2026-01-01T00:00:00Z", endpoints: {}, exchanges });
    const cells = Object.keys(answers).map((method) => ({ method }));
    const { code, out } = await run(text, cells);
    assert.equal(code, 1);
    assert.match(out, /cell 1: eth_gasPrice/);
    assert.match(out, /cell 3: eth_syncing/);
  });

  it("finds no answer under the names of Object", () => {
    for (const method of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const reply = new Replay(small).answer(`{"id":1,"method":"${method}","params":{"__proto__":[]}}`, method, limits);
      assert.match(reply?.kind === "response" ? reply.body : "", /Not in the recording/);
    }
    const own = `{"version":1,"startedAt":"2026-01-01T00:00:00Z","endpoints":{"__proto__":{"site":"x"}},"exchanges":[
      {"endpoint":"__proto__","method":"__proto__","params":{"__proto__":1},"answer":{"__proto__":{"a":1},"result":"0x1"}}]}`;
    const read = readRecording(own);
    assert.ok(!("fault" in read), "it is read");
    const reply = new Replay(read).answer(
      `{"id":1,"method":"__proto__","params":{"__proto__":1}}`,
      "__proto__",
      limits,
    );
    assert.match(reply?.kind === "response" ? reply.body : "", /"result":"0x1"/);
    assert.equal(({} as { readonly a?: unknown }).a, undefined);
  });

  it("sends nothing to a terminal but text", async () => {
    const evil = "\u001b[2J\u001b]0;x\u0007\u202e\u009b31m\r\n";
    const recording = recordingOf(
      [
        chainId,
        { ...exchange(`eth_${evil}`, "{}"), endpoint: evil },
        exchange("web3_clientVersion", `{"id":1,"result":${JSON.stringify(evil)}}`),
      ],
      { tool: evil, endpoints: { [evil]: { site: evil, client: evil, chainId: evil, head: evil } } },
    );
    const cells = [{ method: "web3_clientVersion" }, { method: "eth_gasPrice" }];
    const folder = folderWith(printRecording(recording), { cells });
    writeFileSync(join(folder, "b.rpc.recording.json"), printRecording(recordingOf([])));
    for (const args of [
      ["run", "a.rpc.json", "--replay", name],
      ["run", "--replay", name, "--compare", "b.rpc.recording.json"],
      ["run", "--replay", "b.rpc.recording.json", "--compare", name],
    ]) {
      const { out, err } = await runCommand(args, folder);
      assert.doesNotMatch(out + err, controls, args.join(" "));
    }
    const stop = new AbortController();
    let asked: Promise<unknown> | undefined;
    const { out, err } = await runCommand(["serve", name, "--port", "0"], folder, {
      signal: stop.signal,
      heard(text) {
        const [url = ""] = /http:\S+/.exec(text) ?? [];
        const body = JSON.stringify({ id: 1, method: evil });
        asked ??= fetch(url, { method: "POST", body }).finally(() => stop.abort());
      },
    });
    await asked;
    assert.doesNotMatch(out + err, controls, "serve");
  });

  it("is not run under a header for another chain", async () => {
    for (const method of ["eth_blockNumber", "eth_sendRawTransaction"]) {
      const { code, out } = await run(printRecording(small), [{ method }], { chainId: 8453 });
      assert.equal(code, 1);
      assert.match(out, /is chain 1, and the header says chain 8453/);
    }
    assert.equal((await run(printRecording(small), [{ method: "eth_blockNumber" }], { chainId: 1 })).code, 0);
  });
});

describe("a server of a recording", function () {
  this.timeout(300_000);
  let server: RecordingServer;
  before(async () => {
    server = await serveReplay(new Replay(small), 0);
  });
  after(() => server.close());
  const body = `{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}`;
  const answers = async (): Promise<void> => {
    const answer = await fetch(server.url, { method: "POST", body });
    assert.deepEqual(await answer.json(), { jsonrpc: "2.0", id: 7, result: "0x1" });
  };
  /** Sends bytes on a connection of its own and waits until it is over. */
  const send = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let came = "";
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.end(text, "latin1"));
      socket.on("data", (chunk) => {
        came += chunk;
      });
      socket.on("error", () => {});
      socket.once("close", () => resolve(came));
    });

  it("goes on after bytes that are not HTTP", async () => {
    const upgrade = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
    for (const bytes of [
      "",
      "\u0000\u0001\u0002",
      "\u0016\u0003\u0001\u0002\u0000",
      "POST / HTTP/9.9\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{}",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      `POST / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
      `POST / HTTP/1.1\r\nHost: x\r\nOrigin: ${"%".repeat(50)}\r\nContent-Length: 2\r\n\r\n{}`,
      `${upgrade}\r\n`,
      `${upgrade}Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 99\r\n\r\n`,
      `${upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n\u0081\u00ff\u00ff`,
    ])
      await send(bytes);
    await answers();
  });

  it("goes on after random bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await send(Buffer.from(bytes).toString("latin1"));
      }),
      { numRuns: times(100) },
    );
    await answers();
  });

  it("answers a flood of requests", async () => {
    const each = Array.from({ length: 50 }, async () => {
      for (let at = 0; at < times(100, 10); at++) await answers();
    });
    await Promise.all(each);
  });

  it("drops a flood of connections, and answers when they are gone", async () => {
    const port = Number(new URL(server.url).port);
    const count = times(1000, 300);
    const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
    let dropped = 0;
    await new Promise<void>((resolve) => {
      for (const socket of sockets) {
        socket.on("error", () => {});
        socket.once("close", () => ++dropped === count - 200 && resolve());
        socket.once("connect", () => socket.write("POST / HTTP/1.1\r\n")); // never finished, so it stays open
      }
    });
    for (const socket of sockets) socket.destroy();
    await eventually(answers);
  });

  it("goes on after WebSockets that flood, send garbage or close in the middle of an answer", async () => {
    const url = server.url.replace("http", "ws");
    const batch = `[${Array(1000).fill(body).join()}]`;
    const large = `[${Array(10_000).fill(body).join()}]`;
    const sockets = Array.from({ length: times(50, 8) }, () => new WebSocket(url));
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const [at, socket] of sockets.entries()) {
      socket.on("error", () => {});
      socket.once("open", () => {
        for (const text of ["nonsense", "[]", "{", body, batch, large, body]) socket.send(text);
        socket.send(Buffer.from([0xff, 0xfe]), { binary: true });
        if (at % 2 === 0) socket.terminate();
        else socket.close();
      });
    }
    await Promise.all(closed);
    await answers();
  });

  it("answers a batch of 10,000 on a WebSocket with one error", async () => {
    const socket = new WebSocket(server.url.replace("http", "ws"));
    const came = await new Promise<string>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("open", () => socket.send(`[${Array(10_000).fill(body).join()}]`));
      socket.once("message", (data) => resolve(String(data)));
    });
    socket.terminate();
    assert.match(came, /at most 1000/);
  });

  it("goes on after a batch that asks for a large answer a thousand times", async () => {
    const text = `{"id":1,"result":"${"ab".repeat(500_000)}"}`;
    const big = await serveReplay(new Replay(recordingOf([chainId, exchange("eth_getCode", text)])), 0);
    try {
      const batch = `[${Array(1000).fill(`{"id":1,"method":"eth_getCode","params":[]}`).join()}]`;
      await assert.rejects(fetch(big.url, { method: "POST", body: batch }));
      const socket = new WebSocket(big.url.replace("http", "ws"));
      await new Promise<void>((resolve, reject) => {
        socket.once("error", reject);
        socket.once("close", () => resolve());
        socket.once("open", () => socket.send(batch));
      });
      assert.equal((await fetch(big.url, { method: "POST", body })).status, 200);
    } finally {
      await big.close();
    }
  });

  it("says on the command line that a port is in use", async () => {
    const folder = folderWith(printRecording(small), {});
    const { code, err } = await runCommand(["serve", name, "--port", new URL(server.url).port], folder);
    assert.equal(code, 1);
    assert.match(err, /Port \d+ is in use/);
    assert.match(err, /--port 0/);
  });
});

/** Repeats until it succeeds: the server notices the end of a connection a little later. */
async function eventually(attempt: () => Promise<void>): Promise<void> {
  for (let left = 1000; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
