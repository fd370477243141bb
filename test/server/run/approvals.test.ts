import assert from "node:assert/strict";
import { privateKeyToAccount } from "viem/accounts";
import type { WriteQuestion } from "../../../server/src/base/ports.ts";
import { person, runText, summaries } from "../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";
import { pluck } from "../../support/pluck.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const labels = { [alice]: "alice", [bob]: "bob" };
const read = { method: "eth_chainId" };
const transfer = (more: object = {}) => ({
  method: "eth_sendTransaction",
  params: [{ from: alice, to: bob, value: "0xde0b6b3a7640000", ...more }],
});

describe("the approval of requests that write", () => {
  let node: HostileServer;
  let questions: WriteQuestion[];
  beforeEach(async () => {
    questions = [];
    node = await hostileServer(answering(() => "0x1"));
  });

  const run = (
    cells: readonly object[],
    allow: (question: WriteQuestion) => Promise<boolean> = async () => true,
    names: object = labels,
    tokens?: object,
  ) => {
    const consent = person({
      allowWrites: (question) => {
        questions.push(question);
        return allow(question);
      },
    });
    const settings = { rpcNotebook: { endpoints: { main: node.url } } };
    return runText(JSON.stringify({ endpoint: "main", labels: names, tokens, cells }), { host: { consent, settings } });
  };
  const methods = () => node.seen.flatMap(({ body }) => [JSON.parse(body)].flat().map(({ method }) => method));

  it("says what will happen, with names and their addresses", async () => {
    await run([transfer()]);
    assert.deepEqual(questions, [
      {
        words: {
          question: `Send 1 ether from alice to bob on http://${node.host}?`,
          detail: ["The method is eth_sendTransaction.", `alice is ${alice}.`, `bob is ${bob}.`],
          more: 'The endpoint is called "main". You are asked in every run.',
          yes: ["Send"],
          no: "Don't Send",
        },
        writes: [
          {
            what: "Send 1 ether from alice to bob",
            method: "eth_sendTransaction",
            site: `http://${node.host}`,
            endpoint: "main",
            names: [`alice is ${alice}`, `bob is ${bob}`],
          },
        ],
      },
    ]);
  });

  it("of several requests comes from one question with a list", async () => {
    await run([transfer(), { method: "evm_mine" }]);
    const [{ words } = assert.fail("no question")] = questions;
    assert.equal(words.question, "Send these 2 requests?");
    assert.deepEqual(words.detail, [
      `1. Send 1 ether from alice to bob on http://${node.host} (eth_sendTransaction).`,
      `2. Run evm_mine on http://${node.host} (evm_mine).`,
      `alice is ${alice}.`,
      `bob is ${bob}.`,
    ]);
  });

  it("is not waited for if the options of a command have decided", async () => {
    const settings = { rpcNotebook: { endpoints: { main: node.url } } };
    const consent = person({ byOptions: true });
    const text = JSON.stringify({ endpoint: "main", cells: [transfer(), { method: "acme_x" }] });
    const { waits, result } = await runText(text, { host: { consent, settings } });
    assert.deepEqual([waits, result.failed], [[], 1]);
  });

  const deployment = { method: "eth_sendTransaction", params: [{ from: alice, data: "0x6000" }] };
  const call = transfer({ data: { function: "transfer", args: [bob, "5"] }, value: "0x1" });
  const priced = transfer({ value: "0x0", gasPrice: "0xde0b6b3a7640000" });
  const capped = transfer({ gas: "0x5208", maxFeePerGas: "0x3b9aca00" });
  const other = { method: "anvil_setBalance", params: [alice, "0x1"] };
  for (const [what, cell, intent] of [
    ["a call", call, `Call bob from alice, with 1 wei: transfer(to: bob (${bob}), `],
    ["a creation", deployment, "Deploy a contract from alice"],
    ["nothing", transfer({ value: "0x0" }), "Send an empty transaction from alice to bob"],
    ["a price of gas", priced, "Send an empty transaction from alice to bob, at up to 1 ether per gas"],
    ["a fee", capped, "Send 1 ether from alice to bob, paying up to 0.000021 ether for gas"],
    ["bytes", { method: "eth_sendRawTransaction", params: ["0x1234"] }, "Send 2 bytes that cannot be read as a"],
    ["a signature", { method: "personal_sign", params: ["0x68656c6c6f", alice] }, `Sign "hello" with the key of alice`],
    ["any other method", other, `Run anvil_setBalance with ["${alice}","0x1"]`],
  ] as const)
    it(`describes ${what}`, async () => {
      await run([{ abi: ["function transfer(address to, uint256 value)"], ...cell }]);
      const shown = questions[0]?.writes[0]?.what ?? "";
      assert.equal(shown.slice(0, intent.length), intent);
    });

  it("describes the fee of a signed transaction, with that of its blobs", async () => {
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const base = { chainId: 1, nonce: 0, to: bob, gas: 21_000n, maxFeePerGas: 10n ** 9n } as const;
    const blobs = { maxFeePerBlobGas: 10n ** 9n, blobVersionedHashes: [`0x01${"0".repeat(62)}`] } as const;
    const signed = [
      await account.signTransaction({ ...base, type: "eip1559" }),
      await account.signTransaction({ ...base, ...blobs, type: "eip4844" }),
    ];
    await run(signed.map((raw) => ({ method: "eth_sendRawTransaction", params: [raw] })));
    const what = questions.flatMap(({ writes }) => writes).map((one) => one.what);
    assert.match(what[0] ?? "", /0\.000021 ether for gas$/);
    assert.match(what[1] ?? "", /0\.000152072 ether for gas and blobs$/);
  });

  const same = alice.toLowerCase().replace("0x", "0X");
  for (const [what, params] of [
    ["a member that only some nodes know", [{ from: alice, to: bob, Value: "0x1" }]],
    ["a target that only some nodes read", [{ from: alice, to: same, value: "0x1" }]],
    ["a target without 0x", [{ from: alice, to: bob.slice(2), value: "0x1" }]],
    ["a sender that only some nodes read", [{ from: same, to: bob, value: "0x1" }]],
    ["an amount that only some nodes read", [{ from: alice, to: bob, value: "0XDE0" }]],
    ["data that only some nodes read", [{ from: alice, to: bob, data: "0Xa9059cbb" }]],
    ["data without 0x", [{ from: alice, to: bob, data: "a9059cbb" }]],
    ["data beside other data", [{ from: alice, to: bob, input: "0x", data: "0xa9059cbb" }]],
    ["a further parameter", [{ from: alice, to: bob }, "0x1"]],
  ] as const)
    it(`shows a transaction as it is if it has ${what}`, async () => {
      await run([{ method: "eth_sendTransaction", params }]);
      const sent = node.seen.map(({ body }) => JSON.parse(body)).find(({ method }) => method === "eth_sendTransaction");
      assert.deepEqual(pluck(questions[0]?.writes ?? [], "what"), [
        `Run eth_sendTransaction with ${JSON.stringify(sent?.params)}`,
      ]);
    });

  it("shows what is signed, whatever stands around it", async () => {
    const domain = { verifyingContract: bob };
    const message = { note: "x".repeat(500), spender: bob };
    const types = { EIP712Domain: [{ name: "a".repeat(400), type: "string" }] };
    await run([
      { method: "personal_sign", params: ["I owe bob", alice] },
      { method: "eth_signTypedData_v4", params: [alice, { types, primaryType: "Permit", domain, message }] },
    ]);
    const [text = "", typed = ""] = pluck(questions[0]?.writes ?? [], "what");
    assert.equal(text, `Sign "I owe bob" with the key of alice`);
    assert.equal(typed.includes(`"spender":"${bob}"},"domain":{"verifyingContract":"${bob}"}`), true, typed);
  });

  for (const [what, names, shown] of [
    ["is another address", [alice], bob],
    ["looks like another address", ["Safe 0x7099…79C8"], bob],
    ["another address has too", ["Alice", "alice"], bob],
    ["is a part of the question", ["carol on local?"], `"carol on local?"`],
    ["ends quotes", [`carol" on "local`], `"carol' on 'local"`],
    ["is a number", ["1"], `"1"`],
  ] as const)
    it(`does not take a name for what it is not: one that ${what}`, async () => {
      const [own = "", other] = names;
      await run([{ ...transfer(), params: [{ to: bob, value: "0x1" }] }], undefined, {
        [bob]: own,
        ...(other && { [alice]: other }),
      });
      assert.deepEqual(pluck(questions[0]?.writes ?? [], "what"), [
        `Send 1 wei from an account of the node to ${shown}`,
      ]);
    });

  it("says who gives the decimals of an amount", async () => {
    const data = { function: "transfer", args: [alice, "1000000000000"] };
    const text = { abi: ["function transfer(address to, uint256 value)"], ...transfer({ data }) };
    await run([text], undefined, labels, { [bob]: { symbol: "USDC", decimals: 18 } });
    const [write] = questions[0]?.writes ?? [];
    assert.match(write?.what ?? "", /value: 0\.000001 USDC/);
    assert.deepEqual(write?.names, [`alice is ${alice}`, "USDC has 18 decimals, as the header says", `bob is ${bob}`]);
  });

  it("does not hold up cells that only read, and says why the others wait", async () => {
    const reads: string[] = [];
    const done = await run([transfer(), read, { ...read, endpoint: node.url }], async () => {
      while (methods().filter((method) => method === "eth_chainId").length < 2)
        await new Promise((soon) => setImmediate(soon));
      reads.push(...methods());
      return true;
    });
    assert.deepEqual(reads, ["eth_chainId", "eth_chainId"]);
    assert.deepEqual(done.waits, ["Waiting for you: approve “Send 1 ether from alice to bob”."]);
    assert.deepEqual([done.result.ok, done.ended.at(-1)], [3, 0]);
  });

  it("is one question for several, at all endpoints of the run", async () => {
    const done = await run([transfer(), { ...transfer({ value: "0x2" }), endpoint: node.url }, read]);
    assert.equal(questions.length, 1);
    assert.deepEqual(pluck(questions[0]?.writes ?? [], "what"), [
      "Send 1 ether from alice to bob",
      "Send 2 wei from alice to bob",
    ]);
    assert.equal(done.result.ok, 3);
  });

  it("shows values of earlier cells as they are sent, and asks again for what was not known", async () => {
    await run([
      { name: "amount", ...read },
      transfer({ value: "{{amount.result}}" }),
      { name: "again", ...transfer({ value: "{{amount.result}}", nonce: "0x1" }) },
      transfer({ value: "{{again.result}}" }),
    ]);
    assert.deepEqual(
      questions.map(({ writes }) => pluck(writes, "what")),
      [["Send 1 wei from alice to bob", "Send 1 wei from alice to bob"], ["Send 1 wei from alice to bob"]],
    );
  });

  it("is not asked again in a run after a no", async () => {
    const cells = [{ name: "first", ...transfer() }, { name: "n", ...read }, transfer({ nonce: "{{n.result}}" })];
    const done = await run(cells, async () => false);
    assert.equal(questions.length, 1);
    assert.deepEqual(methods(), ["eth_chainId"]);
    assert.match(
      summaries(done).join("\n"),
      /eth_sendTransaction` broadcasts a transaction.*\n✓.*\n✗ not sent: `eth_send/,
    );
  });

  it("of a batch is refused because of its first request that writes", async () => {
    const batch = [{ method: "evm_mine" }, read, transfer()];
    for (const cell of [batch, batch.toReversed()]) {
      const done = await run([cell], async () => false);
      const [first] = cell.filter((one) => one !== read);
      assert.match(summaries(done).join(), new RegExp(`not sent: \`${first?.method}\``));
    }
  });

  it("ends with the run that is cancelled", async () => {
    const stop = new AbortController();
    const consent = person({
      allowWrites: async () => {
        stop.abort();
        return false;
      },
    });
    const settings = { rpcNotebook: { endpoints: { main: node.url } } };
    const text = JSON.stringify({ endpoint: "main", cells: [transfer()] });
    const done = await runText(text, { host: { consent, settings }, signal: stop.signal });
    assert.deepEqual(summaries(done), ["✗ not sent: The run was cancelled."]);
  });
});

describe("the approval of a host", () => {
  it("does not hold up cells of other endpoints, and is not needed for a port of this machine", async () => {
    const node = await hostileServer(answering(() => "0x1"));
    const asked: string[] = [];
    const consent = person({
      async allowHost({ site }) {
        asked.push(site);
        while (node.seen.length === 0) await new Promise((soon) => setImmediate(soon));
        return false;
      },
    });
    const cells = [
      { ...read, endpoint: "https://a.example" },
      { ...read, endpoint: node.url },
    ];
    const done = await runText(JSON.stringify({ cells }), { host: { consent } });
    assert.deepEqual(asked, ["https://a.example"]);
    assert.deepEqual(done.waits, ["Waiting for you: allow requests to https://a.example."]);
    assert.deepEqual([done.result.ok, done.result.failed], [1, 1]);
  });
});
