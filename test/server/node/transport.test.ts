import assert from "node:assert/strict";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { closeAfterTest } from "../../../scripts/lib/processEnd.mjs";
import type { HttpRequest, HttpResponse, TransportFault } from "../../../server/src/base/ports.ts";
import type { NetworkOptions } from "../../../server/src/node/connector.ts";
import type { NodeTransport } from "../../../server/src/node/transport.ts";
import { createTransport } from "../../../server/src/node/transport.ts";
import { closedPort, hostileServer, proxyServer, rawServer, selfSigned } from "../../support/hostileServer.ts";
import { pluck } from "../../support/pluck.ts";

let transport: NodeTransport;

function opened(settings: NetworkOptions = {}, environment: Record<string, string> = {}): NodeTransport {
  const made = createTransport(() => settings, environment);
  closeAfterTest(() => made.close());
  return made;
}

function ask(url: string, more: Partial<HttpRequest> = {}, signal = new AbortController().signal) {
  const usual = { headers: {}, body: '{"id":1}', timeoutMs: 60_000, maxBytes: 1_000_000, repeatable: true };
  return transport.post({ url, ...usual, ...more }, signal);
}

async function failed(answer: Promise<HttpResponse | TransportFault>): Promise<string> {
  const found = await answer;
  assert.equal(found.kind, "fault");
  return found.reason;
}

async function text(answer: Promise<HttpResponse | TransportFault>): Promise<string> {
  const found = await answer;
  assert.equal(found.kind, "response", found.kind === "fault" ? `${found.reason} ${found.detail}` : "");
  return found.body;
}

describe("the transport of Node", () => {
  beforeEach(() => {
    transport = opened();
  });

  it("posts JSON and returns status, headers and body", async () => {
    const server = await hostileServer((_seen, response) =>
      response.writeHead(503, { "Retry-After": "7" }).end('{"é":1}'),
    );
    const found = await ask(server.url);
    assert.ok(found.kind === "response");
    assert.deepEqual([found.status, found.headers["retry-after"], found.body, found.bytes], [503, "7", '{"é":1}', 8]);
    const [seen] = server.seen;
    assert.equal(
      `${seen?.method} ${seen?.path} ${seen?.body} ${seen?.headers["content-type"]}`,
      'POST / {"id":1} application/json',
    );
  });

  it("keeps the connection for the next request", async () => {
    const server = await hostileServer((_seen, response) => response.end("{}"));
    await text(ask(server.url));
    await text(ask(server.url));
    assert.deepEqual(pluck(server.seen, "connection"), [1, 1]);
  });

  it("sends credentials of the address as a header", async () => {
    const server = await hostileServer((_seen, response) => response.end("{}"));
    await text(ask(`http://us%40er:p%C3%A4ss@${server.host}/path?key=1`));
    const [seen] = server.seen;
    assert.equal(seen?.headers.authorization, `Basic ${Buffer.from("us@er:päss").toString("base64")}`);
    assert.equal(seen?.path, "/path?key=1");
  });

  it("replaces its own headers by those of the endpoint", async () => {
    const server = await hostileServer((_seen, response) => response.end("{}"));
    await text(ask(server.url, { headers: { "Content-Type": "application/json; v=2", "X-Key": "k" } }));
    assert.equal(server.seen[0]?.headers["content-type"], "application/json; v=2");
    assert.equal(server.seen[0]?.headers["x-key"], "k");
  });

  for (const [encoding, encode] of [
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["gzip, br", (body: string) => brotliCompressSync(gzipSync(body))],
  ] as const) {
    it(`decodes ${encoding} (${encode.name || "both"})`, async () => {
      const server = await hostileServer((_seen, response) =>
        response.setHeader("content-encoding", encoding).end(encode('{"a":"ä"}')),
      );
      assert.equal(await text(ask(server.url)), '{"a":"ä"}');
    });
  }

  it("accepts an empty body with a content encoding", async () => {
    const server = await hostileServer((_seen, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(),
    );
    assert.equal(await text(ask(server.url)), "");
  });

  describe("limits", () => {
    it("stop a large body while it streams", async () => {
      const block = Buffer.alloc(1 << 20, "a");
      let sent = 0;
      const server = await hostileServer((_seen, response) => {
        const more = (): void => {
          while (sent < 200 && !response.destroyed && response.write(block)) sent++;
          if (sent < 200 && !response.destroyed) response.once("drain", more);
        };
        more();
      });
      assert.equal(await failed(ask(server.url)), "too-large");
      assert.ok(sent < 100, `${sent} MB were read`);
    });

    it("stop a gzip bomb", async () => {
      const megabyte = gzipSync(Buffer.alloc(1 << 20));
      const bomb = Buffer.concat(Array.from({ length: 500 }, () => megabyte)); // members of one gzip file
      const server = await hostileServer((_seen, response) => response.setHeader("content-encoding", "gzip").end(bomb));
      const before = process.memoryUsage().rss;
      assert.equal(await failed(ask(server.url)), "too-large");
      assert.ok(process.memoryUsage().rss - before < 100 << 20);
    });

    it("accept a body of exactly the maximum", async () => {
      const server = await hostileServer((_seen, response) => response.end("12345"));
      assert.equal(await text(ask(server.url, { maxBytes: 5 })), "12345");
      assert.equal(await failed(ask(server.url, { maxBytes: 4 })), "too-large");
    });
  });

  describe("reports", () => {
    const cases: readonly (readonly [string, string, "end" | "reset" | "stay", string])[] = [
      ["a reset before the answer", "", "reset", "reset"],
      ["a close before the answer", "", "end", "reset"],
      ["a body shorter than it said", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", "end", "truncated"],
      ["a reset within the body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", "reset", "truncated"],
      ["chunks that break off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}", "end", "truncated"],
      ["invalid chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "stay", "truncated"],
      [
        "gzip that breaks off",
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n\u001f`,
        "end",
        "truncated",
      ],
      ["text that is not HTTP", "220 smtp.example ESMTP\r\n", "stay", "truncated"],
      ["endless headers", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(200_000)}`, "stay", "large-headers"],
    ];
    for (const [name, bytes, after, reason] of cases) {
      it(name, async () => {
        const server = await rawServer(bytes, after);
        assert.equal(await failed(ask(server.url)), reason);
      });
    }

    it("damaged compressed bytes", async () => {
      const server = await hostileServer((_seen, response) => response.setHeader("content-encoding", "gzip").end("{}"));
      assert.equal(await failed(ask(server.url)), "truncated");
    });

    it("a port where nothing listens", async () =>
      assert.equal(await failed(ask(`http://127.0.0.1:${await closedPort()}/`)), "refused"));
    it("a host that does not exist", async () => assert.equal(await failed(ask("http://nowhere.invalid/")), "dns"));
    it("an invalid address", async () => {
      assert.equal(await failed(ask("http://")), "unsendable");
      assert.equal(await failed(ask("ftp://127.0.0.1/")), "unsendable");
    });
    it("a header that HTTP does not allow", async () => {
      const server = await hostileServer((_seen, response) => response.end("{}"));
      assert.equal(await failed(ask(server.url, { headers: { "X-Key": "a\r\nb" } })), "unsendable");
      assert.equal(await failed(ask(server.url, { headers: { "bad name": "a" } })), "unsendable");
      assert.equal(server.seen.length, 0);
    });
    it("cancellation, before and during the exchange", async () => {
      const stop = new AbortController();
      const server = await hostileServer(() => stop.abort());
      assert.equal(await failed(ask(server.url, {}, stop.signal)), "cancelled");
      assert.equal(await failed(ask(server.url, {}, stop.signal)), "cancelled");
      assert.equal(server.seen.length, 1);
    });
    it("never an address, its path or its credentials", async () => {
      const secret = "s3cr3t";
      const reset = await rawServer("", "reset");
      for (const url of [
        `http://user:${secret}@127.0.0.1:${await closedPort()}/${secret}?key=${secret}`,
        `http://nowhere.invalid/${secret}`,
        `http://${reset.host}/${secret}`,
        `nonsense://${secret}`,
      ]) {
        assert.ok(!JSON.stringify(await ask(url, { headers: { [`${secret} x`]: secret } })).includes(secret), url);
      }
    });
  });

  describe("redirects", () => {
    it("are followed within the origin, as POST", async () => {
      const server = await hostileServer((seen, response) =>
        seen.path === "/"
          ? response.writeHead(308, { location: "/rpc?a=1" }).end()
          : response.end(`${seen.method} ${seen.path} ${seen.body}`),
      );
      assert.equal(await text(ask(server.url)), 'POST /rpc?a=1 {"id":1}');
    });
    it("are not followed to another origin, and the key stays here", async () => {
      const thief = await hostileServer((_seen, response) => response.end("{}"));
      const server = await hostileServer((_seen, response) =>
        response.writeHead(307, { location: `${thief.url}path` }).end(),
      );
      const found = await ask(server.url, { headers: { authorization: "Bearer key" } });
      assert.deepEqual(found, {
        kind: "fault",
        reason: "redirect",
        detail: `HTTP 307, to another origin: http://${thief.host}`,
        status: 307,
        sent: true,
      });
      assert.equal(thief.seen.length, 0);
    });
    it("that change the method are not followed", async () => {
      const server = await hostileServer((_seen, response) => response.writeHead(302, { location: "/" }).end());
      assert.equal(await failed(ask(server.url)), "redirect");
      assert.equal(server.seen.length, 1);
    });
    it("end after five", async () => {
      const server = await hostileServer((_seen, response) => response.writeHead(307, { location: "/again" }).end());
      assert.equal(await failed(ask(server.url)), "redirect");
      assert.equal(server.seen.length, 6);
    });
  });

  describe("TLS", () => {
    const pair = selfSigned();
    it("refuses a self-signed certificate, unless the settings allow it", async () => {
      assert.ok(pair, "openssl is needed for this test");
      const server = await hostileServer((_seen, response) => response.end("{}"), pair);
      const found = await ask(server.url);
      assert.deepEqual(found, { kind: "fault", reason: "tls", detail: "its certificate is self-signed", sent: false });
      const loose = opened({ strictSSL: false });
      const answer = await loose.post(
        { url: server.url, headers: {}, body: "{}", timeoutMs: 60_000, maxBytes: 10 },
        new AbortController().signal,
      );
      assert.equal(answer.kind, "response");
    });
    it("ends a handshake at the timeout", async () => {
      const silent = await rawServer("", "stay");
      assert.equal(await failed(ask(silent.url.replace("http:", "https:"), { timeoutMs: 50 })), "timeout");
    });
    it("reports a server without it", async () => {
      const server = await hostileServer((_seen, response) => response.end("{}"));
      assert.equal(await failed(ask(server.url.replace("http:", "https:"))), "tls");
    });
  });

  describe("proxies", () => {
    const pair = selfSigned();
    async function through(settings: NetworkOptions, environment: Record<string, string>, url: string) {
      return opened(settings, environment).post(
        { url, headers: {}, body: "{}", timeoutMs: 60_000, maxBytes: 100 },
        new AbortController().signal,
      );
    }
    it("pass on http", async () => {
      const server = await hostileServer((seen, response) => response.end(`through ${seen.path}`));
      const { host, asked } = await proxyServer();
      const found = await through({}, { http_proxy: `http://me:pw@${host}` }, `${server.url}key`);
      assert.equal(await text(Promise.resolve(found)), "through /key");
      assert.deepEqual(asked, [`POST ${server.url}key Basic ${Buffer.from("me:pw").toString("base64")}`]);
      assert.equal(server.seen[0]?.headers.host, server.host);
    });
    it("get a CONNECT for https, without the path", async () => {
      assert.ok(pair, "openssl is needed for this test");
      const server = await hostileServer((_seen, response) => response.end("through"), pair);
      const { url, asked } = await proxyServer();
      const found = await through({ strictSSL: false }, { HTTPS_PROXY: url }, `${server.url}key`);
      assert.equal(await text(Promise.resolve(found)), "through");
      assert.deepEqual(asked, [`CONNECT ${server.host}`]);
      assert.equal(await failed(through({}, { https_proxy: url }, server.url)), "tls");
    });
    it("get brackets around an IPv6 address", async () => {
      const { url, asked } = await proxyServer(403);
      assert.equal(await failed(through({ proxy: url }, {}, "https://[2001:db8::1]/")), "proxy");
      assert.deepEqual(asked, ["CONNECT [2001:db8::1]:443"]);
    });
    it("that refuse have their own fault", async () => {
      const { url } = await proxyServer(407);
      const want = { kind: "fault", reason: "proxy", detail: "the proxy answered HTTP 407", sent: false };
      assert.deepEqual(await through({ proxy: url }, {}, "http://node.invalid/"), want);
      assert.deepEqual(await through({ proxy: url }, {}, "https://node.invalid/"), want);
    });
    it("that do not answer, or are invalid, have it too", async () => {
      const dead = `http://127.0.0.1:${await closedPort()}`;
      for (const address of [dead, "socks5://127.0.0.1:1080", "http://"]) {
        assert.equal(await failed(through({ proxy: address }, {}, "http://node.invalid/")), "proxy");
      }
      assert.equal(await failed(through({ proxy: dead }, {}, "https://node.invalid/")), "proxy");
    });
  });
});
