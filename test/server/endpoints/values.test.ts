import assert from "node:assert/strict";
import fc from "fast-check";
import { readFoundry } from "../../../server/src/endpoints/foundry.ts";
import type { HostReference } from "../../../server/src/endpoints/hostValue.ts";
import { hostValues, readDotenv } from "../../../server/src/endpoints/readValues.ts";
import { expectLinear } from "../../support/growth.ts";

describe("a .env file", () => {
  for (const [text, values] of [
    ["A=1", { A: "1" }],
    ["\ufeffA=1\r\nB = two words \r\n", { A: "1", B: "two words" }],
    ["export A=1", { A: "1" }],
    ["# A=1\n  # B=2\nC=3 # three", { C: "3" }],
    ["A=b#c", { A: "b#c" }],
    ["A=#c", { A: "" }],
    ["A=\nB=2", { A: "", B: "2" }],
    [`A="x # y" # z`, { A: "x # y" }],
    [`A='$B \\n "x"'`, { A: `$B \\n "x"` }],
    [`A="one\\ntwo\\"\\\\"`, { A: 'one\ntwo"\\' }],
    [`A="one\ntwo"\nB=2`, { A: "one\ntwo", B: "2" }],
    ['A=`it\'s "so"`', { A: `it's "so"` }],
    ["A=1\nA=2", { A: "2" }],
    ["A", {}],
    ["1A=1\nA B=1", {}],
    ["A=https://h/?a=b&c=d", { A: "https://h/?a=b&c=d" }],
    [`A="open\nB=2`, { A: `"open`, B: "2" }],
    ["__proto__=1", Object.fromEntries([["__proto__", "1"]])],
  ] as const) {
    it(`with ${JSON.stringify(text)}`, () =>
      assert.deepEqual(Object.fromEntries([...readDotenv(text)].map(([name, { value }]) => [name, value])), values));
  }

  it("takes any text in good time, and knows if names stand", async () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const [name, { offset }] of readDotenv(text)) assert.ok(text.startsWith(name, offset));
      }),
    );
    for (const line of ['A="', "A='\n", "A=`", 'A="\\', "A\n", " \t", "export "])
      await expectLinear(100_000, (size) => readDotenv(line.repeat(size)), line);
  });
});

describe("a foundry.toml", () => {
  const set = new Map([
    ["env URL", "https://env.example/k"],
    ["dotenv KEY", "abc"],
    ["dotenv URL", "https://dotenv.example/k"],
  ]);
  const hostValue = ({ source, name }: HostReference): string | undefined => set.get(`${source} ${name}`);
  const text = `[profile.default]
src = "src"

[rpc_endpoints]
main = "\${URL}"
keyed = "https://h/\${KEY}"
"quo ted" = { endpoint = "https://h/", auth = "\${KEY}", retries = 3 }
basic = { url = "https://h/", auth = "Basic \${KEY}" }
odd = 5

[etherscan]
main = { key = "\${ETHERSCAN}" }
`;

  it("names endpoints, with values of the environment, then of .env", () => {
    const { entries, place, fault } = readFoundry(text, hostValue);
    assert.equal(fault, undefined);
    assert.deepEqual(entries, {
      main: "{{$env.URL}}",
      keyed: "https://h/{{$dotenv.KEY}}",
      "quo ted": { url: "https://h/", headers: { Authorization: "Bearer {{$dotenv.KEY}}" } },
      basic: { url: "https://h/", headers: { Authorization: "Basic {{$dotenv.KEY}}" } },
      odd: null,
    });
    assert.deepEqual(
      ["main", "quo ted", "basic"].map((name) => place(name)),
      [
        { line: 5, column: 1 },
        { line: 7, column: 1 },
        { line: 8, column: 1 },
      ],
    );
  });

  it("that is no TOML says where", () =>
    assert.deepEqual(readFoundry("a = 1\nb = [", hostValue).fault, {
      place: { line: 2, column: 5 },
      what: "the file is not TOML",
    }));

  it("may hold anything at all", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((body) => `[rpc_endpoints]\n${body}`),
        ),
        (any) => {
          readFoundry(any, hostValue);
        },
      ),
    ));
});

describe("values of the host", () => {
  const files = (texts: Readonly<Record<string, string>>) => ({
    read: async (uri: string) => (texts[uri] === undefined ? undefined : new TextEncoder().encode(texts[uri])),
  });
  const variables: Readonly<Record<string, string>> = {
    A: "env a",
    RPC_NOTEBOOK_SECRET_S: "own",
    S: "plain",
    EMPTY: "",
  };
  const environment = { variable: (name: string) => variables[name], names: () => Object.keys(variables) };
  const ports = {
    environment,
    files: files({
      "file:///w/.env": "A=top\nB=top\nT=t",
      "file:///w/a/.env": "B=near\nEMPTY=",
      "file:///.env": "OUTSIDE=1",
    }),
  };
  const ask = async (given: Parameters<typeof hostValues>[0], ...texts: readonly string[]) => {
    const wanted = texts.map((text): HostReference => {
      const [source, name = ""] = text.split(".");
      return { source: source as HostReference["source"], name };
    });
    const hostValue = await (await hostValues(given, "file:///w/a/n.rpc.json", ["file:///w"])).read(wanted);
    return wanted.map(hostValue);
  };

  it("come from the environment, and from the nearest .env of the project", async () =>
    assert.deepEqual(
      await ask(ports, "env.A", "env.B", "dotenv.A", "dotenv.B", "dotenv.OUTSIDE", "env.EMPTY", "dotenv.EMPTY"),
      ["env a", undefined, "top", "near", undefined, undefined, undefined],
    ));

  it("that are secrets come from where the editor keeps them, and from nowhere else", async () => {
    const asked: (readonly string[])[] = [];
    const secrets = {
      names: async () => ["K"],
      async read(names: readonly string[]) {
        asked.push(names);
        return new Map([["K", "kept"]]);
      },
    };
    assert.deepEqual(await ask({ ...ports, secrets }, "secret.K", "secret.S", "secret.K", "env.A"), [
      "kept",
      undefined,
      "kept",
      "env a",
    ]);
    assert.deepEqual(asked, [["K", "S"]]);
  });

  it("that are secrets come from the environment, then from .env, if nobody keeps them", async () => {
    assert.deepEqual(await ask(ports, "secret.S", "secret.A", "secret.T", "secret.nope"), [
      "own",
      "env a",
      "t",
      undefined,
    ]);
  });

  it("tells names before values", async () => {
    const { names } = await hostValues(ports, "file:///w/a/n.rpc.json", ["file:///w"]);
    assert.deepEqual([...names.env], ["A", "RPC_NOTEBOOK_SECRET_S", "S", "EMPTY"]);
    assert.deepEqual(names.dotenv.get("B"), {
      origin: ".env",
      place: { uri: "file:///w/a/.env", place: { line: 1, column: 1 } },
    });
    assert.equal(names.dotenv.get("T")?.origin, "../.env");
    assert.equal(names.stored, undefined);
    assert.ok(!JSON.stringify([...names.dotenv]).includes("near"));
  });
});
