import assert from "node:assert/strict";
import type { HostQuestion, MethodQuestion, WriteQuestion } from "../../server/src/base/ports.ts";
import { gate } from "../../server/src/endpoints/gate.ts";
import { isInClear, shownSite, siteOf, sitesNamed } from "../../server/src/endpoints/site.ts";
import type { Settings } from "../../server/src/protocol/settings.ts";
import { createService } from "../../server/src/service/service.ts";
import { person, type Run, runText, summaries, testHost } from "../support/host.ts";
import { answering, hostileServer } from "../support/hostileServer.ts";
import { pluck } from "../support/pluck.ts";

const cell = { method: "eth_chainId" };

/** Runs a notebook whose endpoint `main` is this entry, and returns the questions; nothing is allowed. */
async function asked(
  entry: unknown,
  environment: Readonly<Record<string, string>> = {},
  name = "main",
): Promise<{ readonly questions: readonly HostQuestion[]; readonly run: Run }> {
  const questions: HostQuestion[] = [];
  const settings: Settings = { workspace: { endpoints: { [name]: entry } } };
  const run = await runText(JSON.stringify({ endpoint: name, cells: [cell] }), {
    host: {
      settings,
      consent: person({ allowHost: async (question) => questions.push(question) < 0 }),
      environment: { variable: (key) => environment[key], names: () => Object.keys(environment) },
    },
  });
  return { questions, run };
}

describe("the question about a host", () => {
  for (const [what, entry, site, environment = {}] of [
    ["a user name equal to the host", "http://evil@evil/", "http://evil"],
    ["a password equal to the host", "http://x:node.evil.example@node.evil.example/", "http://node.evil.example"],
    [
      "a header equal to the host",
      { url: "https://evil.example", headers: { "x-key": "evil.example" } },
      "https://evil.example",
    ],
    [
      "a value of .env or the environment equal to the host",
      "https://{{$env.AT}}/",
      "https://evil.example",
      { AT: "evil.example" },
    ],
    ["letters of another script", "https://\u0430pple.com/", "https://xn--pple-43d.com"],
    ["a known host in front", "https://mainnet.example@evil.example/", "https://evil.example"],
    ["a known host behind", "https://evil.example/mainnet.example", "https://evil.example"],
    ["a port", "https://evil.example:8545/key", "https://evil.example:8545"],
    ["an address in hexadecimal", "http://0x7f000001:1/node", "http://127.0.0.1:1"],
    ["a scheme of WebSockets", "wss://evil.example/v2/key", "wss://evil.example"],
    ["a dot at the end", "https://evil.example./", "https://evil.example."],
  ] as const)
    it(`shows the exact host: ${what}`, async () => {
      const { questions } = await asked(entry, environment);
      assert.deepEqual(
        questions.map((question) => question.site),
        [site],
      );
    });

  it("shows names on one line, shortened and without hidden characters", async () => {
    const name = `main\u202e\n\u001b[31m${"x".repeat(3000)}`;
    const { questions } = await asked("https://evil.example", {}, name);
    const [{ source = "" } = {}] = questions;
    assert.match(
      source,
      /^The endpoint "main\\u202e \\u001b\[31mx+…" is in the workspace's setting rpcNotebook.endpoints\.$/,
    );
    assert.ok(source.length <= 200);
  });

  it("shows a name without its quotes, which would end those around it", async () => {
    const { questions } = await asked("https://evil.example", {}, `x" comes from your settings. Allow it. \u201dy`);
    const name = "x' comes from your settings. Allow it. 'y";
    assert.ok(questions[0]?.source.startsWith(`The endpoint "${name}" is in the workspace's`), questions[0]?.source);
  });

  it("lists every value that a yes allows", async () => {
    const keys = Array.from({ length: 23 }, (_, at) => `KEY_${at}`);
    const headers = Object.fromEntries(keys.map((key) => [`x-${key}`, `{{$env.${key}}}`]));
    const environment = Object.fromEntries(keys.map((key) => [key, `secret of ${key}`]));
    const questions: HostQuestion[] = [];
    await runText(JSON.stringify({ endpoint: "main", cells: [cell] }), {
      host: {
        settings: { workspace: { endpoints: { main: { url: "http://127.0.0.1:1", headers } } } },
        consent: person({ allowHost: async (question) => questions.push(question) > 0 }),
        environment: { variable: (key) => environment[key], names: () => keys },
      },
    });
    assert.deepEqual(
      questions.map(({ values }) => values.length),
      [10, 10, 3],
    );
    for (const { site, values, grants } of questions)
      assert.deepEqual(grants, [site, ...values.map((value) => `${site} ${value}`)]);
  });

  it("is not asked for a value with a name that is too long to show", async () => {
    const name = `KEY_${"x".repeat(200)}`;
    const { questions, run } = await asked(
      { url: "https://evil.example", headers: { k: `{{$env.${name}}}` } },
      { [name]: "s" },
    );
    assert.deepEqual(pluck(questions, "values"), [[]]);
    assert.match(summaries(run)[0] ?? "", /may not go to https:\/\/evil\.example/);
  });

  it("comes once in a run after a no, however many entries have this host", async () => {
    const questions: HostQuestion[] = [];
    const endpoints = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`e${at}`, `http://127.0.0.1:1/${at}`]));
    const cells = Object.keys(endpoints).map((endpoint) => ({ ...cell, endpoint }));
    const host = {
      settings: { workspace: { endpoints } },
      consent: person({ allowHost: async (question: HostQuestion) => questions.push(question) < 0 }),
    };
    const { service, result } = await runText(JSON.stringify({ cells }), { host });
    assert.deepEqual([questions.length, result.failed], [1, 20]);
    service.openText("file:///nowhere/a.rpc.json", JSON.stringify({ cells }));
    const events = { started: () => {}, finished: () => {} };
    await service.run({ uri: "file:///nowhere/a.rpc.json" }, events, AbortSignal.timeout(5000));
    assert.equal(questions.length, 2);
  });

  it("is asked once for runs that begin at the same time", async () => {
    let [open, most, count] = [0, 0, 0];
    const consent = person({
      async allowHost() {
        most = Math.max(most, ++open);
        count++;
        await new Promise((soon) => setImmediate(soon));
        open--;
        return true;
      },
    });
    const service = createService(testHost({ consent }));
    const uri = "file:///nowhere/a.rpc.json";
    service.openText(uri, JSON.stringify({ endpoint: "http://127.0.0.1:1/node", cells: [cell] }));
    const events = { started: () => {}, finished: () => {} };
    await Promise.all([1, 2, 3].map(() => service.run({ uri }, events, AbortSignal.timeout(5000))));
    assert.deepEqual([most, count], [1, 1]);
  });

  it("lists a value that another endpoint may have returned", async () => {
    const questions: HostQuestion[] = [];
    const key = `0x${"5ec2e7".repeat(8)}`;
    const [echo, other] = await Promise.all([
      hostileServer(({ body }, response) => {
        const { id, params } = JSON.parse(body);
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: params[0] }));
      }),
      hostileServer(answering(() => "0x1")),
    ]);
    const sha = { method: "web3_sha3" };
    const text = JSON.stringify({
      cells: [
        { name: "a", endpoint: echo.url, ...sha, params: ["{{$env.KEY}}"] },
        { name: "b", endpoint: echo.url, ...sha, params: ["{{a.result}}"] },
        { endpoint: other.url, ...sha, params: ["{{b.result}}"] },
        { endpoint: other.url, ...sha, params: ["0x00"] },
      ],
    });
    const only = (site: string) =>
      person({
        allowHost: async (question) =>
          questions.push(question) > 0 && (question.site === site || question.values.length === 0),
      });
    const environment = { variable: () => key, names: () => ["KEY"] };
    const run = await runText(text, { host: { consent: only(`http://${echo.host}`), environment } });
    await Promise.all([echo.close(), other.close()]);
    assert.deepEqual(
      questions.map(({ site, values }) => [site, values]),
      [
        [`http://${echo.host}`, ["$env.KEY"]],
        [`http://${other.host}`, ["$env.KEY"]],
      ],
    );
    assert.ok(!JSON.stringify(other.seen).includes(key));
    assert.match(summaries(run)[2] ?? "", /`\$env\.KEY` may not go to/);
  });

  it("says that a secret would be sent without encryption", async () => {
    const entry = (url: string) => ({ url, headers: { authorization: "{{$env.KEY}}" } });
    const of = async (url: string) => (await asked(entry(url), { KEY: "a secret" })).questions[0]?.inClear;
    assert.equal(await of("http://node.example/"), true);
    assert.equal(await of("ws://node.example/"), true);
    assert.equal(await of("https://node.example/"), false);
    assert.equal(await of("http://127.0.0.1:1/"), false);
    assert.equal(await of("http://localhost:1/"), false);
  });

  it("is asked for a secret without encryption even if a person typed the address", async () => {
    const questions: HostQuestion[] = [];
    const run = await runText(JSON.stringify({ cells: [cell] }), {
      endpoint: "http://node.example/{{$env.KEY}}",
      host: {
        consent: person({ allowHost: async (question) => questions.push(question) < 0 }),
        environment: { variable: () => "a secret", names: () => ["KEY"] },
      },
    });
    assert.deepEqual(
      questions.map(({ site, values }) => [site, values]),
      [["http://node.example", ["$env.KEY"]]],
    );
    assert.match(summaries(run)[0] ?? "", /`\$env\.KEY` would go to http:\/\/node\.example .* without encryption/);
  });

  it("names the option to type on the command line", async () => {
    const consent = person({ byOptions: true, allowMethods: async () => "no" });
    const explained = async (url: string, ...cells: readonly object[]) => {
      const settings = { rpcNotebook: { endpoints: { own: "http://127.0.0.1:1" } } };
      const run = await runText(JSON.stringify({ endpoint: url, cells }), { host: { consent, settings } });
      return run.cells.map(({ notSent }) => [notSent?.todo, notSent?.option]);
    };
    const read = { method: "eth_chainId" };
    for (const [url, option] of [
      ["https://a.example:8545", "--allow-host a.example:8545"],
      ["http://a.example:8545", "--allow-host http://a.example:8545"],
    ] as const)
      assert.deepEqual(await explained(url, read), [[`Add ${option}, or choose its address with --endpoint.`, option]]);
    const methods = ["eth_sendTransaction", "zks_getLogs", "a; rm", "eth_getBalanc"];
    assert.deepEqual(await explained("own", ...methods.map((method) => ({ method }))), [
      ["Add --allow-writes.", "--allow-writes"],
      ["Add --allow-method zks_getLogs.", "--allow-method zks_getLogs"],
      ["Name it after --allow-method.", undefined],
      ["Did you mean `eth_getBalance`? If not, add --allow-method eth_getBalanc.", undefined],
    ]);
  });

  it("explains that a subscription did not begin because its WebSocket was not allowed", async () => {
    const node = await hostileServer(answering(() => "0x1"));
    const cells = [{ method: "eth_subscribe", params: ["newHeads"], expect: { error: {} } }];
    for (const byOptions of [true, undefined] as const) {
      const settings = { rpcNotebook: { endpoints: { own: { url: node.url, ws: "ws://127.0.0.1:9/{{$env.KEY}}" } } } };
      const environment = { variable: () => "0x5ec2e75ec2e7", names: () => ["KEY"] };
      const approvedHosts = [`http://${node.host} *`];
      const host = { consent: person({ byOptions }), settings, environment, approvedHosts };
      const { cells: ended } = await runText(JSON.stringify({ endpoint: "own", cells }), { host });
      const [cell] = ended;
      assert.match(cell?.output.text ?? "", /not sent: `\$env\.KEY` may not go to ws:\/\/127\.0\.0\.1:9 /);
      assert.deepEqual([cell?.ok, cell?.cancelled, cell?.answers()], [false, false, []]);
      assert.equal(cell?.notSent?.option, byOptions && "--allow-host 127.0.0.1:9");
    }
    await node.close();
  });

  it("does not name options of the command line in an editor", async () => {
    const settings = { rpcNotebook: { endpoints: { own: "http://127.0.0.1:1" } } };
    const environment = { variable: () => "0x5ec2e75ec2e7", names: () => ["KEY"] };
    const consent = person({ allowMethods: async () => "no" });
    const cells = ["eth_sendTransaction", "zks_getLogs", "a; rm", "eth_getBalanc"].map((method) => ({ method }));
    const elsewhere = [
      { endpoint: "https://a.example", method: "eth_chainId" },
      { endpoint: "https://a.example", method: "eth_call", params: ["{{$env.KEY}}"] },
      { endpoint: "http://a.example", method: "eth_call", params: ["{{$env.KEY}}"] },
    ];
    const text = JSON.stringify({ endpoint: "own", cells: [...cells, ...elsewhere] });
    const run = await runText(text, { host: { consent, settings, environment } });
    for (const { notSent, output } of run.cells) {
      assert.match(notSent?.todo ?? "", /when asked/);
      assert.doesNotMatch(output.text, / --[a-z]|command line/);
    }
  });
});

describe("requests without a run", () => {
  it("contain no value of the host, and no result of a cell that was sent one", async () => {
    // a node can transform a value in an unknown way, so no mask finds it
    const node = await hostileServer(answering((method) => (method === "web3_sha3" ? "0x6b657900" : "0x1")));
    const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const call = (data: string) => ({ method: "eth_call", params: [{ to: alice, data }, "latest"] });
    const cells = [
      { name: "a", method: "web3_sha3", params: ["{{$env.KEY}}"] },
      { name: "b", ...call("{{a.result}}") },
      call("{{b.result}}"),
      call("{{\\u0024env.KEY}}"),
      call("0x01"),
    ];
    const text = JSON.stringify({ endpoint: node.url, cells }).replaceAll("\\\\u", "\\u");
    const environment = { variable: () => "0x5ec2e75ec2e7", names: () => ["KEY"] };
    const settings = { rpcNotebook: { liveHints: "always" } } as const;
    const service = createService(
      testHost({ consent: person({ allowHost: async () => true }), environment, settings }),
    );
    const uri = "file:///nowhere/a.rpc.json";
    service.openText(uri, text);
    const signal = AbortSignal.timeout(5000);
    const { ok } = await service.run({ uri }, { started: () => {}, finished: () => {} }, signal);
    assert.equal(ok, cells.length);
    const sent = node.seen.length;
    const hovers = [...text.matchAll(/eth_call/g)].map(({ index }) => service.liveHover(uri, index + 1, signal));
    const hovered = (await Promise.all(hovers)).map((markdown) => markdown !== undefined);
    const watched = await Promise.all(cells.map((_, index) => service.watch({ id: `${index}`, uri, index })));
    service.close(uri);
    for (const index of cells.keys()) service.unwatch(`${index}`);
    await node.close();
    assert.deepEqual(hovered, [false, false, false, true]);
    assert.deepEqual(
      watched.map((answer) => "refused" in answer),
      [true, true, true, true, false],
    );
    assert.doesNotMatch(JSON.stringify(node.seen.slice(sent)), /6b657900|env KEY/);
  });
});

describe("an approval", () => {
  const open = {
    trusted: true,
    namedBy: "repository",
    values: [],
    hasHeaders: false,
    byPerson: true,
    grants: new Set(["https://a.example"]),
  } as const;
  for (const [url, verdict] of [
    ["https://a.example/v2/key", "open"],
    ["wss://a.example/ws", "open"],
    ["https://A.EXAMPLE:443/", "open"],
    ["http://a.example/", "ask"],
    ["ws://a.example/", "ask"],
    ["https://a.example:444/", "ask"],
    ["https://b.a.example/", "ask"],
    ["https://a.example./", "ask"],
  ] as const)
    it(`of https://a.example is ${verdict === "open" ? "" : "not "}for ${url}`, () =>
      assert.equal(gate({ ...open, url }).verdict, verdict));

  for (const [text, sites] of [
    ["a.example", ["https://a.example"]],
    ["A.example:443", ["https://a.example"]],
    ["a.example:8545", ["https://a.example:8545"]],
    ["http://a.example:8545", ["http://a.example:8545"]],
    ["wss://a.example", ["https://a.example"]],
    ["127.0.0.1:8545", ["https://127.0.0.1:8545", "http://127.0.0.1:8545"]],
    ["localhost:8545", ["https://localhost:8545", "http://localhost:8545"]],
    ["[::1]:8545", ["https://[::1]:8545", "http://[::1]:8545"]],
    ["a.example/path", []],
    ["user@a.example", []],
    ["https://a.example?x", []],
    ["ftp://a.example", []],
    ["", []],
    ["a b", []],
  ] as const)
    it(`by --allow-host ${JSON.stringify(text)} is for ${sites.join(" and ") || "nothing"}`, () =>
      assert.deepEqual(sitesNamed(text), sites));

  it("treats all spellings of a site alike", () => {
    assert.equal(siteOf("WSS://User:Pass@RPC.Example:443/key?a#b"), "https://rpc.example");
    assert.equal(shownSite("WSS://User:Pass@RPC.Example:443/key?a#b"), "wss://rpc.example");
    assert.deepEqual(
      ["http://10.0.0.1", "http://[::1]:1", "https://a.example", "http://127.1", "http://a.localhost"].map(isInClear),
      [true, false, false, false, true],
    );
  });
});

describe("the question about methods", () => {
  it("is asked once for each method and host, and remembered on request", async () => {
    const questions: MethodQuestion[] = [];
    const runs: string[] = [];
    for (const answer of ["once", "always"] as const) {
      const consent = person({
        allowMethods: async (question) => {
          questions.push(question);
          return answer;
        },
      });
      const host = { consent, settings: { rpcNotebook: { endpoints: { node: "http://127.0.0.1:1" } } } };
      const { service } = await runText(JSON.stringify({ cells: [{ method: "acme_a" }] }), { endpoint: "node", host });
      service.openText(
        "file:///nowhere/b.rpc.json",
        JSON.stringify({ cells: [{ method: "acme_a" }, { method: "acme_b" }] }),
      );
      const events = { started: () => {}, finished: () => void runs.push(answer) };
      await service.run({ uri: "file:///nowhere/b.rpc.json", endpoint: "node" }, events, AbortSignal.timeout(5000));
    }
    assert.deepEqual(
      questions.map(({ methods, grants }) => [methods.join(), grants.length]),
      [
        ["acme_a", 1],
        ["acme_a,acme_b", 2],
        ["acme_a", 1],
        ["acme_b", 1],
      ],
    );
  });

  it("is not asked about methods that a person's own setting lists as reads", async () => {
    const consent = person({ allowMethods: () => assert.fail("asked") });
    const settings = { rpcNotebook: { endpoints: { node: "http://127.0.0.1:1" }, readMethods: ["acme_*", "zks_a"] } };
    const text = JSON.stringify({ cells: [{ method: "acme_a" }, { method: "zks_a" }] });
    const { cells } = await runText(text, { endpoint: "node", host: { consent, settings } });
    assert.ok(cells.every(({ notSent }) => notSent === undefined));
  });

  it("is asked about a method whose name says that it writes, although the setting lists its namespace", async () => {
    const settings = {
      rpcNotebook: { endpoints: { node: "http://127.0.0.1:1" }, readMethods: ["zks_*", "zks_sendOne"] },
    };
    const cells = ["zks_getAll", "zks_sendRawTransactionWithDetailedOutput", "zks_sendOne"].map((method) => ({
      method,
    }));
    const run = await runText(JSON.stringify({ cells }), { endpoint: "node", host: { settings } });
    assert.deepEqual(
      run.cells.map(({ notSent }) => notSent?.what),
      [
        undefined,
        "`zks_sendRawTransactionWithDetailedOutput` broadcasts a transaction, so it needs your confirmation.",
        undefined,
      ],
    );
  });

  it("lists every method that a yes allows, in full", async () => {
    const questions: (MethodQuestion | WriteQuestion)[] = [];
    const consent = person({
      allowMethods: async (question) => (questions.push(question) > 0 ? "always" : "no"),
      allowWrites: async (question) => questions.push(question) > 0,
    });
    const unknown = [..."abcdefghijk"].map((letter) => `acme_get_${letter.repeat(70)}`);
    const writes = [..."abcdefghijk"].map((letter) => `anvil_set_${letter}`);
    const text = JSON.stringify({ cells: [...unknown, ...writes].map((method) => ({ method })) });
    await runText(text, { endpoint: "http://127.0.0.1:1", host: { consent } });
    assert.deepEqual(
      questions.map((asked) => ("writes" in asked ? pluck(asked.writes, "method") : asked.methods)),
      [writes.slice(0, 10), writes.slice(10), unknown.slice(0, 10), unknown.slice(10)],
    );
  });

  it("comes once in a run for each method and site, however many entries have this host", async () => {
    for (const says of [true, false]) {
      const asked: string[] = [];
      const consent = person({
        allowMethods: async ({ methods }) => (asked.push(...methods) > 0 && says ? "once" : "no"),
        allowWrites: async ({ writes }) => asked.push(...pluck(writes, "method")) > 0 && says,
      });
      const endpoints = Object.fromEntries([..."abc"].map((name) => [name, `http://127.0.0.1:1/${name}`]));
      const cells = Object.keys(endpoints).flatMap((endpoint) => [
        { endpoint, method: "acme_x" },
        { endpoint, method: "anvil_x" },
      ]);
      const host = { consent, settings: { rpcNotebook: { endpoints } } };
      const run = await runText(JSON.stringify({ cells }), { host });
      assert.deepEqual(asked, ["anvil_x", "anvil_x", "anvil_x", "acme_x"]);
      assert.ok(run.cells.every(({ notSent }) => (notSent === undefined) === says));
    }
  });

  it("is not asked for a name that is too long to show, which is not sent", async () => {
    const consent = person({ allowMethods: () => assert.fail("asked"), allowWrites: () => assert.fail("asked") });
    const long = "x".repeat(101);
    const text = JSON.stringify({ cells: [{ method: `acme_${long}` }, { method: `anvil_${long}` }] });
    const { cells } = await runText(text, { endpoint: "http://127.0.0.1:1", host: { consent } });
    assert.deepEqual(
      cells.map(({ notSent }) => notSent?.what.endsWith("so it needs your confirmation.")),
      [true, true],
    );
  });

  it("shows a text that does not look like a method in quotes and in ASCII", async () => {
    const shown: string[] = [];
    const consent = person({ allowMethods: async ({ methods }) => (shown.push(...methods) > 0 ? "no" : "no") });
    const methods = [
      "rpc.x",
      "acme_get to https://mine.example? It only reads. (",
      'a"b',
      "eth_\u0441all",
      "a\u0000\u202e",
      "",
    ];
    const text = JSON.stringify({ cells: methods.map((method) => ({ method })) });
    await runText(text, { endpoint: "http://127.0.0.1:1", host: { consent } });
    assert.deepEqual(shown, [
      "rpc.x",
      '"acme_get to https://mine.example? It only reads. ("',
      '"a\\"b"',
      '"eth_\\u0441all"',
      '"a\\u0000\\u202e"',
      '""',
    ]);
  });

  it("is not answered for other methods by a method with the name of a namespace", async () => {
    const questions: MethodQuestion[] = [];
    const consent = person({ allowMethods: async (question) => (questions.push(question) > 0 ? "always" : "no") });
    const { service } = await runText(JSON.stringify({ cells: [{ method: "acme_*" }] }), {
      endpoint: "http://127.0.0.1:1",
      host: { consent },
    });
    const uri = "file:///nowhere/b.rpc.json";
    service.openText(uri, JSON.stringify({ cells: [{ method: "acme_transferAll" }] }));
    const events = { started: () => {}, finished: () => {} };
    await service.run({ uri, endpoint: "http://127.0.0.1:1" }, events, AbortSignal.timeout(5000));
    assert.deepEqual(
      questions.map(({ methods, grants }) => [methods, grants]),
      [
        [['"acme_*"'], []],
        [["acme_transferAll"], ["http://127.0.0.1:1 method acme_transferAll"]],
      ],
    );
  });

  it("does not let a setting declare a known write as a read", async () => {
    const settings = {
      rpcNotebook: { endpoints: { node: "http://127.0.0.1:1" }, readMethods: ["eth_*", "eth_sendRawTransaction"] },
    };
    const run = await runText(JSON.stringify({ cells: [{ method: "eth_sendRawTransaction", params: [] }] }), {
      endpoint: "node",
      host: { settings },
    });
    assert.match(summaries(run)[0] ?? "", /broadcasts a transaction, so it needs your confirmation/);
  });

  it("suggests a method of the same namespace", async () => {
    const consent = person({ allowMethods: async () => "no" });
    const text = JSON.stringify({
      cells: [{ method: "eth_getBalanc" }, { method: "getBalance" }, { method: "zks_getLogs" }],
    });
    const run = await runText(text, { endpoint: "http://127.0.0.1:1", host: { consent } });
    assert.deepEqual(
      run.cells.map(({ notSent }) => `${notSent?.what} ${notSent?.todo}`),
      [
        "Unknown method `eth_getBalanc`. Did you mean `eth_getBalance`? If not, confirm it when asked.",
        "Unknown method `getBalance`. Did you mean `eth_getBalance`? If not, confirm it when asked.",
        "`zks_getLogs` may change something at http://127.0.0.1:1, so it needs your confirmation. Confirm it when asked.",
      ],
    );
  });
});
