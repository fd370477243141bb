import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { person, type Run, runText } from "../../support/host.ts";
import {
  closedPort,
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
const explode: Misbehaviour = (_seen, response) => response.setHeader("content-encoding", "gzip").end(bomb);
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

/** Answers with what becomes of the requests. */
const members = (change: (requests: readonly Asked[]) => unknown): (() => Misbehaviour) =>
  always((seen, response) => json(response, change(listed(seen))));
/** Refuses batches with an error. */
const single = (code: number, message: string): (() => Misbehaviour) =>
  always((seen, response, socket) =>
    Array.isArray(asked(seen)) ? json(response, error(null, code, message)) : properly(seen, response, socket),
  );
const page = status(200, { "content-type": "text/html" }, "<html><title>Hi</title></html>");
const nested = status(200, {}, "[".repeat(100_000) + "]".repeat(100_000));
const limited: Misbehaviour = (seen, response) =>
  json(
    response,
    listed(seen).map(({ id }) => error(id, -32016, "over rate limit")),
  );
const dated: Misbehaviour = (seen, response, socket) => status(429, { "retry-after": soon() })(seen, response, socket);
const failsFirst = members((all) =>
  all.map((one, at) => (at ? result(one) : error(one.id, -32602, "invalid argument"))),
);
const twice = (first: string, second: string) =>
  members((all) => all.flatMap((one) => [result(one, first), result(one, second)]));

const both = (reason: string): string => `${reason}, ${reason}`;
const lost = both("missing-in-batch");
const cases: readonly Case[] = [
  ["answers properly", always(properly), "ok, ok", 1, "ok"],
  ["sends a byte at a time, without end", always(drip), both("timeout"), 1, "timeout"],
  ["says nothing", always(() => undefined), both("timeout"), 1, "timeout"],
  ["sends 200 MB", always(flood), both("too-large"), 3, "too-large"],
  ["sends a gzip bomb", always(explode), both("too-large"), 3, "too-large"],
  ["is cut off in the middle", { raw: cut('[{"id":1,'), after: "end" }, both("truncated"), 1, "truncated"],
  ["resets in the middle", { raw: cut('{"jsonrpc":"2.0"'), after: "reset" }, both("truncated"), 1, "truncated"],
  ["resets before it answers", { raw: "", after: "reset" }, both("reset"), 4, "reset"],
  ["resets once", first(1, (_seen, _response, socket) => socket.resetAndDestroy()), "ok, ok", 2, "reset"],
  ["is not an HTTP server", { raw: "220 smtp.example ESMTP\r\n", after: "stay" }, both("truncated"), 1, "truncated"],
  ["answers wrong ids", members((all) => all.map(({ id }) => result({ id: id + 1000 }))), lost, 1, "wrong-id"],
  ["makes ids strings", members((all) => all.map((one) => ({ ...result(one), id: `${one.id}` }))), lost, 1, "wrong-id"],
  ["answers everything twice, differently", twice("0x1", "0x2"), both("wrong-id"), 1, "wrong-id"],
  ["answers everything twice, equally", twice("0x1", "0x1"), "ok, ok", 1, "ok"],
  ["leaves members out", members(([one]) => one && [result(one)]), "ok, missing-in-batch", 1, "ok"],
  ["fails one member", failsFirst, "bad-params, ok", 1, "bad-params"],
  ["sends a list for an object", members((all) => all.map((one) => result(one))), "ok, ok", 1, "ok"],
  ["refuses a batch with one object", single(-32600, "Invalid Request"), "ok, ok", 3, "ok"],
  ["refuses batches in words", single(-32005, "Batch requests are not supported by this server"), "ok, ok", 3, "ok"],
  ["sends an empty list", members(() => []), both("not-json-rpc"), 2, "not-json-rpc"],
  ["sends a web page", always(page), both("not-json"), 2, "not-json"],
  ["sends nothing with 200", always(status(200)), both("not-json"), 2, "not-json"],
  ["nests too deeply", always(nested), both("not-json"), 2, "not-json"],
  ["answers 429 with seconds, once", first(1, status(429, { "retry-after": "2" })), "ok, ok", 3, "rate-limit"],
  ["answers 429 with a date, once", first(1, dated), "ok, ok", 3, "rate-limit"],
  ["asks for an hour", always(status(429, { "retry-after": "3600" })), both("rate-limit"), 1, "rate-limit"],
  ["always answers 429", always(status(429)), both("rate-limit"), 9, "rate-limit"],
  ["limits the rate with HTTP 200", first(1, limited), "ok, ok", 3, "rate-limit"],
  ["answers 403", always(status(403, {}, "Forbidden")), both("not-allowed"), 1, "not-allowed"],
  ["answers 401", always(status(401)), both("unauthorized"), 1, "unauthorized"],
  ["answers 413", always(status(413)), both("too-large"), 3, "too-large"],
  ["always answers 500", always(status(500)), both("internal"), 2, "internal"],
  ["answers 503 twice", first(2, status(503)), "ok, ok", 3, "internal"],
  ["always answers 502", always(status(502, {}, "<h1>Bad gateway</h1>")), both("internal"), 4, "internal"],
  ["answers 504", always(status(504)), both("timeout"), 1, "timeout"],
  ["redirects elsewhere", always(status(307, { location: "http://127.0.0.2:9/" })), both("redirect"), 1, "redirect"],
  ["redirects in a circle", always(status(307, { location: "/" })), both("redirect"), 6, "redirect"],
];

const reading = `[{ "method": "eth_gasPrice" }, { "method": "eth_gasPrice" }]`;
const writing = `[{ "method": "eth_sendRawTransaction", "params": ["0x01"] }]`;

/** @param timeout - Seconds. */
async function run(url: string, text: string, timeout = 60): Promise<Run> {
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
  for (const [name, make, reads, requests, write] of cases) {
    it(name, async () => {
      const servers = await Promise.all(
        [0, 1].map(() => (typeof make === "function" ? hostileServer(make()) : rawServer(make.raw, make.after))),
      );
      const [forReads, forWrites] = servers;
      assert.ok(forReads && forWrites);
      const timeout = reads.startsWith("timeout") ? 2 : 60;
      const [read, written] = await Promise.all([
        run(forReads.url, reading, timeout),
        run(forWrites.url, writing, timeout),
      ]);
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
    assert.equal(outcomes(await run(server.url, reading)), "tls, tls");
    assert.equal(outcomes(await run(server.url.replace("https:", "http:"), reading)), "reset, reset");
    assert.equal(server.seen.length, 0);
  });

  it("asks for a pause, which every waiting cell reports", async () => {
    const server = await hostileServer(first(1, status(429, { "retry-after": "3" }))());
    const { waits, result, cells } = await run(server.url, reading);
    assert.equal(result.ok, 2);
    const facts = cells.flatMap(({ output }) => output.reports.flatMap((report) => report.facts));
    assert.equal(facts.filter(({ name }) => name === "pace").length, 1, "the new pace is told once");
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
    const { result } = await runText(reading, { endpoint: server.url, signal: stop.signal });
    assert.deepEqual([result.cancelled, server.seen.length], [true, 1]);
  });
});
