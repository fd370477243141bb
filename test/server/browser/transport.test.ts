import assert from "node:assert/strict";
import type { HttpRequest } from "../../../server/src/base/ports.ts";
import { createTransport } from "../../../server/src/browser/transport.ts";
import {
  closedPort,
  type HostileServer,
  hostileServer,
  type Misbehaviour,
  rawServer,
} from "../../support/hostileServer.ts";

const open: HostileServer[] = [];

async function serve(misbehave: Misbehaviour): Promise<HostileServer> {
  const server = await hostileServer(misbehave);
  open.push(server);
  return server;
}

async function ask(
  url: string,
  more: Partial<HttpRequest> = {},
  signal = new AbortController().signal,
): Promise<string> {
  const request = { url, headers: {}, body: "{}", timeoutMs: 60_000, maxBytes: 1000, ...more };
  const found = await createTransport().post(request, signal);
  assert.ok(!JSON.stringify(found).includes("s3cr3t"));
  return found.kind === "fault" ? found.reason : `${found.status} ${found.body} ${found.bytes}`;
}

describe("the transport of browsers", () => {
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  it("posts, with credentials of the address as a header", async () => {
    const server = await serve((_seen, response) => response.writeHead(404).end('"ä"'));
    assert.equal(await ask(`http://me:s3cr3t%20%C3%A4@${server.host}/x`, { headers: { "X-Key": "k" } }), '404 "ä" 4');
    const [seen] = server.seen;
    assert.equal(seen?.headers.authorization, `Basic ${Buffer.from("me:s3cr3t ä").toString("base64")}`);
    assert.equal(
      `${seen?.method} ${seen?.path} ${seen?.headers["content-type"]} ${seen?.headers["x-key"]}`,
      "POST /x application/json k",
    );
  });
  it("follows no redirects", async () => {
    const server = await serve((_seen, response) => response.writeHead(307, { location: "/again" }).end());
    assert.equal(await ask(server.url), "cors");
    assert.equal(server.seen.length, 1);
  });
  it("limits size and time", async () => {
    const large = await serve((_seen, response) => response.end("x".repeat(1001)));
    assert.equal(await ask(large.url), "too-large");
    const silent = await serve((_seen, response) => response.write(" "));
    assert.equal(await ask(silent.url, { timeoutMs: 50 }), "timeout");
  });
  it("distinguishes an incomplete answer from none", async () => {
    const cut = await rawServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "end");
    open.push(cut);
    assert.equal(await ask(cut.url), "truncated");
    assert.equal(await ask(`http://127.0.0.1:${await closedPort()}/s3cr3t`), "cors");
  });
  it("sends no invalid and no cancelled request", async () => {
    const server = await serve((_seen, response) => response.end("{}"));
    assert.equal(await ask(server.url, { headers: { "bad name": "s3cr3t" } }), "unsendable");
    assert.equal(await ask("s3cr3t"), "unsendable");
    const stop = new AbortController();
    stop.abort();
    assert.equal(await ask(server.url, {}, stop.signal), "cancelled");
    assert.equal(server.seen.length, 0);
  });
});
