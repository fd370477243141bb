import assert from "node:assert/strict";
import { encodeFunctionData, parseAbi } from "viem";
import { entryOf, packDescriptors } from "../../../server/src/abi/descriptors.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { Files } from "../../../server/src/base/ports.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { createService } from "../../../server/src/service/service.ts";
import { textDocument } from "../../../server/src/workspace/documents.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { ProjectDescriptors } from "../../../server/src/workspace/projectDescriptors.ts";
import { describedContracts, usdt } from "../../support/describedContracts.ts";
import { gatedHost, person, runText, testHost } from "../../support/host.ts";
import { filesOf } from "../../support/memoryFiles.ts";

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

/** What a download of the registry keeps. */
function registryCopy(): string {
  const entries = Object.entries(describedContracts).map(([name, one]) => entryOf(one, name, name));
  const packed = packDescriptors(entries.filter((one) => "body" in one));
  return `${JSON.stringify({ commit: "abc", date: "2026-08-20" })}\n${packed}`;
}
const cacheWith = (copy: () => string | undefined) => ({
  read: async (key: string) => (key === "erc7730-registry" ? copy() : undefined),
  write: async () => {},
});

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

  it("says nothing of a call that was refused", async () => {
    const cell = { method: "eth_call", params: [{ from: alice ?? "", to: usdt, data }, "latest"] };
    const refusing: Host["transport"] = {
      async post({ body: sent }) {
        const { id } = JSON.parse(sent);
        const body = JSON.stringify({ jsonrpc: "2.0", id, error: { code: 3, message: "execution reverted" } });
        return { kind: "response", status: 200, headers: {}, body, bytes: body.length };
      },
    };
    const said = async (given: Partial<Host>) => reportText(await reportOf(notebook(cell), given));
    assert.match(await said(host(`0x${"1".padStart(64, "0")}`)), /Approve/);
    assert.doesNotMatch(await said(host(null, { transport: refusing })), /In words|ERC-7730/);
  });

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
    const kept = cacheWith(() => registryCopy());
    const unknown = treasury ?? "";
    assert.equal(await offered(unknown, {}), true);
    assert.equal(await offered(usdt, {}), false, "it has words");
    assert.equal(await offered(unknown, { cache: kept }), false, "there is a copy");
    assert.equal(await offered(unknown, { downloads: undefined }), false, "a browser downloads nothing");
  });

  it("of a new copy of the registry is there at once", async () => {
    const text = notebook({ method: "eth_call", params: [{ to: usdt, data }, "latest"] }, { descriptors: [] });
    let copy: string | undefined;
    const downloads = { get: async () => 404 };
    const given = { files: filesOf({}), downloads, cache: cacheWith(() => copy) };
    const service = createService(testHost(host("0x", given)));
    service.openText(uri, text);
    await service.settled(uri);
    const { signal } = new AbortController();
    const shown = async () => (await service.liveHover(uri, text.indexOf(data) + 4, signal)) ?? "";
    assert.doesNotMatch(await shown(), /7730 registry/);
    copy = registryCopy();
    await service.getRegistry(signal);
    assert.match(await shown(), /7730 registry/);
  });

  it("is in the report of a signature", async () => {
    const cell = { method: "eth_signTypedData_v4", params: [alice ?? "", JSON.stringify(typedTransfer())] };
    assert.match(reportText(await reportOf(notebook(cell), host("0x1"))), words);
  });

  it("include others of the project, also from a folder beside theirs, and are read again when those change", async () => {
    const { display, ...rest } = describedContracts["usdt.json"] ?? {};
    const contents: Record<string, string> = {
      "words/a.json": JSON.stringify({ includes: "../common/usdt.json", ...rest }),
      "common/usdt.json": JSON.stringify({ display }),
    };
    const descriptors = new ProjectDescriptors(gatedHost({ files: filesOf(contents), roots: ["file:///nowhere"] }));
    const document = textDocument(uri, JSON.stringify({ descriptors: ["words"], cells: [] }));
    const intent = async (): Promise<unknown> => {
      const found = (await descriptors.of(document)).find("call", 1n, usdt, data, true);
      return Object.values(found?.read().display?.formats ?? {})[0]?.intent;
    };
    assert.equal(await intent(), "Approve");
    contents["common/usdt.json"] = JSON.stringify({ display }).replace('"Approve"', '"Allow"');
    descriptors.refresh(document);
    assert.equal(await intent(), "Allow");
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
    assert.equal(kept.size, 1, "one text for a folder, not one for each version of it");
    for (const key of kept.keys()) kept.set(key, "%%%");
    assert.ok((await read("2")) >= 30, "what is damaged is not used");
  });
});
