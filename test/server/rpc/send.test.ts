import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { createTransport, type NodeTransport } from "../../../server/src/node/transport.ts";
import { explain } from "../../../server/src/rpc/explain.ts";
import { Limiter } from "../../../server/src/rpc/limiter.ts";
import type { Id, Outcome } from "../../../server/src/rpc/outcome.ts";
import type { Retry } from "../../../server/src/rpc/retry.ts";
import { type EndpointMemory, type SendOptions, send } from "../../../server/src/rpc/send.ts";
import type { RawRequest } from "../../../server/src/rpc/wire.ts";
import { times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";
import { closedPort, type HostileServer, hostileServer, rawServer, type Seen } from "../../support/hostileServer.ts";
import { patientClock } from "../../support/patientClock.ts";
import { pluck } from "../../support/pluck.ts";

const open: { close(): Promise<void> }[] = [];
let transport: NodeTransport;
let retries: Retry[] = [];

function request(id: Id | undefined, method = "eth_blockNumber"): RawRequest {
  const written = id === undefined ? "" : `"id":${typeof id === "string" ? JSON.stringify(id) : id},`;
  return { id, method, text: `{"jsonrpc":"2.0",${written}"method":"${method}","params":[]}` };
}

type Answer = (seen: Seen, response: ServerResponse) => void;

async function serve(answer: Answer): Promise<HostileServer> {
  const server = await hostileServer(answer);
  open.push(server);
  return server;
}

function ask(
  server: Pick<HostileServer, "url" | "host">,
  requests: readonly RawRequest[],
  more: Partial<SendOptions> = {},
  signal = new AbortController().signal,
): Promise<readonly Outcome[]> {
  const target = { name: "test", url: server.url, host: server.host, headers: {} };
  const options: SendOptions = {
    timeoutMs: 60_000,
    maxBytes: 10_000_000,
    idempotent: true,
    clock: patientClock(),
    memory: {},
    onRetry: (retry) => retries.push(retry),
    ...more,
  };
  return send(transport, target, requests, options, signal);
}

/** An outcome as one word or value, for tables. */
function short(outcome: Outcome | undefined): unknown {
  return outcome?.kind === "answered" ? outcome.result.value : outcome?.reason;
}

function idsIn({ body }: Pick<Seen, "body">): readonly number[] {
  return [JSON.parse(body)].flat().map(({ id }) => id);
}

/** Answers each request of a body, alone or in a batch, with its id as the result. */
function echo(seen: Seen, response: ServerResponse): void {
  const answers = idsIn(seen).map((id) => ({ jsonrpc: "2.0", id, result: id }));
  response.end(JSON.stringify(seen.body.startsWith("[") ? answers.reverse() : answers[0]));
}

/** Refuses some bodies, and echoes the others. */
function echoUnless(isRefused: (seen: Seen) => boolean, refuse: Answer): Answer {
  return (seen, response) => (isRefused(seen) ? refuse : echo)(seen, response);
}

const status =
  (code: number, headers = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end();
const saying =
  (body: string): Answer =>
  (_, response) =>
    response.end(body);
const requestsTo = (count: number): readonly RawRequest[] => Array.from({ length: count }, (_, at) => request(at));
const all = (reason: string): readonly string[] => [reason, reason, reason];

const ok = (id: string, result = `"0x1"`): string => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
const no = (id: string, code: number, message: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`;

describe("sending", () => {
  beforeEach(() => {
    transport = createTransport(() => ({}), {});
    retries = [];
  });
  afterEach(async () => {
    await transport.close();
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  describe("one request", () => {
    const cases: readonly (readonly [name: string, body: string, want: unknown, id?: Id, status?: number])[] = [
      ["a result", ok("1"), "0x1"],
      ["a null result", ok("1", "null"), null],
      ["a result beside a null error", `{"id":1,"result":7,"error":null}`, 7],
      ["no version, or another one", `{"jsonrpc":"1.0","id":1,"result":7}`, 7],
      ["a byte order mark", `\ufeff${ok("1")}`, "0x1"],
      ["a big id", ok("9007199254740993"), "0x1", 9007199254740993n],
      ["a big id that differs in its last digit", ok("9007199254740992"), "wrong-id", 9007199254740993n],
      ["a string id", ok(`"a"`), "0x1", "a"],
      ["a null id", ok("null"), "0x1", null],
      ["a result under another id", ok("2"), "wrong-id"],
      ["a result under the id as a string", ok(`"1"`), "wrong-id"],
      ["a result under no id", `{"jsonrpc":"2.0","result":1}`, "wrong-id"],
      ["a result under null", ok("null"), "wrong-id"],
      ["an error", no("1", -32601, "the method x does not exist/is not available"), "unknown-method"],
      ["an error beside a null result", `{"id":1,"result":null,"error":{"code":-32602,"message":"bad"}}`, "bad-params"],
      ["an error under null", no("null", -32600, "invalid request"), "bad-request"],
      ["an error under the id as a string", no(`"1"`, -32012, "credits limited to 6000/sec"), "rate-limit"],
      ["an error without id", `{"error":{"code":-32602,"message":"bad"}}`, "bad-params"],
      ["an error under another id", no("2", -32602, "bad"), "wrong-id"],
      ["an error whose code is a string", `{"id":1,"error":{"code":"-32601","message":"x"}}`, "unknown-method"],
      ["an error without message", `{"id":1,"error":{"code":-32601}}`, "unknown-method"],
      ["a list of one", `[${ok("1")}]`, "0x1"],
      ["a list of one error", `[${no("1", -32600, "block range too high")}]`, "bad-request"],
      ["the right one in a list", `[${ok("2", "2")},${ok("1", "1")}]`, 1],
      ["an empty list", "[]", "not-json-rpc"],
      ["the same answer twice", `[${ok("1")},${ok("1")}]`, "0x1"],
      ["two answers under one id", `[${ok("1")},${ok("1", "2")}]`, "wrong-id"],
      ["two results", `{"id":1,"result":"0x1","result":"0x2"}`, "not-json-rpc"],
      ["JSON of another kind", `{"message":"Hello"}`, "not-json-rpc"],
      ["a string", `"ok"`, "not-json-rpc"],
      ["a bare error text", `{"error":"project id required in the url"}`, "unauthorized"],
      ["nothing", "", "not-json"],
      ["a web page", "<!doctype html><html><head><title>Log in</title></head></html>", "not-json"],
      ["half of the JSON", `{"jsonrpc":"2.0","id":1,"resu`, "truncated"],
      ["JSON that nests too deep", `{"id":1,"result":${"[".repeat(5000)}${"]".repeat(5000)}}`, "not-json"],
      ["a gateway's JSON", `{"message":"Forbidden"}`, "not-allowed", 1, 403],
      ["a result under HTTP 500", ok("1"), "0x1", 1, 500],
      ["an error under HTTP 400", no("1", -32602, "bad"), "bad-params", 1, 400],
      ["HTTP 204", "", "not-json", 1, 204],
      ["HTTP 403", "", "not-allowed", 1, 403],
      ["HTTP 401", "<h1>No</h1>", "unauthorized", 1, 401],
      ["HTTP 404", "404 page not found", "bad-request", 1, 404],
      ["HTTP 413", "Payload too big", "too-large", 1, 413],
      ["HTTP 500", "<html></html>", "internal", 1, 500],
      ["HTTP 504", "", "timeout", 1, 504],
      ["a proxy's words under HTTP 200 of another kind", "error code: 1015", "rate-limit", 1, 429],
    ];
    for (const [name, body, want, id = 1, status = 200] of cases) {
      it(`${name} → ${String(want)}`, async () => {
        const server = await serve((_seen, response) =>
          response.writeHead(status).end(status === 204 ? undefined : body),
        );
        const [outcome] = await ask(server, [request(id)], { idempotent: false });
        assert.deepEqual(short(outcome), want);
        assert.equal(server.seen.length, 1);
        assert.equal(server.seen[0]?.body, request(id).text);
        assert.equal(outcome?.exchange.status, status);
      });
    }

    it("accepts the only answer to a request with an invalid id", async () => {
      const server = await serve((_seen, response) => response.end(ok("{}")));
      const outcomes = await ask(server, [request(undefined), request(undefined)]);
      assert.deepEqual(outcomes.map(short), ["0x1", "0x1"]);
      assert.equal(server.seen.length, 2);
    });

    it("keeps integers of any size, and the text of the result", async () => {
      const result = `{ "n":\n12345678901234567890123, "e": 1.50, "s": "\\u00e9\\"}" }`;
      const server = await serve((_seen, response) =>
        response.end(`{"other": {"result": 1} ,"id":1,"result":${result} }`),
      );
      const [outcome] = await ask(server, [request(1)]);
      assert.ok(outcome?.kind === "answered");
      assert.deepEqual(outcome.result.value, { n: 12345678901234567890123n, e: 1.5, s: 'é"}' });
      assert.equal(outcome.result.text, result);
    });

    it("reports what was sent and received", async () => {
      let now = 0;
      const server = await serve((_seen, response) => {
        now += 40;
        response.writeHead(200, { "X-Node": "7" }).end(ok("1"));
      });
      const clock = { ...patientClock(), now: () => now, date: () => 1_700_000_000_000 + now };
      const [outcome] = await ask(server, [request(1)], { clock });
      const { startedAt, durationMs, headers, ...rest } = outcome?.exchange ?? assert.fail();
      assert.equal(headers["x-node"], "7");
      assert.deepEqual([startedAt, durationMs], [1_700_000_000_000, 40]);
      const want = {
        endpoint: "test",
        host: server.host,
        status: 200,
        bytes: 39,
        batch: 1,
        attempts: 1,
      };
      assert.deepEqual(rest, want);
    });

    it("says for how long the endpoint wants to be left alone", async () => {
      const server = await serve(status(429, { "retry-after": "7200" }));
      const [outcome] = await ask(server, [request(1)]);
      assert.ok(outcome?.kind === "refused");
      assert.deepEqual([outcome.exchange.attempts, server.seen.length], [1, 1]);
      assert.match(explain(outcome, "eth_blockNumber").todo, /^It asks for a pause of 2 h\. Wait that long, or /);
    });

    it("names the host and never the URL, and says what to do", async () => {
      const dead = { host: `127.0.0.1:${await closedPort()}`, url: "" };
      const server = await serve(status(403));
      const html = await serve((_seen, response) => response.end("<title>a\u202eb</title>"));
      for (const { host } of [dead, server, html]) {
        const url = `http://user:s3cr3t@${host}/s3cr3t?s3cr3t`;
        const [outcome] = await ask({ host, url }, [request(1, "eth_getBlockReceipts")]);
        assert.ok(outcome && outcome.kind !== "answered");
        const { what, todo } = explain(outcome, "eth_getBlockReceipts");
        assert.ok(what.includes(host) && what.endsWith(".") && todo.endsWith("."), what);
        assert.ok(!`${what} ${todo}`.includes("s3cr3t") && !what.includes("\u202e"));
      }
      const [refused] = await ask(server, [request(1, "eth_getBlockReceipts")]);
      assert.ok(refused?.kind === "refused");
      const { what } = explain(refused, "eth_getBlockReceipts");
      assert.equal(what, `${server.host} does not allow eth_getBlockReceipts (HTTP 403).`);
    });
  });

  describe("a batch", () => {
    const three = [request(1), request("1"), request(3)];
    const two = `${ok(`"1"`, "2")},${ok("1", "1")}`;
    const cases: readonly (readonly [name: string, body: string, want: readonly unknown[]])[] = [
      ["in any order, by value and type", `[${ok("3", "3")},${ok(`"1"`, `"one"`)},${ok("1", "1")}]`, [1, "one", 3]],
      ["one missing", `[${ok("3", "3")},${ok("1", "1")}]`, [1, "missing-in-batch", 3]],
      ["one too many", `[${ok("9", "9")},${ok("3", "3")},${ok(`"1"`, "2")},${ok("1", "1")}]`, [1, 2, 3]],
      ["one twice, not the same", `[${ok("3", "3")},${ok("3", "4")},${two}]`, [1, 2, "wrong-id"]],
      ["an error for one", `[${no("3", 3, "execution reverted")},${two}]`, [1, 2, "revert"]],
      ["an error under null for the one that is missing", `[${no("null", -32602, "")},${two}]`, [1, 2, "bad-params"]],
      ["an error under 3 as a string", `[${no(`"3"`, -32602, "bad")},${two}]`, [1, 2, "bad-params"]],
      ["an error under null for all", `[${no("null", -32603, "over rate limit")}]`, all("rate-limit")],
      ["one object that refuses all", no("null", -32016, "over rate limit"), all("rate-limit")],
      ["geth's one error for all", `[${no("1", -32600, "batch too large")}]`, all("batch-limit")],
      ["an object with one result", ok("1", "1"), [1, "missing-in-batch", "missing-in-batch"]],
      ["things that are no answers", `[1,"a",null,${ok("1", "1")}]`, [1, "missing-in-batch", "missing-in-batch"]],
      ["an empty list", "[]", all("not-json-rpc")],
    ];
    for (const [name, body, want] of cases) {
      it(name, async () => {
        const server = await serve((_seen, response) => response.end(body));
        const outcomes = await ask(server, three, { idempotent: false });
        assert.deepEqual(outcomes.map(short), want);
        assert.equal(server.seen.length, 1);
        assert.equal(server.seen[0]?.body, `[${three.map(({ text }) => text).join(",")}]`);
      });
    }

    it("gives each result its own text", async () => {
      const server = await serve((_seen, response) =>
        response.end(` [ ${ok("2", "[ 1 ]")} , 5, ${ok("1", `{"a": "]"}`)} ]`),
      );
      const outcomes = await ask(server, [request(1), request(2)]);
      assert.deepEqual(
        outcomes.map((each) => each.kind === "answered" && each.result.text),
        [`{"a": "]"}`, "[ 1 ]"],
      );
    });

    it("never holds an id twice", async () => {
      const server = await serve(echo);
      const outcomes = await ask(server, [request(1), request(1), request(2), request(1)]);
      assert.deepEqual(outcomes.map(short), [1, 1, 2, 1]);
      assert.deepEqual(server.seen.map((seen) => idsIn(seen).join()).sort(), ["1", "1", "1,2"]);
    });

    it("holds as many as the endpoint is set to take", async () => {
      const server = await serve(echo);
      const outcomes = await ask(server, requestsTo(25), { batch: 10 });
      assert.deepEqual(outcomes.map(short), [...Array(25).keys()]);
      assert.deepEqual(pluck(pluck(outcomes, "exchange"), "batch"), [...Array(20).fill(10), ...Array(5).fill(5)]);
    });

    it("is split for an endpoint that refuses batches, with eight requests in flight", async () => {
      let underWay = 0;
      let most = 0;
      const server = await serve((seen, response) => {
        most = Math.max(most, ++underWay);
        setImmediate(() => {
          underWay--;
          echo(seen, response);
        });
      });
      const outcomes = await ask(server, requestsTo(50), { batch: false });
      assert.deepEqual(outcomes.map(short), [...Array(50).keys()]);
      assert.ok(most > 1 && most <= 8, String(most));
    });
  });

  describe("a batch that is refused as a batch", () => {
    const requests = [1, 2, 3, 4].map((id) => request(id));
    const tooLarge = (id: number): string => no(String(id), -32600, "batch too large");
    const refusals: readonly (readonly [name: string, refuse: Answer, learned: number | false | undefined])[] = [
      ["in words", saying(no("null", -32600, "batch requests are not supported")), false],
      ["with a number", saying(no("null", -32600, "batch of more than 2 requests are not allowed")), 2],
      ["as geth does", (seen, response) => response.end(`[${tooLarge(idsIn(seen)[0] ?? 0)}]`), false],
      ["element by element", (seen, response) => response.end(`[${idsIn(seen).map(tooLarge)}]`), false],
      ["as an invalid request", saying(no("null", -32600, "Invalid Request")), false],
      ["by a web page", (_, response) => response.writeHead(400).end("<html><title>Bad Request</title></html>"), false],
      ["by HTTP 500", status(500), false],
      ["by HTTP 413", status(413), undefined],
    ];
    for (const [name, refuse, learned] of refusals) {
      it(`${name}: goes in smaller ones, and that is remembered`, async () => {
        const limit = learned === false ? 1 : 2;
        const server = await serve(echoUnless((seen) => idsIn(seen).length > limit, refuse));
        const memory: EndpointMemory = {};
        assert.deepEqual((await ask(server, requests, { memory })).map(short), [1, 2, 3, 4]);
        assert.equal(memory.batch, learned);
        const before = server.seen.length;
        assert.deepEqual((await ask(server, requests, { memory })).map(short), [1, 2, 3, 4]);
        if (learned !== undefined) assert.equal(server.seen.length - before, 4 / limit);
      });
    }

    it("is halved until it fits if no number is stated, with few refusals", async () => {
      const refuse = saying(no("null", -32014, "too many RPC calls in batch request"));
      const server = await serve(echoUnless((seen) => idsIn(seen).length > 10, refuse));
      const memory: EndpointMemory = {};
      const many = requestsTo(1000);
      const ids = [...many.keys()];
      assert.deepEqual((await ask(server, many, { memory })).map(short), ids);
      const { batch = 0 } = memory;
      assert.ok(batch && batch > 5 && batch <= 10, String(batch));
      const inVain = server.seen.filter((seen) => idsIn(seen).length > 10).length;
      assert.ok(inVain <= 60, `${inVain} batches were refused`);
      const before = server.seen.length;
      assert.deepEqual((await ask(server, many, { memory })).map(short), ids);
      assert.equal(server.seen.length - before, Math.ceil(1000 / batch));
    });

    it("is answered in part: only the refused members are sent again", async () => {
      const server = await serve((seen, response) => {
        const said = idsIn(seen).map((id, at) => (at < 2 ? ok(String(id), String(id)) : tooLarge(id)));
        response.end(said.length > 1 ? `[${said}]` : said[0]);
      });
      assert.deepEqual((await ask(server, requests)).map(short), [1, 2, 3, 4]);
      assert.deepEqual(server.seen.map(idsIn), [
        [1, 2, 3, 4],
        [3, 4],
      ]);
    });

    for (const [what, code, ids, sent] of [
      ["is forbidden", 403, [1, "not-allowed", 3], 3],
      ["makes the whole batch fail, whatever the message", 404, ["bad-request", 2, 3, 4, "bad-request"], 4],
    ] as const)
      it(`is sent by method if one of them ${what}`, async () => {
        const server = await serve(echoUnless(({ body }) => body.includes("eth_nope"), status(code)));
        const methodOf = (id: unknown) => (id === 4 ? "eth_chainId" : "eth_blockNumber");
        const mixed = ids.map((id, at) => request(at + 1, typeof id === "string" ? "eth_nope" : methodOf(id)));
        const memory: EndpointMemory = {};
        assert.deepEqual((await ask(server, mixed, { memory })).map(short), ids);
        assert.deepEqual([server.seen.length, memory.batch], [sent, undefined]);
      });

    it("is not split if the address is wrong", async () => {
      const server = await serve((_seen, response) => response.writeHead(404).end("not found"));
      const memory: EndpointMemory = {};
      assert.deepEqual((await ask(server, requests, { memory })).map(short), Array(4).fill("bad-request"));
      assert.equal(server.seen.length, 2);
      assert.equal(memory.batch, undefined);
    });

    it("is halved if the answer is too large", async () => {
      const server = await serve((seen, response) => {
        const answers = idsIn(seen).map((id) => ok(String(id), `"${String(id).repeat(400)}"`));
        response.end(answers.length > 1 ? `[${answers}]` : answers[0]);
      });
      const outcomes = await ask(server, requests, { maxBytes: 1000 });
      assert.deepEqual(
        outcomes.map((each) => String(short(each))[0]),
        ["1", "2", "3", "4"],
      );
    });
  });

  describe("what fails for a moment", () => {
    const once = (fail: Answer): Answer => {
      let failed = false;
      return (seen, response) => {
        if (failed) return echo(seen, response);
        failed = true;
        return fail(seen, response);
      };
    };
    const cases: readonly (readonly [name: string, fail: Answer, waits: (ms: number) => boolean])[] = [
      ["HTTP 429", status(429), (ms) => ms >= 125 && ms <= 250],
      ["HTTP 429 with seconds", status(429, { "retry-after": "3" }), (ms) => ms >= 3000 && ms <= 3300],
      [
        "HTTP 503 with a date",
        (_, response) => response.writeHead(503, { "retry-after": new Date(Date.now() + 30_000).toUTCString() }).end(),
        (ms) => ms > 0 && ms <= 33_000,
      ],
      [
        "Infura's backoff",
        saying(`{"id":null,"error":{"code":-32005,"message":"rate exceeded","data":{"rate":{"backoff_seconds":4}}}}`),
        (ms) => ms >= 4000 && ms <= 4300,
      ],
      ["HTTP 502", (_, response) => response.writeHead(502).end("<html></html>"), (ms) => ms <= 250],
      ["a reset before the answer", (_, response) => response.socket?.resetAndDestroy(), (ms) => ms <= 250],
    ];
    for (const [name, fail, waits] of cases) {
      it(`${name}: is sent again, and said`, async () => {
        const server = await serve(once(fail));
        const [outcome] = await ask(server, [request(1)]);
        assert.equal(short(outcome), 1);
        assert.equal(outcome?.exchange.attempts, 2);
        assert.equal(retries.length, 1);
        const [{ waitMs, attempt, reason } = assert.fail()] = retries;
        assert.ok(waits(waitMs), String(waitMs));
        assert.ok(attempt === 1 && reason.includes(server.host) && !reason.includes("http:"));
      });
      it(`${name}: is never sent again if that could do harm`, async () => {
        const server = await serve(once(fail));
        const [outcome] = await ask(server, [request(1, "eth_sendRawTransaction")], { idempotent: false });
        assert.notEqual(outcome?.kind, "answered");
        assert.deepEqual([server.seen.length, retries.length], [1, 0]);
      });
    }

    for (const [name, answer] of [
      ["HTTP 403", (_, response) => response.writeHead(403).end("over rate limit")],
      ["HTTP 413", status(413)],
      ["HTTP 504", status(504)],
      ["a wait that is too long", status(429, { "retry-after": "3600" })],
      [
        "a body that breaks off",
        (_, response) => response.writeHead(200, { "content-length": "99" }).write("{", () => response.destroy()),
      ],
    ] as readonly (readonly [string, Answer])[]) {
      it(`${name} is not sent again`, async () => {
        const server = await serve(answer);
        await ask(server, [request(1)]);
        assert.deepEqual([server.seen.length, retries.length], [1, 0]);
      });
    }

    it("ends after four attempts", async () => {
      const server = await serve(status(429));
      const [outcome] = await ask(server, [request(1)]);
      assert.deepEqual([short(outcome), outcome?.exchange.attempts, server.seen.length], ["rate-limit", 4, 4]);
      assert.deepEqual(pluck(retries, "attempt"), [1, 2, 3]);
    });

    it("sends only those again that failed", async () => {
      const limited = no("2", 429, "compute units per second capacity");
      const server = await serve(once((_, response) => response.end(`[${ok("1", "1")},${limited},${ok("3", "3")}]`)));
      const outcomes = await ask(server, [request(1), request(2), request(3)]);
      assert.deepEqual(outcomes.map(short), [1, 2, 3]);
      assert.equal(server.seen[1]?.body, request(2).text);
      assert.deepEqual(pluck(pluck(outcomes, "exchange"), "attempts"), [1, 2, 1]);
    });

    it("reports each outcome as soon as it is final", async () => {
      const server = await serve(echo);
      const told: [number, unknown][] = [];
      await ask(server, [request(5), request(6)], {
        onOutcome: (index, outcome) => told.push([index, short(outcome)]),
      });
      assert.deepEqual(told, [
        [0, 5],
        [1, 6],
      ]);
    });
  });

  it("cancels requests in flight and requests that were not sent yet", async () => {
    const stop = new AbortController();
    const server = await serve(() => stop.abort());
    const outcomes = await ask(server, requestsTo(20), { batch: false, limiter: new Limiter(1) }, stop.signal);
    assert.deepEqual(outcomes.map(short), Array(20).fill("cancelled"));
    assert.equal(server.seen.length, 1);
  });

  it("gives up on a silent endpoint in time", async () => {
    const silent = await rawServer("", "stay");
    open.push(silent);
    const [outcome] = await ask(silent, [request(1)], { timeoutMs: 50 });
    assert.ok(outcome?.kind === "unreachable");
    assert.equal(outcome.message, `${silent.host} gave no complete answer within 50 ms.`);
  });

  it("sends nothing for no requests", async () => {
    const server = await serve(echo);
    assert.deepEqual(await ask(server, []), []);
    assert.equal(server.seen.length, 0);
  });

  it("reads thousands of answers without a request", () =>
    expectLinear(times(7_000, 350), async (size) => {
      const junk = Array.from({ length: 7 * size }, (_, i) => no(String(i + 10), -1, "x")).join(",");
      const same = Array(3 * size).fill(ok("1"));
      const server = await serve((_seen, response) => response.end(`[${junk},${same}]`));
      const outcomes = await ask(server, requestsTo(9), { maxBytes: 1e8, idempotent: false });
      assert.deepEqual([outcomes[1], outcomes[8]].map(short), ["0x1", "missing-in-batch"]);
    }));
});
