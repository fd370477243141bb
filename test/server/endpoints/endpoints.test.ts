import assert from "node:assert/strict";
import fc from "fast-check";
import type { Files } from "../../../server/src/base/ports.ts";
import { knownEndpoints } from "../../../server/src/endpoints/known.ts";
import type { EndpointProblem } from "../../../server/src/endpoints/named.ts";
import { readEndpointsFile, readFoundryFile } from "../../../server/src/endpoints/readFiles.ts";
import {
  type Choices,
  explainEndpoint,
  otherNetwork,
  resolveEndpoint,
} from "../../../server/src/endpoints/resolveEndpoint.ts";
import { verdictOn } from "../../../server/src/gate/verdict.ts";
import { times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";
import { pluck } from "../../support/pluck.ts";
import { rows } from "../../support/rows.ts";

/** A folder of files, by URI. */
function folder(texts: Readonly<Record<string, string>>): Files {
  return {
    read: async (uri) => {
      const text = texts[uri];
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
  };
}

/** Chooses among what files and settings of a notebook at file:///w/a/b/n.rpc.json say; answers one line. */
async function choose(
  choices: Choices,
  texts: Readonly<Record<string, string>> = {},
  setting: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { endpoints } = await knownEndpoints(folder(texts), "file:///w/a/b/n.rpc.json", ["file:///w/", "file:///v"], {
    setting,
  });
  const found = resolveEndpoint(choices, endpoints);
  if (!("endpoint" in found)) {
    const { what, todo } = explainEndpoint(found);
    return `${what} ${todo}`;
  }
  return `${found.endpoint.name} ${found.endpoint.url} (${found.why}; ${found.origin}; ${found.namedBy})`;
}

const nothingSet = (): undefined => undefined;

const read = (text: string, name = "rpc-endpoints.json") =>
  readEndpointsFile(new TextEncoder().encode(text), `file:///w/${name}`, "here", nothingSet);

/** The problems of a file of one line, each with the text that it stands under. */
function problems(text: string, name?: string): readonly string[] {
  const under = ({ start, end }: EndpointProblem): string => text.slice(start.column - 1, end.column - 1);
  return read(text, name).problems.map((problem) => `${problem.code} ${under(problem)}: ${problem.what}`);
}

describe("which endpoint", () => {
  const a = "http://a.example/key";

  it("goes by --endpoint, the cell, the picker, the header, the setting", async () => {
    const all = {
      cli: "http://cli/",
      cell: "http://cell/",
      picker: "http://picker/",
      header: "http://header/",
      setting: "http://setting/",
    };
    const order = ["cli", "cell", "picker", "header", "setting"] as const;
    for (const [index, by] of order.entries()) {
      const left = Object.fromEntries(order.slice(index).map((each) => [each, all[each]]));
      assert.match(await choose(left), new RegExp(`^${by} http://${by}/ `));
    }
  });

  it("is looked up in the nearest private file, the file, the setting, what is built in", async () => {
    const header = { header: "x" };
    const files: Record<string, string> = {};
    const setting = { x: "http://setting/" };
    assert.equal(
      await choose(header, files, setting),
      "x http://setting/ (the header; your setting rpcNotebook.endpoints; settings)",
    );
    files["file:///w/rpc-endpoints.json"] = `{ "x": "http://root/" }`;
    assert.equal(
      await choose(header, files, setting),
      "x http://root/ (the header; ../../rpc-endpoints.json; repository)",
    );
    files["file:///w/rpc-endpoints.private.json"] = `{ "x": { "url": "http://private/" } }`;
    assert.equal(
      await choose(header, files, setting),
      "x http://private/ (the header; ../../rpc-endpoints.private.json; repository)",
    );
    files["file:///w/a/b/rpc-endpoints.json"] = `{ "$schema": "x", "x": "http://near/" }`;
    assert.equal(await choose(header, files, setting), "x http://near/ (the header; rpc-endpoints.json; repository)");
  });

  it("has a local one built in, which others may name anew", async () => {
    assert.equal(await choose({ header: "local" }), "local http://127.0.0.1:8545/ (the header; built in; repository)");
    assert.match(
      await choose({ header: "local" }, {}, { local: "http://127.0.0.1:9545" }),
      /^local http:\/\/127.0.0.1:9545\/ /,
    );
  });

  it("is never read from above the workspace folder, nor beside another", async () => {
    const files = folder({
      "file:///rpc-endpoints.json": `{ "x": "${a}" }`,
      "file:///v/rpc-endpoints.json": `{ "x": "${a}" }`,
    });
    for (const uri of ["file:///w/a/n.rpc.json", "file:///wx/n.rpc.json"]) {
      const { endpoints } = await knownEndpoints(files, uri, ["file:///w"]);
      assert.deepEqual(pluck(endpoints, "name"), ["local"]);
    }
    const encoded = folder({
      "file:///c%3A/w/a/rpc-endpoints.json": `{ "x": "${a}" }`,
      "file:///c%3A/w/rpc-endpoints.json": `{ "y": "${a}" }`,
    });
    const { endpoints } = await knownEndpoints(encoded, "file:///c%3A/w/a/n.rpc.json", ["file:///c:/w"]);
    assert.deepEqual(pluck(endpoints, "name"), ["x", "y", "local"]);
    const untitled = await knownEndpoints(folder({ "file:///w/rpc-endpoints.json": `{ "x": "${a}" }` }), "untitled:N", [
      "file:///w/",
    ]);
    assert.deepEqual(pluck(untitled.endpoints, "name"), ["x", "local"]);
  });

  it("takes a URL as it is, shown by its host", async () => {
    assert.equal(await choose({ cell: a }), `a.example ${a} (the cell; the cell; repository)`);
    assert.equal(await choose({ cli: a }), `a.example ${a} (--endpoint; --endpoint; cli)`);
    assert.equal(await choose({ picker: a }), `a.example ${a} (the picker; the picker; picker)`);
  });

  it("belongs to whoever wrote its address, whoever names it", async () =>
    assert.match(await choose({ cli: "local" }), /\(--endpoint; built in; repository\)$/));

  it("cannot be called like an address, nor nothing", async () => {
    const names = ["", " ", "https://a.example", "HTTP:\\\\a", " wss://a", "localhost:8545", "[::1]:1", "{{$env.A}}"];
    const entries = Object.fromEntries(names.map((name) => [name, "http://other.example/"]));
    assert.equal(problems(JSON.stringify(entries)).length, names.length);
    for (const name of names) assert.doesNotMatch(await choose({ cell: name }, {}, entries), /other\.example/);
    assert.match(await choose({ cell: "base:main" }, {}, { "base:main": a }), /^base:main http:\/\/a\.example\/key/);
  });

  it("says what is wrong, and never the address", async () => {
    assert.match(await choose({}, {}, { main: a, test: a }), /--endpoint.*: `main`, `test` or `local`\.$/);
    assert.match(await choose({ cell: "maim", header: "local" }, {}, { main: a }), /`maim`.* the cell\. .*`main`\?$/);
    assert.match(await choose({ header: "q" }), /`q`.* the header\. .*: `local`\.$/);
    assert.match(
      await choose({ header: "x" }, {}, { x: "ftp://a.example/s3cr3t" }),
      /`x` .*rpcNotebook\.endpoints.*http/,
    );
    for (const url of ["ftp://s3cr3t@h/s3cr3t", "http://s3cr3t:s3cr3t", "http://h/s3cr3t{{alice}}"]) {
      const said = await choose({ header: url });
      assert.ok(said.includes("cannot be used") && !said.includes("s3cr3t"), said);
    }
  });
});

describe("a file of endpoints", () => {
  it("is read in full", () => {
    const text = `{ "x": { "url": "https://u:p@h:1/k?q", "ws": "wss://h/w", "headers": { "Authorization": "Bearer k" }, "chainId": "0x7a69",
      "preconfirmed": false, "logRange": 1999, "batch": 100, "rate": 25, "refuses": ["eth_getBlockReceipts"], "explorer": "https://e/",
      "contracts": "https://c/server/" },
      "y": { "url": "http://h/", "chainId": 8453, "batch": false }, "z": { "url": "http://h/", "batch": 1 }, "t": { "url": "http://h/", "batch": true } }`;
    const { endpoints, problems } = read(text, "rpc-endpoints.private.json");
    assert.deepEqual(problems, []);
    assert.deepEqual(endpoints[0], {
      name: "x",
      origin: "here",
      namedBy: "repository",
      place: { uri: "file:///w/rpc-endpoints.private.json", place: { line: 1, column: 4 } },
      endpoint: {
        name: "x",
        url: "https://u:p@h:1/k?q",
        host: "h:1",
        ws: "wss://h/w",
        headers: { Authorization: "Bearer k" },
        chainId: 31337n,
        preconfirmed: false,
        logRange: 1999n,
        batch: 100,
        rate: 25,
        refuses: ["eth_getBlockReceipts"],
        explorer: "https://e/",
        contracts: "https://c/server",
        carries: [],
      },
    });
    assert.deepEqual(
      endpoints.slice(1).map(({ endpoint }) => "url" in endpoint && endpoint.batch),
      [false, false, undefined],
    );
  });

  for (const [text = "", ...want] of rows`
    { "x": 1 }
      bad-endpoint 1: an endpoint is a URL, or an object with \`url\` or \`replay\`
    { "x": "nowhere" }
      bad-endpoint-address "nowhere": expected an address beginning with http:// or https://
    { "x": { "chainId": 1 } }
      bad-endpoint-address { "chainId": 1 }: expected an address beginning with http:// or https://
    { "x": { "url": "http://h", "colour": 1 } }
      unknown-endpoint-key 1: unknown setting \`colour\`
    { "x": { "url": "http://h", "chainId": "one" } }
      bad-endpoint "one": a chain id is a number, or a quantity such as "0x7a69"
    { "x": { "url": "http://h", "logRange": -1 } }
      bad-endpoint -1: expected a number, the greatest toBlock − fromBlock
    { "x": { "url": "http://h", "contracts": "http://c" } }
      bad-endpoint "http://c": expected the https URL of a lookup host, such as "https://sourcify.dev/server"
    { "x": { "url": "http://h", "batch": 0 } }
      bad-endpoint 0: expected a number of requests, or false if the endpoint does not accept batches
    { "x": { "url": "http://h", "headers": { "A B": "1" } } }
      bad-endpoint "1": HTTP does not allow this header name
    { "x": { "url": "http://h", "headers": { "A": "1\\n2" } } }
      bad-endpoint "1\\n2": this has a character that HTTP does not allow in headers
    { "x": { "url": "http://h", "headers": { "Content-Length": "1" } } }
      bad-endpoint "1": this header is set by the transport
    { "x": { "url": "http://h", "headers": [] } }
      bad-endpoint []: expected an object, header → value
    []
      bad-endpoint-file []: expected an object, name → URL or object
    \ 
      bad-endpoint-file  : expected an object, name → URL or object
    { "x": { "url": "https://h/{{$secret.KEY}}", "headers": { "Authorization": "Bearer {{$env.T}}" } } }
      unset-endpoint-value "https://h/{{$secret.KEY}}": \`$secret.KEY\` is not set
      unset-endpoint-value "Bearer {{$env.T}}": \`$env.T\` is not set
  `)
    it(`with ${text}`, () => assert.deepEqual(problems(text), want));

  const secret = "this seems to contain a key, and everyone who has the file can read it";
  for (const [text, ...under] of [
    [`{ "x": "https://h/v2/aB3dE5gH7jK9mN1pQ3sT5vW7" }`, `"https://h/v2/aB3dE5gH7jK9mN1pQ3sT5vW7"`],
    [`{ "x": { "url": "http://h", "ws": "wss://u:p@h" } }`, `"wss://u:p@h"`],
    [`{ "x": { "url": "http://h", "headers": { "X-Api-Key": "abcdefgh" } } }`, `"abcdefgh"`],
    [`{ "x": { "url": "http://h", "headers": { "Accept": "abcdefgh" } } }`],
    [`{ "x": "https://h/v2", "$schema": "https://h/v2/aB3dE5gH7jK9mN1pQ3sT5vW7" }`],
  ] as const) {
    it(`with ${under.length === 0 ? "no" : "a"} key: ${text}`, () => {
      const found = problems(text).map((problem) => problem.split(": this")[0]);
      assert.deepEqual(
        found,
        under.map((one) => `secret-in-endpoint-file ${one}`),
      );
      assert.ok(problems(text).every((problem) => problem.includes(secret)));
      assert.deepEqual(problems(text, "rpc-endpoints.private.json"), []);
    });
  }
  it("that is no JSON, or no text, is a problem with a place", () => {
    assert.match(problems(`{ "x": "http://h"`)[0] ?? "", /^bad-endpoint-file /);
    const { problems: found } = readEndpointsFile(Uint8Array.of(0x7b, 0xff), "file:///w/f", "f", nothingSet);
    assert.deepEqual(
      found.map(({ code, what }) => `${code}: ${what}`),
      ["bad-endpoint-file: the file is not UTF-8"],
    );
  });

  it("does not lose what stands beside a mistake", () => {
    const { endpoints } = read(`{ "bad": 1, "good": "http://h/" }`);
    assert.deepEqual(
      endpoints.map(({ endpoint }) => "broken" in endpoint),
      [true, false],
    );
  });

  it("with thousands of mistakes is read once, not once for each", () =>
    expectLinear(times(20_000, 5_000), (size) => {
      const names = Array.from({ length: size }, (_, at) => `n${at}`);
      const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, "x:"])));
      const toml = `[rpc_endpoints]\n${names.map((name) => `${name} = "x:"`).join("\n")}`;
      const places = ({ problems: found }: ReturnType<typeof readEndpointsFile>) =>
        [found[0], found.at(-1)].map((problem) => problem?.start);
      assert.deepEqual(places(read(json)), [
        { line: 1, column: 7 },
        { line: 1, column: json.length - 4 },
      ]);
      assert.deepEqual(places(readFoundryFile(new TextEncoder().encode(toml), "file:///w/f", "f", nothingSet)), [
        { line: 2, column: 1 },
        { line: names.length + 1, column: 1 },
      ]);
    }));

  it("may hold anything at all", () =>
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        for (const { start, end } of read(text).problems) {
          assert.ok(start.line >= 1 && start.column >= 1 && end.line >= start.line);
          assert.ok(end.line > start.line || end.column >= start.column);
        }
      }),
    ));
});

describe("the gate", () => {
  const known = {
    trusted: true,
    grants: new Set(["https://a.example:8545"]),
    url: "https://A.example:8545/v2/key",
    namedBy: "repository",
    values: [],
    hasHeaders: false,
    byPerson: true,
  } as const;

  const verdictOf = (url: string, more: Partial<Parameters<typeof verdictOn>[0]> = {}) =>
    verdictOn({ ...known, url, ...more }).verdict;

  it("asks once for a host that the repository names", () => {
    assert.deepEqual([verdictOf(known.url), verdictOf("https://a.example")], ["open", "ask"]);
  });
  it("is open for a port of this machine, without a path, a header or a value of the host", () => {
    for (const url of ["http://127.0.0.1:8545", "http://127.9.8.7", "http://localhost:1/", "ws://[::1]:8546"])
      assert.equal(verdictOf(url), "open", url);
    const others = ["http://127.0.0.1:2375/containers/prune", "http://localhost:1/?a", "http://user@127.0.0.1:1"];
    for (const url of [...others, "http://0.0.0.0:1", "http://localhost.example", "http://[::ffff:127.0.0.1]:1"])
      assert.equal(verdictOf(url), "ask", url);
    for (const more of [
      { hasHeaders: true },
      { values: [{ source: "secret", name: "KEY" }] },
      { byPerson: false },
    ] as const)
      assert.equal(verdictOf("http://127.0.0.1:8545", more), "ask");
  });
  it("is open for what a person has written, and closed for everyone if the workspace is not trusted", () => {
    for (const namedBy of ["cli", "settings", "picker", "repository"] as const) {
      assert.equal(verdictOf("https://b.example", { namedBy }), namedBy === "repository" ? "ask" : "open");
      for (const url of [known.url, "http://127.0.0.1:8545"])
        assert.equal(verdictOf(url, { namedBy, trusted: false }), "closed");
    }
  });
});

describe("the other network", () => {
  for (const [names, from, to] of [
    ["local main test", "main", "test"],
    ["local main test", "test", "main"],
    ["mainnet testnet", undefined, "mainnet"],
    ["mainnet testnet local", "local", "mainnet"],
    ["local main", "main", undefined],
  ] as const)
    it(`is ${to} from ${from}`, () => assert.equal(otherNetwork(names.split(" "), from), to));
});
