import assert from "node:assert/strict";
import { encodeFunctionData, parseAbi } from "viem";
import { entryOf, packDescriptors } from "../../../server/src/abi/descriptors.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { Files } from "../../../server/src/base/ports.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { createService } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { describedContracts, usdt } from "../../support/describedContracts.ts";
import { person, runText, testHost } from "../../support/host.ts";

const uri = "file:///nowhere/a.rpc.json";
const [alice, treasury] = ["a", "7"].map((digit) => `0x${digit.repeat(40)}` as const);
const hash = `0x${"4".repeat(64)}`;
const data = encodeFunctionData({
  abi: parseAbi(["function approve(address, uint256)"]),
  functionName: "approve",
  args: [treasury ?? "0x", 100_000_000n],
});
const origin = "./words, usdt.json, not verified";
const sentence = "Approve: Spender Treasury, Amount 100 USDT";

/** A notebook whose header names the chain, the treasury and the token. */
function notebook(cell: JsonValue, header: Readonly<Record<string, JsonValue>> = {}): string {
  const tokens = { [usdt]: { symbol: "USDT", decimals: 6 } };
  const given = {
    chainId: "0x1",
    descriptors: ["./words"],
    labels: { [treasury ?? ""]: "Treasury" },
    tokens,
    ...header,
  };
  return JSON.stringify({ ...given, cells: [cell] });
}

/** A transfer to sign, as an application asks for it. */
function typedTransfer(): JsonValue {
  const verifyingContract = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
  const domain = { name: "USD Coin", version: "2", chainId: 1, verifyingContract };
  const members = "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce";
  const types = {
    TransferWithAuthorization: members.split(",").map((one) => {
      const [type = "", name = ""] = one.split(" ");
      return { name, type };
    }),
  };
  const parties = { from: alice ?? "", to: treasury ?? "" };
  const message = { ...parties, value: 5, validAfter: 0, validBefore: 1_900_000_000, nonce: `0x${"0".repeat(64)}` };
  return { types, primaryType: "TransferWithAuthorization", domain, message };
}

/** Files of a project in memory, by the path from its folder. */
function filesOf(contents: Readonly<Record<string, string>>): Files {
  const top = "file:///nowhere/";
  return {
    read: async (one) => {
      const text = one.startsWith(top) ? contents[one.slice(top.length)] : undefined;
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    list: async (one) => {
      const inside = Object.keys(contents).filter((name) => `${top}${name}`.startsWith(`${one}/`));
      if (inside.length === 0) return undefined;
      const names = inside.map((name) => `${top}${name}`.slice(one.length + 1));
      const kinds = new Map(names.map((name) => [name.split("/")[0] ?? "", name.includes("/")]));
      return [...kinds].map(
        ([name, isFolder]) => ({ name, kind: isFolder ? "folder" : "file", version: "1" }) as const,
      );
    },
  };
}

const project = Object.entries(describedContracts).map(
  ([name, one]) => [`words/${name}`, JSON.stringify(one)] as const,
);

describe("the descriptors of a project", () => {
  let reads: number;
  beforeEach(() => {
    reads = 0;
  });
  const host = (result: JsonValue, over: Partial<Host> = {}): Partial<Host> => {
    const answerTo = ({ id }: { readonly id: number }) => ({ jsonrpc: "2.0", id, result });
    return {
      files: {
        ...filesOf(Object.fromEntries(project)),
        read: (one) => {
          reads += Number(one.includes("/words/"));
          return filesOf(Object.fromEntries(project)).read(one);
        },
      },
      consent: person({ allowHost: async () => true, allowWrites: async () => true }),
      transport: {
        async post({ body: sent }) {
          const asked = JSON.parse(sent);
          const body = JSON.stringify(Array.isArray(asked) ? asked.map(answerTo) : answerTo(asked));
          return { kind: "response", status: 200, headers: {}, body, bytes: body.length };
        },
      },
      settings: { rpcNotebook: { tokenLookup: false } },
      ...over,
    };
  };
  const sent = { from: alice ?? "", to: usdt, input: data, value: "0x0" };
  const transaction = { ...sent, hash, blockNumber: "0x5", chainId: "0x1" };
  const asked = { method: "eth_getTransactionByHash", params: [hash] };
  const reportOf = async (text: string, given: Partial<Host>): Promise<Report> => {
    const { cells } = await runText(text, { endpoint: "http://127.0.0.1:1", host: given });
    const [report] = cells[0]?.output.reports ?? [];
    assert.ok(report);
    return report;
  };

  it("says a transaction in words, beside its call and with the origin", async () => {
    const report = await reportOf(notebook(asked), host(transaction));
    const text = reportText(report);
    assert.ok(text.includes(sentence), text);
    assert.ok(text.includes(origin), text);
    assert.ok(report.summary.includes("approve("), "the call itself comes first");
    assert.ok(!report.summary.includes("Approve:"), report.summary);
    assert.equal(reads, project.length, "each is read once");
  });

  it("is in the JSON of an answer", async () => {
    const { cells } = await runText(notebook(asked), { endpoint: "http://127.0.0.1:1", host: host(transaction) });
    const [answer] = JSON.parse(JSON.stringify(cells[0]?.answers()));
    const [spender, amount] = [
      { label: "Spender", value: "Treasury" },
      { label: "Amount", value: "100 USDT" },
    ];
    assert.deepEqual(answer.inWords, [{ to: usdt, text: sentence, fields: [spender, amount], source: origin }]);
  });

  for (const [what, answer, header] of [
    ["of another chain", transaction, { chainId: "0x5" }],
    ["that says it is of another chain", { ...transaction, chainId: "0x5" }, {}],
    ["without a call", { ...transaction, input: "0x" }, {}],
    ["whose data does not fit", { ...transaction, input: data.slice(0, -2) }, {}],
  ] as const)
    it(`says nothing of a transaction ${what}`, async () =>
      assert.doesNotMatch(reportText(await reportOf(notebook(asked, header), host(answer))), /ERC-7730|In words/));

  it("lists the calls of a simulation", async () => {
    const call = { from: alice ?? "", to: usdt, data };
    const cell = {
      method: "eth_simulateV1",
      params: [{ blockStateCalls: [{ calls: [call, call, { ...call, value: "0x1" }] }] }, "latest"],
    };
    const done = { status: "0x1", returnData: "0x", gasUsed: "0x1", logs: [] };
    const failed = { ...done, status: "0x0", error: { code: 3, message: "execution reverted" } };
    const text = reportText(await reportOf(notebook(cell), host([{ number: "0x1", calls: [failed, done, done] }])));
    assert.match(text, /In words\n.*USDT \(.*\n.*USDT, value 0\.0{17}1 ETH \(/);
    const reverted = host([{ number: "0x1", calls: [failed, failed, failed] }]);
    assert.doesNotMatch(reportText(await reportOf(notebook(cell), reverted)), /In words/);
  });

  it("keeps text of tokens and labels on one line, and in quotes", async () => {
    const symbol = "USDT\u202e (verified)\n**5 ETH**";
    const tokens = { [usdt]: { symbol, decimals: 6 } };
    const text = reportText(await reportOf(notebook(asked, { tokens }), host(transaction)));
    const line = text.split("\n").find((one) => one.includes("Approve:"));
    assert.match(line ?? "", /Amount 100 "USDT/);
    assert.ok(!text.includes("\u202e"));
  });

  describe("is in the question", () => {
    const asks = async (cell: JsonValue): Promise<string> => {
      const questions: unknown[] = [];
      const consent = person({
        allowHost: async () => true,
        allowWrites: async (question) => {
          questions.push(question);
          return false;
        },
      });
      await runText(notebook(cell), { endpoint: "http://127.0.0.1:1", host: host("0x1", { consent }) });
      return JSON.stringify(questions);
    };

    it("about a write, behind the call itself", async () => {
      const question = await asks({ method: "eth_sendTransaction", params: [{ from: alice ?? "", to: usdt, data }] });
      assert.ok(question.includes(JSON.stringify(`A descriptor says "${sentence}" (${origin})`)), question);
      assert.match(question, /"what":"Call [^"]*approve\(/);
    });

    it("about typed data", async () => {
      const question = await asks({ method: "eth_signTypedData_v4", params: [alice ?? "", typedTransfer()] });
      assert.match(question, /Sign typed data with the key of/);
      assert.match(
        question,
        /Authorize USDC transfer: From 0x[aA]+, To Treasury, Amount 5 in the smallest unit of 0xA0b8/,
      );
      assert.match(question, /usdc\.json, not verified/);
    });
  });

  const words = /Authorize USDC transfer: .*Amount 5 in the smallest unit of 0xA0b8/;
  for (const [what, method, params, at, expected] of [
    ["call data", "eth_call", [{ to: usdt, data }, "latest"], data, /In words[\s\S]*Treasury[\s\S]*not verified/],
    [
      "a readable call",
      "eth_call",
      [{ to: usdt, data: { function: "approve(address,uint256)", args: [treasury ?? "", "100000000"] } }, "latest"],
      "approve(",
      /In words[\s\S]*Treasury[\s\S]*not verified/,
    ],
    ["typed data", "eth_signTypedData_v4", [alice ?? "", typedTransfer()], "eth_signTypedData_v4", words],
    ["a part of typed data", "eth_signTypedData_v4", [alice ?? "", typedTransfer()], '"primaryType"', words],
    ["a signature", "eth_signTypedData_v4", [alice ?? "", JSON.stringify(typedTransfer())], "signTyped", words],
  ] as const)
    it(`is in a hover of ${what}, for which nothing is sent`, async () => {
      const text = notebook({ method, params });
      const transport = { post: () => assert.fail("nothing is sent") };
      const service = createService(testHost(host("0x", { transport })));
      service.openText(uri, text);
      await service.settled(uri);
      const hover = await service.liveHover(uri, text.indexOf(at) + 4, new AbortController().signal);
      assert.match((hover ?? "").replaceAll("\\", ""), expected);
    });

  it("offers the registry at a call without words, if it can be downloaded and there is no copy; nothing is sent", async () => {
    const offered = async (called: string, over: Partial<Host>): Promise<boolean> => {
      const transport = { post: () => assert.fail("nothing is sent") };
      const downloads = { get: () => assert.fail("nothing is downloaded") };
      const none = { read: async () => undefined, write: () => assert.fail("nothing is kept") };
      const service = createService(testHost(host("0x", { transport, downloads, cache: none, ...over })));
      const text = notebook({
        method: "eth_call",
        params: [{ to: called, data: `0x12345678${data.slice(10)}` }, "latest"],
      });
      service.openText(uri, called === usdt ? text.replace("0x12345678", data.slice(0, 10)) : text);
      await service.settled(uri);
      return service.offersRegistry(uri, text.indexOf("eth_call") + 2);
    };
    const entries = Object.entries(describedContracts).map(([name, one]) => entryOf(one, name, name));
    const packed = packDescriptors(entries.filter((one) => typeof one !== "string"));
    const copy = `${JSON.stringify({ commit: "abc", date: "2026-08-20" })}\n${packed}`;
    const kept = {
      read: async (key: string) => (key === "erc7730-registry" ? copy : undefined),
      write: async () => {},
    };
    const unknown = treasury ?? "";
    assert.equal(await offered(unknown, {}), true);
    assert.equal(await offered(usdt, {}), false, "it has words");
    assert.equal(await offered(unknown, { cache: kept }), false, "there is a copy");
    assert.equal(await offered(unknown, { downloads: undefined }), false, "a browser downloads nothing");
  });

  it("is in the report of a signature", async () => {
    const cell = { method: "eth_signTypedData_v4", params: [alice ?? "", JSON.stringify(typedTransfer())] };
    assert.match(reportText(await reportOf(notebook(cell), host("0x1"))), words);
  });

  describe("have problems at the path", () => {
    const problemsOf = async (
      contents: Readonly<Record<string, string>>,
      ...descriptors: readonly string[]
    ): Promise<readonly string[]> => {
      const service = createService(testHost({ files: filesOf(contents), roots: ["file:///nowhere"] }));
      service.openText(uri, JSON.stringify({ descriptors, cells: [] }));
      await service.settled(uri);
      return service.diagnostics(uri).map(({ message }) => message);
    };
    const whole = JSON.stringify(describedContracts["usdt.json"]);
    const including = (path: string): string => JSON.stringify({ includes: path });
    const deep = `{"context":${"[".repeat(60)}${"]".repeat(60)}}`;
    for (const [what, contents, path, expected] of [
      ["a file that is not there", {}, "./a.json", /there is no such file/],
      ["broken JSON", { "a.json": "{" }, "a.json", /it is not JSON/],
      ["another JSON", { "a.json": "{}" }, "a.json", /not an ERC-7730 descriptor/],
      [
        "no contract",
        { "a.json": '{"context":{"contract":{}},"display":{"formats":{"f()":{}}}}' },
        "a.json",
        /deployments/,
      ],
      ["what is not a function", { "a.json": whole.replace("approve(", "approve((") }, "a.json", /is not a function/],
      ["many levels", { "a.json": deep }, "a.json", /more than 40 levels/],
      ["a circle", { "a.json": including("b.json"), "b.json": including("a.json") }, "a.json", /includes itself/],
      ["a way out of the project", { "a.json": including("../../etc/x.json") }, "a.json", /leads out/],
      ["a path out of the project", {}, "../x.json", /outside/],
      ["a folder without any", { "words/a.json": "{}" }, "words", /contains no ERC-7730 descriptor/],
      [
        "a folder with a broken one",
        { "words/a.json": whole, "words/b.json": "{" },
        "words",
        /b\.json: it is not JSON/,
      ],
    ] as const)
      it(what, async () => {
        const [problem = "", ...more] = await problemsOf(contents, path);
        assert.match(problem, expected);
        assert.deepEqual(more, []);
      });

    const other = whole.replace('"intent":"Approve"', '"intent":"Allow"');
    const conflict = (one: string, two: string): RegExp =>
      new RegExp(
        `: ${one}:3 and ${two}:1 disagree about .approve\\(address spender,uint256 value\\). of ${usdt} on chain 1`,
      );
    for (const [what, contents, paths, expected] of [
      [
        "two of a folder that disagree",
        { "words/a.json": whole.replace('"approve(', '\n\n"approve('), "words/b.json": other },
        ["words"],
        conflict("words/a.json", "words/b.json"),
      ],
      [
        "two paths that disagree",
        { "z.json": whole.replace('"approve(', '\n\n"approve('), "words/b.json": other },
        ["z.json", "words"],
        conflict("z.json", "words/b.json"),
      ],
    ] as const)
      it(`${what}, with the places of both`, async () => {
        const [problem = "", ...more] = await problemsOf(contents, ...paths);
        assert.match(problem, expected);
        assert.deepEqual(more, []);
      });

    it("and none if two say the same, or speak of different contracts", async () => {
      const elsewhere = other.replaceAll(usdt, treasury ?? "");
      const contents = { "words/a.json": whole, "words/b.json": whole, "words/c.json": elsewhere };
      assert.deepEqual(await problemsOf(contents, "words", "words/a.json"), []);
    });

    it("and none if they are whole, with what they include", async () => {
      const contents = { "words/a.json": including("base/b.json"), "words/base/b.json": whole };
      assert.deepEqual(await problemsOf(contents, "words/a.json"), []);
    });
  });

  it("come before a registry in the project, which comes before our own", async () => {
    const named = (intent: string): string =>
      JSON.stringify(describedContracts["usdt.json"]).replace('"intent":"Approve"', `"intent":"${intent}"`);
    const registry = { "lib/clear-signing-erc7730-registry/registry/tether/calldata-usdt.json": named("By registry") };
    const sayings = [];
    for (const contents of [{ "words/usdt.json": named("By file"), ...registry }, registry, {}]) {
      const text = reportText(await reportOf(notebook(asked), host(transaction, { files: filesOf(contents) })));
      sayings.push(/^ *says .*$/m.exec(text)?.[0], /^ *source .*$/m.exec(text)?.[0]);
    }
    assert.deepEqual(
      sayings.map((line) =>
        line
          ?.trim()
          .replace(/ +/g, " ")
          .replace(/ \(the descriptor.*/, ""),
      ),
      [
        "says By file: Spender Treasury, Amount 100 USDT",
        "source ./words, usdt.json, not verified",
        "says By registry: Spender Treasury, Amount 100 USDT",
        "source ERC-7730 registry, tether, not verified",
        "says Let Treasury spend 100 USDT",
        "source ERC-20, by RPC Notebook",
      ],
    );
  });

  it("of a folder with many are kept, and read again when a file has changed", async () => {
    const kept = new Map<string, string>();
    const cache = {
      read: async (key: string) => kept.get(key),
      write: async (key: string, text: string) => void kept.set(key, text),
    };
    const many = Array.from({ length: 30 }, (_, at) => [`words/${at}.json`, project[0]?.[1] ?? ""] as const);
    const files = (version: string): Files => {
      const inMemory = filesOf(Object.fromEntries(many));
      const list = async (one: string) => (await inMemory.list?.(one))?.map((entry) => ({ ...entry, version }));
      return { ...inMemory, list };
    };
    const read = async (version: string): Promise<number> => {
      const counted = files(version);
      let count = 0;
      const given = {
        ...counted,
        read(one: string) {
          count++;
          return counted.read(one);
        },
      };
      const text = reportText(await reportOf(notebook(asked), host(transaction, { files: given, cache })));
      assert.match(text, /Approve: Spender Treasury/);
      return count;
    };
    assert.ok((await read("1")) >= 30);
    assert.ok((await read("1")) < 30);
    assert.ok((await read("2")) >= 30);
    for (const key of kept.keys()) kept.set(key, "%%%");
    assert.ok((await read("2")) >= 30, "what is damaged is not used");
  });
});
