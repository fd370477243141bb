import assert from "node:assert/strict";
import { pad, toHex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { type CountingProxy, countingProxy } from "../../support/countingProxy.ts";
import { some } from "../../support/depth.ts";
import { runText } from "../../support/host.ts";
import {
  asBytes,
  type Call,
  chain,
  encoded,
  explainedIn,
  json,
  now,
  payments,
  receive,
  runCell,
  startPayments,
  transfer,
  usdc,
  usedBefore,
  wallet,
} from "../../support/paymentCalls.ts";
import { pluck } from "../../support/pluck.ts";
import { sharedChain } from "../../support/sharedChain.ts";

const { alice, bob, dave } = accounts;

describe("what is asked about a payment that failed", function () {
  this.timeout(300_000);
  const shared = sharedChain();
  before(() => startPayments(shared));

  let proxy: CountingProxy;
  beforeEach(async () => {
    proxy = await countingProxy(chain.url);
  });

  const call = (one: Call, method = "eth_call", rest: readonly unknown[] = ["latest"]): object => ({
    method,
    params: [one, ...rest],
  });
  const settings = (more: object = {}): { readonly endpoint: string; readonly host: object } => ({
    endpoint: "node",
    host: { settings: { rpcNotebook: { tokenLookup: false, endpoints: { node: { url: proxy.url, ...more } } } } },
  });
  /** Messages beside that of the cell and of the head. */
  const asked = (): readonly (readonly string[])[] => {
    const heads = new Set(["eth_blockNumber", "eth_getBlockByNumber"]);
    return proxy
      .methods()
      .map((methods) => methods.filter((method) => !heads.has(method)))
      .filter((methods) => methods.length > 0)
      .slice(1);
  };
  const codes = async (cell: object, more?: object): Promise<readonly (string | undefined)[]> =>
    explainedIn(await runCell(cell, settings(more))).map(({ causes }) => causes[0]?.code);

  it("is one batch", async () => {
    assert.deepEqual(await codes(call(await transfer({}, { over: { name: "USDC" } }))), ["domain.name"]);
    assert.equal(asked().length, 1);
    assert.ok((asked()[0]?.length ?? 0) <= 16, String(asked()[0]));
  });
  it("is two batches if a contract signs, or an authorization ended", async () => {
    const refused = await asBytes({ from: wallet }, (one) => one, "carol");
    assert.deepEqual(await codes(call(refused)), ["contract signer"]);
    assert.equal(asked().length, 2);
    await codes(call({ ...refused, data: encoded("transfer", usedBefore) }));
    assert.ok(asked().length <= 5);
  });
  it("is nothing if it succeeds, and nothing for other calls that fail", async () => {
    assert.deepEqual(await codes(call(await transfer())), []);
    assert.deepEqual(asked(), []);
    const other = {
      from: dave.address,
      to: usdc,
      data: { function: "transferFrom(address,address,uint256)", args: [alice.address, bob.address, 1] },
    };
    assert.deepEqual(await codes(call(other)), []);
    assert.deepEqual(asked().slice(1), []);
  });
  it("is nothing at an endpoint with a rate, without eth_call, or in a cell with `within`", async () => {
    const wrong = await transfer({}, { over: { name: "USDC" } });
    assert.deepEqual(await codes(call(wrong), { rate: 50 }), []);
    assert.deepEqual(await codes(call(wrong, "eth_estimateGas", []), { refuses: ["eth_call"] }), []);
    assert.deepEqual(await codes({ ...call(wrong), expect: { result: "0x" }, within: "300 ms" }), []);
    assert.ok(asked().every((methods) => methods.length === 1));
  });
  it("leaves out methods that the endpoint refuses", async () => {
    const wrong = call(await transfer({}, { over: { name: "USDC" } }));
    assert.deepEqual(await codes(wrong, { refuses: ["eth_getCode", "eth_getStorageAt"] }), ["domain.name"]);
    assert.ok(!asked().flat().includes("eth_getCode"));
  });
  it("explains an estimate, and a call without a block", async () => {
    const wrong = await transfer({}, { over: { version: "1" } });
    assert.deepEqual(await codes(call(wrong, "eth_estimateGas", [])), ["domain.version"]);
    assert.deepEqual(await codes(call(wrong, "eth_estimateGas", ["pending"])), ["domain.version"]);
  });

  it("is asked with the state overrides of the call", async () => {
    // the first slot is the name: the token still signs for its old one
    const renamed = {
      [usdc]: { stateDiff: { [pad("0x0")]: `0x${Buffer.from("Dollar").toString("hex").padEnd(62, "0")}0c` } },
    };
    const cell = await runCell(
      call(await transfer({}, { over: { name: "Dollar" } }), "eth_call", ["latest", renamed]),
      settings(),
    );
    assert.match(explainedIn(cell)[0]?.causes[0]?.what ?? "", /name "Dollar"; the token's is "USD Coin"/);
    const funded = { [alice.address]: { code: "0x6000" } };
    assert.deepEqual(await codes(call(await transfer(), "eth_call", ["latest", funded])), ["contract signer"]);
  });

  const simulation = (...entries: readonly object[]): object => ({
    method: "eth_simulateV1",
    params: [{ blockStateCalls: entries }, "latest"],
  });
  it("sees what earlier calls of a simulation did", async () => {
    const good = await transfer();
    const cell = await runCell(
      simulation({ calls: [good] }, { calls: [good, await transfer({ value: 9_000_000n })] }),
      settings(),
    );
    const [again, short] = explainedIn(cell);
    assert.equal(again?.causes[0]?.code, "nonce used or cancelled");
    assert.equal(short?.causes[0]?.what, "alice has 7.5 USDC; `value` is 9 USDC: 1.5 USDC short.");
    assert.match(cell.output.text, /Call 1: alice has 7\.5 USDC/);
    assert.deepEqual(
      asked().map(({ length }) => length),
      [8, 1],
      "one message for both",
    );
  });
  it("counts from the time of the simulated block", async () => {
    const late = await transfer({ validBefore: now + 5000n });
    const blockOverrides = { time: toHex(now + 6000n) };
    assert.deepEqual(await codes(simulation({ blockOverrides, calls: [late] })), ["expired"]);
    assert.deepEqual(await codes(simulation({ calls: [late] })), []);
  });
  it("explains a transaction that failed, as of the block before", async () => {
    const { data } = await transfer({}, { over: { name: "USDC" } });
    assert.ok(typeof data !== "string");
    const hash = await payments.send({ to: usdc, data: encoded("transfer", data.args) });
    for (const method of ["eth_getTransactionByHash", "eth_getTransactionReceipt"]) {
      const cell = await runCell({ method, params: [hash], explain: true }, settings());
      assert.deepEqual(
        explainedIn(cell).map(({ causes }) => causes[0]?.code),
        ["domain.name"],
      );
      assert.match(cell.output.text, /Signed for the domain name "USDC"; the token's is "USD Coin"\./);
    }
  });

  it("says that another transaction of the same block used the authorization", async () => {
    const { data } = await transfer({ value: 1n });
    assert.ok(typeof data !== "string");
    const sent = { from: dave.address, to: usdc, gas: "0x4c4b40", data: encoded("transfer", data.args) };
    await chain.rpc("eth_sendTransaction", [sent]);
    const hash = await payments.send({ to: usdc, data: sent.data });
    const cell = await runCell({ method: "eth_getTransactionByHash", params: [hash], explain: true }, settings());
    assert.equal(explainedIn(cell)[0]?.causes[0]?.code, "nonce used in block", cell.output.text);
  });
  it("says that a contract knows no payments by signature", async () => {
    const { collectible } = chain.contracts;
    const cell = await runCell(call(await transfer({}, {}, { to: collectible.address })), settings());
    assert.match(explainedIn(cell)[0]?.causes[0]?.what ?? "", /it seems not to support EIP-3009/);
  });
  it("says nothing that it could not read", async () => {
    const wrong = call(await transfer({}, { over: { name: "USDC" } }));
    const isQuestion = (body: string): boolean => body.startsWith("[") && body.includes("eth_getCode");
    const refused = (body: string): string =>
      JSON.stringify(
        JSON.parse(body).map(({ id }: { readonly id: number }) => {
          return { jsonrpc: "2.0", id, error: { code: -32000, message: "missing trie node abc" } };
        }),
      );
    const pruned = await countingProxy(chain.url, (body) => isQuestion(body) && refused(body));
    const cell = await runCell(wrong, { endpoint: pruned.url });
    assert.deepEqual(pluck(explainedIn(cell), "causes"), [[]]);
    assert.doesNotMatch(cell.output.text, /field to change/);
  });
  it("takes any answer to its questions", async () => {
    const ones = `0x${"f".repeat(2048)}`;
    const junk = [
      null,
      7,
      true,
      [],
      {},
      "0x",
      "0x1",
      "text",
      `0x${"f".repeat(64)}`,
      ones,
      `0x${"0".repeat(2048)}`,
      [[[{}]]],
    ];
    for (const method of ["eth_call", "eth_simulateV1"])
      for (const shift of some([...junk.keys()], 3)) {
        const hostile = await countingProxy(chain.url, (body) => {
          const asked = body.startsWith("[") && body.includes("0x84b0196e") ? JSON.parse(body) : undefined;
          const answer = ({ id }: { readonly id: number }, at: number): object => {
            return { jsonrpc: "2.0", id, result: junk[(at + shift) % junk.length] };
          };
          return asked ? JSON.stringify(asked.map(answer)) : false;
        });
        const one = await asBytes({ from: wallet }, (signature) => signature, "carol");
        const cell = method === "eth_call" ? call(one) : simulation({ calls: [one] });
        const { output } = await runCell(cell, { endpoint: hostile.url });
        assert.match(output.text, /invalid signature/);
      }
  });
  it("says that the contract behind a proxy was signed for", async () => {
    const { proxiedToken, token } = chain.contracts;
    const over = { name: "Demo Dollar", version: "1", verifyingContract: token.address };
    const wrong = await transfer({}, { over }, { to: proxiedToken.address });
    const cell = await runCell(call(wrong), settings());
    assert.match(
      explainedIn(cell)[0]?.causes[0]?.what ?? "",
      /verifying contract 0x\w+, the code behind the token; the/,
    );
  });

  it("offers the payee as the caller, and the `v` that fits", async () => {
    const text = json({ cells: [call(await receive(dave.address))] });
    const fixes = async (): Promise<readonly string[]> => {
      const { cells } = await runText(text, settings());
      const [report] = cells[0]?.output.reports ?? [];
      return (report?.sections ?? []).flatMap((section) =>
        section.kind === "failure"
          ? (section.actions ?? []).flatMap((one) => (one.kind === "fix" ? [one.text] : []))
          : [],
      );
    };
    assert.deepEqual(await fixes(), [JSON.stringify(bob.address.toLowerCase())]);
  });
  it("explains each request of a batch by itself", async () => {
    const wrong = call(await transfer({}, { over: { name: "USDC" } }));
    const text = json({ cells: [{ batch: [call(await transfer()), wrong] }] });
    const { cells } = await runText(text, settings());
    const answers = cells[0]?.answers().map((answer) => Object(answer).payments?.length);
    assert.deepEqual(answers, [undefined, 1]);
    assert.equal(asked().length, 1);
  });
});
