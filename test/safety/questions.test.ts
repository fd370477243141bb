import assert from "node:assert/strict";
import type { Consent, HostQuestion, MethodQuestion, WriteQuestion } from "../../server/src/base/ports.ts";
import { isInClear, shownSite, siteOf, sitesNamed } from "../../server/src/endpoints/site.ts";
import { verdictOn } from "../../server/src/gate/verdict.ts";
import { createService, type Service } from "../../server/src/service/service.ts";
import type { Host } from "../../server/src/workspace/host.ts";
import { person, runText, summaries, testHost } from "../support/host.ts";
import { answering, hostileServer } from "../support/hostileServer.ts";
import { pluck } from "../support/pluck.ts";

const node = "http://127.0.0.1:1";
const uri = "file:///nowhere/a.rpc.json";
const read = { method: "eth_chainId" };
const keyed = environmentOf({ KEY: "0x5ec2e75ec2e7" });

function environmentOf(values: Readonly<Record<string, string>>): NonNullable<Host["environment"]> {
  return { variable: (name) => values[name], names: () => Object.keys(values) };
}

function calls(...methods: readonly string[]): readonly object[] {
  return methods.map((method) => ({ method }));
}

/** Runs cells, and collects the questions. The person says no about hosts, and once about methods, unless `says` differs. */
async function ask(
  cells: readonly object[],
  { endpoint, says, ...host }: Partial<Host> & { readonly endpoint?: string; readonly says?: Partial<Consent> } = {},
) {
  const hosts: HostQuestion[] = [];
  const others: (MethodQuestion | WriteQuestion)[] = [];
  const said = person(says ?? {});
  const consent: Consent = {
    ...said,
    allowHost: async (question, signal) => (hosts.push(question) > 0 ? said.allowHost(question, signal) : false),
    allowMethods: async (question, signal) => (others.push(question) > 0 ? said.allowMethods(question, signal) : "no"),
    allowWrites: async (question, signal) => (others.push(question) > 0 ? said.allowWrites(question, signal) : false),
  };
  const run = await runText(JSON.stringify({ cells }), { ...(endpoint && { endpoint }), host: { ...host, consent } });
  return {
    run,
    hosts,
    first: summaries(run)[0] ?? "",
    /** What each other question lists. */
    lists: () => others.map((one) => ("writes" in one ? pluck(one.writes, "method") : one.methods)),
    grants: () => others.map((one) => ("grants" in one ? one.grants : [])),
    again: (...next: readonly object[]) => runAgain(run.service, { cells: next }, endpoint),
  };
}

function runAgain(service: Service, notebook: object, endpoint?: string) {
  service.openText(uri, JSON.stringify(notebook));
  const events = { started: () => {}, finished: () => {} };
  return service.run({ uri, ...(endpoint && { endpoint }) }, events, new AbortController().signal);
}

/** Asks about an entry of the workspace's settings. */
function askAbout(entry: unknown, values: Readonly<Record<string, string>> = {}, name = "main") {
  const settings = { workspace: { endpoints: { [name]: entry } } };
  return ask([{ ...read, endpoint: name }], { settings, environment: environmentOf(values) });
}

describe("the question about a host", () => {
  for (const [entry, site, values = {}] of [
    ["http://evil@evil/", "http://evil"],
    ["http://x:node.evil.example@node.evil.example/", "http://node.evil.example"],
    [{ url: "https://evil.example", headers: { "x-key": "evil.example" } }, "https://evil.example"],
    ["https://{{$env.AT}}/", "https://evil.example", { AT: "evil.example" }],
    ["https://\u0430pple.com/", "https://xn--pple-43d.com"],
    ["https://mainnet.example@evil.example/", "https://evil.example"],
    ["https://evil.example/mainnet.example", "https://evil.example"],
    ["https://evil.example:8545/key", "https://evil.example:8545"],
    ["http://0x7f000001:1/node", node],
    ["wss://evil.example/v2/key", "wss://evil.example"],
    ["https://evil.example./", "https://evil.example."],
  ] as const)
    it(`shows the exact host of ${JSON.stringify(entry)}`, async () =>
      assert.deepEqual(pluck((await askAbout(entry, values)).hosts, "site"), [site]));

  it("shows names on one line, shortened and without hidden characters or quotes, which would end those around it", async () => {
    for (const [name, shown] of [
      [`main\u202e\n\u001b[31m${"x".repeat(3000)}`, /^The endpoint "main\\u202e \\u001b\[31mx+…" is /],
      [`x" comes from your settings. \u201dy`, /^The endpoint "x' comes from your settings\. 'y" is /],
    ] as const) {
      const [{ source = "" } = {}] = (await askAbout("https://evil.example", {}, name)).hosts;
      assert.match(source, shown);
      assert.ok(source.length <= 200);
    }
  });

  it("lists every value that a yes allows", async () => {
    const names = Array.from({ length: 23 }, (_, at) => `KEY_${at}`);
    const headers = Object.fromEntries(names.map((name) => [`x-${name}`, `{{$env.${name}}}`]));
    const { hosts } = await ask([{ ...read, endpoint: "main" }], {
      settings: { workspace: { endpoints: { main: { url: node, headers } } } },
      environment: environmentOf(Object.fromEntries(names.map((name) => [name, `secret of ${name}`]))),
      says: { allowHost: async () => true },
    });
    assert.deepEqual(
      hosts.map(({ values }) => values.length),
      [10, 10, 3],
    );
    for (const { site, values, grants } of hosts)
      assert.deepEqual(grants, [site, ...values.map((value) => `${site} ${value}`)]);
  });

  it("is not asked for a value with a name that is too long to show", async () => {
    const name = `KEY_${"x".repeat(200)}`;
    const entry = { url: "https://evil.example", headers: { k: `{{$env.${name}}}` } };
    const { hosts, first } = await askAbout(entry, { [name]: "s" });
    assert.deepEqual(pluck(hosts, "values"), [[]]);
    assert.match(first, /may not go to https:\/\/evil\.example/);
  });

  it("comes once in a run after a no, however many entries have this host", async () => {
    const endpoints = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`e${at}`, `${node}/${at}`]));
    const cells = Object.keys(endpoints).map((endpoint) => ({ ...read, endpoint }));
    const { hosts, run, again } = await ask(cells, { settings: { workspace: { endpoints } } });
    assert.deepEqual([hosts.length, run.result.failed], [1, 20]);
    await again(...cells);
    assert.equal(hosts.length, 2);
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
    const notebook = { endpoint: `${node}/node`, cells: [read] };
    await Promise.all([1, 2, 3].map(() => runAgain(service, notebook)));
    assert.deepEqual([most, count], [1, 1]);
  });

  it("lists a value that another endpoint may have returned", async () => {
    const [echo, away] = await Promise.all([
      hostileServer(({ body }, response) => {
        const { id, params } = JSON.parse(body);
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: params[0] }));
      }),
      hostileServer(answering(() => "0x1")),
    ]);
    const sha = { method: "web3_sha3" };
    const cells = [
      { name: "a", endpoint: echo.url, ...sha, params: ["{{$env.KEY}}"] },
      { name: "b", endpoint: echo.url, ...sha, params: ["{{a.result}}"] },
      { endpoint: away.url, ...sha, params: ["{{b.result}}"] },
      { endpoint: away.url, ...sha, params: ["0x00"] },
    ];
    const [from, to] = [`http://${echo.host}`, `http://${away.host}`];
    const says: Partial<Consent> = { allowHost: async ({ site, values }) => site === from || values.length === 0 };
    const { hosts, run } = await ask(cells, { says, environment: keyed });
    assert.deepEqual(
      hosts.map(({ site, values }) => [site, values]),
      [from, to].map((site) => [site, ["$env.KEY"]]),
    );
    assert.ok(!JSON.stringify(away.seen).includes(keyed.variable("KEY") ?? ""));
    assert.match(summaries(run)[2] ?? "", /`\$env\.KEY` may not go to/);
  });

  it("says that a secret would be sent without encryption", async () => {
    for (const [url, inClear] of [
      ["http://node.example/", true],
      ["ws://node.example/", true],
      ["https://node.example/", false],
      ["http://127.0.0.1:1/", false],
      ["http://localhost:1/", false],
    ] as const) {
      const { hosts } = await askAbout({ url, headers: { authorization: "{{$env.KEY}}" } }, { KEY: "a secret" });
      assert.equal(hosts[0]?.inClear, inClear, url);
    }
  });

  it("is asked for a secret without encryption even if a person typed the address", async () => {
    const { hosts, first } = await ask([read], { endpoint: "http://node.example/{{$env.KEY}}", environment: keyed });
    assert.deepEqual(
      hosts.map(({ site, values }) => [site, values]),
      [["http://node.example", ["$env.KEY"]]],
    );
    assert.match(first, /`\$env\.KEY` would go to http:\/\/node\.example .* without encryption/);
  });

  const methods = ["eth_sendTransaction", "zks_getLogs", "a; rm", "acme_$HOME", "eth_getBalanc"];

  it("names the option to type on the command line", async () => {
    const says: Partial<Consent> = { byOptions: true, allowMethods: async () => "no" };
    for (const [endpoint, host] of [
      ["https://a.example:8545", "a.example:8545"],
      ["http://a.example:8545", "http://a.example:8545"],
    ]) {
      const { run } = await ask([{ ...read, endpoint }], { says });
      assert.equal(run.cells[0]?.notSent?.option, `--allow-host ${host}`);
    }
    const { run } = await ask(calls(...methods), { endpoint: node, says });
    assert.deepEqual(
      run.cells.map(({ notSent }) => notSent?.option),
      ["--allow-writes", "--allow-method zks_getLogs", undefined, undefined, undefined],
    );
  });

  it("does not name options of the command line in an editor", async () => {
    const cells = [
      ...calls(...methods).map((cell) => ({ ...cell, endpoint: "own" })),
      { endpoint: "https://a.example", ...read },
      { endpoint: "https://a.example", method: "eth_call", params: ["{{$env.KEY}}"] },
      { endpoint: "http://a.example", method: "eth_call", params: ["{{$env.KEY}}"] },
    ];
    const settings = { rpcNotebook: { endpoints: { own: node } } };
    const { run } = await ask(cells, { settings, environment: keyed, says: { allowMethods: async () => "no" } });
    for (const { notSent, output } of run.cells) {
      assert.match(notSent?.todo ?? "", /when asked/);
      assert.doesNotMatch(output.text, / --[a-z]|command line/);
    }
  });

  it("explains that a subscription did not begin because its WebSocket was not allowed", async () => {
    const server = await hostileServer(answering(() => "0x1"));
    const cells = [{ endpoint: "own", method: "eth_subscribe", params: ["newHeads"], expect: { error: {} } }];
    const settings = { rpcNotebook: { endpoints: { own: { url: server.url, ws: "ws://127.0.0.1:9/{{$env.KEY}}" } } } };
    for (const byOptions of [true, undefined] as const) {
      const approvedHosts = [`http://${server.host} *`];
      const { run } = await ask(cells, { says: { byOptions }, settings, environment: keyed, approvedHosts });
      const [cell] = run.cells;
      assert.match(cell?.output.text ?? "", /not sent: `\$env\.KEY` may not go to ws:\/\/127\.0\.0\.1:9 /);
      assert.deepEqual([cell?.ok, cell?.cancelled, cell?.answers()], [false, false, []]);
      assert.equal(cell?.notSent?.option, byOptions && "--allow-host 127.0.0.1:9");
    }
  });
});

describe("requests without a run", () => {
  it("contain no value of the host, and no result of a cell that was sent one", async () => {
    // a node can transform a value in an unknown way, so no mask finds it
    const server = await hostileServer(answering((method) => (method === "web3_sha3" ? "0x6b657900" : "0x1")));
    const call = (data: string) => ({
      method: "eth_call",
      params: [{ to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", data }, "latest"],
    });
    const cells = [
      { name: "a", method: "web3_sha3", params: ["{{$env.KEY}}"] },
      { name: "b", ...call("{{a.result}}") },
      call("{{b.result}}"),
      call("{{\\u0024env.KEY}}"),
      call("0x01"),
    ];
    const text = JSON.stringify({ endpoint: server.url, cells }).replaceAll("\\\\u", "\\u");
    const settings = { rpcNotebook: { liveHints: "always" } } as const;
    const consent = person({ allowHost: async () => true });
    const service = createService(testHost({ consent, environment: keyed, settings }));
    service.openText(uri, text);
    const signal = new AbortController().signal;
    const { ok } = await service.run({ uri }, { started: () => {}, finished: () => {} }, signal);
    assert.equal(ok, cells.length);
    const sent = server.seen.length;
    const hovers = [...text.matchAll(/eth_call/g)].map(({ index }) => service.liveHover(uri, index + 1, signal));
    const hovered = (await Promise.all(hovers)).map((markdown) => markdown !== undefined);
    const watched = await Promise.all(cells.map((_, index) => service.watch({ id: `${index}`, uri, index })));
    service.close(uri);
    for (const index of cells.keys()) service.unwatch(`${index}`);
    assert.deepEqual(hovered, [false, false, false, true]);
    assert.deepEqual(
      watched.map((answer) => "refused" in answer),
      [true, true, true, true, false],
    );
    assert.doesNotMatch(JSON.stringify(server.seen.slice(sent)), /6b657900|env KEY/);
  });
});

describe("an approval", () => {
  const given = {
    trusted: true,
    namedBy: "repository",
    values: [],
    hasHeaders: false,
    byPerson: true,
    grants: new Set(["https://a.example"]),
  } as const;

  it("of a site is for all addresses there, and for no other port, scheme or host", () => {
    for (const [verdict, ...urls] of [
      ["open", "https://a.example/v2/key", "wss://a.example/ws", "https://A.EXAMPLE:443/"],
      ["ask", "http://a.example/", "ws://a.example/", "https://a.example:444/", "https://a.example./"],
      ["ask", "https://b.a.example/"],
    ] as const)
      for (const url of urls) assert.equal(verdictOn({ ...given, url }).verdict, verdict, url);
  });

  it("by --allow-host is for the sites that the text names", () => {
    for (const [text, ...sites] of [
      ["a.example", "https://a.example"],
      ["A.example:443", "https://a.example"],
      ["a.example:8545", "https://a.example:8545"],
      ["http://a.example:8545", "http://a.example:8545"],
      ["wss://a.example", "https://a.example"],
      ...["127.0.0.1:8545", "localhost:8545", "[::1]:8545"].map((at) => [at, `https://${at}`, `http://${at}`] as const),
      ...["a.example/path", "user@a.example", "https://a.example?x", "ftp://a.example", "", "a b"].map((at) => [at]),
    ] as const)
      assert.deepEqual(sitesNamed(text), sites, text);
  });

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
  const readMethods = ["acme_*", "zks_a", "zks_*", "zks_sendOne", "eth_*", "eth_sendRawTransaction"];

  it("is asked once for each method and host, and remembered on request", async () => {
    for (const [answer, second] of [
      ["once", ["acme_a", "acme_b"]],
      ["always", ["acme_b"]],
    ] as const) {
      const { lists, grants, again } = await ask(calls("acme_a"), {
        endpoint: node,
        says: { allowMethods: async () => answer },
      });
      await again(...calls("acme_a", "acme_b"));
      assert.deepEqual(lists(), [["acme_a"], second]);
      assert.deepEqual(pluck(grants(), "length"), [1, second.length]);
    }
  });

  it("is not asked about reads of a person's own setting, which cannot declare known writes and names of writes", async () => {
    const settings = { rpcNotebook: { endpoints: { node }, readMethods } };
    const wild = "zks_sendRawTransactionWithDetailedOutput";
    const cells = calls("acme_a", "zks_a", "zks_sendOne", wild, "eth_sendRawTransaction");
    const { run, lists } = await ask(cells, { endpoint: "node", settings });
    assert.deepEqual(lists(), [[wild, "eth_sendRawTransaction"]]);
    assert.deepEqual(
      run.cells.map(({ notSent }) => notSent === undefined),
      [true, true, true, false, false],
    );
  });

  it("lists every method that a yes allows, in full", async () => {
    const unknown = [..."abcdefghijk"].map((letter) => `acme_get_${letter.repeat(70)}`);
    const writes = [..."abcdefghijk"].map((letter) => `anvil_set_${letter}`);
    const { lists } = await ask(calls(...unknown, ...writes), {
      endpoint: node,
      says: { allowMethods: async () => "always", allowWrites: async () => true },
    });
    assert.deepEqual(lists(), [writes.slice(0, 10), writes.slice(10), unknown.slice(0, 10), unknown.slice(10)]);
  });

  it("comes once in a run for each method and site, however many entries have this host", async () => {
    for (const yes of [true, false]) {
      const says: Partial<Consent> = { allowMethods: async () => (yes ? "once" : "no"), allowWrites: async () => yes };
      const endpoints = Object.fromEntries([..."abc"].map((name) => [name, `${node}/${name}`]));
      const cells = Object.keys(endpoints).flatMap((endpoint) =>
        calls("acme_x", "anvil_x").map((cell) => ({ endpoint, ...cell })),
      );
      const { run, lists } = await ask(cells, { says, settings: { rpcNotebook: { endpoints } } });
      assert.deepEqual(lists().flat(), ["anvil_x", "anvil_x", "anvil_x", "acme_x"]);
      assert.ok(run.cells.every(({ notSent }) => (notSent === undefined) === yes));
    }
  });

  it("is not asked for a name that is too long to show, which is not sent", async () => {
    const long = "x".repeat(101);
    const { run, lists } = await ask(calls(`acme_${long}`, `anvil_${long}`), { endpoint: node });
    assert.deepEqual(lists(), []);
    assert.ok(run.cells.every(({ notSent }) => notSent));
  });

  it("shows a text that does not look like a method in quotes and in ASCII", async () => {
    const forged = "acme_get to https://mine.example? It only reads. (";
    const methods = ["rpc.x", forged, 'a"b', "eth_\u0441all", "a\u0000\u202e", ""];
    const { lists } = await ask(calls(...methods), { endpoint: node, says: { allowMethods: async () => "no" } });
    assert.deepEqual(lists().flat(), [
      "rpc.x",
      `"${forged}"`,
      '"a\\"b"',
      '"eth_\\u0441all"',
      '"a\\u0000\\u202e"',
      '""',
    ]);
  });

  it("is not answered for other methods by a method with the name of a namespace", async () => {
    const says: Partial<Consent> = { allowMethods: async () => "always" };
    const { again, lists, grants } = await ask(calls("acme_*"), { endpoint: node, says });
    await again(...calls("acme_transferAll"));
    assert.deepEqual(lists(), [['"acme_*"'], ["acme_transferAll"]]);
    assert.deepEqual(grants(), [[], [`${node} method acme_transferAll`]]);
  });

  it("suggests a method of the same namespace", async () => {
    const { run } = await ask(calls("eth_getBalanc", "getBalance", "zks_getLogs"), {
      endpoint: node,
      says: { allowMethods: async () => "no" },
    });
    const suggested = run.cells.map(({ notSent }) => /eth_get\w+(?=`\?)/.exec(notSent?.todo ?? "")?.[0]);
    assert.deepEqual(suggested, ["eth_getBalance", "eth_getBalance", undefined]);
  });
});
