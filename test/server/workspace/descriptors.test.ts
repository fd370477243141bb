import assert from "node:assert/strict";
import { encodeFunctionData, parseAbi } from "viem";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { descriptors } from "../../../server/src/node/files.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { createService } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { person, runText, testHost } from "../../support/host.ts";

const uri = "file:///nowhere/a.rpc.json";
const usdt = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const [alice, treasury] = ["a", "7"].map((digit) => `0x${digit.repeat(40)}` as const);
const hash = `0x${"4".repeat(64)}`;
const data = encodeFunctionData({
  abi: parseAbi(["function approve(address, uint256)"]),
  functionName: "approve",
  args: [treasury ?? "0x", 100_000_000n],
});
const origin = "ERC-7730 registry, tether, not verified";
const sentence = "Approve: Spender Treasury, Amount 100 USDT";

/** A notebook whose header names the chain, the treasury and the token. */
function notebook(cell: JsonValue, header: Readonly<Record<string, JsonValue>> = {}): string {
  const tokens = { [usdt]: { symbol: "USDT", decimals: 6 } };
  const given = { chainId: "0x1", labels: { [treasury ?? ""]: "Treasury" }, tokens, ...header };
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

describe("the table of descriptors of a service", () => {
  let reads: number;
  beforeEach(() => {
    reads = 0;
  });
  const host = (result: JsonValue, over: Partial<Host> = {}): Partial<Host> => {
    const answerTo = ({ id }: { readonly id: number }) => ({ jsonrpc: "2.0", id, result });
    return {
      descriptors: () => {
        reads++;
        return descriptors();
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
    assert.equal(reads, 1);
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

  it("is not read for an answer without calls", async () => {
    await reportOf(notebook({ method: "eth_blockNumber" }), host("0x5"));
    assert.equal(reads, 0);
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
      assert.match(question, /ERC-7730 registry, circle, not verified/);
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

  it("is in the report of a signature", async () => {
    const cell = { method: "eth_signTypedData_v4", params: [alice ?? "", JSON.stringify(typedTransfer())] };
    assert.match(reportText(await reportOf(notebook(cell), host("0x1"))), words);
  });

  it("is optional: it cannot be read, or is damaged", async () => {
    for (const read of [() => Promise.reject(new Error("no such file")), async () => "%%%\n%%%"]) {
      const warnings: string[] = [];
      const log = { info: () => {}, warn: (message: string) => void warnings.push(message), error: assert.fail };
      const text = reportText(await reportOf(notebook(asked), host(transaction, { descriptors: read, log })));
      assert.match(text, /approve\(/);
      assert.doesNotMatch(text, /In words/);
    }
  });
});
