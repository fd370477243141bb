import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { person, type Run, runText } from "../../support/host.ts";
import {
  closedPort,
  type HostileServer,
  hostileServer,
  type Misbehaviour,
  rawServer,
  type Seen,
  selfSigned,
} from "../../support/hostileServer.ts";
import { patientClock } from "../../support/patientClock.ts";

interface Asked {
  readonly id: number;
}

const asked = ({ body }: Seen): Asked | readonly Asked[] => JSON.parse(body);
const listed = (seen: Seen): readonly Asked[] => [asked(seen)].flat();
const result = ({ id }: Asked, value: unknown = "0x1"): object => ({ jsonrpc: "2.0", id, result: value });
const error = (id: number | null, code: number, message: string): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});
const json = (response: ServerResponse, body: unknown): void => void response.end(JSON.stringify(body));
const properly: Misbehaviour = (seen, response) => {
  const body = asked(seen);
  json(response, Array.isArray(body) ? body.map((one) => result(one)) : result(body as Asked));
};
/** Misbehaves the first `times`, then answers properly. */
function first(times: number, misbehave: Misbehaviour): () => Misbehaviour {
  return () => {
    let count = 0;
    return (seen, response, socket) => (count++ < times ? misbehave : properly)(seen, response, socket);
  };
}
const always =
  (misbehave: Misbehaviour): (() => Misbehaviour) =>
  () =>
    misbehave;
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ""): Misbehaviour =>
  (_seen, response) =>
    void response.writeHead(code, headers).end(body);

const megabyte = Buffer.alloc(1 << 20, " ");
const flood: Misbehaviour = (_seen, response) => {
  let left = 200;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left--;
      if (!response.write(megabyte)) return void response.once("drain", more);
    }
    if (!response.destroyed) response.end();
  };
  more();
};
const zipped = gzipSync(megabyte);
const bomb = Buffer.concat(Array.from({ length: 400 }, () => zipped));
const drip: Misbehaviour = (_seen, response) => {
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
};
const cut = (body: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length + 50}\r\n\r\n${body}`;
const soon = (): string => new Date(Date.now() + 2000).toUTCString();

/**
 * The outcomes of two cells that read and the number of requests for them, then the outcome of one that writes, which must
 * never be sent twice. An outcome is `ok` or the reason.
 */
type Case = readonly [
  name: string,
  make: (() => Misbehaviour) | { readonly raw: string; readonly after: "end" | "reset" | "stay" },
  reads: string,
  requests: number,
  write: string,
];

const cases: readonly Case[] = [
  ["answers properly", always(properly), "ok, ok", 1, "ok"],
  ["sends a byte at a time, without end", always(drip), "timeout, timeout", 1, "timeout"],
  ["says nothing", always(() => undefined), "timeout, timeout", 1, "timeout"],
  ["sends 200 MB", always(flood), "too-large, too-large", 3, "too-large"],
  [
    "sends a gzip bomb",
    always((_seen, response) => response.setHeader("content-encoding", "gzip").end(bomb)),
    "too-large, too-large",
    3,
    "too-large",
  ],
  [
    "is cut off in the middle",
    { raw: cut('[{"jsonrpc":"2.0","id":1,'), after: "end" },
    "truncated, truncated",
    1,
    "truncated",
  ],
  ["resets in the middle", { raw: cut('{"jsonrpc":"2.0"'), after: "reset" }, "truncated, truncated", 1, "truncated"],
  ["resets before it answers", { raw: "", after: "reset" }, "reset, reset", 4, "reset"],
  ["resets once", first(1, (_seen, _response, socket) => socket.resetAndDestroy()), "ok, ok", 2, "reset"],
  [
    "is not an HTTP server",
    { raw: "220 smtp.example ESMTP\r\n", after: "stay" },
    "truncated, truncated",
    1,
    "truncated",
  ],
  [
    "answers under wrong ids",
    always((seen, response) =>
      json(
        response,
        listed(seen).map(({ id }) => result({ id: id + 1000 })),
      ),
    ),
    "missing-in-batch, missing-in-batch",
    1,
    "wrong-id",
  ],
  [
    "turns ids into strings",
    always((seen, response) =>
      json(
        response,
        listed(seen).map(({ id }) => ({ ...result({ id }), id: String(id) })),
      ),
    ),
    "missing-in-batch, missing-in-batch",
    1,
    "wrong-id",
  ],
  [
    "answers everything twice, with different results",
    always((seen, response) =>
      json(
        response,
        listed(seen).flatMap((one) => [result(one, "0x1"), result(one, "0x2")]),
      ),
    ),
    "wrong-id, wrong-id",
    1,
    "wrong-id",
  ],
  [
    "answers everything twice, with the same result",
    always((seen, response) =>
      json(
        response,
        listed(seen).flatMap((one) => [result(one), result(one)]),
      ),
    ),
    "ok, ok",
    1,
    "ok",
  ],
  [
    "leaves members out",
    always((seen, response) =>
      json(
        response,
        listed(seen)
          .slice(0, 1)
          .map((one) => result(one)),
      ),
    ),
    "ok, missing-in-batch",
    1,
    "ok",
  ],
  [
    "fails one member",
    always((seen, response) =>
      json(
        response,
        listed(seen).map((one, at) => (at === 0 ? error(one.id, -32602, "invalid argument") : result(one))),
      ),
    ),
    "bad-params, ok",
    1,
    "bad-params",
  ],
  [
    "sends a list for an object",
    always((seen, response) =>
      json(
        response,
        listed(seen).map((one) => result(one)),
      ),
    ),
    "ok, ok",
    1,
    "ok",
  ],
  [
    "refuses a batch with one object",
    always((seen, response) =>
      Array.isArray(asked(seen))
        ? json(response, error(null, -32600, "Invalid Request"))
        : properly(seen, response, response.req.socket),
    ),
    "ok, ok",
    3,
    "ok",
  ],
  [
    "refuses batches with an error message",
    always((seen, response) =>
      Array.isArray(asked(seen))
        ? json(response, error(null, -32005, "Batch requests are not supported by this server"))
        : properly(seen, response, response.req.socket),
    ),
    "ok, ok",
    3,
    "ok",
  ],
  [
    "sends an empty list",
    always((_seen, response) => json(response, [])),
    "not-json-rpc, not-json-rpc",
    2,
    "not-json-rpc",
  ],
  [
    "sends a web page",
    always(status(200, { "content-type": "text/html" }, "<html><title>Hi</title></html>")),
    "not-json, not-json",
    2,
    "not-json",
  ],
  ["sends nothing with 200", always(status(200)), "not-json, not-json", 2, "not-json"],
  [
    "nests too deeply",
    always(status(200, {}, "[".repeat(100_000) + "]".repeat(100_000))),
    "not-json, not-json",
    2,
    "not-json",
  ],
  ["answers 429 with seconds, once", first(1, status(429, { "retry-after": "2" })), "ok, ok", 2, "rate-limit"],
  [
    "answers 429 with a date, once",
    first(1, (seen, response, socket) => status(429, { "retry-after": soon() })(seen, response, socket)),
    "ok, ok",
    2,
    "rate-limit",
  ],
  [
    "answers 429 and asks for an hour",
    always(status(429, { "retry-after": "3600" })),
    "rate-limit, rate-limit",
    1,
    "rate-limit",
  ],
  ["always answers 429", always(status(429)), "rate-limit, rate-limit", 4, "rate-limit"],
  [
    "limits the rate with HTTP 200",
    first(1, (seen, response) =>
      json(
        response,
        listed(seen).map(({ id }) => error(id, -32016, "over rate limit")),
      ),
    ),
    "ok, ok",
    2,
    "rate-limit",
  ],
  ["answers 403", always(status(403, {}, "Forbidden")), "not-allowed, not-allowed", 1, "not-allowed"],
  ["answers 401", always(status(401)), "unauthorized, unauthorized", 1, "unauthorized"],
  ["answers 413", always(status(413)), "too-large, too-large", 3, "too-large"],
  ["always answers 500", always(status(500)), "internal, internal", 2, "internal"],
  ["answers 503 twice", first(2, status(503)), "ok, ok", 3, "internal"],
  ["always answers 502", always(status(502, {}, "<h1>Bad gateway</h1>")), "internal, internal", 4, "internal"],
  ["answers 504", always(status(504)), "timeout, timeout", 1, "timeout"],
  [
    "redirects to another origin",
    always(status(307, { location: "http://127.0.0.2:9/" })),
    "redirect, redirect",
    1,
    "redirect",
  ],
  ["redirects in a circle", always(status(307, { location: "/" })), "redirect, redirect", 6, "redirect"],
];

const reading = `[{ "method": "eth_gasPrice" }, { "method": "eth_gasPrice" }]`;
const writing = `[{ "method": "eth_sendRawTransaction", "params": ["0x01"] }]`;

/** @param timeout - Seconds. */
async function run(url: string, text: string, timeout = 0.25): Promise<Run> {
  return runText(text, {
    endpoint: url,
    host: {
      clock: patientClock(),
      settings: { rpcNotebook: { timeout, maxResponseSize: 2, tokenLookup: false } },
      consent: person({ allowHost: async () => true, allowWrites: async () => true }),
    },
  });
}

/** Returns `ok` or the reason for each cell, and checks that each failure says what happened and what to do. */
function outcomes({ cells }: Run): string {
  return cells
    .map((cell) => {
      const [answer] = cell.answers() as readonly { readonly error?: { readonly reason: string } }[];
      if (!answer?.error) return "ok";
      assert.match(cell.output.text, /\.\n\s+→ [A-Z].*\./, "a sentence of what happened, and one of what to do");
      return answer.error.reason;
    })
    .join(", ");
}

describe("an endpoint that", () => {
  const open: HostileServer[] = [];
  afterEach(async () => void (await Promise.all(open.splice(0).map((each) => each.close()))));

  for (const [name, make, reads, requests, write] of cases) {
    it(name, async () => {
      const servers = await Promise.all(
        [0, 1].map(() => (typeof make === "function" ? hostileServer(make()) : rawServer(make.raw, make.after))),
      );
      open.push(...servers);
      const [forReads, forWrites] = servers;
      assert.ok(forReads && forWrites);
      const timeout = reads.startsWith("timeout") ? 0.25 : 10;
      const read = await run(forReads.url, reading, timeout);
      const written = await run(forWrites.url, writing, timeout);
      assert.equal(outcomes(read), reads);
      assert.equal(outcomes(written), write);
      if (typeof make === "function") {
        assert.equal(forReads.seen.length, requests);
        assert.equal(forWrites.seen.length, 1, "writes are sent once");
      }
    });
  }

  it("does not exist", async () =>
    assert.equal(outcomes(await run(`http://127.0.0.1:${await closedPort()}/`, reading)), "refused, refused"));

  it("has a self-signed certificate", async () => {
    const pair = selfSigned();
    assert.ok(pair, "openssl is needed for this test");
    const server = await hostileServer(properly, pair);
    open.push(server);
    assert.equal(outcomes(await run(server.url, reading)), "tls, tls");
    assert.equal(outcomes(await run(server.url.replace("https:", "http:"), reading)), "reset, reset");
    assert.equal(server.seen.length, 0);
  });

  it("asks for a pause, which every waiting cell reports", async () => {
    const server = await hostileServer(first(1, status(429, { "retry-after": "3" }))());
    open.push(server);
    const { waits, result } = await run(server.url, reading);
    assert.equal(result.ok, 2);
    assert.equal(waits.length, 2);
    assert.match(
      waits[0] ?? "",
      /^127\.0\.0\.1:\d+ asks for fewer requests \(HTTP 429\)\. Trying again in 3(?:\.\d)? s\.$/,
    );
  });

  it("asks for a pause, in which the run can be cancelled", async () => {
    const stop = new AbortController();
    const server = await hostileServer((seen, response, socket) => {
      status(429, { "retry-after": "10" })(seen, response, socket);
      setTimeout(() => stop.abort(), 30);
    });
    open.push(server);
    const begun = performance.now();
    const { result } = await runText(reading, { endpoint: server.url, signal: stop.signal });
    assert.equal(result.cancelled, true);
    assert.equal(server.seen.length, 1);
    assert.ok(performance.now() - begun < 3000);
  });
});
